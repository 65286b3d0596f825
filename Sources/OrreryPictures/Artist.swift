// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryRender
import OrreryWire

/// Draws frames directly from the ring and writes the pictures.
///
/// If only one picture is wanted, only that frame is drawn: the others are looked at for their ticks.
///
/// A video shows each published frame for one tick. Where frames were missed, it repeats the
/// picture before them. So the video keeps the scene's time; a seek leaves no gap, and a pause
/// takes no time.
package final class Artist: FrameConsumer {
  private let outputs: PictureOutputs
  private let drawing: FrameDrawing
  private let video: VideoWriter?

  /// The tick to show in `outputs.png`; nil: the last one.
  private let pngTick: Double?

  /// Tick of the picture in `painter`.
  private var lastTick: UInt64 = 0

  /// Seconds of a tick, as a fraction.
  private let tickSeconds: (numerator: UInt64, denominator: UInt64)

  /// Called while the encoder completes the video, with the pictures that it has encoded and all
  /// pictures.
  private let encoding: (_ done: UInt64, _ total: UInt64) -> Void

  /// Called with what the user should know after the run: a video that has fewer pictures than were drawn.
  private let noting: (String) -> Void

  /// What the user should know before the run: a video that is larger than its pictures.
  package let notices: [String]

  /// Pictures in the finished video, where the encoder has said how many.
  package private(set) var videoCount: UInt64?

  private let source: any FrameSource

  /// The last frame, where the source does not keep it and it may be the one that is wanted.
  private var lastCopy: (copy: FrameCopy, view: FrameView)?

  /// The picture in `outputs.png`; nil until it is written.
  private var png: FileIdentity?

  /// The directory `outputs.frames`.
  private let folder: FileIdentity?

  /// Frames that were whole.
  private var pictureCount: UInt64 = 0

  /// Frames that were drawn.
  package private(set) var drawnCount: UInt64 = 0

  /// Prepares the painter, and starts the encoder if a video is wanted.
  ///
  /// - Parameters:
  ///   - outputs: The files to write.
  ///   - size: Size of pictures in pixels; nil: the scene's size.
  ///   - source: The source of frames.
  ///   - look: How frames are drawn.
  ///   - encoder: The program that encodes the video.
  ///   - prepared: Called when all that takes long is done, and before the encoder is started.
  ///   - encoding: Called whenever the encoder has gone on after the last frame, with the pictures
  ///     that it has encoded and the pictures in all.
  ///   - noting: Called at the end if the video has fewer pictures than were drawn, with a line that says so.
  /// - Throws: `Failure` if the scene cannot be drawn or an output cannot be opened.
  package init(
    _ outputs: PictureOutputs, size: PictureSize?, source: any FrameSource,
    look: PictureLook = .scene, encoder: String = "ffmpeg", prepared: () -> Void = {},
    encoding: @escaping (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in },
    noting: @escaping (String) -> Void = { _ in }
  ) throws(Failure) {
    self.outputs = outputs
    self.encoding = encoding
    self.noting = noting
    self.source = source
    let drawing = try FrameDrawing(source, look: look) { _ in size.map { ($0.width, $0.height) } }
    self.drawing = drawing
    prepared()
    let layout = drawing.layout
    tickSeconds = (layout.rateDenominator, max(layout.rateNumerator, 1))
    pngTick = outputs.at.map { seconds in
      (seconds * Double(layout.rateNumerator) / Double(layout.rateDenominator)).rounded()
    }
    do {
      folder = try outputs.frames.map(Self.makeDirectory)
      video = try outputs.video.map { path in
        try VideoWriter(
          path: path, width: drawing.painter.width, height: drawing.painter.height,
          rateNumerator: layout.rateNumerator, rateDenominator: layout.rateDenominator,
          program: encoder)
      }
      notices = video.flatMap(\.notice).map { [$0] } ?? []
    } catch {
      throw Failure(error)
    }
  }

  package var phases: (use: TimelinePhase, keep: TimelinePhase) { (.draw, .encode) }

  /// Draws the frame if it is wanted; returns whether it was whole.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    let tick = frame.stamp().tick
    if outputs.drawsEvery || wantsPNG(of: tick) { draw(frame) }
    if wantsLast, source.frames == nil { try keepCopy(of: frame) }
    let isWhole = source.isWhole(frame)
    if isWhole { lastTick = tick }
    return isWhole
  }

  private func draw(_ frame: FrameView) {
    drawnCount += 1
    drawing.draw(frame)
  }

  /// Writes the picture to the outputs.
  package func keep(sequence: UInt64) throws(Failure) {
    pictureCount += 1
    if wantsPNG(of: lastTick) { try writePNG() }
    if let frames = outputs.frames {
      let number = String(sequence).alignedRight(8, filler: "0")
      try Failure.of { try drawing.painter.writePNG(path: "\(frames)/\(number).png") }
    }
    guard let video else { return }
    let timeNs = UInt64(
      truncatingIfNeeded: UInt128(sequence) * UInt128(tickSeconds.numerator) * 1_000_000_000
        / UInt128(tickSeconds.denominator))
    try Failure.of { try video.write(drawing.painter.picture.bytes, timeNs: timeNs) }
  }

  /// Does nothing: the video repeats the picture before the gap.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}

  /// Does nothing.
  package func idle() throws(Failure) {}

  /// Writes the last picture if it is wanted, and ends the video.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    var files: [String] = []
    if let png = outputs.png, pictureCount > 0 {
      if wantsPNG, pngTick == nil, outputs.drawsEvery || drawLast() { try writePNG() }
      if self.png != nil { files.append(png) }
    }
    if let video, let path = outputs.video, pictureCount > 0 {
      try Failure.of {
        videoCount = try video.finish { encoding($0, pictureCount) }
      }
      if let videoCount, videoCount < pictureCount {
        noting(
          "\(path): has \(videoCount) of \(pictureCount) pictures; a .gif shows at most 50 a second"
        )
      }
      files.append(path)
    }
    try checkPaths()
    if let frames = outputs.frames { files.append("\(frames)/ (\(pictureCount) pictures)") }
    return files
  }

  /// The picture of a time that the run did not reach, or of a frame that was overwritten.
  package var shortfall: Failure? {
    guard wantsPNG, let png = outputs.png else { return nil }
    guard let pngTick, let at = outputs.at else {
      return pictureCount == 0
        ? nil
        : Failure(
          .unmet, "the last frame was overwritten before it was copied; \(png) is not written")
    }
    let seconds = Double(lastTick) * Double(tickSeconds.numerator) / Double(tickSeconds.denominator)
    let last =
      pictureCount > 0
      ? "the last tick that came was \(lastTick) (\(Self.text(seconds)) s)" : "no tick came"
    return Failure(
      .unmet,
      "--at \(Self.text(at)) is tick \(Self.text(pngTick)): \(last); \(png) is not written")
  }
}

