// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The frames of a run as its sim published them.
package struct PublishedFrames {
  /// The times of all frames, in their order.
  package let times: [SimFrameTimes]
  /// Bytes of a frame.
  package let frameBytes: UInt64
  /// Ticks due in a second.
  package let ticksPerSecond: Double

  package init(_ times: [SimFrameTimes], frameBytes: UInt64, ticksPerSecond: Double) {
    (self.times, self.frameBytes, self.ticksPerSecond) = (times, frameBytes, ticksPerSecond)
  }

  /// Frames in a second of the run.
  ///
  /// The run begins one tick before its first is due. For a program it ends when the last frame was published
  /// and the program was done with the last frame that it used.
  ///
  /// - Parameters:
  ///   - count: Frames that the program used.
  ///   - doneNs: When it was done with the last of them; 0 if there is none.
  /// - Returns: 0 of a run without frames.
  package func perSecond(_ count: Int, doneNs: UInt64) -> Double {
    guard let first = times.first, let last = times.last else { return 0 }
    let tickNs = UInt64(1e9 / ticksPerSecond)
    let beganNs = (first.dueNs ?? first.begunNs) - tickNs
    return Double(count) * 1e9 / Double(max(last.publishedNs, doneNs) - beganNs)
  }
}
