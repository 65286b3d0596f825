// SPDX-License-Identifier: Apache-2.0

import CCairo
import OrreryMessages
import OrreryText

/// A part of a sprite, checked, shaped and ready to draw; in points from the sprite's origin.
enum DrawnElement {
  case disc(x: Double, y: Double, radius: Double, color: UInt32)
  case box(Bounds, cornerRadius: Double, color: UInt32)
  case text(ShapedLine, x: Double, y: Double, scale: Double, color: UInt32)
  case picture(GlyphPicture, Bounds)
  case image(PNGPicture, Bounds)
  case gradient(Bounds, colors: [UInt32], angle: Double)

  /// Rectangle around everything that is drawn.
  var bounds: Bounds {
    switch self {
    case .disc(let x, let y, let radius, _):
      return Bounds(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius)
    case .box(let box, _, _), .picture(_, let box), .image(_, let box),
      .gradient(let box, _, _):
      return box
    case .text(let line, let x, let y, let scale, _):
      let ink = line.ink
      return Bounds(
        left: ink.x, top: ink.y, right: ink.x + ink.width, bottom: ink.y + ink.height
      ).scaled(by: scale).moved(x: x, y: y)
    }
  }
}

/// A line of colour glyphs as pixels, cropped to the visible part.
final class GlyphPicture {
  /// The C picture, valid for the lifetime of this object.
  let handle: OpaquePointer

  /// Height divided by width.
  let aspect: Double

  /// - Returns: Nil if the line shows nothing.
  init?(_ line: ShapedLine) {
    guard let handle = glyph_picture_create(line.handle) else { return nil }
    self.handle = handle
    aspect = Double(glyph_picture_height(handle)) / Double(glyph_picture_width(handle))
  }

  deinit { glyph_picture_destroy(handle) }
}

/// Makes drawable elements from a layout's; shapes each pair of text and font once.
final class ElementMaker {
  private struct Key: Hashable {
    let text: String
    let font: String
  }

  private let measurer: TextMeasurer
  private var lines: [Key: ShapedLine] = [:]
  private var pictures: [Key: GlyphPicture] = [:]

  private let images: LayoutImages

  /// - Parameter layout: As checked by `LayoutCheck`; without a locale, texts are English.
  init(_ layout: Orrery_SceneLayout) {
    measurer = TextMeasurer(language: layout.locale.isEmpty ? "en" : layout.locale)
    images = LayoutImages(layout.images)
  }

  /// - Parameters:
  ///   - element: As checked by `LayoutCheck`.
  ///   - sprite: Index of its sprite, for errors.
  ///   - number: Index of the element, for errors.
  /// - Returns: Nil if nothing is visible.
  /// - Throws: `text`, `image`.
  func make(
    _ element: Orrery_Element, sprite: Int, number: Int
  ) throws(RenderError) -> DrawnElement? {
    switch element.content {
    case .disc(let disc):
      guard disc.radius > 0 else { return nil }
      return .disc(x: element.x, y: element.y, radius: disc.radius, color: disc.color)
    case .box(let box):
      return Self.bounds(element, box.width, box.height).map {
        .box($0, cornerRadius: box.cornerRadius, color: box.color)
      }
    case .text(let text):
      do {
        return try make(text, x: element.x, y: element.y)
      } catch {
        throw .text(sprite: sprite, element: number, error)
      }
    case .image(let image):
      let picture = try images.picture(Int(image.image))
      return Self.bounds(element, image.width, image.height).map { .image(picture, $0) }
    case .gradient(let gradient):
      return Self.bounds(element, gradient.width, gradient.height).map {
        .gradient($0, colors: gradient.colors, angle: gradient.angle)
      }
    case nil: return nil
    }
  }

  /// - Parameters:
  ///   - text: As checked by `LayoutCheck`.
  ///   - x: Left of its box.
  ///   - y: Top of its box.
  /// - Returns: Nil if nothing is visible.
  /// - Throws: The fault of the text or its font.
  func make(_ text: Orrery_Text, x: Double, y: Double) throws(TextError) -> DrawnElement? {
    let key = Key(text: text.text, font: text.font)
    let line = try shapedLine(key)
    guard line.ink.width > 0, line.ink.height > 0 else { return nil }
    if text.width == 0 { return .text(line, x: x, y: y, scale: 1, color: text.color) }
    return fitted(line, key, text, x: x, y: y)
  }

  /// Nil if the rectangle is empty.
  private static func bounds(
    _ element: Orrery_Element, _ width: Double, _ height: Double
  ) -> Bounds? {
    guard width > 0, height > 0 else { return nil }
    return Bounds(
      left: element.x, top: element.y, right: element.x + width, bottom: element.y + height)
  }

  private func shapedLine(_ key: Key) throws(TextError) -> ShapedLine {
    if let line = lines[key] { return line }
    let line = try measurer.shape(key.text, font: key.font)
    lines[key] = line
    return line
  }

  /// Scales the line so that its ink, without the space around it, fills the width.
  private func fitted(
    _ line: ShapedLine, _ key: Key, _ text: Orrery_Text, x: Double, y: Double
  ) -> DrawnElement? {
    if line.hasColor {
      guard let picture = pictures[key] ?? GlyphPicture(line) else { return nil }
      pictures[key] = picture
      let height = text.width * picture.aspect
      let top = y + (text.height - height) / 2
      return .picture(
        picture, Bounds(left: x, top: top, right: x + text.width, bottom: top + height))
    }
    let scale = text.width / line.ink.width
    let top = y + (text.height - line.ink.height * scale) / 2
    return .text(
      line, x: x - line.ink.x * scale, y: top - line.ink.y * scale, scale: scale, color: text.color)
  }
}
