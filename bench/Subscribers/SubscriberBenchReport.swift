// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// All results of a run of `bench subscribers`, as written to JSON.
package struct SubscriberBenchReport: BenchReport {
  package static let area = "subscribers"

  /// The machine of the run.
  package var machine: BenchMachine
  /// Entities of the scene.
  package let entities: Int
  /// Runs alone and with subscribers.
  package var pairs: [Pair] = []
  /// Subscribers that are stopped.
  package var stop: Stop?
  /// Subscribers that are killed.
  package var churn: Churn?
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without figures.
  package init(machine: BenchMachine = BenchMachine(), entities: Int) {
    (self.machine, self.entities) = (machine, entities)
  }

  /// The figures of a sim's report that matter here.
  package struct SimFigures: Encodable {
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
  package struct Pair: Encodable {
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
  package struct Stop: Encodable {
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
  package struct Churn: Encodable {
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

  /// Fills `goals` from the measured figures.
  package mutating func judge() {
    var ratios = Rounds()
    for pair in pairs { ratios.add(pair.p99Ratio) }
    let stopped = stop.map { stop in
      Double(stop.sim.lateTicks) - Double(stop.undisturbed.lateTicks)
    }
    let grown = { (before: StartedProgram.Resources?, after: StartedProgram.Resources?) in
      after.flatMap { after in
        before.map { Double(after.residentBytes - $0.residentBytes) / Double(1 << 20) }
      }
    }
    goals = [
      BenchGoal(
        "tick p99 with logger and renderer, by without", atMost: 1.05,
        pairs.isEmpty ? nil : ratios.median),
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
