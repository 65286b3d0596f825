// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import OrreryText
import Testing

/// Names and flags fill the place that was measured for them.
///
/// Method: the box of pixels that differ from the background.
@Suite struct TextPaintingTests {
  /// Left, top, right and bottom of what is drawn, in pixels.
  private static func drawnBox(_ element: Orrery_Element, scale: Int) throws -> [Int] {
    var layout = Scenes.empty(width: 200, height: 60)
    layout.sprites = [Scenes.sprite([element])]
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [])]
    let painter = try ScenePainter(layout: layout, width: 200 * scale, height: 60 * scale)
    painter.draw([:])
    var box = [Int.max, Int.max, 0, 0]
    for y in 0..<painter.height {
      for x in 0..<painter.width where painter.pixel(x, y) != 0xFF10_1418 {
        box = [min(box[0], x), min(box[1], y), max(box[2], x + 1), max(box[3], y + 1)]
      }
    }
    return box
  }

  @Test(arguments: ["Schweizer Franken", "スイス フラン", "瑞士法郎", "فرنك سويسري"], [1, 3])
  func textIsDrawnWhereItWasMeasured(text: String, scale: Int) throws {
    let line = try TextMeasurer().shape(text, font: Scenes.labelFont)
    let box = try Self.drawnBox(Scenes.text(text, x: 5, y: 3), scale: scale)
    let factor = Double(scale)
    let expected = [
      (15 + line.ink.x) * factor, (13 + line.ink.y) * factor,
      (15 + line.ink.x + line.ink.width) * factor, (13 + line.ink.y + line.ink.height) * factor,
    ]
    for (found, wanted) in zip(box, expected) { #expect(abs(Double(found) - wanted) <= 1.5) }
    #expect(line.ink.width > line.size.width - 4)
  }

  @Test(arguments: ["🇨🇭", "🇪🇺", "🇳🇵", "🇺🇸"], [1, 3])
  func flagFillsItsWidthAndIsCentred(flag: String, scale: Int) throws {
    let element = Scenes.text(
      flag, x: 5, y: 3, font: Scenes.flagFont, width: 30, height: 26)
    let box = try Self.drawnBox(element, scale: scale)
    #expect(abs(box[0] - 15 * scale) <= 1)
    #expect(abs(box[2] - 45 * scale) <= 1)
    #expect(abs(Double(box[1] + box[3]) / 2 - 26 * Double(scale)) <= 1)
    #expect(box[3] - box[1] > 15 * scale)
  }

  @Test func flagHasItsColours() throws {
    var layout = Scenes.empty(width: 60, height: 60)
    let flag = Scenes.text("🇨🇭", x: 0, y: 0, font: Scenes.flagFont, width: 60, height: 60)
    layout.sprites = [Scenes.sprite([flag])]
    layout.fixtures = [Orrery_Fixture()]
    let painter = try ScenePainter(layout: layout, width: 240, height: 240)
    // A white cross on red.
    let (cross, field) = (painter.pixel(120, 120), painter.pixel(60, 60))
    #expect(cross & 0xFF > 200)
    #expect(cross >> 8 & 0xFF > 200)
    #expect(cross >> 16 & 0xFF > 200)
    #expect(field >> 16 & 0xFF > 180)
    #expect(field >> 8 & 0xFF < 80)
    #expect(field & 0xFF < 80)
  }

  /// A font has a Serbian form of a Cyrillic letter, and another a Chinese form of a character.
  @Test(arguments: [("б", "Noto Sans 40", "sr"), ("直", "Noto Sans CJK JP 40", "zh_CN")])
  func textIsInTheLayoutsLanguageOrInEnglish(
    text: String, font: String, locale: String
  ) throws {
    func picture(_ locale: String) throws -> [UInt8] {
      var layout = Scenes.empty(width: 80, height: 80)
      layout.locale = locale
      layout.sprites = [Scenes.sprite([Scenes.text(text, x: 10, y: 5, font: font)])]
      layout.fixtures = [Orrery_Fixture()]
      return try ScenePainter(layout: layout, width: 80, height: 80).picture
    }
    let (unnamed, english) = (try picture(""), try picture("en"))
    let named = try picture(locale)
    #expect(Difference(unnamed, english).largest == 0)
    #expect(Difference(named, english).largest > 0)
  }

  @Test func scaledLettersFillTheirWidth() throws {
    let element = Scenes.text("HH", x: 5, y: 3, width: 100, height: 40)
    let box = try Self.drawnBox(element, scale: 2)
    #expect(abs(box[0] - 30) <= 1)
    #expect(abs(box[2] - 230) <= 1)
  }

  @Test func emojiInsideANameMovesWithoutJumping() throws {
    var layout = Scenes.empty(width: 200, height: 60)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite([Scenes.text("⚪", x: 0, y: 0)])]
    layout.batches = [Scenes.batch(origins: [(50, 20)], fields: [.x])]
    let painter = try ScenePainter(layout: layout, width: 200, height: 60)
    painter.draw([.x: [0]])
    let start = try centerOfMass(painter).x
    for step in 0...32 {
      let offset = Float(step) / 16
      painter.draw([.x: [offset]])
      #expect(abs(try centerOfMass(painter).x - start - Double(offset)) < 0.06)
    }
  }
}
