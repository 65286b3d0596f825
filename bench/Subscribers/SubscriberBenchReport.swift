// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `bench subscribers` measured, as its goals and its tables need it.
package struct SubscriberBenchReport {
  /// Entities of the scene.
  package let entities: Int
  /// Runs alone and with subscribers.
  package var pairs: [Pair] = []
  /// Subscribers that are stopped.
  package var stop: Stop?
  /// Subscribers that are killed.
  package var churn: Churn?

  /// A report without figures.
  package init(entities: Int) { self.entities = entities }

  /// The figures of a sim's report that matter here.
  package struct SimFigures {
    /// Time to compute a frame.
    package let work: DurationReport
    /// Time to publish a frame.
    package let publish: DurationReport
    /// Frames published.
    package let frames: UInt64
    /// Ticks that began after the next was due.
    package let lateTicks: UInt64

    /// The figures of a report.
    package init(_ report: SimReport) {
      (work, publish) = (report.work, report.publish)
      (frames, lateTicks) = (report.frames, report.pace.lateTicks)
    }
  }

  /// Two runs, one after the other.
  package struct Pair {
    /// Without subscribers.
    package let alone: SimFigures
    /// With logger and renderer.
    package let attached: SimFigures

    /// A run without subscribers and one with logger and renderer.
    package init(alone: SimFigures, attached: SimFigures) {
      (self.alone, self.attached) = (alone, attached)
    }

    /// The tick's p99 with subscribers, divided by that without.
    package var p99Ratio: Double { Double(attached.work.p99Ns) / Double(max(alone.work.p99Ns, 1)) }
  }

  /// Subscribers that are stopped for a while.
  package struct Stop {
    /// Duration of the stop.
    package let seconds: Int
    /// Figures of the sim whose subscribers were stopped.
    package let sim: SimFigures
    /// Figures of an equally long run whose subscribers were not stopped.
    package let undisturbed: SimFigures
    /// The sim's resources before the stop.
    package let before: StartedProgram.Resources
    /// The sim's resources after the stop.
    package let after: StartedProgram.Resources

    /// Creates the results of a stop.
    package init(
      seconds: Int, sim: SimFigures, undisturbed: SimFigures, before: StartedProgram.Resources,
      after: StartedProgram.Resources
    ) {
      (self.seconds, self.sim, self.undisturbed) = (seconds, sim, undisturbed)
      (self.before, self.after) = (before, after)
    }
  }

  /// Subscribers that join, read and are killed.
  package struct Churn {
    /// Duration of the churn.
    package let seconds: Int
    /// Subscribers at a time.
    package let subscribers: Int
    /// Subscribers killed.
    package let killed: Int
    /// Subscribers that joined.
    package let joined: UInt64
    /// Frames found whole, with the right hash.
    package let whole: UInt64
    /// Frames found whole, with a wrong hash.
    package let torn: UInt64
    /// Frames missed.
    package let missed: UInt64
    /// Figures of the sim.
    package let sim: SimFigures
    /// Figures of an equally long run without subscribers.
    package let alone: SimFigures
    /// The sim's resources before the churn.
    package let before: StartedProgram.Resources
    /// The sim's resources after the churn.
    package let after: StartedProgram.Resources

    /// Creates the results of a churn.
    package init(
      seconds: Int, subscribers: Int, killed: Int, joined: UInt64, whole: UInt64, torn: UInt64,
      missed: UInt64, sim: SimFigures, alone: SimFigures, before: StartedProgram.Resources,
      after: StartedProgram.Resources
    ) {
      (self.seconds, self.subscribers, self.killed) = (seconds, subscribers, killed)
      (self.joined, self.whole, self.torn, self.missed) = (joined, whole, torn, missed)
      (self.sim, self.alone) = (sim, alone)
      (self.before, self.after) = (before, after)
    }
  }

  /// The goals; one whose runs are missing stays unmeasured.
  package var goals: [BenchGoal] {
    let stopped = stop.map { stop in
      Double(stop.sim.lateTicks) - Double(stop.undisturbed.lateTicks)
    }
    let grown = { (before: StartedProgram.Resources?, after: StartedProgram.Resources?) in
      after.flatMap { after in
        before.map { Double(after.residentBytes - $0.residentBytes) / Double(1 << 20) }
      }
    }
    return [
      BenchGoal(
        "tick p99 with logger and renderer, by without", atMost: 1.05,
        pairs.isEmpty ? nil : SampleSummary.median(pairs.map(\.p99Ratio))),
      BenchGoal("late ticks by stopped subscribers", atMost: 0, stopped.map { max($0, 0) }),
      BenchGoal("MiB that the sim grew by them", atMost: 8, grown(stop?.before, stop?.after)),
      BenchGoal(
        "torn frames while subscribers are killed", atMost: 0, churn.map { Double($0.torn) }),
      BenchGoal(
        "descriptors that are left", atMost: 0,
        churn.map { Double($0.after.descriptors - $0.before.descriptors) }),
      BenchGoal(
        "mappings that are left", atMost: 0,
        churn.map { Double($0.after.mappings - $0.before.mappings) }),
      BenchGoal(
        "MiB that the sim grew by the killed", atMost: 8, grown(churn?.before, churn?.after)),
      BenchGoal(
        "tick p99 while they are, by without", atMost: 1.05,
        churn.map { Double($0.sim.work.p99Ns) / Double(max($0.alone.work.p99Ns, 1)) }),
    ]
  }
}

