// SPDX-License-Identifier: Apache-2.0

import CCairo
import Glibc

/// A text in one font, turned into glyphs; belongs to its measurer's thread.
package final class ShapedLine {
  /// The C line, valid for the lifetime of this object.
  package let handle: OpaquePointer

  /// The logical box.
  package let size: TextSize

  /// The ink box: left and top relative to the logical box, and its size; in points.
  package let ink: (x: Double, y: Double, width: Double, height: Double)

  /// Count of glyphs that draw something.
  package let glyphCount: Int

  /// Number of the first glyph in its font; 0 if there is none.
  let firstGlyph: UInt32

  /// Count of characters that no font has.
  package let unknownCount: Int

  /// Whether some glyphs are pictures with their own colours.
  package let hasColor: Bool

  /// Keeps the fonts alive.
  private let measurer: TextMeasurer

  /// Takes ownership of a line that `measurer` made.
  init(owning handle: OpaquePointer, measurer: TextMeasurer) {
    let extents = text_line_extents(handle)
    self.handle = handle
    self.measurer = measurer
    size = TextSize(width: extents.width, height: extents.height, baseline: extents.baseline)
    ink = (extents.ink_x, extents.ink_y, extents.ink_width, extents.ink_height)
    glyphCount = Int(extents.glyph_count)
    firstGlyph = extents.first_glyph
    unknownCount = Int(extents.unknown_count)
    hasColor = extents.has_color
  }

  deinit { text_line_destroy(handle) }

  /// The outlines of the glyphs that have no colours of their own, as an SVG path in hundredths of a point from the logical
  /// box's left top.
  package var path: String {
    let path = text_line_path(handle)
    defer { free(path) }
    return String(cString: path)
  }

  /// A line of colour glyphs as a PNG file, cropped to what is visible; nil if nothing is.
  package var picture: [UInt8]? {
    guard let picture = glyph_picture_create(handle) else { return nil }
    defer { glyph_picture_destroy(picture) }
    var byteCount = 0
    let bytes = glyph_picture_png(picture, &byteCount)
    defer { free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: byteCount))
  }
}
