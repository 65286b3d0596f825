// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: whatever is wrong with views, commands, accordions, flowing texts and clocks is said with
/// its place.
///
/// Method: decode files with known faults and compare whole messages.
@Suite struct SceneViewErrorTests {
  private let views = """
    [[content]]
    kind = "view"
    name = "card"
    disc = 5

    """

  private func view(_ lines: String) -> [String] {
    problems("[[content]]\nkind = \"view\"\nname = \"v\"\n" + lines)
  }

  @Test(arguments: [
    ("", "1:3: content[0]: missing; one of text, disc, box, flag is wanted"),
    ("disc = 1\nbox = [1, 1]", "1:3: content[0]: disc and box exclude each other; one is wanted"),
    (
      "disc = 1\nelements = [{ disc = 1 }]",
      "1:3: content[0]: disc and elements exclude each other; one is wanted"
    ),
    ("elements = []", "4:12: elements: empty; 1...1000 elements are wanted"),
    ("elements = [{ disc = 0 }]", "4:22: disc: 0 is out of range 0.1...100000 points"),
    ("elements = [7]", "4:13: elements[0]: 7 is not a table"),
    ("disc = 1\nfont = 3", "5:8: font: goes with text, which is not here"),
    ("disc = 1\ncorner-radius = 3", "5:17: corner-radius: goes with box, which is not here"),
    ("text = \"t\"\nwidth = 3", "5:9: width: goes with flag, which is not here"),
    ("flag = \"QQ\"", "4:8: flag: \"QQ\" has no flag"),
    ("text = \"\"", "4:8: text: empty; 1...1000 bytes of UTF-8 are wanted"),
    (
      "text = \"t\"\nalignment = \"left\"",
      "5:13: alignment: \"left\" is not a known alignment; known: center, leading, trailing"
    ),
    ("disc = 1\nat = [0, 0]", "5:1: at: unknown key; "),
    ("disc = 1\nhidden = 1", "5:10: hidden: 1 is not true or false"),
    ("disc = 1\nparent = \"w\"", "5:10: parent: \"w\" is not a known view; did you mean v?"),
    ("disc = 1\nparent = \"v\"", "5:10: parent: moves with itself, or through more than 7 views"),
    (
      "disc = 1\ntransition = \"opacty\"",
      "5:14: transition: column 1: opacty is not a known transition; did you mean opacity?"
    ),
    (
      "disc = 1\ntransition = \"scale.combined(with: scale).combined(with: move(edge: top))"
        + ".combined(with: scale).combined(with: scale).combined(with: scale)\"",
      "5:14: transition: "
    ),
  ])
  func viewsAreChecked(lines: String, message: String) {
    let found = view(lines)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  /// A view that could not be read is no unknown view where others name it.
  @Test(arguments: [
    (
      "kind = \"veiw\"\nname = \"card\"\ndisc = 5",
      "2:8: kind: \"veiw\" is not a known kind; did you mean view?"
    ),
    ("kind = \"view\"\nnmae = \"card\"\ndisc = 5", "3:1: nmae: unknown key; did you mean name?"),
    ("kind = \"view\"\nname = 5\ndisc = 5", "3:8: name: 5 is not a string"),
    (
      "kind = \"accordion\"\nrow = [{ name = \"card\" }]",
      "3:1: row: unknown key; did you mean rows?"
    ),
  ])
  func wrongEntryHidesTheUsesOfItsName(entry: String, message: String) {
    let uses = """

      [[content]]
      kind = "view"
      name = "shadow"
      disc = 5
      parent = "card"

      [[command]]
      at = 1
      set.card.opacity = 2
      hide = "card"

      [[command]]
      at = -1
      toggle = ["card"]
      """
    let rest = problems("[[content]]\n\(entry)\n\(uses)").filter { $0 != message }
    #expect(
      rest.map { $0.drop { $0 != " " } } == [
        " opacity: 2 is out of range 0...1 of opaque",
        " at: -1 is out of range 0...1000000 seconds",
      ])
    // A completion whose command could not be read.
    let command = "\n[[command]]\nat = 1\nhide = \"card\"\ncompletion = 7\n"
    #expect(
      problems(views + command + "\n[[command]]\nafter = \"gone\"\nshow = \"card\"\n") == [
        "9:14: completion: 7 is not a string"
      ])
  }

  @Test func namesAreGivenOnce() {
    #expect(
      problems(views + views + "\n[[content]]\nkind = \"accordion\"\nrows = [{ name = \"card\" }]")
        == [
          "7:8: name: \"card\" is the name of another view or row",
          "12:18: name: \"card\" is the name of another view or row",
        ])
    let row = "[[content]]\nkind = \"accordion\"\nrows = [{ name = \"a\" }, { name = \"a\" }]\n"
    #expect(problems(row).first == "3:34: name: \"a\" is the name of another view or row")
    let panel = "[[content]]\nkind = \"view\"\nname = \"a.panel\"\ndisc = 1\n"
    #expect(
      problems(panel + row.replacing(", { name = \"a\" }", with: "")) == [
        "7:18: name: \"a\" is the name of another view or row"
      ] || problems(panel + row.replacing(", { name = \"a\" }", with: "")).count == 1)
  }

  @Test func viewsMoveThroughSevenOthersAtMost() {
    func chain(_ count: Int) -> String {
      (0..<count).map { index in
        "[[content]]\nkind = \"view\"\nname = \"v\(index)\"\ndisc = 1\n"
          + (index > 0 ? "parent = \"v\(index - 1)\"\n" : "")
      }.joined()
    }
    #expect(problems(chain(8)).isEmpty)
    #expect(
      problems(chain(9)) == ["44:10: parent: moves with itself, or through more than 7 views"])
    let circle = chain(2).replacing("disc = 1\n[[", with: "disc = 1\nparent = \"v1\"\n[[")
    #expect(problems(circle).count == 2)
    let system = "[[content]]\nkind = \"orbit-system\"\nheight = 9\nmoons = 1\nparent = \"cart\"\n"
    #expect(
      problems(views + system) == ["9:10: parent: \"cart\" is not a known view; did you mean card?"]
    )
  }

  @Test(arguments: [
    (
      "[{ track = [{ linear = 1, duration = 1 }] }]", "5:1: property: missing; a property is wanted"
    ),
    ("[{ property = \"x\" }]", "5:1: track: missing; an array of keyframes is wanted"),
    ("[{ property = \"x\", track = [] }]", "5:40: track: empty; 1...1000 keyframes are wanted"),
    (
      "[{ property = \"z\", track = [{ linear = 1, duration = 1 }] }]",
      "5:26: property: \"z\" is not a known property; did you mean x?"
    ),
    (
      "[{ property = \"x\", track = [{ move = 1 }] }]",
      "5:40: track: missing; a keyframe that takes time is wanted"
    ),
    (
      "[{ property = \"x\", track = [{}] }]",
      "5:41: track[0]: missing; one of linear, cubic, spring-to, move is wanted"
    ),
    (
      "[{ property = \"x\", track = [{ move = 1, linear = 1, duration = 1 }] }]",
      "5:41: track[0]: linear and move exclude each other; one is wanted"
    ),
    (
      "[{ property = \"x\", track = [{ linear = 1 }] }]",
      "5:12: duration: missing; a number is wanted"
    ),
    (
      "[{ property = \"x\", track = [{ spring-to = 1, duration = 1 }] }]",
      "5:69: duration: goes with cubic or linear, which is not here"
    ),
    (
      "[{ property = \"x\", track = [{ spring-to = 1, spring = \"spring(bounce: 1)\" }] }]",
      "5:67: spring: the settling time inf is out of range 0.001...1000000 seconds"
    ),
    (
      "[{ property = \"x\", track = [{ linear = 1, duration = 1, curve = \"easin\" }] }]",
      "5:77: curve: column 1: easin is not a known curve"
    ),
  ])
  func keyframesAreChecked(value: String, message: String) {
    let found = view("disc = 1\nkeyframes = " + value)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(message.drop { $0 != ":" }.dropFirst(3)) == true, "\(found)")
  }

  @Test func tracksOfOnePropertyExcludeEachOther() {
    let track = "{ property = \"x\", track = [{ linear = 1, duration = 1 }] }"
    #expect(
      view("disc = 1\nkeyframes = [\(track), \(track)]") == [
        "5:87: property: \"x\" is the name of another view or row"
      ])
  }

  @Test func phasesTakeTime() {
    #expect(
      view("disc = 1\nphases = [{ x = 1, animation = \"linear(duration: 0)\" }]") == [
        "5:32: animation: 0 is out of range 0.001...1000000 seconds"
      ])
    #expect(
      view("disc = 1\nphases = [{ x = 1, animation = \"linear.repeatForever()\" }]") == [
        "5:32: animation: inf is not a number in 0.001...1000000 seconds"
      ])
  }

  // MARK: Commands

  @Test(arguments: [
    ("show = \"card\"", "5:3: at: missing; at, every or after is wanted"),
    ("at = 1", "5:3: command[0]: missing; one of set, show, hide, toggle, destroy is wanted"),
    (
      "at = 1\nshow = []",
      "5:3: command[0]: missing; one of set, show, hide, toggle, destroy is wanted"
    ),
    ("at = 1\nshow = 7", "7:8: show: 7 is not a name or an array of names"),
    ("at = 1\nshow = [\"card\", 7]", "7:17: show[1]: 7 is not a string"),
    ("at = 1\nshow = \"cart\"", "7:8: show: \"cart\" is not a known view; did you mean card?"),
    (
      "at = 1\nhide = [\"card\", \"cart\"]",
      "7:17: hide[1]: \"cart\" is not a known view; did you mean card?"
    ),
    ("at = 1\ntoggle = \"Mars\"", "7:10: toggle: \"Mars\" is not a known view; known: card"),
    (
      "at = 1\nset = { cart = { x = 1 } }",
      "7:9: cart: \"cart\" is not a known view; did you mean card?"
    ),
    ("at = 1\nset = { card = {} }", "7:16: card: missing; a property is wanted"),
    ("at = 1\nset = { card = 1 }", "7:16: card: 1 is not a table"),
    (
      "at = 1\nset = { card = { opacty = 1 } }",
      "7:18: opacty: unknown key; did you mean opacity?"
    ),
    (
      "after = \"done\"\nshow = \"card\"",
      "6:9: after: \"done\" is not a known completion; the scene has none"
    ),
    (
      "at = 1\nafter = \"c\"\nshow = \"card\"\ncompletion = \"c\"\nanimation = \"linear\"",
      "5:3: command[0]: at and after exclude each other; one is wanted"
    ),
    (
      "at = 1\ndelay = 1\nshow = \"card\"",
      "7:9: delay: delay and at exclude each other; one is wanted"
    ),
    (
      "after = \"c\"\nevery = 1\nshow = \"card\"\ncompletion = \"c\"\nanimation = \"linear\"",
      "7:9: every: every and after exclude each other; one is wanted"
    ),
    (
      "at = 1\nshow = \"card\"\nanimation = \"linear(duration: x)\"",
      "8:13: animation: column 18: "
    ),
    (
      "at = 1\nshow = \"card\"\ncriteria = \"removed\"",
      "8:12: criteria: goes with completion, which is not here"
    ),
    (
      "at = 1\nshow = \"card\"\ncompletion = \"c\"\ncriteria = \"remove\"",
      "9:12: criteria: column 1: remove is not a known completion criteria; did you mean removed?"
    ),
    (
      "at = 1\nshow = \"card\"\ncompletion = \"\"",
      "8:14: completion: empty; 1...100 bytes of UTF-8 are wanted"
    ),
    ("at = 1\nshow = \"card\"\nanimate = 1", "8:1: animate: unknown key; did you mean animation?"),
    (
      "after = \"c\"\nshow = \"card\"\ncompletion = \"c\"",
      "6:9: after: commands follow each other in a circle without a delay; one of them needs a delay"
    ),
  ])
  func commandsAreChecked(lines: String, message: String) {
    let found = problems(views + "[[command]]\n" + lines)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  /// A circle with a delay or an animation in it comes round in time.
  @Test(arguments: ["delay = 0.1", "animation = \"linear(duration: 1)\""])
  func circlesThatTakeTimeAreGood(line: String) {
    func file(_ line: String) -> String {
      views + "[[command]]\nat = 0\nshow = \"card\"\ncompletion = \"a\"\n"
        + "[[command]]\nafter = \"a\"\nhide = \"card\"\ncompletion = \"b\"\n"
        + "[[command]]\nafter = \"b\"\nshow = \"card\"\ncompletion = \"a\"\n\(line)\n"
    }
    #expect(problems(file(line)).isEmpty)
    #expect(problems(file("")).count == 1)
    #expect(problems(file("animation = \"linear(duration: 0)\"")).count == 1)
  }

  private let rows = """
    [[content]]
    kind = "accordion"
    rows = [{ name = "Mars" }, { name = "Venus" }]
    [[content]]
    kind = "accordion"
    rows = [{ name = "Io" }]

    """

  @Test(
    arguments: [
      (
        "show = \"Mars\"",
        "9:8: show: \"Mars\" is a row of an accordion and can only be toggled"
      ),
      (
        "set = { Mars = { x = 1 } }",
        "9:9: Mars: \"Mars\" is a row of an accordion and can only be toggled"
      ),
      (
        "toggle = [\"Mars\", \"Io\"]",
        "7:3: command[0]: rows of an accordion change together with other things; the command needs an "
          + "animation"
      ),
      (
        "toggle = \"Mars\"\nhide = \"Io.header\"",
        "7:3: command[0]: rows of an accordion change together with other things; the command needs an "
          + "animation"
      ),
      ("toggle = [\"Mars\", \"Io\"]\nanimation = \"easeIn\"", nil),
      ("toggle = [\"Mars\", \"Venus\"]", nil), ("hide = \"Io.header\"", nil),
    ] as [(String, String?)])
  func rowsTakeTapsOnly(lines: String, message: String?) {
    #expect(problems(rows + "[[command]]\nat = 1\n" + lines) == (message.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("", "1:3: rows: missing; an array of tables is wanted"),
    ("rows = []", "3:8: rows: empty; 1...1000 rows are wanted"),
    ("rows = [{}]", "3:9: name: missing; a string is wanted"),
    ("rows = [{ name = \"a\", moons = -1 }]", "3:31: moons: -1 is out of range 0...10000 moons"),
    (
      "rows = [{ name = \"a\", moons = [{ phase = 9 }] }]",
      "3:42: phase: 9 is out of range 0...6.28"
    ),
    ("rows = [{ name = \"a\", title = \"\" }]", "3:31: title: empty; 1...1000 bytes"),
    ("rows = [{ name = \"a\" }]\nanimation = \"ease\"", "4:13: animation: column 1: ease is not"),
    ("rows = [{ name = \"a\" }]\nheight = 3", "4:1: height: unknown key; "),
  ])
  func accordionsAreChecked(lines: String, message: String) {
    let found = problems("[[content]]\nkind = \"accordion\"\n" + lines)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  // MARK: Flowing texts, clocks, tickers, fields

  @Test(arguments: [
    ("kind = \"flow-text\"", "1:3: text: missing; a string is wanted"),
    (
      "kind = \"flow-text\"\ntext = \"t\"\nimage = \"a.png\"\ncolors = [\"red\"]",
      "1:3: content[0]: colors and image exclude each other; one is wanted"
    ),
    (
      "kind = \"flow-text\"\ntext = \"t\"\ncolors = []",
      "4:10: colors: empty; 1...256 colors are wanted"
    ),
    (
      "kind = \"flow-text\"\ntext = \"t\"\ndirection = \"north\"",
      "4:13: direction: \"north\" is not a known direction; known: down, left, right, up"
    ),
    (
      "kind = \"flow-text\"\ntext = \"t\"\nvariant = \"one\"",
      "4:11: variant: \"one\" is not a known variant; did you mean one-copy?"
    ),
    (
      "kind = \"clock\"",
      "1:3: schedule: missing; a schedule such as \"periodic(from: 0, by: 1)\" is"
    ),
    (
      "kind = \"clock\"\nschedule = \"hourly\"",
      "3:12: schedule: column 1: hourly is not a known schedule"
    ),
    (
      "kind = \"clock\"\nschedule = \"everyMinute(timeZone: \\\"Asia/Tokyo\\\")\"",
      "3:12: schedule: time zones are the scene's: time-zone = \"Asia/Tokyo\""
    ),
    (
      "kind = \"clock\"\nschedule = \"explicit([5, 0])\"",
      "3:12: schedule: times that are not in order"
    ),
    (
      "kind = \"clock\"\nschedule = \"explicit([])\"",
      "3:12: schedule: empty; 1...10000 times are wanted"
    ),
    (
      "kind = \"clock\"\nschedule = \"periodic(from: 1e13, by: 1)\"",
      "3:12: schedule: 10000000000000 is out of range -1000000000000...1000000000000 seconds"
    ),
    (
      "kind = \"clock\"\nschedule = \"everyMinute\"\nformat = \"hh:mm\"",
      "4:10: format: \"hh:mm\" is not made of HH, mm, ss, S, SS, SSS, spaces and : . , - /"
    ),
    (
      "kind = \"clock\"\nschedule = \"everyMinute\"\nformat = \"::\"",
      "4:10: format: \"::\" is not made of"
    ),
    (
      "kind = \"row\"\ncurrencies = [\"EUR\"]\nticker = { speed = 1, variant = \"per-update\" }",
      "4:20: speed: speed and variant = \"per-update\" exclude each other; one is wanted"
    ),
    (
      "kind = \"row\"\ncurrencies = [\"EUR\"]\nticker = { gap = 1, variant = \"delta\" }",
      "4:18: gap: gap and variant = \"delta\" exclude each other; one is wanted"
    ),
    (
      "kind = \"row\"\ncurrencies = [\"EUR\"]\nanimation = { from = 0, to = 1 }",
      "4:1: duration: missing; a number is wanted"
    ),
    (
      "kind = \"row\"\ncurrencies = [\"EUR\"]\nanimation = { from = 0, to = 1, duration = 1, "
        + "animation = \"linear.repeatForever()\" }",
      "4:13: animation: duration and animation exclude each other; one is wanted"
    ),
    (
      "kind = \"field\"\ncount = 1\ntween = { duration = 1 }",
      "4:1: distance: missing; to or distance is wanted"
    ),
    (
      "kind = \"field\"\ncount = 1\ntween = { to = 1, distance = 1, duration = 1 }",
      "4:9: tween: to and distance exclude each other; one is wanted"
    ),
    (
      "kind = \"field\"\ncount = 1\ntween = { distance = 1, duration = 1, property = \"size\" }",
      "4:50: property: \"size\" is not a known property; "
    ),
    (
      "kind = \"field\"\ncount = 1\nspring = { distance = 1, every = 1, response = 1, duration = 1, bounce = 0 }",
      "4:10: spring: response and duration exclude each other; one is wanted"
    ),
    (
      "kind = \"field\"\ncount = 1\nspring = { distance = 1, every = 1, response = 1 }",
      "4:1: damping-ratio: missing; a number or [lower, upper] is wanted"
    ),
    (
      "kind = \"field\"\ncount = 1\nspring = { distance = 1, every = 1, response = 1, bounce = 0, "
        + "damping-ratio = 1 }",
      "4:10: spring: damping-ratio and bounce exclude each other; one is wanted"
    ),
  ])
  func otherKindsAreChecked(lines: String, message: String) {
    let found = problems("[[content]]\n" + lines)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test(arguments: [
    ("date = true", "1:8: date: true is not a number of Unix seconds, or a date and time such as "),
    ("date = 2025-05-01", "1:8: date: a date or time is not a number of Unix seconds"),
    ("date = 2025-05-01T08:15:42", "1:8: date: a date or time is not a number of Unix seconds"),
    ("date = \"yesterday\"", "1:8: date: the string \"yesterday\" is not a number of Unix seconds"),
    (
      "time-zone = \"Europe/Londn\"",
      "1:13: time-zone: \"Europe/Londn\" is not a known time zone; did you mean Europe/London?"
    ),
    ("command = 1", "1:11: command: 1 is not an array"),
    ("command = [1]", "1:12: command[0]: 1 is not a table"),
  ])
  func headIsChecked(line: String, message: String) {
    let found = problems(line + "\n[[content]]\nkind = \"text\"\ntext = \"t\"")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  /// What only a scene from Swift can hold is refused too.
  @Test func customAnimationsAreRefused() {
    struct Still: CustomAnimation {
      func animate<V: VectorArithmetic>(
        value: V, time: Double, context: inout AnimationContext<V>
      ) -> V? { nil }
    }
    let scene = Scene("s") {
      AnimatedView("v", .disc(radius: 1))
    } commands: {
      Command(at: 0) { CommandAction.show("v") }.withAnimation(Animation(Still()))
      Command(at: .nan) { CommandAction.set("v", x: .infinity) }
    }
    let found = problems { () throws(SceneError) in try ScenePlan(scene, text: FixedWidths()) }
    #expect(
      found == [
        "command[0].animation: a custom animation has no closed form",
        "command[1].at: nan is not a number in 0...1000000 seconds",
        "command[1].set.v.x: inf is not a number in -1000000...1000000 points",
      ])
  }

  /// Very many views and very many wrong names: an error, and soon.
  @Test func manyWrongNamesAreReportedSoon() {
    var scene = Scene("s") {
      for index in 0..<20_000 { AnimatedView("view \(index)", .disc(radius: 1)) }
    }
    scene.commands = (0..<20_000).map { index in
      Command(at: 1) { CommandAction.show("viwe \(index)") }
    }
    let faults = SceneChecker.check(scene)
    #expect(faults.total == 20_000)
  }
}
