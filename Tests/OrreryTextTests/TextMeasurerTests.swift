// SPDX-License-Identifier: Apache-2.0

import OrreryText
import Testing

/// Text is measured as it will be drawn, and text that cannot be drawn is refused.
///
/// Method: sizes of the installed Noto fonts, compared with each other and with the fonts' own
/// tables; texts, fonts and flags that do not exist.
@Suite struct TextMeasurerTests {
  @Test func widthIsTheSumOfUnhintedAdvances() throws {
    // NotoSans-Regular, 1000 units per em: N 760, o 605, t 361; no kerning between them.
    let size = try TextMeasurer().measure("Noto", font: "Noto Sans 100")
    #expect(abs(size.width - (76.0 + 60.5 + 36.1 + 60.5)) < 0.02)
  }

  @Test func heightAndBaselineAreTheFontsAscentAndDescent() throws {
    // NotoSans-Regular: ascender 1069, descender -293.
    let size = try TextMeasurer().measure("x", font: "Noto Sans 100")
    #expect(abs(size.baseline - 106.9) < 0.02)
    #expect(abs(size.height - 136.2) < 0.02)
  }

  @Test(arguments: ["Swiss Franc", "スイス フラン", "瑞士法郎", "فرنك سويسري", "Złoty", "₩ Вон"])
  func widthGrowsWithTheFontWithoutRounding(text: String) throws {
    let measurer = TextMeasurer()
    let small = try measurer.measure(text, font: "Noto Sans 13")
    let large = try measurer.measure(text, font: "Noto Sans 130")
    #expect(small.width > 20)
    // One 1024th of a point for each glyph is Pango's own resolution.
    #expect(abs(large.width / 10 - small.width) < 0.02)
  }

  /// Who draws the outlines draws the same text: they are where the ink is, at any size, in whatever script.
  @Test(arguments: [
    "Noto", "Złoty", "a line that is wider than a hundred points, and as long as a title",
    "スイス フラン", "فرنك سويسري", "a\nb",
  ])
  func outlinesAreWhereTheInkIs(text: String) throws {
    let line = try TextMeasurer().shape(text, font: "Noto Sans 20")
    let numbers = line.path.split { !"-0123456789".contains($0) }.compactMap { Double($0) }
    #expect(numbers.count > 20 && numbers.count % 2 == 0)
    let (xs, ys) = (
      stride(from: 0, to: numbers.count, by: 2), stride(from: 1, to: numbers.count, by: 2)
    )
    let (ink, slack) = (line.ink, 0.5)
    // Control points may lie a little outside; the ends of the ink are reached.
    for (indexes, low, size) in [(xs, ink.x, ink.width), (ys, ink.y, ink.height)] {
      let found = indexes.map { numbers[$0] / 100 }
      let (least, most) = (try #require(found.min()), try #require(found.max()))
      #expect(abs(least - low) < slack && abs(most - (low + size)) < slack, "\(least)...\(most)")
    }
    #expect(!line.hasColor && line.path.hasPrefix("M") && line.path.contains("Z"))
  }

  @Test func flagsArePicturesWithoutTheSpaceAroundThem() throws {
    let measurer = TextMeasurer()
    let flag = try measurer.shape("🇨🇭", font: "Noto Color Emoji 20")
    #expect(flag.path == "", "its colours are its own")
    let picture = try #require(flag.picture)
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    // Width and height stand in the first chunk.
    let size = [16, 20].map { at in picture[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(abs(Double(size[1]) / Double(size[0]) - (try measurer.aspect(ofFlag: "🇨🇭"))) < 1e-9)
    #expect(try measurer.shape(" ", font: "Noto Color Emoji 20").picture == nil)
  }

  @Test func hanCharactersAreOneEmWide() throws {
    let measurer = TextMeasurer(language: "zh_CN")
    #expect(try measurer.measure("瑞士法郎", font: "Noto Sans CJK SC 13").width == 52)
    #expect(try measurer.measure("瑞士法郎", font: "Noto Sans CJK JP 13").width == 52)
  }

  @Test func arabicComesFromTheFontsOwnFamily() throws {
    let measurer = TextMeasurer()
    let plain = try measurer.measure("درهم إماراتي", font: "Noto Sans 13")
    let named = try measurer.measure("درهم إماراتي", font: "Noto Sans Arabic 13")
    #expect(plain.width == named.width)
  }

  @Test func emptyTextHasHeightAndNoWidth() throws {
    let size = try TextMeasurer().measure("", font: "Noto Sans 13")
    #expect(size.width == 0)
    #expect(abs(size.height - 17.706) < 0.01)
  }

  @Test func sameTextMeasuresTheSameTwice() throws {
    let first = try TextMeasurer().measure("Neuseeland-Dollar", font: "Noto Sans 13")
    let measurer = TextMeasurer()
    for _ in 0..<3 {
      #expect(try measurer.measure("Neuseeland-Dollar", font: "Noto Sans 13") == first)
    }
  }

  @Test(arguments: [
    ("No Such Family 13", "No Such Family"), ("13", ""), ("Sand Serif Bold 13", "Sand Serif"),
  ])
  func missingFamilyIsNamed(font: String, family: String) {
    #expect(throws: TextError.fontMissing(family: family)) {
      try TextMeasurer().measure("x", font: font)
    }
  }

  @Test(arguments: [("Noto Sans", 0.0), ("Noto Sans 100000", 100_000.0)])
  func unusableSizeIsRefused(font: String, size: Double) {
    #expect(
      throws: TextError.fontSize(font: font, size: size, limit: TextMeasurer.fontSizeMax)
    ) {
      try TextMeasurer().measure("x", font: font)
    }
  }

  @Test func largestSizeAndLongestTextAreMeasured() throws {
    let measurer = TextMeasurer()
    let size = Int(TextMeasurer.fontSizeMax)
    #expect(try measurer.measure("x", font: "Noto Sans \(size)").width > 0)
    #expect(
      throws: TextError.fontSize(
        font: "Noto Sans \(size + 1)", size: Double(size + 1), limit: TextMeasurer.fontSizeMax)
    ) { try measurer.measure("x", font: "Noto Sans \(size + 1)") }
    let text = String(repeating: "x", count: TextMeasurer.textBytesMax)
    #expect(try measurer.measure(text, font: "Noto Sans 13").width > 0)
  }

