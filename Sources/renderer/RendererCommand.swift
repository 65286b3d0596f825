// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryPictures
import OrreryRender
import OrrerySubscriber
import OrreryWire

/// Draws a run.
@main struct RendererCommand: SubscriberCommand {
  static let configuration = CommandConfiguration(
    program: "renderer",
    abstract: "Draw a run: pictures, a video, or on the terminal.",
    usage: "--run NAME | --connect ADDRESS ... [OPTIONS]",
    discussion: """
      Example:
        orrery sim flags --run demo --duration 10 --wait-for 1 &
        orrery renderer --run demo --video demo.mp4 --png demo.png
      In live delivery it draws the newest frame whenever it is ready for one; in
      lockstep, every frame. --terminal shows the run where standard output is a
      terminal, up to 20 pictures a second, until q is pressed.
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

  @Option(
    help: """
      The picture of --png is a sheet of so many pictures at equal times over the run, COLUMNSxROWS, 1x1 to \
      \(Self.sheetMax)x\(Self.sheetMax), with their times; --size is that of each.
      """)
  var sheet: PictureSize?

  @Option(
    help: """
      The picture of --png is so many pictures at equal times over the run over each other, the oldest the faintest, \
      \(Self.overlayRange).
      """)
  var overlay: Int?

  @Flag(help: "Draw how many entities stand at each pixel, in place of the scene: for crowds.")
  var density = false

  @Flag(help: "Show the run on the terminal.")
  var terminal = false

  @Option(
    help: """
      auto, half, sixel or kitty. half: two pixels a cell. auto: the best that the terminal says it has.
      """)
  var terminalGraphics = TerminalGraphics.auto

  @Option(help: "Size of pictures in pixels, 1x1 to 16384x16384. Default: the scene's.")
  var size: PictureSize?

  @Flag(help: "Draw every picture, also those that no output wants: to measure drawing alone.")
  var drawEvery = false

  @Flag(help: "Replace files and pictures that exist.")
  var force = false

  func validate() throws {
    if at != nil, png == nil { throw ValidationError("--at needs --png") }
    try validateSpread()
    try validateTerminal()
    try OptionRanges.sceneTime.check("--at", at)
    try CommandLineProgram.checkOutputs(
      runArguments.outputs + [("--png", png), ("--frames", frames), ("--video", video)])
  }

  private static let overlayRange = OptionRange(2...50)
  private static let sheetMax = 50

  /// A sheet and an overlay are made of one size of picture, and of the whole run.
  private func validateSpread() throws {
    let spreads = [("--sheet", sheet != nil), ("--overlay", overlay != nil)].filter(\.1).map(\.0)
    guard let option = spreads.first else { return }
    guard png != nil else { throw ValidationError("\(option) needs --png") }
    let others = [
      ("--at", at != nil), ("--frames", frames != nil), ("--video", video != nil),
      ("--draw-every", drawEvery),
    ]
    if let other = spreads.dropFirst().first ?? others.first(where: \.1)?.0 {
      throw ValidationError("\(option) does not go with \(other)")
    }
    if let overlay { try Self.overlayRange.check("--overlay", overlay) }
    if let sheet, max(sheet.width, sheet.height) > Self.sheetMax {
      throw ValidationError(
        "--sheet \(sheet): use up to \(Self.sheetMax) columns and \(Self.sheetMax) rows")
    }
  }

  private func validateTerminal() throws {
    guard terminal else {
      if terminalGraphics != .auto { throw ValidationError("--terminal-graphics needs --terminal") }
      return
    }
    let others = [
      ("--png", png != nil), ("--frames", frames != nil), ("--video", video != nil),
      ("--size", size != nil), ("--draw-every", drawEvery),
      ("--supervised", runArguments.supervised),
    ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "--terminal does not go with \(other): a second renderer can write files")
    }
  }

  func run() throws {
    StopSignals.installHandlers()
    runArguments.log.bootstrap(program: "renderer")
    StopSignals.endWithParent()
    if terminal { return try showOnTerminal() }
    let follower = try RunFollower(program: "renderer", runArguments)
    let prepare = { (number: Int) throws(Failure) -> PictureOutputs in
      let outputs = outputs(number)
      if !force { try outputs.checkUnused() }
      return outputs
    }
    if let spread {
      return try follower.follow(
        .drawing, reading: .newest, waiting: .announcement, prepare: prepare,
        consumer: { (outputs, source, _) throws(Failure) in
          let artist = try SpreadArtist(
            path: outputs.png ?? "", spread, size: size, source: source, look: look)
          letOthersGoFirst(source, niceness: 19)
          return artist
        })
    }
    try follower.follow(
      .drawing, reading: .newest, waiting: .announcement, prepare: prepare,
      consumer: { (outputs, source, _) throws(Failure) in
        let artist = try Artist(
          outputs, size: size, source: source, look: look,
          // The encoder inherits this priority.
          prepared: { letOthersGoFirst(source, niceness: 19) },
          encoding: { follower.progress.report(.encoding, done: $0, total: $1) },
          noting: { StandardErrorLog.say($0, by: "orrery renderer", .notice) })
        outputs.warnAtSecondStopSignal()
        for notice in artist.notices {
          StandardErrorLog.say(notice, by: "orrery renderer", .notice)
        }
        return artist
      })
  }

  private func showOnTerminal() throws {
    try TerminalArtist.check()
    var arguments = runArguments
    // The picture has the terminal.
    if arguments.progress == .auto { arguments.progress = .none }
    try RunFollower(program: "renderer", arguments).follow(
      .drawing, reading: .newest, waiting: .announcement,
      prepare: { _ in },
      consumer: { (_, source, _) throws(Failure) in
        let artist = try TerminalArtist(source, graphics: terminalGraphics, look: look)
        // Above a renderer that writes files: somebody watches.
        letOthersGoFirst(source, niceness: 10)
        return artist
      })
  }

  /// In live delivery a picture may be late, a tick may not: if processors are scarce, the sim and the logger go first.
  ///
  /// Only once the scene is prepared, for which the sim may wait.
  private func letOthersGoFirst(_ source: any FrameSource, niceness: CInt) {
    if source.delivery == .live {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    }
  }
}

extension RendererCommand {
  private var look: PictureLook { density ? .density : .scene }

  private var spread: PictureSpread? {
    sheet.map { .sheet(columns: $0.width, rows: $0.height) } ?? overlay.map { .overlay($0) }
  }

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

extension TerminalGraphics: ExpressibleByArgument {}
