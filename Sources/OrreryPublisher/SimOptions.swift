// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrrerySim

/// How a world is run and published.
package struct SimOptions: Sendable {
  /// Name of the run.
  package var run: String
  /// False: ticks follow each other as fast as they can.
  package var isPaced = true
  /// Ticks to run; nil until stopped.
  package var tickCount: UInt64?
  package var delivery = Delivery.live
  /// Slots of the ring; nil chooses by the size of a frame.
  package var slotCount: UInt64?
  /// Subscribers that must have joined before the first tick.
  package var waitFor: UInt64 = 0
  /// How long to wait for them.
  package var waitSeconds: Double = 60
  package var threadCount = 1
  package var instructionSet = InstructionSet.best

  package init(run: String) { self.run = run }

  /// Slots where nothing else was asked for: a second of 60 Hz frames while that is less than 256 MiB,
  /// and never fewer than eight.
  ///
  /// More slots forgive a slower reader and push more of the ring out of the last-level cache.
  static func defaultSlotCount(frameBytes: UInt64) -> UInt64 {
    min(max(256 << 20 / max(frameBytes, 1), 8), 64)
  }
}
