// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryFrame
import OrreryPublisher
import OrreryReplay

/// Publishes a trace as a sim publishes a run.
struct TracePlayCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Publish a trace as a run, for renderer, logger and control.",
    usage: "orrery trace play FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery trace play demo/flags.mcap --loop
        orrery trace play demo/flags.mcap --run again --wait-for 1 --unpaced
      Frames are numbered from 1; their ticks, values and hashes are the recorded
      ones. Traces of all shards of a run are played as one. 'orrery control RUN'
      pauses, resumes, steps, seeks, changes the speed and ends it. Of a digest the
      frames are computed, and compared with the recorded hashes: if one differs, the
      exit code is 1.
      """)

  @Argument(help: "A trace, or the files of a split recording or of all shards.")
  var files: [String]

  @Option(
    parsing: .unconditional, help: "Ratio of scene time to real time, \(Self.speedRange).")
  var speed = 1.0

  @OptionGroup var times: TraceTimes

  @Flag(help: "Begin again after the last frame.")
  var loop = false

  @Flag(
    help: """
      Pause at the last frame, until 'orrery control RUN resume' or 'quit' ends the run. A run that is paused stays \
      there in any case.
      """)
  var hold = false

  @Flag(help: "Begin with a pause: 'orrery control RUN step' publishes frame by frame.")
  var step = false

  @Option(
    name: .customLong("run"),
    help: "Name of the run: 1 to 64 letters, digits, '.', '-' and '_'. Default: the scene's.")
  var runName: String?

  @Flag(help: "Do not wait for the clock: frames follow each other as fast as they can.")
  var unpaced = false

  @Flag(help: "Wait for every subscriber; without it nothing is waited for.")
  var lockstep = false

  @Option(
    parsing: .unconditional,
    help: "Subscribers that must have joined before the first frame, \(OptionRanges.waitFor).")
  var waitFor: UInt64 = 0

  @Option(
    parsing: .unconditional, help: "Seconds to wait for these subscribers, \(OptionRanges.wait).")
  var wait = 60.0

  @Option(
    parsing: .unconditional,
    help:
      "Slots of the frame ring, \(OptionRanges.slots). Default: by frame size, rate and memory.")
  var slots: UInt64?

  @OptionGroup var log: LogArguments

  @Flag(help: "Print progress and the report as lines of JSON.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func validate() throws {
    try Self.speedRange.check("--speed", speed)
    if loop, hold { throw ValidationError("--loop and --hold exclude each other") }
    if unpaced, speed != 1 { throw ValidationError("--speed and --unpaced exclude each other") }
    try OptionRanges.waitFor.check("--wait-for", waitFor)
    try OptionRanges.wait.check("--wait", wait)
    try OptionRanges.slots.check("--slots", slots)
  }

  private static let speedRange = OptionRange(TickClock.speeds)

  func run() throws {
    let reading = TraceReading("orrery trace play")
    StopSignals.installHandlers(threads: StopSignals.publishingThreads)
    log.bootstrap(program: "orrery trace play")
    StopSignals.endWithParent()
    DeadRuns.remove()
    let archive = try reading.frames(files)
    let frames = try PlayedFrames(archive, times.wanted)
    var name = RunName(given: runName, scene: archive.scene.scene)
    let run = try name.next()
    var options = SimOptions(run: run)
    options.isPaced = !unpaced
    options.delivery = lockstep ? .lockstep : .live
    options.slotCount = slots
    (options.waitFor, options.waitSeconds) = (waitFor, wait)
    (options.speed, options.isPausedFirst, options.loops) = (speed, step, loop)
    options.holds = hold
    options.events = .none
    frames.describe(&options)
    let lock = try RunLock(run: run, carrier: options.carrier)
    SimProgress.enter(.waiting, isJSON: json)
    if !json { Standard.error(RunSteering.firstLine(run: run) + "\n") }
    let terminal =
      json ? nil : try RunTerminal(lock.directory, duration: loop ? nil : frames.seconds)
    let simulation = try Simulation(lock, frames.plan, maker: frames, options: options)
    var progress = SimProgress(
      isJSON: json, tickSeconds: frames.plan.rate.tickSeconds, terminal: terminal)
    let report = try simulation.run { tick, frames, lateTicks in
      progress.show(tick: tick, frames: frames, lateTicks: lateTicks)
    }
    terminal?.close()
    let played = PlayReport(files: files, run: report, frames: frames)
    Standard.output(
      (json ? ReportLine.encode(played, schema: PlayReport.schema) : played.text) + "\n")
    if let first = frames.firstUnproved {
      throw Failure(
        .unmet,
        "\(frames.unprovedCount) frames have other hashes than the recorded ones, the first is frame"
          + " \(first.sequence), tick \(first.tick)")
    }
    reading.end()
  }
}
