// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TOMLKit

/// Dates, and expressions in Swift's notation.
extension TableReader {
  func animation(_ key: String) -> Animation? { expression(key, Notation.animation) }

  func transition(_ key: String) -> AnyTransition? { expression(key, Notation.transition) }

  func curve(_ key: String) -> UnitCurve? { expression(key, Notation.curve) }

  func spring(_ key: String) -> Spring? { expression(key, Notation.spring) }

  func criteria(_ key: String) -> AnimationCompletionCriteria? {
    expression(key, Notation.criteria)
  }

  /// A schedule; `everyMinute` uses the scene's time zone.
  func schedule(_ key: String) -> TimelineClock.Schedule? {
    guard let schedule = expression(key, Notation.schedule) else { return nil }
    switch schedule {
    case .periodic(let from, let by): return .periodic(from: from, by: by)
    case .explicit(let times): return .explicit(times)
    case .animation(let interval, let paused):
      return .animation(minimumInterval: interval, paused: paused)
    case .everyMinute(let timeZone):
      if timeZone != "UTC" {
        record(key, .expression("time zones are the scene's: time-zone = \"\(timeZone)\""))
      }
      return .everyMinute
    }
  }

  /// Unix seconds, from a number, a TOML date and time with an offset, or an ISO 8601 string.
  func dateSeconds(_ key: String) -> Double? {
    let expected = "a number of Unix seconds, or a date and time such as 2025-10-26T00:59:57Z"
    return value(key, expected) { value in
      if let number = Self.number(value) { return number }
      if let text = value.string {
        let plain = try? Date(text, strategy: .iso8601)
        let date =
          plain
          ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        return date.map { ($0.timeIntervalSince1970 * 1000).rounded() / 1000 }
      }
      guard let date = value.dateTime, let offset = date.offset else { return nil }
      let days = Self.days(year: date.date.year, month: date.date.month, day: date.date.day)
      let minutes = date.time.hour * 60 + date.time.minute - offset.offset
      let seconds = days * 86_400 + minutes * 60 + date.time.second
      return Double(seconds) + Double(date.time.nanoSecond) / 1e9
    }
  }

  /// Days from 1970-01-01 to a date of the Gregorian calendar.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    // In years that begin in March the leap day comes last.
    let march = month > 2 ? year : year - 1
    let era = (march >= 0 ? march : march - 399) / 400
    let yearOfEra = march - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private func expression<Value>(
    _ key: String, _ read: (String) throws(NotationError) -> Value
  ) -> Value? {
    guard let text = string(key) else { return nil }
    do throws(NotationError) {
      return try read(text)
    } catch {
      record(key, .expression("\(error)"))
      return nil
    }
  }
}
