// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a scene that is written as a file and read again is the same scene, to the last bit.
///
/// Method: write and read scenes that come with Orrery, scenes made by hand, and random ones.
@Suite struct SceneTOMLTests {
  /// Writes a scene, reads it, and compares.
  ///
  /// - Returns: Whether it is the same.
  @discardableResult
  private func expectRoundTrip(
    _ scene: Scene, _ note: String = "", at place: SourceLocation = #_sourceLocation
  ) -> Bool {
    let text = scene.toml
    do throws(SceneError) {
      let read = try SceneFile.decode(text, file: "other.toml").scene
      #expect(read == scene, "\(note)\n\(text)", sourceLocation: place)
      // Values print with the sign of zero and with their own Unicode scalars; `==` sees neither.
      let isExact = "\(read)".utf8.elementsEqual("\(scene)".utf8)
      #expect(isExact, "\(note)\n\(text)\n\(read)\n\(scene)", sourceLocation: place)
      return read == scene && isExact
    } catch {
      Issue.record("\(note) \(error)\n\(text)", sourceLocation: place)
      return false
    }
  }

  /// A file with one text in the middle.
  private func file(_ head: String) -> String {
    head + "\n\n[[content]]\nkind = \"text\"\ntext = \"t\""
  }

  private func scene(_ change: (inout Scene) -> Void) -> Scene {
    var scene = Scene("s") { Text("t") }
    change(&scene)
    return scene
  }

  private func scene(_ part: SceneContent) -> Scene {
    Scene("s") { [part] }
  }

  /// What is written of one thing, after its kind.
  private func lines(_ part: SceneContent) -> [String] {
    expectRoundTrip(scene(part))
    return scene(part).toml.split(separator: "\n").dropFirst(3).map(String.init)
  }

  @Test(arguments: BuiltInScenes.names)
  func builtInScenesComeBack(name: String) throws {
    expectRoundTrip(try SceneSource.load(nameOrPath: name).scene)
  }

  /// What is written by hand and what is written here look alike.
  @Test func listsBreakAsInTheBuiltInScenes() throws {
    let written = try SceneSource.load(nameOrPath: "flags").scene.toml
    let byHand = try #require(BuiltInScenes.text("flags"))
    let lists = byHand.components(separatedBy: "currencies = ").dropFirst().compactMap {
      $0.components(separatedBy: "]\n").first
    }
    #expect(lists.count == 2)
    for list in lists { #expect(written.contains("currencies = \(list)]\n")) }
  }

  @Test func longListsFillTheirLines() {
    let codes = [String](repeating: "EUR", count: 27)
    let full = "  " + [String](repeating: "\"EUR\",", count: 13).joined(separator: " ")
    let row = Row(currencies: codes).marquee(speed: 1)
    #expect(
      lines(.row(row)) == [
        "currencies = [", full, full, "  \"EUR\",", "]", "marquee = { speed = 1 }",
      ])
  }

