// SPDX-License-Identifier: Apache-2.0

import OrreryText

/// Many pictures of equal size as one, in rows, each with a line of text below it.
package enum ContactSheet {
  private static let gap = 8
  private static let labelHeight = 18
  private static let paper: UInt32 = 0x1818_1BFF
  private static let ink: UInt32 = 0xD4D4_D8FF

  /// Puts pictures on a sheet, from left to right and from top to bottom.
  ///
  /// - Parameters:
  ///   - pictures: One or more of equal size, with the text of each.
  ///   - columns: Pictures of a row.
  /// - Returns: The sheet.
  /// - Throws: `RenderError`: `pictureSize` where the sheet is too large, `outOfMemory`, `label`.
  package static func compose(
    _ pictures: [(picture: PixelBuffer, label: String)], columns: Int
  ) throws(RenderError) -> PixelBuffer {
    precondition(!pictures.isEmpty && columns > 0, "\(pictures.count) pictures, \(columns) columns")
    let (width, height) = (pictures[0].picture.width, pictures[0].picture.height)
    let rows = (pictures.count + columns - 1) / columns
    let (stepX, stepY) = (width + gap, height + labelHeight + gap)
    let sheetWidth = columns * stepX + gap
    let sheetHeight = rows * stepY + gap
    guard max(sheetWidth, sheetHeight) <= ScenePainter.sideMax else {
      throw .pictureSize(width: sheetWidth, height: sheetHeight, limit: ScenePainter.sideMax)
    }
    let sheet = try PixelBuffer(width: sheetWidth, height: sheetHeight)
    sheet.fill(premultiplied(paper))
    let canvas = try Canvas(sheet, columns: 0..<sheetWidth)
    canvas.setTransform(SimilarityTransform(xx: 1, yx: 0, x: 0, y: 0))
    let measurer = TextMeasurer()
    for (index, (picture, label)) in pictures.enumerated() {
      let (left, top) = (index % columns * stepX + gap, index / columns * stepY + gap)
      let line: ShapedLine
      do {
        line = try measurer.shape(label, font: "Noto Sans 12")
      } catch {
        throw .label(error)
      }
      canvas.draw(.text(line, x: Double(left), y: Double(top + height + 1), scale: 1, color: ink))
      for row in 0..<height {
        (sheet.pixels + (top + row) * sheetWidth + left)
          .update(from: picture.pixels + row * width, count: width)
      }
    }
    guard canvas.succeeded else { throw .outOfMemory(bytes: sheetWidth * sheetHeight * 4) }
    return sheet
  }
}
