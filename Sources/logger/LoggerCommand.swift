// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryRecording
import OrrerySubscriber

/// Records every frame of a run.
@main struct LoggerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    program: "logger",
    abstract: "Record every frame of a run to an MCAP trace.",
    usage: "--run NAME | --connect ADDRESS ... --out FILE [OPTIONS]",
    discussion: """
      Example:
        orrery sim flags --run demo --duration 10 --wait-for 1 &
        orrery logger --run demo --out demo.mcap --compression zstd
      Frames that it missed are written into the trace on the topic /orrery/loss,
      what the sim tells of views on /orrery/events.
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

  @OptionGroup(title: "The File") var container: ContainerArguments

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a file's name is needed") }
    try CommandLineProgram.refuseStandardOutput(
      [("--frame-times", runArguments.frameTimes), ("--out", out)])
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.installHandlers()
      StandardErrorLog.bootstrap(program: "logger")
      StopSignals.endWithParent()
      if perShard { try exitWithShardLoggers() }
      let follower = try RunFollower(program: "logger", runArguments)
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
            finishing: { follower.progress.report(.finishing, total: UInt64($0)) })
          StopSignals.endAtSecond(
            message: "logger: ended by a second signal; incomplete: \(opened.0),"
              + " readable up to its last whole chunk")
          return recorder
        },
        died: { "; \(RunFollower.numbered(out, $0)) is complete up to there" })
    } catch {
      error.exit(program: "orrery logger", isJSON: runArguments.json)
    }
  }
}

extension LoggerCommand {
  /// Runs a logger for each shard, and exits as the worst of them.
  private func exitWithShardLoggers() throws(Failure) -> Never {
    let code = try ShardPrograms(program: "logger", runArguments).run { mark in
      ["--out", RunFollower.marked(out, with: mark)] + container.words + (force ? ["--force"] : [])
    }
    Glibc.exit(code)
  }
}
