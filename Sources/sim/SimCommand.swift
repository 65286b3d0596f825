// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryPublisher

/// Runs a scene and publishes every tick.
@main struct SimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    program: "sim",
    abstract: "Run a scene and publish each tick as a frame.",
    usage: "SCENE --run NAME [OPTIONS]",
    discussion: """
      Example:
        orrery sim flags --run demo --duration 10 --wait-for 1 &
        orrery logger --run demo --out demo.mcap
      Subscribers (renderer, logger, your own) join by the run's name, at any time.
      """)

  static func main() { CommandLineProgram(Self.self).run() }

  @OptionGroup var arguments: SimArguments

  func run() throws {
    StopSignals.installHandlers(threads: StopSignals.publishingThreads)
    arguments.publishing.log.bootstrap(program: "sim")
    StopSignals.endWithParent()
    DeadRuns.remove()
    let lock = try arguments.lock()
    SimProgress.enter(.preparing, isJSON: arguments.json)
    let plan = try arguments.plan()
    let frameTimes = try arguments.frameTimes.map { (path) throws(Failure) in
      try FrameTimesFile<SimFrameTimes>(path: path)
    }
    let duration = arguments.publishing.length.seconds(rate: plan.rate)
    let terminal = arguments.json ? nil : try RunTerminal(lock.directory, duration: duration)
    let options = try arguments.options(rate: plan.rate)
    let timeline = try arguments.publishing.timeline.map { (path) throws(Failure) in
      try ProgramTimeline(path: path, TimelineOwner(plan, options: options))
    }
    let simulation = try Simulation(lock, plan, options: options)
    SimProgress.enter(.waiting, isJSON: arguments.json)
    var progress = SimProgress(
      isJSON: arguments.json, tickSeconds: plan.rate.tickSeconds, terminal: terminal)
    let report = try simulation.run(frameTimes: frameTimes, timeline: timeline) {
      tick, frames, lateTicks in
      progress.show(tick: tick, frames: frames, lateTicks: lateTicks)
    }
    terminal?.close()
    Standard.output(
      (arguments.json ? ReportLine.encode(report, schema: SimReport.schema) : report.text) + "\n")
    if let failure = [frameTimes?.finish(), timeline?.finish()].compactMap({ $0 }).first {
      throw failure
    }
  }
}
