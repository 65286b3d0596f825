// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryScene
import Testing

/// Goal: whatever is wrong with a scene file is said, all at once, with its place.
///
/// Method: decode files with known faults and compare whole messages.
@Suite struct SceneFileErrorTests {
  private let row = "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\nmarquee.speed = 1\n"

  @Test func messageIsTheOneOfTheGuide() throws {
    let text =
      "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\n[content.marquee]\nspeed = -3\n"
    #expect(problems(text) == ["5:9: speed: -3 is out of range 0...100000 points per second"])
  }

  @Test(arguments: [
    ("[[content]\n", "1:11: expected ]]"), ("a = \n", "1:5: expected a value"),
    ("kind = view", "1:8: expected a value: a text has quotes"),
    (
      "kind = flag",
      "1:8: expected a number of 64 bits, a date, true, false, inf or nan: a text has quotes"
    ),
    ("\n\na = 1\na = 2\n", "4:1: the key \"a\" stands twice"),
    ("name = \"x\n", "1:10: expected the end of the string"),
    ("[,]", "1:2: expected a key"),
    ("a = 1z", "1:5: expected a number of 64 bits, a date, true, false, inf or nan"),
    ("a = \"\\q\"", #"1:7: expected one of b t n f r u U " \ after the backslash"#),
    ("[a]\n[a]", "2:2: the key \"a\" stands twice"),
  ])
  func syntaxHasItsPlace(text: String, place: String) {
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(place) == true, "\(found)")
  }

  @Test(arguments: [
    ("nmae = \"x\"", "1:1: nmae: unknown key; did you mean name?"),
    (
      "xyzzy = 1",
      "1:1: xyzzy: unknown key; known: $schema, background, command, content, date, "
        + "layout-direction, locale, name, rate, seed, size, time-zone"
    ),
    (
      "background = \"grey\"",
      "1:14: background: \"grey\" is not #rrggbb, #rrggbbaa or the name of a color; did you mean gray?"
    ),
    ("seed = -1", "1:8: seed: -1 is out of range 0...18446744073709551615"),
    ("seed = 1.5", "1:8: seed: 1.5 is not a whole number"),
    (
      "seed = \"18446744073709551616\"",
      "1:8: seed: the string \"18446744073709551616\" is not a whole number up to "
        + "18446744073709551615"
    ),
    (
      "seed = \"+1\"",
      "1:8: seed: the string \"+1\" is not a whole number up to 18446744073709551615"
    ),
    (
      "background = \"#12\"",
      "1:14: background: \"#12\" is not #rrggbb, #rrggbbaa or the name of a color; the names are black,"
        + " blue, brown, clear, cyan, gray, green, indigo, mint, orange, pink, purple, red, teal, white,"
        + " yellow"
    ),
    (
      "rate = \"abc\"",
      "1:8: rate: the string \"abc\" is not a rate such as 60, 59.94 or \"30000/1001\""
    ),
    ("rate = \"1/1000\"", "1:8: rate: 1/1000 is out of range 0.01...1000000 ticks per second"),
    (
      "locale = \"zh_Hanz\"",
      "1:10: locale: \"zh_Hanz\" is not a known locale; did you mean zh_Hans?"
    ),
    (
      "layout-direction = \"rtl\"",
      "1:20: layout-direction: \"rtl\" is not a known layout direction; known: leftToRight, "
        + "rightToLeft"
    ),
    ("locale = \"\"", "1:10: locale: \"\" is not a known locale; 1034 are known"),
    ("name = \"\"", "1:8: name: empty; 1...100 bytes of UTF-8 are wanted"),
    ("name = \"a\\tb\"", "1:8: name: holds the control character U+0009"),
    ("size = [1, 2, 3]", "1:8: size: an array of 3 is not [width, height]"),
    ("size = [1]", "1:8: size: an array of 1 is not [width, height]"),
  ])
  func headIsChecked(line: String, message: String) {
    let found = problems(line + "\n" + row)
    #expect(found == [message.replacing("1034", with: "\(SceneLocale.known.count)")])
  }

