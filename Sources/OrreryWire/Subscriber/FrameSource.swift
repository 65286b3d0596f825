// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A run as its subscribers see it: in the memory that its sim shares, or from another machine.
package protocol FrameSource: AnyObject {
  /// Of every frame.
  var layout: FrameLayout { get }

  /// The encoded `orrery.SceneLayout`; valid as long as the source.
  var staticPart: UnsafeRawBufferPointer { get }

  /// Drawn at random for the run.
  var generation: UInt64 { get }

  /// How frames reach their readers.
  var delivery: Delivery { get }

  /// Whether everything that was read from the frame up to now belongs to it.
  func isWhole(_ view: FrameView) -> Bool
}

extension FrameReader: FrameSource {}
