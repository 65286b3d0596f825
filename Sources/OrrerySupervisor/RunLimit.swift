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

  /// Ticks came as they were due if so much of the asked rate was reached.
  private static let reached = 0.99

  /// A program that is at work for less of the time than this does not keep ticks from their dates.
  private static let worked = 0.5

  /// Judges the reports of a run.
  ///
  /// - Returns: Nil without a frame.
  package init?(_ sim: SimReport?, _ subscribers: [SubscriberReportMessage]) {
    guard let sim, sim.frames > 0 else { return nil }
    let seconds = sim.pace.elapsedSeconds - sim.pace.pausedSeconds
    var parts = [("sim", seconds > 0 ? (Self.sum(sim.work) + Self.sum(sim.publish)) / seconds : 0)]
    for subscriber in subscribers.sorted(by: { $0.program < $1.program }) {
      let working = Self.sum(subscriber.working)
      let all = working + Self.sum(subscriber.waitingTime)
      parts.append((subscriber.program, all > 0 ? working / all : 0))
    }
    let most = parts.max { $0.1 < $1.1 } ?? parts[0]
    let isOnTime = sim.pace.askedHz.map { sim.pace.reachedHz >= Self.reached * $0 } ?? false
    let isIdle = sim.pace.askedHz != nil && most.1 < Self.worked
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
    let share = "at work \(decimal(part * 100, places: 0)) % of the time"
    return switch by {
    case "clock": "the clock; \(busiest) \(share)"
    case "schedule": "the schedule: other programs had the processors; \(busiest) \(share)"
    default: "\(by), \(share)"
    }
  }
}