  @Test(arguments: ["a\u{E123}b", "\u{E123}", "franc \u{10FFFD}", "a\0b"])
  func missingCharacterIsNamed(text: String) throws {
    let scalar = try #require(
      text.unicodeScalars.first { $0.value == 0 || $0.value > 0xE000 })
    #expect(throws: TextError.glyphMissing(text: text, scalar: scalar)) {
      try TextMeasurer().measure(text, font: "Noto Sans 13")
    }
  }

  @Test func longTextIsRefused() {
    let text = String(repeating: "x", count: TextMeasurer.textBytesMax + 1)
    #expect(
      throws: TextError.textTooLong(bytes: text.utf8.count, limit: TextMeasurer.textBytesMax)
    ) {
      try TextMeasurer().measure(text, font: "Noto Sans 13")
    }
  }

  @Test(arguments: ["CH", "EU", "AE", "US", "ZA", "MO", "HK"])
  func flagsThatExistPass(letters: String) throws {
    try TextMeasurer().checkFlag(Self.flag(letters))
  }

  @Test(arguments: ["XX", "ZZ", "AA", "QQ"])
  func flagsThatDoNotExistAreRefused(letters: String) {
    let emoji = Self.flag(letters)
    #expect(throws: TextError.flagMissing(emoji: emoji)) {
      try TextMeasurer().checkFlag(emoji)
    }
  }

  @Test(arguments: ["", "C", "CH", "🇨", "🇨🇭🇨🇭", "🙂"])
  func whatIsNoPairOfIndicatorsIsNoFlag(text: String) {
    #expect(throws: TextError.flagMissing(emoji: text)) { try TextMeasurer().checkFlag(text) }
  }

  /// A line knows what it shows, and where it is drawn.
  @Test func linesSayWhatTheyShow() throws {
    let measurer = TextMeasurer()
    let text = try measurer.shape("Noto", font: "Noto Sans 100")
    #expect(text.glyphCount == 4)
    #expect(text.unknownCount == 0)
    #expect(!text.hasColor)
    #expect(text.size == (try measurer.measure("Noto", font: "Noto Sans 100")))
    // NotoSans-Regular: the x is 536 high, of 1000 units per em, and stands on the baseline.
    let line = try measurer.shape("x", font: "Noto Sans 100")
    #expect(abs(line.ink.height - 53.6) < 1)
    #expect(abs(line.ink.y + line.ink.height - line.size.baseline) < 1)
    #expect(line.ink.x > -1)
    #expect(line.ink.width > 30)
    #expect(line.ink.width < line.size.width + 2)
    let flag = try measurer.shape(Self.flag("CH"), font: "Noto Color Emoji 20")
    #expect(flag.glyphCount == 1)
    #expect(flag.hasColor)
    #expect(try measurer.shape("", font: "Noto Sans 13").glyphCount == 0)
  }

  @Test(arguments: [
    (TextError.fontMissing(family: ""), "the font names no family"),
    (.fontMissing(family: "No Such"), "font family \"No Such\" is not installed"),
    (
      .fontSize(font: "Noto Sans", size: 0, limit: 32_768),
      "font \"Noto Sans\": size 0.0 is not above 0 and at most 32768.0"
    ),
    (.glyphMissing(text: "a\t", scalar: "\t"), "no installed font has U+0009 of \"a\t\""),
    (.glyphMissing(text: "b", scalar: "\u{E123}"), "no installed font has U+E123 of \"b\""),
    (.glyphMissing(text: "c", scalar: "\u{1F600}"), "no installed font has U+1F600 of \"c\""),
    (.textTooLong(bytes: 5, limit: 4), "text has 5 bytes, limit 4"),
    (.flagMissing(emoji: "🇦🇿"), "the colour emoji font has no flag for \"AZ\""),
    (.flagMissing(emoji: "a\u{1F1E5}\u{1F200}"), "the colour emoji font has no flag for \"???\""),
    (.flagMissing(emoji: ""), "the colour emoji font has no flag for \"\""),
  ])
  func errorsSayWhatIsMissing(error: TextError, message: String) {
    #expect("\(error)" == message)
  }

  @Test func missingFontIsOfTheMachine() {
    #expect(TextError.fontMissing(family: "No Such").isOfMachine)
    #expect(TextError.glyphMissing(text: "c", scalar: "c").isOfMachine)
    #expect(!TextError.fontMissing(family: "").isOfMachine)
    #expect(!TextError.fontSize(font: "a", size: 0, limit: 1).isOfMachine)
    #expect(!TextError.textTooLong(bytes: 5, limit: 4).isOfMachine)
    #expect(!TextError.flagMissing(emoji: "").isOfMachine)
  }

  private static func flag(_ letters: String) -> String {
    var scalars = String.UnicodeScalarView()
    for letter in letters.unicodeScalars {
      if let indicator = Unicode.Scalar(letter.value - 65 + 0x1F1E6) { scalars.append(indicator) }
    }
    return String(scalars)
  }
}