// MARK: - Rows of tables

extension SubscriberBenchReport {
  /// The sims of one line, a run each.
  private func rows(_ table: String, _ line: String, _ sims: [SimFigures]) -> [StudyRow] {
    let figures: [(name: String, unit: String, value: (SimFigures) -> Double)] = [
      ("work mean", "µs", { Double($0.work.meanNs) / 1e3 }),
      ("work p99", "µs", { Double($0.work.p99Ns) / 1e3 }),
      ("publish p99", "µs", { Double($0.publish.p99Ns) / 1e3 }),
      ("late", "ticks", { Double($0.lateTicks) }),
    ]
    return figures.map { figure in
      StudyRow(
        .init(table, line, figure.name), unit: figure.unit, sims.map(figure.value),
        entities: entities)
    }
  }

  private func rows(
    _ table: String, _ before: StartedProgram.Resources, _ after: StartedProgram.Resources
  ) -> [StudyRow] {
    [("before", before), ("after", after)].flatMap { when, held in
      [
        ("descriptors", "descriptors", Double(held.descriptors)),
        ("mappings", "mappings", Double(held.mappings)),
        ("MiB", "MiB", Double(held.residentBytes) / 0x1p20),
      ].map { name, unit, value in StudyRow(.init(table, when, name), unit: unit, [value]) }
    }
  }

  /// Runs alone and with subscribers.
  package var pairRows: [StudyRow] {
    let table = "stress, \(TextTable.grouped(entities)) entities"
    return rows(table, "alone", pairs.map(\.alone))
      + rows(table, "with logger and renderer", pairs.map(\.attached))
  }

  /// The stopped subscribers.
  package var stopRows: [StudyRow] {
    guard let stop else { return [] }
    let table = "logger and two subscribers, for \(stop.seconds) s"
    return rows(table, "they run", [stop.undisturbed]) + rows(table, "stopped", [stop.sim])
      + rows("what the sim holds while they are stopped", stop.before, stop.after)
  }

  /// The killed subscribers.
  package var churnRows: [StudyRow] {
    guard let churn else { return [] }
    let table = "\(churn.subscribers) subscribers that come and go for \(churn.seconds) s"
    let counts = [
      ("joined", churn.joined), ("killed", UInt64(churn.killed)), ("frames whole", churn.whole),
      ("torn", churn.torn), ("missed", churn.missed),
    ].map { name, count in
      StudyRow(
        .init(table, "all of them", name), unit: "times",
        better: name == "torn" || name == "missed" ? .smaller : .larger, [Double(count)])
    }
    let sims = "the sim for \(churn.seconds) s"
    return counts + rows(sims, "nobody", [churn.alone])
      + rows(sims, "they come and go", [churn.sim])
      + rows("what the sim holds while they come and go", churn.before, churn.after)
  }
}
