// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryPictures
import OrrerySubscriber

/// Draws a run.
@main struct RendererCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    program: "renderer",
    abstract: "Draw a run: the last picture, every picture, or a video.",
    usage: "--run NAME | --connect ADDRESS ... [OPTIONS]",
    discussion: """
      Example:
        orrery sim flags --run demo --duration 10 --wait-for 1 &
        orrery renderer --run demo --video demo.mp4 --png demo.png
      In live delivery it draws the newest frame whenever it is ready for one; in
      lockstep, every frame.
      """)

  static func main() { CommandLineProgram(Self.self).run() }

  @OptionGroup var runArguments: RunArguments

  @Option(help: "Write the last picture, or that of --at, to this PNG file.")
  var png: String?

  @Option(
    parsing: .unconditional,
    help: """
      Scene time in seconds of the picture of --png, \(OptionRanges.sceneTime). If the run ends before it, nothing is \
      written there, and the exit code is 1.
      """)
  var at: Double?

  @Option(help: "Write every picture drawn to this directory, as SEQUENCE.png.")
  var frames: String?

  @Option(
    help:
      "Pipe every picture to ffmpeg, which writes this file: .mp4, .mov, .mkv, .webm, .gif, .apng.")
  var video: String?

  @Option(help: "Size of pictures in pixels, 1x1 to 16384x16384. Default: the scene's.")
  var size: PictureSize?

  @Flag(help: "Draw every picture, also those that no output wants: to measure drawing alone.")
  var drawEvery = false

  @Flag(help: "Replace files and pictures that exist.")
  var force = false

  func validate() throws {
    if at != nil, png == nil { throw ValidationError("--at needs --png") }
    try OptionRanges.sceneTime.check("--at", at)
    try CommandLineProgram.refuseStandardOutput(
      [
        ("--frame-times", runArguments.frameTimes), ("--png", png), ("--frames", frames),
        ("--video", video),
      ])
  }

  func run() throws {
    StopSignals.installHandlers()
    StandardErrorLog.bootstrap(program: "renderer")
    StopSignals.endWithParent()
    let follower = try RunFollower(program: "renderer", runArguments)
    try follower.follow(
      .drawing, reading: .newest, waiting: .announcement,
      prepare: { (number) throws(Failure) in
        let outputs = outputs(number)
        if !force { try outputs.checkUnused() }
        return outputs
      },
      consumer: { (outputs, source, _) throws(Failure) in
        if source.delivery == .live {
          // A picture may be late, a tick may not. If processors are scarce, the sim and the
          // logger go first. The encoder inherits this priority.
          setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        }
        let artist = try Artist(
          outputs, size: size, source: source,
          encoding: { follower.progress.report(.encoding, done: $0, total: $1) },
          noting: { Standard.error("orrery renderer: \($0)\n") })
        outputs.warnAtSecondStopSignal()
        for notice in artist.notices { Standard.error("orrery renderer: \(notice)\n") }
        return artist
      })
  }
}

extension RendererCommand {
  /// Output paths of run `number`, counted from 1.
  private func outputs(_ number: Int) -> PictureOutputs {
    let name = { (path: String) in RunFollower.numbered(path, number) }
    return PictureOutputs(
      png: png.map(name), at: at, frames: frames.map(name), video: video.map(name),
      drawsEvery: drawEvery)
  }
}

extension PictureOutputs {
  /// From now on, a second stop signal ends the program and says which files were not written.
  fileprivate func warnAtSecondStopSignal() {
    let files = [video, png].compactMap { $0 }.joined(separator: ", ")
    let missing = files.isEmpty ? "" : "; not written: \(files)"
    StopSignals.endAtSecond(
      message: "renderer: ended by a second signal\(missing)",
      removing: video.map { PartialFile.path(for: $0) })
  }
}