  @Test(arguments: [
    ("currencies = []", "3:14: currencies: empty; 1...10000 cells are wanted"),
    ("cells = []", "3:9: cells: empty; 1...10000 cells are wanted"),
    (
      "currencies = [\"EUR\", \"EUx\"]",
      "3:22: currencies[1]: \"EUx\" is not a known currency; did you mean EUR?"
    ),
    (
      "currencies = [\"eur\"]",
      "3:15: currencies[0]: \"eur\" is not a known currency; did you mean EUR?"
    ),
    (
      "currencies = [\"XAU\"]",
      "3:15: currencies[0]: \"XA\" has no flag; use cells, with a text and a flag of your own or none:"
        + " { label = \"Gold\", flag = \"CH\" }"
    ),
    ("currencies = \"EUR\"", "3:14: currencies: the string \"EUR\" is not an array"),
    ("currencies = [\"EUR\", 3]", "3:22: currencies[1]: 3 is not a string"),
    (
      "cells = [{ currency = \"EUQ\" }]",
      "3:23: currency: \"EUQ\" is not a known currency; did you mean EUR?"
    ),
    (
      "cells = [{ label = \"a\" }, { currency = \"QQQQ\" }]",
      "3:40: currency: \"QQQQ\" is not a known currency; 308 are known"
    ),
    ("cells = [{ label = \"\" }]", "3:20: label: empty; 1...1000 bytes of UTF-8 are wanted"),
    ("cells = [{ label = \"a\", flag = \"QQ\" }]", "3:32: flag: \"QQ\" has no flag"),
    ("cells = [{ label = \"a\", flag = \"eu\" }]", "3:32: flag: \"eu\" has no flag"),
    ("cells = [{ flag = \"EU\" }]", "3:10: label: missing; a label or a currency is wanted"),
    (
      "cells = [{ currency = \"EUR\", label = \"a\" }]",
      "3:10: cells[0]: currency and label exclude each other; one is wanted"
    ),
    (
      "cells = [{ label = \"a\", colour = 1 }]",
      "3:25: colour: unknown key; known: currency, flag, label"
    ),
    ("cells = [{ label = \"a\" }, 7]", "3:27: cells[1]: 7 is not a table"),
    ("cells = [{ label = \"a\\u202Eb\" }]", "3:20: label: holds the control character U+202E"),
    (
      "currencies = [\"EUR\"]\ncells = [{ label = \"a\" }]",
      "1:3: content[0]: currencies and cells exclude each other; one is wanted"
    ),
    ("", "1:3: currencies: missing; currencies or cells is wanted"),
  ])
  func cellsAreChecked(line: String, message: String) {
    let found = problems("[[content]]\nkind = \"row\"\n\(line)\nmarquee = { speed = 1 }\n")
    #expect(found == [message.replacing("308", with: "\(SceneLocale.currencies.count)")])
  }

  @Test(arguments: [
    (
      "font = \"footnot\"",
      "5:8: font: \"footnot\" is not a known text style; did you mean footnote?"
    ),
    ("font = true", "5:8: font: true is not a text style, a size in points or a table"),
    ("font = { weight = \"bold\" }", "5:1: size: missing; a number is wanted"),
    ("font = { size = 0.5 }", "5:8: font: 0.5 is out of range 1...1000 points"),
    (
      "font = { size = 9, weight = \"heavy\" }",
      "5:29: weight: \"heavy\" is not a known weight; known: bold, regular, semibold"
    ),
    ("clipped = 1", "5:11: clipped: 1 is not true or false"),
    ("color = 7", "5:9: color: 7 is not a string"),
    ("position = [1]", "5:12: position: an array of 1 is not [x, y]"),
    (
      "marquee.direction = \"up\"",
      "5:21: direction: \"up\" is not a known direction; known: leading, left, right, "
        + "trailing"
    ),
    ("marquee.sped = 1", "5:9: sped: unknown key; did you mean speed?"),
    (
      "height = 30\nmoons = 3",
      "6:1: moons: unknown key; known: animation, cells, clipped, color, currencies, "
        + "flag-height, flag-width, font, height, kind, marquee, position, repeat, spacing, ticker, "
        + "timer, width"
    ),
    (
      "timer = 5",
      "1:3: content[0]: marquee and timer exclude each other; one is wanted"
        + "|5:9: timer: 5 is not a table"
    ),
  ])
  func rowsAreChecked(line: String, message: String) {
    #expect(problems(row + line).joined(separator: "|") == message)
  }

