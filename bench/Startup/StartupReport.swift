// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// When the first frame of a run reached each stage: seconds since the command.
package struct StartupTimes: Equatable, Sendable {
  /// Readers could see it.
  package let published: Double
  /// The logger had found its first frame.
  package let read: Double
  /// The logger had recorded it: it was in the trace's first chunk.
  package let recorded: Double
  /// The renderer had drawn its first picture and given it to the encoder.
  package let drawn: Double

  /// The times in the reports of a run; nil if one of them is missing.
  ///
  /// - Parameters:
  ///   - sim: The sim's report.
  ///   - subscribers: Those of logger and renderer.
  ///   - beganNs: When the command was started, by the monotonic clock.
  package init?(_ sim: SimReport, _ subscribers: [SubscriberReportMessage], beganNs: UInt64) {
    func seconds(_ clockNs: UInt64?) -> Double? {
      clockNs.flatMap { $0 >= beganNs ? Double($0 - beganNs) / 1e9 : nil }
    }
    func report(_ program: String) -> SubscriberReportMessage? {
      subscribers.first { $0.program == program }
    }
    guard let published = seconds(sim.firstFrameClockNs),
      let read = seconds(report("logger")?.firstReadClockNs),
      let recorded = seconds(report("logger")?.firstDoneClockNs),
      let drawn = seconds(report("renderer")?.firstDoneClockNs)
    else { return nil }
    (self.published, self.read, self.recorded, self.drawn) = (published, read, recorded, drawn)
  }
}

/// All results of a run of `bench startup`, as written to JSON.
package struct StartupReport: BenchReport {
  package static let area = "startup"

  /// The machine of the run.
  package var machine: BenchMachine
  /// Rounds of each row.
  package let roundCount: Int
  /// The rows, in their order.
  package var rows: [Row]
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without figures.
  package init(machine: BenchMachine = BenchMachine(), rows: [Row], roundCount: Int) {
    (self.machine, self.rows, self.roundCount) = (machine, rows, roundCount)
  }

  /// Starts of a scene with one number of entities; each list has one figure for each round.
  package struct Row: Encodable {
    /// Entities of the scene `stress`.
    package let entities: Int
    /// From the command until the first frame was published, in seconds; so are the others.
    package private(set) var publishedSeconds: [Double] = []
    /// Until the logger had found its first frame.
    package private(set) var readSeconds: [Double] = []
    /// Until the logger had recorded it.
    package private(set) var recordedSeconds: [Double] = []
    /// Until the renderer had drawn its first picture.
    package private(set) var drawnSeconds: [Double] = []

    /// A row without figures.
    package init(entities: Int) { self.entities = entities }

    /// Adds a start.
    package mutating func add(_ times: StartupTimes) {
      publishedSeconds.append(times.published)
      readSeconds.append(times.read)
      recordedSeconds.append(times.recorded)
      drawnSeconds.append(times.drawn)
    }
  }

  /// Fills `goals` from the measured figures: medians of ten million entities.
  package mutating func judge() {
    let large = rows.first { $0.entities == Self.goalEntities && !$0.publishedSeconds.isEmpty }
    goals = [
      BenchGoal(
        "10,000,000 entities: first frame, s", atMost: 1.5,
        large.map { Self.median($0.publishedSeconds) }),
      BenchGoal(
        "10,000,000 entities: first picture, s", atMost: 4,
        large.map { Self.median($0.drawnSeconds) }),
    ]
  }

  private static let goalEntities = 10_000_000

  /// The median; for an even count the upper of the two in the middle; 0 without figures.
  package static func median(_ seconds: [Double]) -> Double {
    var rounds = Rounds()
    for time in seconds { rounds.add(time) }
    return rounds.median
  }
}
