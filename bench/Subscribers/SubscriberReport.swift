// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Everything that a run of `bench subscribers` found, as it is written to JSON.
package struct SubscriberReport: Codable, BenchReport {
  /// What the run was on.
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

  /// What a sim says when it ends, as far as it is of interest here.
  package struct SimFigures: Codable {
    /// What computing a tick took.
    package let tick: DurationReport
    /// What publishing took.
    package let publish: DurationReport
    /// Frames published.
    package let frames: UInt64
    /// Ticks that began after the next was due.
    package let lateTicks: UInt64
  }

  /// Two runs after each other.
  package struct Pair: Codable {
    /// Without subscribers.
    package let alone: SimFigures
    /// With logger and renderer.
    package let attached: SimFigures

    /// A run without subscribers and one with logger and renderer.
    package init(alone: SimFigures, attached: SimFigures) {
      (self.alone, self.attached) = (alone, attached)
    }

    /// The tick's p99 with subscribers, by that without.
    package var p99Ratio: Double { Double(attached.tick.p99Ns) / Double(max(alone.tick.p99Ns, 1)) }
  }

  /// Subscribers that are stopped for a while.
  package struct Stop: Codable {
    /// How long it took.
    package let seconds: Int
    /// What the sim said at its end.
    package let sim: SimFigures
    /// Of a run just as long, whose subscribers go on.
    package let undisturbed: SimFigures
    /// What the sim held before.
    package let before: StartedProgram.Resources
    /// What the sim held afterwards.
    package let after: StartedProgram.Resources

    /// What a sim was before, while and after its subscribers were stopped.
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
    /// How long it took.
    package let seconds: Int
    /// Subscribers at a time.
    package let subscribers: Int
    /// Subscribers killed.
    package let killed: Int
    /// Subscribers that joined.
    package let joined: UInt64
    /// Frames found whole and right.
    package let whole: UInt64
    /// Frames found whole and wrong.
    package let torn: UInt64
    /// Frames that went by.
    package let missed: UInt64
    /// What the sim said at its end.
    package let sim: SimFigures
    /// Of a run just as long without any.
    package let alone: SimFigures
    /// What the sim held before.
    package let before: StartedProgram.Resources
    /// What the sim held afterwards.
    package let after: StartedProgram.Resources

    /// What a sim was before and after, and what its subscribers counted meanwhile.
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

  /// Judges what was measured.
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
