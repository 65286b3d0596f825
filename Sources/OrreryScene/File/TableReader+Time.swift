// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrrerySceneBuilder

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
      if let number = value.number { return number }
      if let text = value.string {
        let plain = try? Date(text, strategy: .iso8601)
        let date =
          plain
          ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        return date.map { ($0.timeIntervalSince1970 * 1000).rounded() / 1000 }
      }
      return value.dateTime?.unixSeconds
    }
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
