// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Tells when a run that was going on stands still, and when it goes on: once each.
package struct Standstill {
  /// When the newest frame came; nil before the first.
  private var lastNs: UInt64?

  /// Between the two newest frames.
  private var intervalNs: UInt64 = 0

  private var isTold = false

  package init() {}

  /// Shortest time without a frame that is worth a word.
  private static let leastNs: UInt64 = 1_000_000_000

  /// The same for runs that are slow: so many times the last interval.
  private static let intervals: UInt64 = 4

  /// Notes a frame.
  ///
  /// - Parameter nowNs: When it came.
  /// - Returns: What there is to say.
  package mutating func frameCame(nowNs: UInt64) -> String? {
    defer {
      lastNs = nowNs
      isTold = false
    }
    guard let lastNs, nowNs > lastNs else { return nil }
    intervalNs = nowNs - lastNs
    return isTold ? "frames come again, after \(Self.seconds(nowNs - lastNs))" : nil
  }

  /// Notes that there is nothing.
  ///
  /// - Parameter nowNs: At this time.
  /// - Returns: What there is to say.
  package mutating func nothingCame(nowNs: UInt64) -> String? {
    guard !isTold, let lastNs,
      nowNs >= lastNs + max(Self.leastNs, Self.intervals * intervalNs)
    else { return nil }
    isTold = true
    let seconds = Self.seconds(nowNs - lastNs)
    return "no frame for \(seconds): the sim is paused, stopped or out of reach"
  }

  private static func seconds(_ ns: UInt64) -> String {
    let tenths = ns / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
