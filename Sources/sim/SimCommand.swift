// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryConsole
import OrreryPublisher

/// Runs a scene and publishes every tick.
@main struct SimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sim",
    abstract: "Run a scene and publish each tick as a frame.",
    discussion: """
      Example: sim flags --run demo --duration 10 --wait-for 2
      Subscribers (renderer, logger, your own) join by the run's name, at any time.
      """)

  @OptionGroup var arguments: SimArguments

  func run() throws {
    do throws(Failure) {
      try simulate()
    } catch {
      error.exit(program: "sim")
    }
  }

  private func simulate() throws(Failure) {
    StopSignals.installHandlers()
    StandardErrorLog.bootstrap(program: "sim")
    StopSignals.endWithParent()
    let plan = try arguments.plan()
    let simulation = try Simulation(plan, options: try arguments.options(rate: plan.rate))
    var progress = SimProgress(isJSON: arguments.json, tickSeconds: plan.rate.tickSeconds)
    let report = try simulation.run { tick, lateTicks in
      progress.show(tick: tick, lateTicks: lateTicks)
    }
    Standard.output(
      (arguments.json ? ReportLine.encode(report, schema: "orrery.sim.v1") : report.text) + "\n")
  }
}
