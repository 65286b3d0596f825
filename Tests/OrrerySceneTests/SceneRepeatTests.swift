// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: entries with `repeat` make the scene that would be there if each copy were written by hand.
///
/// Method: compare scenes with written-out ones; give hostile values, and compare every line of the error.
@Suite struct SceneRepeatTests {
  private func scene(_ text: String) throws -> Scene {
    try SceneFile.decode(text, file: "f.toml").scene
  }

  /// A view and its command, forty times.
  static let rows = """
    [[content]]
    kind = "view"
    name = "row {i}"
    elements = [{ box = [400, 12] }, { text = "Row {i} of 40" }]
    position = [320, 20]
    hidden = true
    transition = "move(edge: leading)"
    repeat = { count = 40, offset = [0.1, 16] }

    [[command]]
    at = 0.5
    show = "row {i}"
    set = { "row {i}" = { opacity = 0.5 } }
    animation = "spring(duration: 0.5)"
    completion = "row {i} is there"
    repeat = { count = 40, stagger = 0.05 }

    [[command]]
    after = "row {i} is there"
    toggle = ["row {i}", "row 7"]
    repeat = { count = 40, stagger = 0.25 }
    """

  /// A decimal with two places, as it is written by hand.
  private static func decimal(_ hundredths: Int) -> String {
    "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }

  /// The same, each copy by hand.
  static let rowsByHand: String = {
    var text = ""
    for number in 1...40 {
      let (x, y) = (decimal(32_000 + 10 * (number - 1)), 20 + 16 * (number - 1))
      text += """
        [[content]]
        kind = "view"
        name = "row \(number)"
        elements = [{ box = [400, 12] }, { text = "Row \(number) of 40" }]
        position = [\(x), \(y)]
        hidden = true
        transition = "move(edge: leading)"

        """
    }
    for number in 1...40 {
      text += """
        [[command]]
        at = \(decimal(50 + 5 * (number - 1)))
        show = "row \(number)"
        set = { "row \(number)" = { opacity = 0.5 } }
        animation = "spring(duration: 0.5)"
        completion = "row \(number) is there"

        """
    }
    for number in 1...40 {
      text += """
        [[command]]
        after = "row \(number) is there"
        delay = \(decimal(25 * (number - 1)))
        toggle = ["row \(number)", "row 7"]

        """
    }
    return text
  }()

  @Test func fortyRowsAreThoseWrittenByHand() throws {
    #expect(try scene(Self.rows) == scene(Self.rowsByHand))
    #expect(try scene(Self.rows).toml == scene(Self.rowsByHand).toml)
  }

  @Test func everyKindOfContentCanBeRepeated() throws {
    let row = "currencies = [\"EUR\"]\nmarquee = { speed = 1 }"
    let kinds: [SceneContent.Kind: String] = [
      .row: row + "\nposition = [1, 2]", .orbitSystem: "height = 9\nmoons = 1\ncenter = [1, 2]",
      .field: "count = 3\nmarquee = { speed = 1, period = 50 }",
      .text: "text = \"{i}\"\nposition = [1, 2]",
      .view: "name = \"v{i}\"\ndisc = 1\nposition = [1, 2]",
      .accordion: "rows = [{ name = \"a{i}\" }, { name = \"b{i}\" }]\nposition = [1, 2]",
      .flowText: "text = \"{i}\"\nposition = [1, 2]",
      .clock: "schedule = \"everyMinute\"\nposition = [1, 2]",
    ]
    for kind in SceneContent.Kind.allCases {
      let keys = try #require(kinds[kind], "\(kind)")
      func entry(_ keys: String) -> String {
        "[[content]]\nkind = \"\(kind.rawValue)\"\n\(keys)\n"
      }
      func hand(_ number: Int, _ point: String) -> String {
        entry(keys.replacing("{i}", with: "\(number)").replacing("[1, 2]", with: point))
      }
      let offset = kind == .field ? "" : ", offset = [3, -4]"
      #expect(
        try scene(entry(keys + "\nrepeat = { count = 3\(offset) }"))
          == scene(hand(1, "[1, 2]") + hand(2, "[4, -2]") + hand(3, "[7, -6]")), "\(kind)")
    }
  }