  @Test(arguments: [
    ("[content]\nkind = \"row\"", "1:2: content: a table is not an array: write [[content]]"),
    ("", "1:1: content: missing; at least one [[content]] is wanted"),
    ("content = []", "1:11: content: empty; 1...100000 things are wanted"),
    ("content = 1", "1:11: content: 1 is not an array"),
    (
      "[[content]]",
      "1:3: kind: missing; one of row, orbit-system, field, text, view, accordion, flow-text, clock "
        + "is wanted"
    ),
    ("[[content]]\nkind = \"rwo\"", "2:8: kind: \"rwo\" is not a known kind; did you mean row?"),
    (
      "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]",
      "1:3: content[0]: missing; one of marquee, animation, ticker, timer is wanted"
    ),
    ("[[content]]\nkind = \"text\"", "1:3: text: missing; a string is wanted"),
    (
      "[[content]]\nkind = \"field\"\ncount = 1",
      "1:3: content[0]: missing; one of marquee, orbit, tween, spring is wanted"
    ),
    (
      "[[content]]\nkind = \"field\"\norbit = { radius = 1, duration = 1 }",
      "1:3: count: missing; a whole number is wanted"
    ),
    (
      "[[content]]\nkind = \"field\"\ncount = 1\norbit = { radius = 1 }",
      "4:1: duration: missing; a number or [lower, upper] is wanted"
    ),
    (
      "[[content]]\nkind = \"field\"\ncount = 1\norbit = { radius = 1, duration = 1 }\ncolors = []",
      "5:10: colors: empty; 1...256 colors are wanted"
    ),
    (
      "[[content]]\nkind = \"field\"\ncount = 1\norbit = { radius = 1, duration = 1 }\n"
        + "colors = [\"red\", \"rde\"]",
      "5:18: colors[1]: \"rde\" is not #rrggbb, #rrggbbaa or the name of a color; did you mean red?"
    ),
    ("[[content]]\nkind = \"orbit-system\"\nmoons = 1", "1:3: height: missing; a number is wanted"),
    (
      "[[content]]\nkind = \"orbit-system\"\nheight = 1",
      "1:3: moons: missing; a whole number or an array of tables is wanted"
    ),
    (
      "[[content]]\nkind = \"orbit-system\"\nheight = 1\nmoons = [{}, 3]",
      "4:14: moons[1]: 3 is not a table"
    ),
  ])
  func contentIsChecked(text: String, message: String) {
    #expect(problems(text) == [message])
  }

