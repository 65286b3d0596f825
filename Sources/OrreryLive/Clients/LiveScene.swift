// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// A run as pages need it before its first frame.
package struct LiveScene: Sendable {
  /// Number of the run among those that were followed, from 1.
  package let number: UInt32

  /// The run's name, for `orrery control`.
  package let run: String

  /// The encoded `orrery.SceneLayout`: pages read it themselves.
  package let layout: [UInt8]

  /// Whether the sim's clock is this machine's, so that times of frames can be compared with it.
  package let isLocal: Bool

  /// Nanoseconds since 1970 less the monotonic clock, as the run's frames are dated.
  package let clockOffsetNs: Int64

  /// Whether the run can be steered from here.
  package let isSteered: Bool

  /// Describes a run.
  package init(
    number: UInt32, run: String, layout: [UInt8], isLocal: Bool, clockOffsetNs: Int64,
    isSteered: Bool
  ) {
    (self.number, self.run, self.layout) = (number, run, layout)
    (self.isLocal, self.clockOffsetNs) = (isLocal, clockOffsetNs)
    self.isSteered = isSteered
  }
}

/// How a run ended, for those who watch it.
package enum RunEnd: String, Sendable {
  /// In order.
  case ended
  /// Its sim died, or cannot be heard.
  case died
  /// It may go on, but is not followed any more.
  case left
}
