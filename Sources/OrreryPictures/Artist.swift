// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import OrreryWire
import SwiftProtobuf

/// Draws frames directly from the ring and writes the pictures.
///
/// A video shows each published frame for one tick. Where frames were missed, it repeats the
/// picture before them. So the video keeps the scene's time; a seek leaves no gap, and a pause
/// takes no time.
package final class Artist: FrameConsumer {
  private let outputs: PictureOutputs
  private let painter: ScenePainter
  private let video: VideoWriter?

  /// Index of each column, by batch and field.
  private let columns: [Key: Int]

  private let values: FloatColumns

  /// The tick to show in `outputs.png`; nil: the last one.
  private let pngTick: Double?

  /// Tick of the picture in `painter`.
  private var lastTick: UInt64 = 0

  /// Seconds of a tick, as a fraction.
  private let tickSeconds: (numerator: UInt64, denominator: UInt64)

  private var isPNGWritten = false
  private var pictureCount: UInt64 = 0

  private struct Key: Hashable {
    let batch: Int
    let field: Int
  }

  /// Prepares the painter, and starts the encoder if a video is wanted.
  ///
  /// - Parameters:
  ///   - outputs: The files to write.
  ///   - size: Size of pictures in pixels; nil: the scene's size.
  ///   - source: The source of frames.
  ///   - encoder: The program that encodes the video.
  /// - Throws: `Failure` if the scene cannot be drawn or an output cannot be opened.
  package init(
    _ outputs: PictureOutputs, size: PictureSize?, source: any FrameSource,
    encoder: String = "ffmpeg"
  ) throws(Failure) {
    self.outputs = outputs
    let layout = try Self.layout(source)
    tickSeconds = (layout.rateDenominator, max(layout.rateNumerator, 1))
    pngTick = outputs.at.map { seconds in
      (seconds * Double(layout.rateNumerator) / Double(layout.rateDenominator)).rounded()
    }
    columns = Dictionary(
      source.layout.columns.enumerated().map { index, column in
        (Key(batch: Int(column.description.batch), field: Int(column.description.field)), index)
      }, uniquingKeysWith: { first, _ in first })
    values = FloatColumns(source.layout)
    do {
      let painter = try ScenePainter(
        layout: layout, width: size?.width ?? Self.pixels(layout.width),
        height: size?.height ?? Self.pixels(layout.height))
      self.painter = painter
      if let frames = outputs.frames { try Self.makeDirectory(frames) }
      video = try outputs.video.map { path in
        try VideoWriter(
          path: path, width: painter.width, height: painter.height,
          rateNumerator: layout.rateNumerator, rateDenominator: layout.rateDenominator,
          program: encoder)
      }
    } catch let error as RenderError {
      throw Failure(error)
    } catch let error as SystemCallError {
      throw Failure(.inputOutput, error)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Draws the frame; returns whether it was whole.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    let stamp = frame.stamp()
    painter.draw { batch, field in
      columns[Key(batch: batch, field: field.rawValue)].map { values.values($0, in: frame.bytes) }
    }
    let isWhole = source.isWhole(frame)
    if isWhole { lastTick = stamp.tick }
    return isWhole
  }

  /// Writes the picture to the outputs.
  package func keep(sequence: UInt64) throws(Failure) {
    pictureCount += 1
    if let pngTick, Double(lastTick) >= pngTick, wantsPNG { try writePNG() }
    if let frames = outputs.frames {
      let number = String(sequence)
      let padded = String(repeating: "0", count: max(8 - number.count, 0)) + number
      try render { () throws(RenderError) in try painter.writePNG(path: "\(frames)/\(padded).png") }
    }
    guard let video else { return }
    let timeNs = UInt64(
      truncatingIfNeeded: UInt128(sequence) * UInt128(tickSeconds.numerator) * 1_000_000_000
        / UInt128(tickSeconds.denominator))
    try render { () throws(RenderError) in try video.write(painter.pixels, timeNs: timeNs) }
  }

  /// Does nothing: the video repeats the picture before the gap.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}

  /// Does nothing.
  package func idle() throws(Failure) {}

  /// Writes the last picture if the PNG is still to be written, and ends the video.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    var files: [String] = []
    if let png = outputs.png, pictureCount > 0 {
      if wantsPNG { try writePNG() }
      files.append(png)
    }
    if let video, let path = outputs.video, pictureCount > 0 {
      try render { () throws(RenderError) in try video.finish() }
      files.append(path)
    }
    if let frames = outputs.frames { files.append("\(frames)/ (\(pictureCount) pictures)") }
    return files
  }
}

// MARK: - Helpers

extension Artist {
  private var wantsPNG: Bool { outputs.png != nil && !isPNGWritten }

  private func writePNG() throws(Failure) {
    guard let png = outputs.png else { return }
    try render { () throws(RenderError) in try painter.writePNG(path: png) }
    isPNGWritten = true
  }

  private func render(_ body: () throws(RenderError) -> Void) throws(Failure) {
    do throws(RenderError) {
      try body()
    } catch {
      throw Failure(error)
    }
  }

  /// A side of the scene in whole pixels; the painter refuses sizes out of its range.
  private static func pixels(_ points: Double) -> Int {
    points.isFinite && points < 1e6 ? max(Int(points.rounded()), 1) : .max
  }

  private static func layout(_ source: any FrameSource) throws(Failure) -> Orrery_SceneLayout {
    do {
      return try Orrery_SceneLayout(serializedBytes: Array(source.staticPart))
    } catch {
      throw Failure(.unavailable, "the scene's static part cannot be read: \(error)")
    }
  }

  private static func makeDirectory(_ path: String) throws(SystemCallError) {
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      throw SystemCallError(call: "mkdir", path: path, errno: errno)
    }
  }
}

extension Failure {
  /// A picture or video that cannot be made.
  fileprivate init(_ error: RenderError) {
    switch error {
    case .file, .encoderFailed, .encoderStalled: self.init(.inputOutput, error)
    case .pictureSize, .frameRate: self.init(.usage, error)
    case .encoderMissing, .outOfMemory: self.init(.unavailable, error)
    default: self.init(.badData, error)
    }
  }
}
