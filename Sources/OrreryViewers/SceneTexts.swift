// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryText
import SwiftProtobuf

/// How the texts of a scene look, for a viewer that has other fonts, or another way with them, than the renderer.
package struct SceneTexts: Encodable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.scene-texts.v1"

  /// A text in one font.
  package struct Shape: Encodable, Sendable {
    /// As the layout has it.
    package let text: String
    /// As the layout has it.
    package let font: String
    /// Left, top, width and height of what is visible, in points from the left top of the text's box.
    package let ink: [Double]
    /// The outlines of its glyphs, as an SVG path in hundredths of a point; nil of glyphs with colours of their own.
    package let path: String?
    /// Glyphs with colours of their own, cropped to what is visible: a PNG file in Base64.
    package let picture: String?
  }

  /// Each pair of text and font once.
  ///
  /// What is missing here shows nothing or has no font on this machine, or there are too many.
  package let texts: [Shape]

  /// Bytes of outlines and pictures after which no other text is shaped.
  package static let bytesMax = 4 << 20

  /// Shapes the texts of a scene as `OrreryRender` does.
  package init(_ layout: Orrery_SceneLayout) {
    var (texts, seen, byteCount): ([Shape], Set<[String]>, Int) = ([], [], 0)
    let measurer = TextMeasurer(language: layout.locale.isEmpty ? "en" : layout.locale)
    for sprite in layout.sprites {
      for text in sprite.elements.map(\.text) + [sprite.mask.text]
      where byteCount < Self.bytesMax && seen.insert([text.font, text.text]).inserted {
        guard let shape = Self.shape(of: text, measurer) else { continue }
        byteCount += (shape.path ?? shape.picture ?? "").utf8.count
        texts.append(shape)
      }
    }
    self.texts = texts
  }

  /// Nil if it shows nothing, or cannot be drawn.
  private static func shape(of text: Orrery_Text, _ measurer: TextMeasurer) -> Shape? {
    guard !text.text.isEmpty, let line = try? measurer.shape(text.text, font: text.font),
      line.ink.width > 0, line.ink.height > 0
    else { return nil }
    let picture = line.hasColor ? line.picture : nil
    if line.hasColor, picture == nil { return nil }
    return Shape(
      text: text.text, font: text.font,
      ink: [line.ink.x, line.ink.y, line.ink.width, line.ink.height],
      path: line.hasColor ? nil : line.path,
      picture: picture.map { Data($0).base64EncodedString() })
  }

  /// The texts of an encoded layout, as one line of JSON; none where the libraries for text are missing.
  package static func line(_ layout: [UInt8]) -> String {
    let layout = TextMeasurer.isThere ? try? Orrery_SceneLayout(serializedBytes: layout) : nil
    return ReportLine.encode(SceneTexts(layout ?? Orrery_SceneLayout()), schema: schema)
  }
}
