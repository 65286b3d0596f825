// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Tells when a run that was going on stands still, and when it goes on: once each.
package struct Standstill {
  /// The newest frame, and when it came; nil before the first.
  private var last: (sequence: UInt64, publishedNs: UInt64, cameNs: UInt64)?

  /// Between two frames, as the sim dates them: a subscriber that is late itself is no slow run.
  private var intervalNs: UInt64 = 0

  private var isTold = false

  package init() {}

  /// Shortest time without a frame that is worth a word.
  private static let leastNs: UInt64 = 1_000_000_000

  /// The same for runs that are slow: so many times the last interval.
  private static let intervals: UInt64 = 4

  /// Notes a frame.
  ///
  /// - Parameters:
  ///   - sequence: Its number; some may have been missed before it.
  ///   - publishedNs: When it was published, by the sim's clock.
  ///   - nowNs: When it came.
  /// - Returns: What there is to say.
  package mutating func frameCame(
    _ sequence: UInt64, publishedNs: UInt64, nowNs: UInt64
  ) -> String? {
    defer {
      last = (sequence, publishedNs, nowNs)
      isTold = false
    }
    guard let last, sequence > last.sequence, publishedNs > last.publishedNs, nowNs > last.cameNs
    else { return nil }
    intervalNs = (publishedNs - last.publishedNs) / (sequence - last.sequence)
    return isTold ? "frames come again, after \(Self.seconds(nowNs - last.cameNs))" : nil
  }

  /// Notes that there is nothing.
  ///
  /// - Parameter nowNs: At this time.
  /// - Returns: What there is to say.
  package mutating func nothingCame(nowNs: UInt64) -> String? {
    guard !isTold, let last,
      nowNs >= last.cameNs + max(Self.leastNs, Self.intervals * intervalNs)
    else { return nil }
    isTold = true
    let seconds = Self.seconds(nowNs - last.cameNs)
    return "no frame for \(seconds): the sim is paused, stopped or out of reach"
  }

  private static func seconds(_ ns: UInt64) -> String {
    let tenths = ns / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
