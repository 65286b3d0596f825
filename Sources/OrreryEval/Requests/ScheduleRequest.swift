// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryScene

/// Entries of a schedule, in Unix seconds.
///
///     {"schedule":"periodic(from: 0, by: 4)","now":11,"count":3,"mode":"normal"}
struct ScheduleRequest: EvalRequest {
  static let keys = ["schedule", "now", "count", "mode", "timeZone"]

  private let schedule: ClockSchedule
  private let now: Double
  private let count: Int
  private let mode: TimelineScheduleMode

  init(_ reader: RequestReader) throws(EvalError) {
    var schedule = try reader.notation("schedule", Notation.schedule)
    if reader.has("timeZone") {
      let name = try reader.string("timeZone")
      guard case .everyMinute = schedule else {
        throw EvalError(
          path: reader.path.key("timeZone"), reason: "only everyMinute has a time zone")
      }
      guard TimeZone(identifier: name) != nil else {
        let nearest = NearestName.find(name, among: TimeZone.knownTimeZoneIdentifiers)
        throw EvalError(
          path: reader.path.key("timeZone"),
          reason: "\(DocumentValue.string(name).shown) is not a known time zone; "
            + "\(nearest.map { "did you mean \($0)? " } ?? "")allowed: names as Europe/London")
      }
      schedule = .everyMinute(timeZone: name)
    }
    self.schedule = schedule
    now = try reader.number("now", else: 0, in: -1e11...1e11, "Unix seconds")
    count = try reader.count("count", else: 1, in: 0...EvalLimits.entryCountMax)
    mode = try reader.word(
      "mode", else: "normal", [("normal", .normal), ("lowFrequency", .lowFrequency)])
  }

  /// `entries` are the schedule's own from `now` on; `shown` are the dates that a view shows, the
  /// current one first.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    switch schedule {
    case .periodic(let origin, let interval):
      answer(.periodic(from: Date(timeIntervalSince1970: origin), by: interval))
    case .everyMinute(let name):
      answer(.everyMinute(in: TimeZone(identifier: name) ?? .gmt))
    case .explicit(let dates):
      answer(.explicit(dates.map { Date(timeIntervalSince1970: $0) }))
    case .animation(let interval, let isPaused):
      answer(.animation(minimumInterval: interval, paused: isPaused))
    }
  }

  private func answer<Schedule: TimelineSchedule>(_ schedule: Schedule) -> EvalAnswer {
    let date = Date(timeIntervalSince1970: now)
    let entries = schedule.entries(from: date, mode: mode).prefix(count).map(Self.seconds)
    var player = TimelinePlayer(schedule, mode: mode)
    var shown: [Double] = []
    var frame: Date? = date
    while shown.count < count, let time = frame {
      guard let context = player.update(at: time) else { break }
      shown.append(Self.seconds(context.date))
      frame = player.nextEntry
    }
    return EvalAnswer(["entries": .numbers(entries), "shown": .numbers(shown)])
  }

  /// Seconds since 1970, rounded to microseconds: a `Date` counts from 2001, so the last digits of
  /// a fraction are lost.
  private static func seconds(_ date: Date) -> Double {
    (date.timeIntervalSince1970 * 1e6).rounded() / 1e6
  }
}
