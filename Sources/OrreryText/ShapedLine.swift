// SPDX-License-Identifier: Apache-2.0

import CCairo

/// A text in one font, turned into glyphs; belongs to its measurer's thread.
package final class ShapedLine {
  /// The C line, valid for the lifetime of this object.
  package let handle: OpaquePointer

  /// The logical box.
  package let size: TextSize

  /// Left and top of what is drawn, from the logical box's, and its size; in points.
  package let ink: (x: Double, y: Double, width: Double, height: Double)

  /// Glyphs, without those that draw nothing.
  package let glyphCount: Int

  /// The number that the first glyph has in its font, 0 if there is none.
  let firstGlyph: UInt32

  /// Characters that no font has.
  package let unknownCount: Int

  /// Some glyphs are pictures with colours of their own.
  package let hasColor: Bool

  /// Fonts live in the measurer.
  private let measurer: TextMeasurer

  /// Takes over a line that `measurer` made.
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
}
