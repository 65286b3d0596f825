// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryScene

/// Entries of a schedule, in Unix seconds.
///
///     {"schedule":"periodic(from: 0, by: 4)","now":11,"count":3,"mode":"normal"}
///     {"schedule":{"normal":"periodic(by: 1)","lowFrequency":"periodic(by: 60)"},"count":3}
///     {"schedule":{"formula":"start + index ^ 2"},"now":11,"count":3}
///
/// The last two are schedules that a program defines itself.
struct ScheduleRequest: EvalRequest {
  static let keys = ["schedule", "now", "count", "mode", "timeZone"]

  private let schedule: any TimelineSchedule
  private let now: Double
  private let count: Int
  private let mode: TimelineScheduleMode

  init(_ reader: RequestReader) throws(EvalError) {
    schedule =
      if case .table = try reader.value("schedule", "a schedule") {
        try Self.custom(reader)
      } else {
        Self.timeline(try Self.clock(reader))
      }
    now = try reader.number("now", else: 0, in: -1e11...1e11, "Unix seconds")
    count = try reader.count("count", else: 1, in: 0...EvalLimits.entryCountMax)
    mode = try reader.word(
      "mode", else: "normal", [("normal", .normal), ("lowFrequency", .lowFrequency)])
  }

  private static func clock(_ reader: RequestReader) throws(EvalError) -> ClockSchedule {
    let schedule = try reader.notation("schedule", Notation.schedule)
    guard reader.has("timeZone") else { return schedule }
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
    return .everyMinute(timeZone: name)
  }

  /// A schedule for each mode, or a formula of the current date and an entry's index.
  private static func custom(_ reader: RequestReader) throws(EvalError) -> any TimelineSchedule {
    let custom = try reader.object("schedule", known: ["normal", "lowFrequency", "formula"])
    guard !reader.has("timeZone") else {
      throw EvalError(
        path: reader.path.key("timeZone"), reason: "only everyMinute has a time zone")
    }
    if custom.has("formula") {
      try custom.allowOnly(["formula"])
      return FormulaSchedule(
        formula: try custom.formula("formula", variables: FormulaSchedule.variables))
    }
    return ModeSchedule(
      normal: timeline(try custom.notation("normal", Notation.schedule)),
      lowFrequency: timeline(try custom.notation("lowFrequency", Notation.schedule)))
  }

  private static func timeline(_ schedule: ClockSchedule) -> any TimelineSchedule {
    switch schedule {
    case .periodic(let origin, let interval):
      PeriodicTimelineSchedule(from: Date(timeIntervalSince1970: origin), by: interval)
    case .everyMinute(let name):
      EveryMinuteTimelineSchedule(in: TimeZone(identifier: name) ?? .gmt)
    case .explicit(let dates):
      ExplicitTimelineSchedule(dates.map { Date(timeIntervalSince1970: $0) })
    case .animation(let interval, let isPaused):
      AnimationTimelineSchedule(minimumInterval: interval, paused: isPaused)
    }
  }

  /// `entries` are the schedule's own from `now` on; `shown` are the dates that a view shows, the current one
  /// first, and `cadences` the cadence that it gets with each date.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer { dates(of: schedule) }

  private func dates(of schedule: some TimelineSchedule) -> EvalAnswer {
    let date = Date(timeIntervalSince1970: now)
    let entries = schedule.entries(from: date, mode: mode).prefix(count).map(Self.seconds)
    var player = TimelinePlayer(schedule, mode: mode)
    var shown: [Double] = []
    var cadences: [DocumentValue] = []
    var frame: Date? = date
    while shown.count < count, let time = frame {
      guard let context = player.update(at: time) else { break }
      shown.append(Self.seconds(context.date))
      cadences.append(.string(context.cadence.name))
      frame = player.nextEntry
    }
    return EvalAnswer([
      "entries": .numbers(entries), "shown": .numbers(shown),
      "cadences": .array(DocumentArray(cadences)),
    ])
  }

  /// Seconds since 1970, rounded to microseconds: a `Date` counts from 2001, so the last digits of
  /// a fraction are lost.
  private static func seconds(_ date: Date) -> Double {
    (date.timeIntervalSince1970 * 1e6).rounded() / 1e6
  }
}

/// A schedule that differs with the mode.
private struct ModeSchedule: TimelineSchedule {
  let normal: any TimelineSchedule
  let lowFrequency: any TimelineSchedule

  func entries(from startDate: Date, mode: Mode) -> AnySequence<Date> {
    func erased(_ schedule: some TimelineSchedule) -> AnySequence<Date> {
      AnySequence(schedule.entries(from: startDate, mode: mode))
    }
    return mode == .normal ? erased(normal) : erased(lowFrequency)
  }
}

/// A schedule whose entries are computed, in Unix seconds; it ends with the first that is not finite.
private struct FormulaSchedule: TimelineSchedule {
  /// The current date in Unix seconds, and the entry's number from 0.
  static let variables = ["start", "index"]

  let formula: Formula

  func entries(from startDate: Date, mode: Mode) -> AnySequence<Date> {
    let start = startDate.timeIntervalSince1970
    let seconds = (0..<EvalLimits.entryCountMax).lazy.map {
      formula.value([start, Double($0)])
    }
    return AnySequence(
      seconds.prefix { abs($0) <= 1e12 }.map { Date(timeIntervalSince1970: $0) })
  }
}
