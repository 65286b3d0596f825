// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder
import Testing

/// Goal: a scene is written in the order and the shape of the guide, and what goes without saying is left out.
///
/// Method: whole lines, each thing once with all that it can say and once with nothing. That they are read
/// back as the same scene is tested with the reader.
@Suite struct SceneTextTests {
  /// What is written of one thing, after its kind.
  private func lines(_ part: SceneContent) -> [String] {
    Scene("s") { [part] }.toml.split(separator: "\n").dropFirst(3).map(String.init)
  }

  /// What is written of one command.
  private func lines(_ command: Command) -> [String] {
    let scene = Scene("s") {
      Text("t")
    } commands: {
      command
    }
    return scene.toml.split(separator: "\n").drop { $0 != "[[command]]" }.dropFirst()
      .map(String.init)
  }

  @Test func headsSayWhatIsUnusual() {
    let scene = Scene(
      "n", size: CGSize(width: 1, height: 2), background: .black, rate: 30, seed: 4, locale: "ja",
      dateSeconds: 5.5, timeZone: "Asia/Tokyo"
    ) {
      Text("t")
    } commands: {
      Command(at: 0) { CommandAction.show("v") }
    }
    #expect(
      scene.toml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == [
        "name = \"n\"", "size = [1, 2]", "background = \"black\"", "rate = 30", "seed = 4",
        "locale = \"ja\"", "date = 5.5", "time-zone = \"Asia/Tokyo\"", "", "[[content]]",
        "kind = \"text\"", "text = \"t\"", "", "[[command]]", "at = 0", "show = \"v\"",
      ])
    // Zero has a sign, and that is a number of its own.
    #expect(Scene("n", dateSeconds: -0.0) {}.toml == "name = \"n\"\ndate = -0.0")
    #expect(Scene("n") {}.toml == "name = \"n\"")
    #expect(
      Scene("n", layoutDirection: .rightToLeft) {}.toml
        == "name = \"n\"\nlayout-direction = \"rightToLeft\"")
  }

  @Test func kindsHaveTheirWords() {
    let parts: [(SceneContent, String)] = [
      (.row(Row(cells: [])), "row"),
      (.orbitSystem(OrbitSystem(height: 1, moons: 0)), "orbit-system"),
      (.field(Field.orbits(count: 1, radius: 1...1, duration: 1...1)), "field"),
      (.text(Text("t")), "text"), (.view(AnimatedView("v", .disc(radius: 1))), "view"),
      (.accordion(Accordion(rows: [])), "accordion"), (.flowText(FlowText("t")), "flow-text"),
      (.clock(TimelineClock(.everyMinute)), "clock"),
    ]
    for (part, kind) in parts {
      let text = Scene("s") { [part] }.toml.split(separator: "\n").dropFirst(2).first
      #expect(text == "kind = \"\(kind)\"")
    }
  }

  @Test func accordions() {
    let rows = [
      AccordionRow("r", title: "T", color: .red, moons: 2),
      AccordionRow("q", moons: [Moon(phase: 0.5), Moon(duration: 3, color: .mint)]),
    ]
    let rowLines = [
      "rows = [", "  { name = \"r\", title = \"T\", color = \"red\", moons = 2 },",
      "  { name = \"q\", moons = [{ phase = 0.5 }, { duration = 3, color = \"mint\" }] },", "]",
    ]
    let plain = Accordion(rows: rows)
    #expect(lines(.accordion(plain)) == rowLines)
    #expect(
      lines(.accordion(Accordion(AccordionRow("a")))) == ["rows = [", "  { name = \"a\" },", "]"])
    var full = plain.frame(width: 400, rowHeight: 50, panelHeight: 200, spacing: 4)
      .position(x: 1, y: 2).transition(.opacity).animation(.linear(duration: 1)).font(.caption)
      .foregroundColor(.white).background(header: .red, panel: .mint)
    full.moonColor = .pink
    full.duration = ValueRange(5...6)
    #expect(
      lines(.accordion(full)) == rowLines + [
        "width = 400", "row-height = 50", "panel-height = 200", "spacing = 4", "position = [1, 2]",
        "transition = \"opacity\"", "animation = \"linear(duration: 1)\"", "font = \"caption\"",
        "color = \"white\"", "header-color = \"red\"", "panel-color = \"mint\"",
        "moon-color = \"pink\"", "duration = [5, 6]",
      ])
  }

  @Test func viewsOfOneElement() {
    let elements: [(ViewElement, [String])] = [
      (.disc(radius: 3), ["disc = 3"]),
      (.disc(radius: 3, color: .red), ["disc = 3", "color = \"red\""]),
      (.text("t"), ["text = \"t\""]),
      (
        .text("t", font: .title, color: .red, alignment: .leading),
        ["text = \"t\"", "font = \"title\"", "alignment = \"leading\"", "color = \"red\""]
      ),
      (.box(width: 1, height: 2), ["box = [1, 2]"]),
      (.box(width: 1, height: 2, cornerRadius: 3), ["box = [1, 2]", "corner-radius = 3"]),
      (.box(width: 1, height: 2, cornerRadius: -0.0), ["box = [1, 2]", "corner-radius = -0.0"]),
      (.flag("EU"), ["flag = \"EU\""]),
      (.flag("EU", width: 101), ["flag = \"EU\"", "width = 101"]),
      (.disc(radius: 3).offset(x: 1), ["elements = [", "  { disc = 3, at = [1, 0] },", "]"]),
      (.disc(radius: 3).offset(y: 1), ["elements = [", "  { disc = 3, at = [0, 1] },", "]"]),
      (
        ViewElement(.disc(radius: 3), center: CGPoint(x: -0.0, y: 0)),
        ["elements = [", "  { disc = 3, at = [-0.0, 0] },", "]"]
      ),
    ]
    for (element, written) in elements {
      #expect(lines(.view(AnimatedView("v", element))) == ["name = \"v\""] + written)
    }
  }

  @Test func viewsWithAllTheirParts() {
    var view = AnimatedView("v", .disc(radius: 1), .flag("EU").offset(x: 2, y: 3))
      .position(x: 1, y: 2).frame(width: 3, height: 4).opacity(0.5).scaleEffect(2)
      .rotationEffect(3).offset(x: 5, y: 6).blur(radius: 7).hidden().transition(.slide)
      .parent("p")
      .keyframes(
        .scale, .linear(2, duration: 0.5), .linear(1, duration: 1, timingCurve: .easeIn),
        .cubic(3, duration: 1), .cubic(3, duration: 1, startVelocity: 4, endVelocity: 5),
        .spring(1, Spring(response: 0.5, dampingRatio: 1)), .move(0)
      )
      .keyframes(.x, repeats: false, .move(1))
    view.phases = [
      ViewPhase(x: 1, opacity: 0.5), ViewPhase(scale: 2, animation: .linear(duration: 1)),
    ]
    let track =
      "[{ linear = 2, duration = 0.5 }, { linear = 1, duration = 1, curve = \"easeIn\" }, "
      + "{ cubic = 3, duration = 1 }, "
      + "{ cubic = 3, duration = 1, start-velocity = 4, end-velocity = 5 }, "
      + "{ spring-to = 1, spring = \"spring(response: 0.5, dampingRatio: 1)\" }, { move = 0 }]"
    #expect(
      lines(.view(view)) == [
        "name = \"v\"", "elements = [", "  { disc = 1 },", "  { flag = \"EU\", at = [2, 3] },", "]",
        "position = [1, 2]", "size = [3, 4]", "x = 5", "y = 6", "opacity = 0.5", "scale = 2",
        "rotation = 3", "blur = 7", "hidden = true", "transition = \"slide\"", "parent = \"p\"",
        "keyframes = [", "  { property = \"scale\", track = \(track) },",
        "  { property = \"x\", repeat = false, track = [{ move = 1 }] },", "]", "phases = [",
        "  { x = 1, opacity = 0.5 },", "  { scale = 2, animation = \"linear(duration: 1)\" },", "]",
      ])
  }

  @Test func flowTextsAndClocks() {
    #expect(lines(.flowText(FlowText("t"))) == ["text = \"t\""])
    let gradient = FlowText("t").font(.caption).foregroundColor(.red).position(x: 1, y: 2)
      .background(.gradient([.red, .blue], angle: 1.5))
      .flow(.left, speed: 30, start: 2, variant: .oneCopy)
    #expect(
      lines(.flowText(gradient)) == [
        "text = \"t\"", "font = \"caption\"", "color = \"red\"", "position = [1, 2]",
        "colors = [\"red\", \"blue\"]", "angle = 1.5", "speed = 30", "direction = \"left\"",
        "start = 2", "variant = \"one-copy\"",
      ])
    let turned = FlowText("t").background(.gradient(FlowText.spectrum, angle: 2))
    #expect(lines(.flowText(turned)) == ["text = \"t\"", "angle = 2"])
    let image = FlowText("t").background(.image("a.png"))
    #expect(lines(.flowText(image)) == ["text = \"t\"", "image = \"a.png\""])
    let clock = TimelineClock(.everyMinute, format: "HH:mm").font(.caption).foregroundColor(.red)
      .position(x: 1, y: 2)
    #expect(
      lines(.clock(clock)) == [
        "schedule = \"everyMinute\"", "format = \"HH:mm\"", "font = \"caption\"", "color = \"red\"",
        "position = [1, 2]",
      ])
  }

  @Test(arguments: [
    (TimelineClock.Schedule.periodic(from: 0.5, by: 4), "periodic(from: 0.5, by: 4)"),
    (.everyMinute, "everyMinute"), (.explicit([1, 2.5]), "explicit([1, 2.5])"),
    (.animation(), "animation"),
    (.animation(minimumInterval: 0.5), "animation(minimumInterval: 0.5)"),
    (.animation(paused: true), "animation(paused: true)"),
    (
      .animation(minimumInterval: 0.5, paused: true),
      "animation(minimumInterval: 0.5, paused: true)"
    ),
  ])
  func schedules(schedule: TimelineClock.Schedule, written: String) {
    #expect(lines(.clock(TimelineClock(schedule))) == ["schedule = \"\(written)\""])
  }

  @Test func motionsOfRows() {
    let row = Row(currencies: ["EUR"])
    let rows: [(Row, String)] = [
      (row.marquee(speed: 1), "marquee = { speed = 1 }"),
      (row.marquee(speed: 1, direction: .right), "marquee = { speed = 1, direction = \"right\" }"),
      (
        row.animation(from: 1, to: 2, duration: 3), "animation = { from = 1, to = 2, duration = 3 }"
      ),
      (
        row.animation(from: 1, to: 2, .linear(duration: 3)),
        "animation = { from = 1, to = 2, animation = \"linear(duration: 3)\" }"
      ),
      (row.ticker(), "ticker = {}"),
      (
        row.ticker(speed: 1, gap: 2, variant: .perUpdate, direction: .trailing),
        "ticker = { speed = 1, gap = 2, variant = \"per-update\", direction = \"trailing\" }"
      ),
      (
        row.timer(start: 1, step: 2, interval: 3, resetAt: 4),
        "timer = { start = 1, step = 2, interval = 3, reset-at = 4 }"
      ),
    ]
    for (row, written) in rows {
      #expect(lines(.row(row)) == ["currencies = [\"EUR\"]", written])
    }
  }

  @Test func motionsOfFields() {
    let short = FieldTween(end: .to(ValueRange(5...5)), duration: ValueRange(1...2))
    let long = FieldTween(
      .opacity, from: ValueRange(0...1), end: .distance(ValueRange(2...3)),
      duration: ValueRange(4...4), curve: .linear, autoreverses: false)
    let spring = FieldSpring(
      .y, end: .to(ValueRange(1...1)), response: ValueRange(0.5...0.5),
      dampingRatio: ValueRange(0.25...1), every: ValueRange(2...2))
    let fields: [(Field, [String])] = [
      (.tweens(count: 2, short), ["tween = { to = 5, duration = [1, 2] }"]),
      (
        .tweens(count: 2, long, discRadius: 1.75),
        [
          "tween = { property = \"opacity\", from = [0, 1], distance = [2, 3], duration = 4,"
            + " curve = \"linear\", autoreverses = false }", "disc-radius = 1.75",
        ]
      ),
      (
        .springs(count: 2, spring, colors: [.red]),
        [
          "spring = { property = \"y\", to = 1, response = 0.5, damping-ratio = [0.25, 1], every = 2 }",
          "colors = [\"red\"]",
        ]
      ),
      (
        .marquees(count: 2, speed: 1...2, period: 3...3),
        ["marquee = { speed = [1, 2], period = 3 }"]
      ),
    ]
    for (field, written) in fields {
      #expect(lines(.field(field)) == ["count = 2"] + written)
    }
  }

  @Test(arguments: [
    (UnitCurve.linear, "linear"), (.easeOut, "easeOut"), (.circularEaseIn, "circularEaseIn"),
    (.circularEaseOut, "circularEaseOut"), (.circularEaseInOut, "circularEaseInOut"),
    (.steps(3, .jumpBoth), "steps(3, jumpBoth)"), (.linear([0, 1]), "linear(0 0%, 1 100%)"),
    (
      .bezier(
        startControlPoint: UnitPoint(x: 0.25, y: 0.5), endControlPoint: UnitPoint(x: 0.75, y: 2)),
      "cubicBezier(0.25, 0.5, 0.75, 2)"
    ),
    (UnitCurve.steps(3).inverse, "steps(3, jump-end).inverse"),
  ])
  func curvesOfFields(curve: UnitCurve, written: String) {
    let tween = FieldTween(
      end: .to(ValueRange(5...5)), duration: ValueRange(1...1), curve: curve)
    #expect(
      lines(.field(.tweens(count: 1, tween))).last
        == "tween = { to = 5, duration = 1, curve = \"\(written)\" }")
  }

  @Test func commands() {
    let command = Command(at: 1, every: 2.5) {
      CommandAction.set("b c", y: 2)
      CommandAction.set("a-b_9Z", x: 1, blur: 3)
      CommandAction.set("é", x: 1)
      CommandAction.show("a")
      CommandAction.hide("a")
      CommandAction.hide("b")
      CommandAction.toggle("c")
      CommandAction.destroy("d")
    }
    #expect(
      lines(
        command.withAnimation(.linear(duration: 1), completionCriteria: .removed, completion: "k"))
        == [
          "at = 1", "every = 2.5",
          "set = { a-b_9Z = { x = 1, blur = 3 }, \"b c\" = { y = 2 }, \"é\" = { x = 1 } }",
          "show = \"a\"", "hide = [\"a\", \"b\"]", "toggle = \"c\"", "destroy = \"d\"",
          "animation = \"linear(duration: 1)\"", "completion = \"k\"", "criteria = \"removed\"",
        ])
    let after = Command(after: "k", delay: 0.5) { CommandAction.set("", x: 1) }
    #expect(lines(after) == ["after = \"k\"", "delay = 0.5", "set = { \"\" = { x = 1 } }"])
    #expect(
      lines(Command(after: "k") { CommandAction.show("v") }) == ["after = \"k\"", "show = \"v\""])
  }

  /// A line has 92 columns at most, whether it holds a whole list or a part of one.
  @Test(arguments: [(76, 1, 1), (77, 1, 3), (77, 6, 3), (77, 7, 4)])
  func listsBreakAtTheirColumn(first: Int, second: Int, count: Int) {
    let (one, two) = (String(repeating: "a", count: first), String(repeating: "b", count: second))
    let command = Command(at: 0) {
      CommandAction.show(one)
      CommandAction.show(two)
    }
    let written = lines(command).dropFirst()
    let pieces = ["\"\(one)\",", "\"\(two)\","]
    let expected =
      switch count {
      case 1: ["show = [\"\(one)\", \"\(two)\"]"]
      case 3: ["show = [", "  " + pieces.joined(separator: " "), "]"]
      default: ["show = [", "  " + pieces[0], "  " + pieces[1], "]"]
      }
    #expect(Array(written) == expected)
    #expect(written.allSatisfy { $0.count <= 92 })
  }

  /// What would hide or turn text around is no part of one.
  @Test(
    arguments: [
      (0x00, true), (0x1f, true), (0x20, false), (0x7e, false), (0x7f, true), (0x80, true),
      (0x9f, true), (0xa0, false), (0x2027, false), (0x2028, true), (0x2029, true), (0x202a, true),
      (0x202e, true), (0x202f, false), (0x2065, false), (0x2066, true), (0x2069, true),
      (0x206a, false), (0xfeff, false),
    ] as [(UInt32, Bool)])
  func controlCharactersAreUnfit(value: UInt32, isUnfit: Bool) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(scalar.isUnfitForText == isUnfit)
  }

  @Test func unfitCharactersAreEscaped() {
    let text = "\u{202a}\u{1}\u{7f}\t\n\r\"\\\u{2069}x"
    #expect(
      lines(.text(Text(text))) == [
        "text = \"\\u202A\\u0001\\u007F\\t\\n\\r\\\"\\\\\\u2069x\""
      ])
  }
}