  @Test func whatIsNotWrittenIsStaggeredFromItsDefault() throws {
    let file = """
      [[content]]
      kind = "flow-text"
      text = "f"
      repeat = { count = 2, stagger = 0.5 }

      [[content]]
      kind = "view"
      name = "v"
      disc = 1

      [[command]]
      every = 2
      toggle = "v"
      completion = "c"
      repeat = { count = 2, stagger = 0.5 }

      [[command]]
      after = "c"
      hide = "v"
      repeat = { count = 2, stagger = 0.5 }
      """
    let scene = try scene(file)
    let starts = scene.content.compactMap {
      if case .flowText(let text) = $0 { text.start } else { nil }
    }
    #expect(starts == [1, 1.5])
    #expect(
      scene.commands.map(\.moment) == [
        .at(2, every: 2), .at(2.5, every: 2), .after("c", delay: 0), .after("c", delay: 0.5),
      ])
  }

  @Test func jsonHasItToo() throws {
    let file = """
      {"content": [{"kind": "text", "text": "{i}", "position": [1, 2],
        "repeat": {"count": 2, "offset": [0, 3]}}]}
      """
    let read = try SceneFile.decode(file, file: "f.json")
    #expect(
      try read.scene.content
        == scene(
          "[[content]]\nkind = \"text\"\ntext = \"1\"\nposition = [1, 2]\n"
            + "[[content]]\nkind = \"text\"\ntext = \"2\"\nposition = [1, 5]\n"
        ).content)
  }

  /// Each after a view on line 4, in the view's last line 5, or in a command.
  @Test(arguments: [
    ("{ count = 0 }", "5:20: count: 0 is out of range 1...100000 copies"),
    ("{ count = -1 }", "5:20: count: -1 is out of range 1...100000 copies"),
    ("{ count = 1_000_000_000 }", "5:20: count: 1000000000 is out of range 1...100000 copies"),
    ("{ count = 1e9 }", "5:20: count: 1000000000 is not a whole number"),
    ("{ count = \"2\" }", "5:20: count: the string \"2\" is not a whole number"),
    ("{ offset = [1, 2] }", "5:1: count: missing; a whole number is wanted"),
    ("40", "5:10: repeat: 40 is not a table such as { count = 40 }"),
    ("{ count = 2, offset = 1 }", "5:32: offset: 1 is not [x, y]"),
    (
      "{ count = 2, offset = [nan, 0] }",
      "5:33: offset[0]: nan is not a number in -1000000...1000000 points"
    ),
    ("{ count = 2, offset = [0, 1] }", "5:32: offset: goes with position, which is not here"),
    (
      "{ count = 2 }",
      "3:8: name: 2 copies would have this name; write {i} in it, for the copy's number"
    ),
    (
      "{ count = 2, stagger = 1 }",
      "5:23: stagger: scene files have no such key; "
        + "this begins at no time of its own; give the stagger to the command that changes it"
    ),
    ("{ count = 2, step = 1 }", "5:23: step: unknown key; known: count, offset"),
  ])
  func hostileValueHasOneLine(value: String, line: String) {
    let file = "[[content]]\nkind = \"view\"\nname = \"v\"\ndisc = 1\nrepeat = \(value)\n"
    #expect(problems(file) == [line])
  }

  @Test func whatCannotMoveHasNoOffset() {
    let field = """
      [[content]]
      kind = "field"
      count = 1
      marquee = { speed = 1, period = 1 }
      repeat = { count = 2, offset = [0, 1], stagger = 1 }
      """
    #expect(
      problems(field) == [
        "5:23: offset: unknown key; known: count",
        "5:40: stagger: scene files have no such key; "
          + "this begins at no time of its own; give the stagger to the command that changes it",
      ])
  }

  @Test func faultOfAllCopiesIsReportedOnce() {
    let file = """
      [[content]]
      kind = "view"
      name = "v{i}"
      disc = -1
      opacity = 2
      repeat = { count = 5000 }

      [[command]]
      at = 999_999
      show = ["v{i}", "w{i}"]
      repeat = { count = 30, stagger = 1 }
      """
    #expect(
      problems(file) == [
        "4:8: disc: -1 is out of range 0.1...100000 points",
        "5:11: opacity: 2 is out of range 0...1 of opaque",
        "9:6: at: 1000001 is out of range 0...1000000 seconds",
        "10:17: show[1]: \"w1\" is not a known view; did you mean v1?",
      ])
  }

  @Test func wrongRepeatHidesNoOtherFault() {
    let file = """
      [[content]]
      kind = "view"
      name = "v{i}"
      disc = -1
      repeat = { count = 3, step = 1 }

      [[command]]
      at = 1
      every = "often"
      show = ["v3"]
      """
    #expect(
      problems(file) == [
        "4:8: disc: -1 is out of range 0.1...100000 points",
        "5:23: step: unknown key; known: count, offset",
        "9:9: every: the string \"often\" is not a number",
      ])
  }

  @Test func copiesHaveTheLimitsOfAFile() {
    let text = "[[content]]\nkind = \"text\"\ntext = \"t\"\nrepeat = { count = 60_000 }\n"
    #expect(
      problems(text + text) == ["8:20: count: 120000 is out of range 1...100000 things"])
    let long = text.replacing("\"t\"", with: "\"" + String(repeating: "t", count: 1_000) + "\"")
    #expect(
      problems(long) == [
        "4:20: count: the copies are 61860000 bytes when they are written out, more than 16777216"
      ])
  }

  @Test func elementsHaveNoRepeat() {
    let file = """
      [[content]]
      kind = "view"
      name = "v"
      elements = [{ disc = 1, repeat = { count = 2 } }]
      """
    #expect(problems(file).first?.hasPrefix("4:25: repeat: unknown key; ") == true)
  }

  @Test func nameThatBecomesAnotherOneIsNotKeptTwice() {
    let file = """
      [[content]]
      kind = "view"
      name = "v{i}"
      disc = 1
      repeat = { count = 2 }

      [[command]]
      at = 1
      set = { "v{i}" = { x = 1 }, v1 = { x = 2 } }
      repeat = { count = 2 }
      """
    #expect(problems(file).count == 1)
  }
}
