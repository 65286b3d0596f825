// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// What a trace is to have of a run's frames.
package struct RecordingOptions: Sendable {
  /// What stands for a frame.
  package enum Mode: String, CaseIterable, Sendable {
    /// Its values.
    case full
    /// Its hash: the scene and the changes give the values again.
    case digest
  }

  /// What stands for a frame.
  package var mode = Mode.full

  /// Only frames whose number is a multiple of this are recorded; at least 1.
  package var every: UInt64 = 1

  /// Numbers and names of the entities that are recorded, as `EntityList` reads them; empty: all.
  package var entities: [String] = []

  /// Fields that are recorded; empty: all.
  package var fields: Set<Orrery_Field> = []

  /// Whether floats are rounded to 16 bits.
  package var quantises = false

  /// Whether frames between keyframes are recorded as what changed.
  package var delta = false

  package init() {}

  /// Whether frames are recorded as they are published, all of them.
  var isPlain: Bool {
    mode == .full && every == 1 && entities.isEmpty && fields.isEmpty && !quantises && !delta
  }
}
