// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryTrace
import OrreryWire

/// Records every frame of a run.
@main struct LoggerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logger",
    abstract: "Record every frame of a run to an MCAP trace.",
    discussion: """
      Example: logger --run demo --out demo.mcap --compression zstd
      Frames that it missed are written into the trace on the topic /orrery/loss.
      """)

  @Option(name: .customLong("run"), help: "Name of the run to join.")
  var runName: String

  @Option(help: "The trace to write.")
  var out: String

  @Option(help: "none, lz4 or zstd. Positions in floating point hardly compress.")
  var compression = TraceCompression.none

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Option(parsing: .unconditional, help: "Seconds to wait for the run to appear.")
  var wait: Double = 10

  @Flag(help: "Print the report as a line of JSON.")
  var json = false

  func validate() throws {
    guard wait.isFinite, (0...86_400).contains(wait) else {
      throw ValidationError("--wait \(wait): use 0 to 86400 seconds")
    }
    guard !out.isEmpty else { throw ValidationError("--out: a file's name is needed") }
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.catchThem()
      StandardErrorLog.bootstrap(program: "logger")
      StopSignals.endWithParent()
      var writer: TraceWriter?
      let loop: SubscriberLoop
      do throws(Failure) {
        loop = try SubscriberLoop(
          program: "logger", run: runName, reading: .every, waitSeconds: wait
        ) { () throws(Failure) in
          writer = try Recorder.open(path: out, compression: compression, overwrite: force)
        }
      } catch {
        // The sim has gone in between: an empty file would stand in the way of the next recording.
        writer?.discard()
        throw error
      }
      guard let writer else { preconditionFailure("joined without preparing") }
      let recorder = try Recorder(writer, path: out, reader: loop.reader)
      let report = try loop.follow(recorder)
      Standard.output(
        (json ? ReportLine.encode(report, schema: "orrery.subscriber.v1") : report.text) + "\n")
      if !report.simEnded, StopSignals.count == 0 {
        throw Failure(
          .unavailable,
          "the sim of run '\(runName)' died after frame \(report.joinedAfter + report.published);"
            + " \(out) is complete up to there")
      }
    } catch {
      error.exit(program: "logger")
    }
  }
}

extension TraceCompression: ExpressibleByArgument {}
