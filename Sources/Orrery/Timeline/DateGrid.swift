// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The dates `origin + k * interval`, for ascending whole k.
///
/// Each date is computed from its k and never added up, so the error of the millionth date is one
/// rounding error. Where neighbouring `Date`s are farther apart than `interval`, each of them is
/// returned once.
struct DateGrid: IteratorProtocol, Sendable {
  /// Date of k = 0, in seconds since the reference date.
  private let origin: Double

  /// Seconds; finite, and not so small that k could overflow.
  private let interval: Double

  /// The next k, a whole number; 0 or more.
  private var index: Double

  /// Seconds of the last returned date.
  private var last = -Double.infinity

  /// A nanosecond: a hundredth of the precision of `Date`s of this century.
  private static let intervalMin = 1e-9

  /// Makes the grid from its date for k = 0 onward.
  ///
  /// - Parameters:
  ///   - origin: The date for k = 0.
  ///   - interval: Seconds; below a nanosecond it counts as one.
  /// - Precondition: `interval` is more than 0 and finite.
  init(origin: Date, interval: TimeInterval) {
    precondition(interval > 0 && interval.isFinite, "an interval of \(interval) s")
    self.origin = origin.timeIntervalSinceReferenceDate
    self.interval = max(interval, Self.intervalMin)
    index = 0
  }

  /// The next date, or nil at the end of `Date`'s range.
  mutating func next() -> Date? {
    var seconds = origin + index * interval
    if seconds <= last {
      seconds = last.nextUp
      index = ((seconds - origin) / interval).rounded(.down)
    }
    guard seconds.isFinite else { return nil }
    index += 1
    last = seconds
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension DateGrid: SkippingDates {
  /// Skips all dates before the latest that is not after `date`.
  mutating func skip(to date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else { return }
    var latest = ((seconds - origin) / interval).rounded(.down)
    // The rounded quotient may be one too high or one too low.
    if origin + latest * interval > seconds { latest -= 1 }
    if origin + (latest + 1) * interval <= seconds { latest += 1 }
    index = max(index, latest)
  }
}

/// Dates of which many can be skipped at once, at the cost of one.
protocol SkippingDates: IteratorProtocol where Element == Date {
  /// Skips all dates before the latest that is not after `date`.
  mutating func skip(to date: Date)
}
