// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Everything that a run of `bench subscribers` found, as it is written to JSON.
struct SubscriberReport: Codable, BenchReport {
  var machine = KernelReport.Machine()
  let entities: Int
  var pairs: [Pair] = []
  var stop: Stop?
  var churn: Churn?
  var goals: [TransportReport.Goal] = []

  /// What a sim says when it ends, as far as it is of interest here.
  struct SimFigures: Codable {
    let tick: DurationReport
    let publish: DurationReport
    let frames: UInt64
    let lateTicks: UInt64
  }

  /// Two runs after each other.
  struct Pair: Codable {
    let alone: SimFigures
    /// With logger and renderer.
    let attached: SimFigures

    var p99Ratio: Double { Double(attached.tick.p99Ns) / Double(max(alone.tick.p99Ns, 1)) }
  }

  /// Subscribers that are stopped for a while.
  struct Stop: Codable {
    let seconds: Int
    let sim: SimFigures
    /// Of a run just as long, whose subscribers go on.
    let undisturbed: SimFigures
    let before: StartedProgram.Resources
    let after: StartedProgram.Resources
  }

  /// Subscribers that join, read and are killed.
  struct Churn: Codable {
    let seconds: Int
    let subscribers: Int
    let killed: Int
    let joined: UInt64
    let whole: UInt64
    let torn: UInt64
    let missed: UInt64
    let sim: SimFigures
    /// Of a run just as long without any.
    let alone: SimFigures
    let before: StartedProgram.Resources
    let after: StartedProgram.Resources
  }

  /// Judges what was measured.
  mutating func judge() {
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