  @Test func defaultsAreLeftOut() {
    #expect(scene { _ in }.toml == file("name = \"s\""))
    let system = OrbitSystem(height: 500, moons: 5)
    #expect(lines(.orbitSystem(system)) == ["height = 500", "moons = 5"])
    let field = Field.orbits(count: 9, radius: 1...2, duration: 3...3)
    #expect(
      lines(.field(field)) == ["count = 9", "orbit = { radius = [1, 2], duration = 3 }"])
  }

  /// What stands in for a wrong value of a file is no default.
  @Test func placeholdersAreWritten() {
    let one = ValueRange(1...1)
    let orbits = Field.orbits(count: 1, radius: 1...1, duration: 1...1)
    #expect(lines(.field(orbits)) == ["count = 1", "orbit = { radius = 1, duration = 1 }"])
    let tweens = Field.tweens(count: 1, FieldTween(end: .distance(one), duration: one))
    #expect(lines(.field(tweens)) == ["count = 1", "tween = { distance = 1, duration = 1 }"])
    let row = Row(cells: [.label("-")]).marquee(speed: 0)
    #expect(
      lines(.row(row)) == ["cells = [", "  { label = \"-\" },", "]", "marquee = { speed = 0 }"])
    #expect(lines(.text(Text("-"))) == ["text = \"-\""])
  }

  @Test func keysStandInTheOrderOfTheGuide() {
    let row = Row(currencies: ["EUR"], flagWidth: 50, spacing: 4.5)
      .frame(width: 300, height: 40).position(x: 1, y: -2).clipped().font(.caption)
      .foregroundColor(.teal).timer(start: -5, step: 0.5, interval: 0.01, resetAt: 6)
    #expect(
      lines(.row(row)) == [
        "currencies = [\"EUR\"]", "flag-width = 50", "spacing = 4.5", "font = \"caption\"",
        "color = \"teal\"", "width = 300", "height = 40", "position = [1, -2]", "clipped = true",
        "timer = { start = -5, step = 0.5, interval = 0.01, reset-at = 6 }",
      ])
    let system = OrbitSystem(
      height: 9, moons: [Moon(), Moon(duration: 20, phase: 0.25, color: .red)],
      center: CGPoint(x: 3, y: 4), duration: 5...6, planetColor: .mint, moonColor: .pink)
    #expect(
      lines(.orbitSystem(system)) == [
        "height = 9", "moons = [{}, { duration = 20, phase = 0.25, color = \"red\" }]",
        "center = [3, 4]", "duration = [5, 6]", "planet-color = \"mint\"", "moon-color = \"pink\"",
      ])
    let field = Field.marquees(
      count: 2, speed: 0...1, period: 3...4, discRadius: 2, colors: [.red, .clear])
    #expect(
      lines(.field(field)) == [
        "count = 2", "marquee = { speed = [0, 1], period = [3, 4] }", "disc-radius = 2",
        "colors = [\"red\", \"clear\"]",
      ])
    let text = Text("t").font(.title2).foregroundColor(.brown).position(x: 0, y: 1.5)
    #expect(
      lines(.text(text)) == [
        "text = \"t\"", "font = \"title2\"", "color = \"brown\"", "position = [0, 1.5]",
      ])
    let head = scene {
      $0.size = CGSize(width: 1, height: 2)
      ($0.background, $0.rate, $0.seed, $0.locale) = (.black, 30, 1, "ja")
    }
    #expect(
      head.toml
        == file(
          "name = \"s\"\nsize = [1, 2]\nbackground = \"black\"\nrate = 30\nseed = 1\nlocale = \"ja\""
        ))
    expectRoundTrip(head)
  }

  @Test func mixedCellsAreALineEach() {
    let cells: [Cell] = [.currency("JPY"), .label("Gold"), .label("Zürich", flag: "CH")]
    #expect(
      lines(.row(Row(cells: cells).marquee(speed: 45, direction: .right))) == [
        "cells = [", "  { currency = \"JPY\" },", "  { label = \"Gold\" },",
        "  { label = \"Zürich\", flag = \"CH\" },", "]",
        "marquee = { speed = 45, direction = \"right\" }",
      ])
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (3, "3"), (-1_000_000, "-1000000"), (0.1, "0.1"),
      (0.1 + 0.2, "0.30000000000000004"), (1 / 3.0, "0.3333333333333333"), (1e-05, "1e-05"),
      (0.0.nextUp, "5e-324"), (-2.2250738585072014e-308, "-2.2250738585072014e-308"),
      (1_000_000.0.nextDown, "999999.9999999999"),
    ] as [(Double, String)])
  func numbersKeepEveryBit(value: Double, written: String) {
    let text = Text("t").position(x: value, y: 0)
    #expect(lines(.text(text)).last == "position = [\(written), 0]")
  }

  @Test(
    arguments: [
      (60, 1, "60"), (2_997, 50, "59.94"), (30_000, 1_001, "\"30000/1001\""), (1, 100, "0.01"),
      (1, 3, "\"1/3\""), (1_000_000, 1, "1000000"), (999_999_999, 1_000_000_000, "0.999999999"),
      (500_000_001, 536_870_912, "\"500000001/536870912\""),
    ] as [(UInt64, UInt64, String)])
  func ratesAreExact(numerator: UInt64, denominator: UInt64, written: String) throws {
    let rate = try #require(TickRate(numerator: numerator, denominator: denominator))
    let changed = scene { $0.rate = rate }
    expectRoundTrip(changed)
    let line = rate == 60 ? "" : "\nrate = \(written)"
    #expect(changed.toml == file("name = \"s\"" + line))
  }

  @Test(
    arguments: [
      (1, "1"), (UInt64(Int64.max), "9223372036854775807"),
      (UInt64(Int64.max) + 1, "\"9223372036854775808\""),
      (UInt64.max, "\"18446744073709551615\""),
    ] as [(UInt64, String)])
  func largeSeedsAreTexts(seed: UInt64, written: String) {
    let changed = scene { $0.seed = seed }
    expectRoundTrip(changed)
    #expect(changed.toml == file("name = \"s\"\nseed = \(written)"))
  }

  @Test(
    arguments: [
      (Font.headline, "\"headline\""), (.system(size: 17), nil), (.system(size: 18), "18"),
      (.system(size: 12.5), "12.5"), (.footnote.bold(), "{ size = 13, weight = \"bold\" }"),
      (.system(size: 20, weight: .semibold), "{ size = 20, weight = \"semibold\" }"),
    ] as [(Font, String?)])
  func fontsKeepTheirWeight(font: Font, written: String?) {
    let expected = written.map { ["text = \"t\"", "font = \($0)"] } ?? ["text = \"t\""]
    #expect(lines(.text(Text("t").font(font))) == expected)
  }

  @Test(arguments: [
    (Color.teal, "teal"), (Color(rgba: 0x0102_03ff), "#010203"),
    (Color(rgba: 0x0102_0304), "#01020304"), (.white.opacity(0.5), "#ffffff80"), (.clear, "clear"),
    (Color(rgba: 0xffff_ff00), "#ffffff00"),
  ])
  func colorsKeepTheirOpacity(color: Color, written: String) {
    let text = Text("t").foregroundColor(color)
    #expect(lines(.text(text)) == ["text = \"t\"", "color = \"\(written)\""])
  }

  @Test(arguments: [
    ("say \"hi\"", "say \\\"hi\\\""), ("C:\\n", "C:\\\\n"), ("\"\u{301}", "\\\"\u{301}"),
    ("'''", "'''"), ("# [x] {y} =", "# [x] {y} ="), (" t ", " t "), ("e\u{301}é", "e\u{301}é"),
    ("日本語 العربية हिन्दी", "日本語 العربية हिन्दी"), ("👩‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿🇪🇺", "👩‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿🇪🇺"),
    ("\u{feff}\u{ffff}\u{10ffff}", "\u{feff}\u{ffff}\u{10ffff}"),
  ])
  func textIsQuoted(text: String, written: String) {
    let line = lines(.text(Text(text))).first ?? ""
    #expect(line.utf8.elementsEqual("text = \"\(written)\"".utf8))
    expectRoundTrip(Scene(text) { Row(cells: [.label(text)]).marquee(speed: 1) })
  }

  /// A scene that is refused is refused as a file too, in the same words.
  @Test(arguments: [
    ("a\nb\r\u{1}", "text: holds the control character U+000A"),
    ("\u{202e}\u{2028}", "text: holds the control character U+202E"),
    ("\u{85}", "text: holds the control character U+0085"),
    ("", "text: empty; 1...1000 bytes of UTF-8 are wanted"),
  ])
  func badTextIsRefusedAsAFileToo(text: String, message: String) {
    let lines = scene(.text(Text(text))).toml
    #expect(lines.split(whereSeparator: \.isNewline).count == 4)
    #expect(problems(lines) == ["5:8: \(message)"])
  }

  @Test func badValuesAreRefusedAsAFileToo() {
    let still = Row(currencies: [])
    let twice = Row(currencies: ["EUR"]).marquee(speed: 1)
    let moving = twice.animation(from: 0, to: 1, duration: .nan)
    #expect(
      problems(scene(.row(still)).toml) == [
        "3:3: content[0]: missing; one of marquee, animation, ticker, timer is wanted",
        "5:14: currencies: empty; 1...10000 cells are wanted",
      ])
    #expect(
      problems(scene(.row(moving)).toml) == [
        "3:3: content[0]: marquee and animation exclude each other; one is wanted",
        "7:44: duration: nan is not a number in 0.001...1000000 seconds",
      ])
    #expect(problems(scene(.row(twice.marquee(speed: 2))).toml).count == 1)
    let far = Text("t").position(x: -.infinity, y: 1e300)
    #expect(
      problems(scene(.text(far)).toml) == [
        "6:13: position[0]: -inf is not a number in -1000000...1000000 points",
        "6:19: position[1]: 1e+300 is out of range -1000000...1000000 points",
      ])
    #expect(problems(Scene("s") {}.toml).count == 1)
  }

  /// Stops at the first seed that fails.
  @Test func randomScenesComeBack() {
    for seed in UInt64(1)...2_000 {
      var scenes = RandomScenes(seed: seed)
      let scene = scenes.next()
      let faults = SceneChecker.check(scene)
      let isGood = faults.isEmpty
      #expect(isGood, "seed \(seed): \(SceneLocations.built.error(faults))")
      guard isGood, expectRoundTrip(scene, "seed \(seed)") else { return }
    }
  }
}
