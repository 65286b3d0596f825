// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Detects that a run stands still, and that it goes on; reports each once.
package struct Standstill {
  /// The last frame, and when it arrived; nil before the first.
  private var last: (sequence: UInt64, publishedNs: UInt64, cameNs: UInt64)?

  /// Time between two frames by the sim's clock: a late subscriber must not look like a slow run.
  private var intervalNs: UInt64 = 0

  /// Whether the current standstill was reported.
  private var isReported = false

  /// Shortest time without a frame that is reported.
  private let leastNs: UInt64

  /// Begins before the first frame.
  ///
  /// In live delivery a second without a frame is reported. In lockstep every frame waits for the
  /// slowest subscriber, and a second means nothing; but the sim drops a subscriber that it waits
  /// for in vain for ten seconds, so a longer time is the sim's own.
  ///
  /// - Parameter delivery: Whether the sim waits for subscribers.
  package init(delivery: Delivery = .live) {
    leastNs = delivery == .live ? 1_000_000_000 : 15_000_000_000
  }

  /// The same for slow runs, as a multiple of the last interval.
  private static let intervals: UInt64 = 4

  /// Records the arrival of a frame.
  ///
  /// - Parameters:
  ///   - sequence: The frame's number; frames before it may have been missed.
  ///   - publishedNs: When it was published, by the sim's clock.
  ///   - nowNs: When it arrived.
  /// - Returns: A message that frames arrive again; nil if no standstill was reported.
  package mutating func frameCame(
    _ sequence: UInt64, publishedNs: UInt64, nowNs: UInt64
  ) -> String? {
    defer {
      last = (sequence, publishedNs, nowNs)
      isReported = false
    }
    guard let last, sequence > last.sequence, publishedNs > last.publishedNs, nowNs > last.cameNs
    else { return nil }
    intervalNs = (publishedNs - last.publishedNs) / (sequence - last.sequence)
    return isReported ? "frames come again, after \(Self.seconds(nowNs - last.cameNs))" : nil
  }

  /// Records that no frame has arrived.
  ///
  /// - Parameter nowNs: The time.
  /// - Returns: A message that the run stands still; nil if it does not, or that was reported.
  package mutating func nothingCame(nowNs: UInt64) -> String? {
    guard !isReported, let last,
      nowNs >= last.cameNs + max(leastNs, Self.intervals * intervalNs)
    else { return nil }
    isReported = true
    let seconds = Self.seconds(nowNs - last.cameNs)
    return "no frame for \(seconds): the sim is paused, stopped or out of reach"
  }

  private static func seconds(_ ns: UInt64) -> String {
    let tenths = ns / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
