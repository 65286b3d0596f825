// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryArguments
import OrreryBase
import OrreryPictures
import OrrerySubscriber

/// Draws a run.
@main struct RendererCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renderer",
    abstract: "Draw a run: the last picture, every picture, or a video.",
    discussion: """
      Example: renderer --run demo --video demo.mp4 --png demo.png
      In live delivery it draws the newest frame whenever it is ready for one; in lockstep, every frame.
      """)

  @OptionGroup var runArguments: RunArguments

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

  func validate() throws {
    if let at {
      guard png != nil else { throw ValidationError("--at needs --png") }
      guard at.isFinite, at >= 0 else {
        throw ValidationError("--at \(at): use 0 or more seconds")
      }
    }
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.installHandlers()
      StandardErrorLog.bootstrap(program: "renderer")
      StopSignals.endWithParent()
      try RunFollower(program: "renderer", runArguments).follow(
        reading: .newest, waiting: .announcement, prepare: { number in outputs(number) },
        consumer: { (outputs, loop) throws(Failure) in
          if loop.source.delivery == .live {
            // A picture may be late, a tick may not. If processors are scarce, the sim and the
            // logger go first. The encoder inherits this priority.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
          }
          return try Artist(outputs, size: size, source: loop.source)
        })
    } catch {
      error.exit(program: "renderer")
    }
  }
}

extension RendererCommand {
  /// Output paths of run `number`, counted from 1.
  private func outputs(_ number: Int) -> PictureOutputs {
    let name = { (path: String) in RunFollower.numbered(path, number) }
    return PictureOutputs(
      png: png.map(name), at: at, frames: frames.map(name), video: video.map(name))
  }
}
