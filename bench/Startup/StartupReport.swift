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

/// Starts of scenes of several sizes.
package struct StartupReport {
  /// Entities of each row, and its starts.
  package private(set) var rows: [(entities: Int, starts: [StartupTimes])]

  /// A report without figures.
  package init(entities: [Int]) { rows = entities.map { ($0, []) } }

  /// Adds a start of a row.
  package mutating func add(_ times: StartupTimes, row: Int) { rows[row].starts.append(times) }

  private static let stages: [(name: String, seconds: KeyPath<StartupTimes, Double> & Sendable)] = [
    ("published", \.published), ("read", \.read), ("recorded", \.recorded), ("drawn", \.drawn),
  ]

  /// A line for each size, with a figure for each stage.
  package var studyRows: [StudyRow] {
    rows.flatMap { row in
      Self.stages.map { stage in
        StudyRow(
          .init(
            "from 'orrery run stress' to its first frame",
            "\(TextTable.grouped(row.entities)) entities", stage.name),
          unit: "s", row.starts.map { $0[keyPath: stage.seconds] }, entities: row.entities)
      }
    }
  }

  /// The goals: medians of ten million entities.
  package var goals: [BenchGoal] {
    let starts = rows.first { $0.entities == Self.goalEntities }?.starts ?? []
    func median(_ seconds: (StartupTimes) -> Double) -> Double? {
      starts.isEmpty ? nil : SampleSummary.median(starts.map(seconds))
    }
    return [
      BenchGoal("10,000,000 entities: first frame, s", atMost: 1.5, median(\.published)),
      BenchGoal("10,000,000 entities: first picture, s", atMost: 4, median(\.drawn)),
    ]
  }

  private static let goalEntities = 10_000_000
}
