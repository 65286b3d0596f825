// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryWire

/// Draws a run.
@main struct RendererCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renderer",
    abstract: "Draw a run: the last picture, every picture, or a video.",
    discussion: """
      Example: renderer --run demo --video demo.mp4 --png demo.png
      In live delivery it draws the newest frame whenever it is ready for one; in lockstep, every frame.
      """)

  @Option(name: .customLong("run"), help: "Name of the run to join.")
  var runName: String

  @Option(help: "Write the last picture, or that of --at, to this PNG file.")
  var png: String?

  @Option(parsing: .unconditional, help: "Scene time in seconds of the picture of --png.")
  var at: Double?

  @Option(help: "Write every picture drawn to this directory, as SEQUENCE.png.")
  var frames: String?

  @Option(help: "Pipe every picture to ffmpeg, which writes this file.")
  var video: String?

  @Option(help: "Size of pictures in pixels, as 1280x720. Default: the scene's.")
  var size: PictureSize?

  @Option(parsing: .unconditional, help: "Seconds to wait for the run to appear.")
  var wait: Double = 10

  @Flag(help: "Print the report as a line of JSON.")
  var json = false

  func validate() throws {
    guard wait.isFinite, (0...86_400).contains(wait) else {
      throw ValidationError("--wait \(wait): use 0 to 86400 seconds")
    }
    if let at {
      guard png != nil else { throw ValidationError("--at needs --png") }
      guard at.isFinite, at >= 0 else {
        throw ValidationError("--at \(at): use 0 or more seconds")
      }
    }
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.catchThem()
      StandardErrorLog.bootstrap(program: "renderer")
      StopSignals.endWithParent()
      let loop = try SubscriberLoop(
        program: "renderer", run: runName, reading: .newest, waitSeconds: wait)
      if loop.reader.delivery == .live {
        // A picture may be late, a tick may not: where processors are short, the sim and the logger come
        // first. The encoder inherits this.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
      }
      let outputs = PictureOutputs(png: png, at: at, frames: frames, video: video)
      let artist = try Artist(outputs, size: size, reader: loop.reader)
      let report = try loop.follow(artist)
      Standard.output(
        (json ? ReportLine.encode(report, schema: "orrery.subscriber.v1") : report.text) + "\n")
      if !report.simEnded, StopSignals.count == 0 {
        throw Failure(
          .unavailable,
          "the sim of run '\(runName)' died after frame \(report.joinedAfter + report.published)")
      }
    } catch {
      error.exit(program: "renderer")
    }
  }
}

extension PictureSize: ExpressibleByArgument {
  /// Reads `1280x720`.
  package init?(argument: String) { self.init(argument) }
}