  /// A fault in one thing hides none in the next ones, and their numbers stay right.
  @Test func contentAfterAFaultKeepsItsPlace() {
    let text = "[[content]]\nkind = \"rwo\"\n" + row + "spacing = -1\n"
    #expect(
      problems(text) == [
        "2:8: kind: \"rwo\" is not a known kind; did you mean row?",
        "7:11: spacing: -1 is out of range 0...10000 points",
      ])
  }

  @Test func allProblemsAreReportedInTheOrderOfTheFile() {
    let text = row.replacing("1", with: "-1") + "spacing = -2\nflag-width = 0\ncolor = 1\n"
    #expect(
      problems("rate = 0\n" + text + "seed = 5\n") == [
        "1:8: rate: 0 is out of range 0.01...1000000 ticks per second",
        "5:17: speed: -1 is out of range 0...100000 points per second",
        "6:11: spacing: -2 is out of range 0...10000 points",
        "7:14: flag-width: 0 is out of range 1...10000 points",
        "8:9: color: 1 is not a string",
        "9:1: seed: unknown key; known: animation, cells, clipped, color, currencies, flag-height, "
          + "flag-width, font, height, kind, marquee, position, repeat, spacing, ticker, timer, width",
      ])
  }

  /// Of one place, what is found while reading comes first.
  @Test func problemsOfOnePlaceKeepTheirOrder() {
    let text = "[[content]]\nkind = \"row\"\n"
    let lines = [
      "currencies: missing; currencies or cells is wanted",
      "content[0]: missing; one of marquee, animation, ticker, timer is wanted",
    ]
    #expect(problems(text) == lines.map { "1:3: " + $0 })
    #expect(
      problems(text + text)
        == lines.map { "1:3: " + $0 }
        + lines.map { "3:3: " + $0.replacing("content[0]", with: "content[1]") })
  }

  @Test(arguments: [
    ("[[conten]]\nkind = \"text\"", "1:3: conten: unknown key; did you mean content?"),
    (
      "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\nanimation = { from = 0, to = 1, duraton = 2 }",
      "4:33: duraton: unknown key; did you mean duration?"
    ),
    (
      "[[content]]\nkind = \"row\"\ncells = [{ lable = \"x\" }]\nmarquee.speed = 1",
      "3:12: lable: unknown key; did you mean label?"
    ),
  ])
  func misspeltKeyIsNotMissingToo(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func zeroIsASeed() throws {
    #expect(try SceneFile.decode("seed = 0\n" + row, file: "f").scene.seed == 0)
    #expect(try SceneFile.decode("seed = \"0\"\n" + row, file: "f").scene.seed == 0)
    #expect(problems("seed = \"\"\n" + row).count == 1)
    #expect(problems("seed = \"1 \"\n" + row).count == 1)
  }

  @Test func onlyTheFirstTwentyAreShown() {
    let found = problems(String(repeating: row + "spacing = -1\n", count: 5_000))
    #expect(found.count == 21)
    #expect(found[19] == "100:11: spacing: -1 is out of range 0...10000 points")
    #expect(found[20] == "and 4980 more")
  }

  @Test func longTextIsReported() {
    func text(_ bytes: Int) -> String {
      "[[content]]\nkind = \"text\"\ntext = \"\(String(repeating: "a", count: bytes))\""
    }
    #expect(problems(text(1_000)).isEmpty)
    #expect(problems(text(1_001)) == ["3:8: text: 1001 bytes of UTF-8, more than 1000"])
  }

  @Test func tooManyCellsAreNotLookedAt() {
    let codes = [String](repeating: "\"QQQ\"", count: 10_001).joined(separator: ",")
    let text = "[[content]]\nkind = \"row\"\nmarquee.speed = 1\ncurrencies = [\(codes)]"
    #expect(
      problems(text) == ["4:14: currencies: 10001 is out of range 1...10000 cells"])
  }

  @Test func nulsAreReported() {
    #expect(problems("# a\nname = \"\u{0}\"") == ["2:9: holds the character U+0000"])
    #expect(problems("name = \"ä\\u0000\"\n" + row) == ["1:10: holds the character U+0000"])
    #expect(problems("\"a\\U00000000\" = 1\n" + row) == ["1:3: holds the character U+0000"])
    // Not an escape in a literal string.
    #expect(problems("name = '\\u0000'\n" + row).isEmpty)
  }

  @Test func endlessNestingIsReported() {
    let keys = [String](repeating: "a", count: 100_000).joined(separator: ".")
    let message = "nests deeper than 64 levels"
    #expect(problems(keys + " = 1") == ["1:129: " + message])
    #expect(problems("[\(keys)]\nx = ") == ["1:130: " + message])
    #expect(problems("a = " + String(repeating: "[", count: 100_000)) == ["1:69: " + message])
    #expect(problems("a = " + String(repeating: "{b=", count: 100_000)) == ["1:197: " + message])
  }

  @Test func fileOverTheLimitIsReported() {
    let comment = String(repeating: "#", count: SceneLimits.fileBytesMax - row.utf8.count)
    #expect(problems(row + comment).isEmpty)
    #expect(problems(row + comment + "#") == [" larger than 16777216 bytes"])
  }

  /// A byte in the middle or behind the end of a text has a place, too.
  @Test func bytesHavePlaces() {
    func place(_ text: String, _ offset: Int) -> TextPosition {
      TextPosition(ofByte: offset, in: Array(text.utf8))
    }
    #expect(place("", 0) == TextPosition(line: 1, column: 1))
    #expect(place("a\nb", 1) == TextPosition(line: 1, column: 2))
    #expect(place("a\nb", 2) == TextPosition(line: 2, column: 1))
    #expect(place("a\nb", 99) == TextPosition(line: 2, column: 2))
    #expect(place("\u{feff}ab", 4) == TextPosition(line: 1, column: 2))
    #expect(place("\u{feff}ab\n\u{feff}c", 9) == TextPosition(line: 2, column: 2))
    #expect(place("äb", 2) == TextPosition(line: 1, column: 2))
  }

  /// Whatever TOML is cut off or has a byte changed, decoding ends with an error or a scene.
  @Test func damagedFilesAreReportedOrHarmless() throws {
    let bytes = Array(try #require(BuiltInScenes.text("flags-timer")).utf8)
    for index in stride(from: 0, to: bytes.count, by: 7) {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "."), 0x0a, 0x80] {
        var damaged = bytes
        damaged[index] = byte
        _ = problems(String(decoding: damaged, as: UTF8.self))
      }
      _ = problems(String(decoding: bytes[..<index], as: UTF8.self))
    }
  }
}
