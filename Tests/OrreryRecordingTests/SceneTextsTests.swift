// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryMessages
import OrreryViewers
import SwiftProtobuf
import Testing

/// Goal: a viewer gets how each text of a scene looks, once; what cannot be drawn is left out.
///
/// Method: layouts made by hand; their JSON is read back.
@Suite struct SceneTextsTests {
  private static func text(_ text: String, _ font: String, width: Double = 0) -> Orrery_Text {
    var message = Orrery_Text()
    (message.text, message.font, message.width) = (text, font, width)
    return message
  }

  private static func layout(_ texts: [Orrery_Text], mask: Orrery_Text? = nil) -> Orrery_SceneLayout
  {
    var layout = Orrery_SceneLayout()
    layout.sprites = texts.map { text in
      var element = Orrery_Element()
      element.text = text
      var sprite = Orrery_Sprite()
      sprite.elements = [Orrery_Element(), element]
      return sprite
    }
    if let mask {
      var sprite = Orrery_Sprite()
      sprite.mask.text = mask
      layout.sprites.append(sprite)
    }
    return layout
  }

  private static func read(_ layout: Orrery_SceneLayout) throws -> [[String: Any]] {
    let line = SceneTexts.line(try layout.serializedBytes())
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["schema"] as? String == "orrery.scene-texts.v1")
    return try #require(object?["texts"] as? [[String: Any]])
  }

  @Test func eachTextIsThereOnce() throws {
    let found = try Self.read(
      Self.layout(
        [
          Self.text("Mars", "Noto Sans 13"), Self.text("Mars", "Noto Sans 13", width: 40),
          Self.text("Mars", "Noto Sans 14"), Self.text("🇨🇭", "Noto Color Emoji 20", width: 40),
        ], mask: Self.text("FLOW", "Noto Sans 90")))
    #expect(found.map { $0["text"] as? String } == ["Mars", "Mars", "🇨🇭", "FLOW"])
    #expect(found.map { $0["path"] != nil } == [true, true, false, true])
    #expect(found.map { $0["picture"] != nil } == [false, false, true, false])
    for text in found { #expect((text["ink"] as? [Double])?.count == 4) }
  }

  @Test func whatCannotBeDrawnIsLeftOut() throws {
    let found = try Self.read(
      Self.layout([
        Self.text("", "Noto Sans 13"), Self.text("  ", "Noto Sans 13"),
        Self.text("x", "No Such Family 13"), Self.text("x", "Noto Sans 1e9"),
        Self.text("still", "Noto Sans 13"),
      ]))
    #expect(found.map { $0["text"] as? String } == ["still"])
  }

  @Test func thereIsALimitForAll() throws {
    // Each text has some ten kilobytes of outlines.
    let texts = (0..<3000).map { Self.text("\($0): aBcDeFgHiJkLmNoPqRsTuVwXyZ", "Noto Sans 13") }
    let found = SceneTexts(Self.layout(texts)).texts
    let bytes = found.reduce(0) { $0 + ($1.path?.utf8.count ?? 0) }
    #expect(found.count < 3000)
    #expect((SceneTexts.bytesMax..<SceneTexts.bytesMax + 65536).contains(bytes), "\(bytes)")
  }

  @Test func bytesThatAreNoLayoutHaveNoTexts() {
    #expect(SceneTexts.line([0xff]) == #"{"schema":"orrery.scene-texts.v1","texts":[]}"#)
  }
}
