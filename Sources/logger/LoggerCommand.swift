// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryRecording
import OrrerySubscriber
import OrreryTrace

/// Records every frame of a run.
@main struct LoggerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logger",
    abstract: "Record every frame of a run to an MCAP trace.",
    discussion: """
      Example: logger --run demo --out demo.mcap --compression zstd
      Frames that it missed are written into the trace on the topic /orrery/loss, what the sim tells of views
      on /orrery/events.
      """)

  @OptionGroup var runArguments: RunArguments

  @Option(help: "The trace to write.")
  var out: String

  @Option(help: "none, lz4 or zstd. Positions in floating point hardly compress.")
  var compression = TraceCompression.none

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a file's name is needed") }
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.installHandlers()
      StandardErrorLog.bootstrap(program: "logger")
      StopSignals.endWithParent()
      try RunFollower(program: "logger", runArguments).follow(
        reading: .every, waiting: .futex, wantsEvents: true,
        prepare: { (number) throws(Failure) in
          let path = RunFollower.numbered(out, number)
          return (
            path, try Recorder.open(path: path, compression: compression, overwrite: force)
          )
        },
        // The sim ended before it was joined. An empty file would block the next recording.
        discard: { $0.1.discard() },
        consumer: { (opened, loop) throws(Failure) in
          try Recorder(opened.1, path: opened.0, source: loop.source, events: loop.events)
        },
        died: { "; \(RunFollower.numbered(out, $0)) is complete up to there" })
    } catch {
      error.exit(program: "logger")
    }
  }
}

extension TraceCompression: ExpressibleByArgument {}
