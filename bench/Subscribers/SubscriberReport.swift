// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// All results of a run of `bench subscribers`, as written to JSON.
package struct SubscriberReport: Codable, BenchReport {
  /// The machine of the run.
  package var machine = KernelReport.Machine()
  /// Entities of the scene.
  package let entities: Int
  /// Runs alone and with subscribers.
  package var pairs: [Pair] = []
  /// Subscribers that are stopped.
  package var stop: Stop?
  /// Subscribers that are killed.
  package var churn: Churn?
  /// The goals, judged.
  package var goals: [TransportReport.Goal] = []

  /// A report without figures.
  package init(machine: KernelReport.Machine = .init(), entities: Int) {
    (self.machine, self.entities) = (machine, entities)
  }

  /// The figures of a sim's report that matter here.
  package struct SimFigures: Codable {
    /// Time to evaluate a tick.
    package let tick: DurationReport
    /// Time to publish a frame.
    package let publish: DurationReport
    /// Frames published.
    package let frames: UInt64
    /// Ticks that began after the next was due.
    package let lateTicks: UInt64
  }

  /// Two runs, one after the other.
  package struct Pair: Codable {
    /// Without subscribers.
    package let alone: SimFigures
    /// With logger and renderer.
    package let attached: SimFigures

    /// A run without subscribers and one with logger and renderer.
    package init(alone: SimFigures, attached: SimFigures) {
      (self.alone, self.attached) = (alone, attached)
    }

    /// The tick's p99 with subscribers, divided by that without.
    package var p99Ratio: Double { Double(attached.tick.p99Ns) / Double(max(alone.tick.p99Ns, 1)) }
  }

  /// Subscribers that are stopped for a while.
  package struct Stop: Codable {
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
  package struct Churn: Codable {
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
      .init(
        name: "tick p99 with logger and renderer, by without", wanted: 1.05, isLimit: true,
        measured: pairs.isEmpty ? nil : ratios.median),
      .init(
        name: "late ticks by stopped subscribers", wanted: 0, isLimit: true,
        measured: stopped.map { max($0, 0) }),
      .init(
        name: "MiB that the sim grew by them", wanted: 8, isLimit: true,
        measured: grown(stop?.before, stop?.after)),
      .init(
        name: "torn frames while subscribers are killed", wanted: 0, isLimit: true,
        measured: churn.map { Double($0.torn) }),
      .init(
        name: "descriptors that are left", wanted: 0, isLimit: true,
        measured: churn.map { Double($0.after.descriptors - $0.before.descriptors) }),
      .init(
        name: "mappings that are left", wanted: 0, isLimit: true,
        measured: churn.map { Double($0.after.mappings - $0.before.mappings) }),
      .init(
        name: "MiB that the sim grew by the killed", wanted: 8, isLimit: true,
        measured: grown(churn?.before, churn?.after)),
      .init(
        name: "tick p99 while they are, by without", wanted: 1.05, isLimit: true,
        measured: churn.map { Double($0.sim.tick.p99Ns) / Double(max($0.alone.tick.p99Ns, 1)) }),
    ]
  }
}