// MARK: - Helpers

extension Artist {
  private var wantsPNG: Bool { outputs.png != nil && png == nil }

  /// Whether only the last frame is drawn.
  private var wantsLast: Bool { wantsPNG && pngTick == nil && !outputs.drawsEvery }

  /// Whether the picture of `outputs.at` is that of this tick.
  private func wantsPNG(of tick: UInt64) -> Bool {
    pngTick.map { wantsPNG && Double(tick) >= $0 } ?? false
  }

  private func keepCopy(of frame: FrameView) throws(Failure) {
    guard let copy = lastCopy?.copy ?? FrameCopy(of: source) else {
      throw Failure(
        .resource, "no memory for a frame of \(frame.byteCount) bytes" + MemoryLimit.note)
    }
    if let view = copy.take(frame) { lastCopy = (copy, view) }
  }

  /// Draws the last frame; false if it could not be read whole.
  private func drawLast() -> Bool {
    if let lastCopy {
      draw(lastCopy.view)
      return true
    }
    // A copy: a sim that goes on may overwrite a frame while it is drawn.
    guard let frames = source.frames, let copy = FrameCopy(of: source),
      let view = frames.copyNewest({ copy.take($0) }) ?? nil
    else { return false }
    draw(view)
    return true
  }

  /// A number without a fraction of zero, and with at most three decimals.
  private static func text(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return abs(rounded) < 1e15 && rounded == rounded.rounded()
      ? "\(Int64(rounded))" : "\(rounded)"
  }

  private func writePNG() throws(Failure) {
    guard let path = outputs.png else { return }
    try Failure.of {
      try drawing.painter.writePNG(path: path)
      do throws(SystemCallError) {
        png = try FileIdentity(path: path)
      } catch {
        throw RenderError.file(error)
      }
    }
  }

  /// Checks that what was written is still where it was written.
  private func checkPaths() throws(Failure) {
    for (path, identity) in [(outputs.png, png), (outputs.frames, folder)] {
      if let path, let identity, identity.isLost(at: path) {
        throw Failure(.inputOutput, FileIdentity.text(lost: path, to: nil))
      }
    }
  }

  private static func makeDirectory(_ path: String) throws(Failure) -> FileIdentity {
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      throw Failure(.inputOutput, SystemCallError(call: "mkdir", path: path, errno: errno))
    }
    return try Failure.of(.inputOutput) { try FileIdentity(path: path) }
  }
}
