// SPDX-License-Identifier: Apache-2.0

import CCairo
import OrreryBase
import OrreryText

/// Writes a picture to a file.
package enum PlotFile {
  /// File formats of a picture.
  package enum Format: String, CaseIterable, Sendable {
    case svg
    case png

    /// The format of a file name's extension, in upper or lower case; nil if it has another.
    package init?(path: String) {
      let format = Self.allCases.first { path.lowercased().hasSuffix("." + $0.rawValue) }
      guard let format else { return nil }
      self = format
    }
  }

  /// Draws a plot into a file; see the other `write`.
  ///
  /// - Parameters:
  ///   - plot: What to draw.
  ///   - path: The file; it is replaced if it exists.
  ///   - format: PNG or SVG.
  ///   - size: In pixels, for SVG in user units.
  /// - Throws: `outOfMemory`, `text` if a font is missing, `file`.
  package static func write(
    _ plot: MotionPlot, path: String, format: Format, size: PictureSize
  ) throws(PlotError) {
    try write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try PlotPainter(plot, drawing, size: size).paint()
    }
  }

  /// Draws a picture into a file.
  ///
  /// - Parameters:
  ///   - path: The file; it is replaced if it exists.
  ///   - format: PNG or SVG. An SVG has letters as shapes, so it looks the same everywhere.
  ///   - size: In pixels, for SVG in user units.
  ///   - paint: Draws the picture.
  /// - Throws: `outOfMemory`, `text` if a font is missing, `file`.
  package static func write(
    path: String, format: Format, size: PictureSize,
    paint: (Drawing) throws(PlotError) -> Void
  ) throws(PlotError) {
    try PartialFile.writePicture(path, PlotError.file) { (file) throws(PlotError) in
      let drawing = try Drawing(format, size: size, file: file)
      try paint(drawing)
      return drawing.finish()
    }
  }
}

/// A canvas for lines, areas and text.
package final class Drawing {
  /// The C drawing, valid for the lifetime of this object.
  private let handle: OpaquePointer

  private let measurer = TextMeasurer()

  /// - Parameters:
  ///   - format: PNG or SVG.
  ///   - size: In pixels or user units.
  ///   - file: The file to write to; it must stay open as long as this object lives.
  /// - Throws: `outOfMemory`.
  init(_ format: PlotFile.Format, size: PictureSize, file: CInt) throws(PlotError) {
    let format = format == .svg ? DRAWING_SVG : DRAWING_PNG
    guard let handle = drawing_create(format, Int32(size.width), Int32(size.height), file) else {
      throw .outOfMemory(size)
    }
    self.handle = handle
  }

  deinit { drawing_destroy(handle) }

  /// Writes the file; returns 0 or an errno.
  func finish() -> CInt { drawing_finish(handle) }

  /// Clips the drawing of `body` to an area.
  package func clipped(to area: PlotArea, _ body: () -> Void) {
    drawing_clip(handle, area.left, area.top, area.width, area.height)
    body()
    drawing_unclip(handle)
  }

  /// Draws a line through points.
  package func line(_ points: [PlotPoint], width: Double, dash: Double = 0, color: UInt32) {
    withCoordinates(points) { drawing_line(handle, $0, $1, width, dash, color) }
  }

  /// Draws a filled polygon.
  package func area(_ points: [PlotPoint], color: UInt32) {
    withCoordinates(points) { drawing_area(handle, $0, $1, color) }
  }

  /// Draws a filled rectangle.
  package func area(_ area: PlotArea, color: UInt32) {
    self.area(area.corners, color: color)
  }

  /// Draws a filled disc.
  package func disc(_ center: PlotPoint, radius: Double, color: UInt32) {
    drawing_disc(handle, center.x, center.y, radius, color)
  }

  /// Shapes a text.
  ///
  /// - Throws: `text` if the font is missing.
  package func shape(_ text: String, font: String) throws(PlotError) -> ShapedLine {
    do {
      return try measurer.shape(text, font: font)
    } catch {
      throw .text(error)
    }
  }

  /// Draws a text with the left end of its baseline at a point.
  package func text(_ line: ShapedLine, at point: PlotPoint, color: UInt32) {
    drawing_text(handle, line.handle, point.x, point.y - line.size.baseline, color)
  }

  private func withCoordinates(
    _ points: [PlotPoint], _ body: (UnsafePointer<Double>, Int32) -> Void
  ) {
    points.flatMap { [$0.x, $0.y] }.withUnsafeBufferPointer { coordinates in
      if let start = coordinates.baseAddress { body(start, Int32(points.count)) }
    }
  }
}
