// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// How old frames were when their use began.
///
/// A subscriber of the newest frame begins with one that was there before it came: how long that one lay there, hours in
/// a paused run, says nothing of the way of a frame.
package struct FrameAges {
  /// Nanoseconds from publishing to the start of reading, of every frame read that was published since it joined.
  package private(set) var histogram = Histogram()

  /// The same of the frame read last; nil: that was published before.
  package private(set) var lastNs: UInt64?

  /// The newest frame that was there before.
  private let foundThrough: UInt64

  /// Of a subscriber that has just joined.
  ///
  /// - Parameters:
  ///   - reading: Which frames it wants.
  ///   - from: The first frame that it asked for; 0: none.
  ///   - newest: The newest frame that was there before.
  init(_ reading: Reading, from: UInt64, newest: UInt64) {
    foundThrough = reading == .newest && from == 0 ? newest : 0
  }

  /// Records a frame that was read whole.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - publishedNs: When it was published.
  ///   - beganNs: When its use began, by the same clock.
  mutating func record(_ sequence: UInt64, publishedNs: UInt64, beganNs: UInt64) {
    lastNs = sequence > foundThrough ? beganNs - min(publishedNs, beganNs) : nil
    if let lastNs { histogram.record(lastNs) }
  }
}
