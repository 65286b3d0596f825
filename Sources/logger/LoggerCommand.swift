// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryRecording
import OrreryRecordingArguments
import OrrerySubscriber
import OrreryViewers

/// Records every frame of a run.
@main struct LoggerCommand: SubscriberCommand {
  static let configuration = CommandConfiguration(
    program: "logger",
    abstract: "Record every frame of a run to an MCAP trace.",
    usage: "--run NAME | --connect ADDRESS ... --out FILE [OPTIONS]",
    discussion: """
      Example:
        orrery sim flags --run demo --duration 10 --wait-for 1 &
        orrery logger --run demo --out demo.mcap --compression zstd
      Frames that it missed are written into the trace on the topic /orrery/loss,
      events of views on /orrery/events. With --mode flight the last
      seconds are in memory, and written when `orrery control RUN keep`, SIGUSR1 or a
      trigger asks for them, and when the sim dies: to FILE, then FILE-2 and so on.
      """)

  static func main() { CommandLineProgram(Self.self).run() }

  @OptionGroup var runArguments: RunArguments

  @Option(help: "The trace to write.")
  var out: String

  @Flag(
    help: """
      Write a trace for each shard of the run, as a logger of that shard alone: FILE.0of4.mcap and so on for FILE.mcap. \
      The exit code is the highest of theirs.
      """)
  var perShard = false

  @OptionGroup(title: "Trace") var container: ContainerArguments

  @OptionGroup(title: "Flight") var flight: FlightArguments

  @OptionGroup(title: "Beside Frames") var side: SideArguments

  @OptionGroup(title: "What Is Recorded") var recording: RecordingArguments

  @Option(parsing: .upToNextOption, help: RecordedPart.entitiesHelp)
  var entity: [String] = []

  @Option(help: RecordedPart.columnsHelp, transform: FieldList.parse)
  var columns: FieldList?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a file's name is needed") }
    try CommandLineProgram.checkOutputs(runArguments.outputs + [("--out", out)])
    try flight.check(mode: recording.mode)
    if recording.mode == .flight, container.maxDuration != nil {
      throw ValidationError("--max-duration: a flight recorder's traces are as long as --keep says")
    }
    try recording.check([("--entity", !entity.isEmpty), ("--columns", columns != nil)])
  }

  private var part: RecordedPart { RecordedPart(entities: entity, columns: columns) }

  func run() throws {
    // Two of ZeroMQ, one that writes, and at most three that compress.
    StopSignals.installHandlers(threads: 6)
    let signal = recording.mode == .flight ? KeepSignal() : nil
    let log = LogTap.bootstrap(program: "logger", format: runArguments.log.logFormat)
    StopSignals.endWithParent()
    if perShard { try exitWithShardLoggers() }
    let follower = try RunFollower(program: "logger", runArguments)
    let side = side.options(mode: recording.mode, log: log)
    if let signal {
      try followInFlight(follower, side, signal)
      return
    }
    try follower.follow(
      .recording, reading: .every, waiting: .futex, wantsEvents: true, mergesBatches: true,
      prepare: { (number) throws(Failure) in
        let path = RunFollower.numbered(out, number)
        return (
          path, try Recorder.open(path: path, options: container.options, overwrite: force)
        )
      },
      // The sim ended before it was joined. An empty file would block the next recording.
      discard: { $0.1.discard() },
      consumer: { (opened, source, events) throws(Failure) in
        let recorder = try Recorder(
          opened.1, path: opened.0, source: source, events: events,
          options: recording.options(part), side: side,
          finishing: { follower.progress.report(.finishing, total: UInt64($0)) })
        StopSignals.endAtSecond(
          message: "logger: ended by a second signal; incomplete: \(shown(opened.0)),"
            + " readable up to its last whole chunk")
        return recorder
      },
      died: { "; \(shown(RunFollower.numbered(out, $0))) is complete up to there" })
  }
}

extension LoggerCommand {
  /// Runs a logger for each shard, and exits as the worst of them.
  private func exitWithShardLoggers() throws(Failure) -> Never {
    let code = try ShardPrograms(program: "logger", runArguments).run { mark in
      ["--out", RunFollower.marked(out, with: mark)] + container.words + recording.words
        + part.words + flight.words + side.words + (force ? ["--force"] : [])
    }
    Glibc.exit(code)
  }
}

extension LoggerCommand {
  /// A trace's path as messages name it: of a set, a pattern of its files.
  private func shown(_ path: String) -> String {
    container.options.splits ? RunFollower.marked(path, with: ".*") : path
  }

  /// Keeps the last seconds of runs in memory, and writes them when they are asked for.
  private func followInFlight(
    _ follower: RunFollower, _ side: SideOptions, _ signal: KeepSignal
  ) throws(Failure) {
    var fileCount = 0
    let trigger = (try? flight.parsedTrigger()) ?? nil
    if !force, let file = container.options.existing(out).first {
      throw Failure(.inputOutput, "\(file): File exists; --force replaces it")
    }
    try follower.follow(
      .recording, reading: .every, waiting: .futex, wantsEvents: true, mergesBatches: true,
      prepare: { (_) throws(Failure) in
        FlightRing(keptNs: flight.keepNs, bytesMax: Int(container.memory.bytes))
      },
      consumer: { (ring, source, events) throws(Failure) in
        let recorder = try Recorder(
          ring, path: out, source: source, events: events, options: recording.options(part),
          side: side)
        let options = FlightOptions(
          keepNs: flight.keepNs, afterNs: flight.after?.ns ?? 0, trigger: trigger,
          requestCount: { signal.look() }, isStopped: { StopSignals.count > 0 },
          open: { () throws(Failure) in
            fileCount += 1
            let path = RunFollower.numbered(out, fileCount)
            return (
              path, try Recorder.open(path: path, options: container.options, overwrite: force)
            )
          })
        StopSignals.endAtSecond(
          message: "logger: ended by a second signal; what was being kept is incomplete")
        return FlightRecorder(recorder, ring: ring, options: options)
      })
  }
}
