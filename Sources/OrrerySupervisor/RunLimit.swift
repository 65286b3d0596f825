// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What limited a run: the clock where ticks came as they were due, otherwise the program that was at work most; and the
/// schedule where ticks were late though no program was at work for half of the time: it waited for a processor.
package struct RunLimit: Encodable, Equatable {
  /// `clock`, `schedule`, or the name of a program.
  package let by: String
  /// The program that was at work for the largest part of the time.
  package let busiest: String
  /// That part, 0 … 1.
  package let part: Double
  /// Whether that program had a processor for less than half of the time in which it was at work.
  package let starved: Bool

  /// Ticks came as they were due if so much of the asked rate was reached.
  private static let reached = 0.99

  /// A program that is at work for less of the time than this does not keep ticks from their dates.
  private static let worked = 0.5

  /// Judges the reports of a run; nil without a frame.
  ///
  /// - Parameters:
  ///   - sim: The sim's report.
  ///   - subscribers: Those of the others.
  ///   - processorSeconds: Processor time of each program and of those that it started, as far as known.
  package init?(
    _ sim: SimReport?, _ subscribers: [SubscriberReportMessage],
    processorSeconds: [String: Double] = [:]
  ) {
    guard let sim, sim.frames > 0 else { return nil }
    let seconds = sim.pace.elapsedSeconds - sim.pace.pausedSeconds
    let simWorking = Self.sum(sim.work) + Self.sum(sim.publish)
    var parts = [("sim", seconds > 0 ? simWorking / seconds : 0)]
    var working = ["sim": simWorking]
    for subscriber in subscribers.sorted(by: { $0.program < $1.program }) {
      let own = Self.sum(subscriber.working)
      let all = own + Self.sum(subscriber.waitingTime)
      parts.append((subscriber.program, all > 0 ? own / all : 0))
      working[subscriber.program] = own
    }
    let most = parts.max { $0.1 < $1.1 } ?? parts[0]
    let isOnTime = sim.pace.askedHz.map { sim.pace.reachedHz >= Self.reached * $0 } ?? false
    let (own, used) = (working[most.0] ?? 0, processorSeconds[most.0])
    starved = most.1 >= Self.worked && used.map { $0 < own / 2 } ?? false
    let isIdle = sim.pace.askedHz != nil && (most.1 < Self.worked || starved)
    (by, busiest, part) = (
      isOnTime ? "clock" : isIdle ? "schedule" : most.0, most.0, min(most.1, 1)
    )
  }

  /// Seconds of all durations.
  private static func sum(_ durations: DurationReport) -> Double {
    Double(durations.count) * Double(durations.meanNs) / 1e9
  }

  /// In words.
  package var text: String {
    let share =
      "at work \(decimal(part * 100, places: 0)) % of the time"
      + (starved ? ", for most of which other programs had its processor" : "")
    return switch by {
    case "clock": "the clock; \(busiest) \(share)"
    case "schedule": "the schedule: other programs had the processors; \(busiest) \(share)"
    default: "\(by), \(share)"
    }
  }
}
