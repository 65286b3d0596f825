// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A program that a run waits for.
package struct WaitedProgram: Encodable, Equatable, Sendable {
  /// Name of the program.
  package let program: String
  /// How long it is waited for, in seconds.
  package let seconds: Double
  /// Whether it is stopped, as by SIGSTOP.
  package let isStopped: Bool
  /// What it has left to do; nil if it does not say.
  package let remainder: String?

  package init(
    program: String, seconds: Double, isStopped: Bool = false, remainder: String? = nil
  ) {
    (self.program, self.seconds) = (program, seconds)
    (self.isStopped, self.remainder) = (isStopped, remainder)
  }

  /// The program for people, such as `renderer: 212 pictures to encode` or `logger (3 s)`.
  package var text: String {
    if isStopped { return "\(program) (stopped, \(Int(seconds)) s)" }
    return remainder.map { "\(program): \($0)" } ?? "\(program) (\(Int(seconds)) s)"
  }
}

/// How far a run is, put together from what its programs report.
package struct RunProgress {
  /// Name of the run.
  private let run: String

  /// Scene time to run, in seconds; nil: until the run is stopped.
  private let duration: Double?

  /// What stands at the end of the line while there is nothing else; nil: nothing.
  private let hint: String?

  /// The sim's last report; nil before its first tick.
  private var sim: ProgressReport?

  /// Reports of the last `windowNs`, oldest first: they give the speed.
  private var recent: [(nowNs: UInt64, seconds: Double)] = []

  /// Frames missed so far, by program.
  private var missed: [String: UInt64] = [:]

  /// Programs that hold the run up, or its end.
  package var waitedFor: [WaitedProgram] = []

  /// A message that stands at the end of the line; nil: none.
  package var notice: String?

  /// Whether the run is paused.
  package var isPaused = false

  /// The speed is that of the last two seconds.
  private static let windowNs: UInt64 = 2_000_000_000

  /// Creates the progress of a run that has not begun.
  package init(run: String, duration: Double?, hint: String? = nil) {
    (self.run, self.duration, self.hint) = (run, duration, hint)
  }

  /// Takes a report of the sim.
  package mutating func take(_ report: ProgressReport, nowNs: UInt64) {
    // After a seek back, earlier reports say nothing of the speed.
    if let sim, report.seconds < sim.seconds { recent = [] }
    sim = report
    recent.append((nowNs, report.seconds))
    while let first = recent.first, recent.count > 2, nowNs - first.nowNs > Self.windowNs {
      recent.removeFirst()
    }
  }

  /// Takes a report of a subscriber.
  package mutating func take(_ report: WorkReport) { missed[report.program] = report.missed }

  /// Forgets the speed: the run was paused, or jumps.
  package mutating func restartSpeed() { recent = [] }

  /// Scene time by real time; nil until two reports have come.
  package var speed: Double? {
    guard let first = recent.first, let last = recent.last, last.nowNs > first.nowNs else {
      return nil
    }
    return (last.seconds - first.seconds) / (Double(last.nowNs - first.nowNs) / 1e9)
  }

  /// Seconds of real time until the run's end, if it goes on like this; nil if that is not known.
  package var remainingSeconds: Double? {
    guard let duration, let sim, let speed, speed > 0, !isPaused else { return nil }
    return max(duration - sim.seconds, 0) / speed
  }

  /// The progress for people, in one line.
  package var text: String {
    var parts: [String] = []
    if let sim {
      let end = duration.map { " / \(decimal($0, places: 1)) s" } ?? " s"
      parts.append("\(decimal(sim.seconds, places: 1))\(end)")
      if isPaused {
        parts.append("paused")
      } else if let speed {
        parts.append("x\(decimal(speed, places: 2))")
      }
      parts.append("tick \(sim.tick)")
      parts.append("late \(sim.lateTicks)")
    } else if waitedFor.isEmpty {
      parts.append("preparing")
    }
    let losses = missed.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    if !losses.isEmpty {
      parts.append("missed " + losses.map { "\($0.value) by \($0.key)" }.joined(separator: ", "))
    }
    if let remainingSeconds, waitedFor.isEmpty {
      parts.append("\(decimal(remainingSeconds.rounded(.up), places: 0)) s left")
    }
    if !waitedFor.isEmpty {
      parts.append(waitingText)
    } else if let last = notice ?? hint {
      parts.append(last)
    }
    return parts.joined(separator: "  ")
  }

  /// The programs that are waited for.
  package var waitingText: String {
    "waiting for " + waitedFor.map(\.text).joined(separator: ", ")
  }

  /// The progress as one line of JSON.
  package var json: String {
    ReportLine.encode(
      Document(
        run: run, seconds: sim?.seconds, durationSeconds: duration, tick: sim?.tick,
        lateTicks: sim?.lateTicks,
        isPaused: isPaused, speed: speed, remainingSeconds: remainingSeconds, missed: missed,
        waitingFor: waitedFor), schema: "orrery.run-progress.v1")
  }

  private struct Document: Encodable {
    let run: String
    let seconds: Double?
    let durationSeconds: Double?
    let tick: UInt64?
    let lateTicks: UInt64?
    let isPaused: Bool
    let speed: Double?
    let remainingSeconds: Double?
    let missed: [String: UInt64]
    let waitingFor: [WaitedProgram]
  }
}
