// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: messages show numbers, names and ways as they are meant, and no more of them than helps.
///
/// Method: single faults, ways and lists of faults at the borders of what a message shows; commands to a
/// running sim with known faults.
@Suite struct SceneMessageTests {
  private func view(_ name: String) -> AnimatedView { AnimatedView(name, .disc(radius: 1)) }

  private func found(_ scene: Scene) -> [String] {
    let faults = SceneChecker.check(scene)
    guard !faults.isEmpty else { return [] }
    return "\(SceneLocations.built.error(faults))".split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (3, "3"), (-3, "-3"), (0.5, "0.5"),
      (999_999_999_999_999, "999999999999999"),
      (1e15, "1000000000000000.0"), (-1e15, "-1000000000000000.0"),
      (1e300, "1e+300"), (.nan, "nan"), (-.infinity, "-inf"),
    ] as [(Double, String)])
  func wholeNumbersHaveNoPoint(value: Double, text: String) {
    #expect(SceneNumber.text(value) == text)
  }

  @Test(
    arguments: [(0, "0000"), (9, "0009"), (0x202e, "202E"), (0xffff, "FFFF"), (0x1f600, "1F600")]
      as [(UInt32, String)])
  func charactersHaveFourDigitsAtLeast(number: UInt32, text: String) {
    #expect(SceneNumber.hexadecimal(number) == text)
    #expect(
      "\(SceneFault.controlCharacter(number))" == "holds the control character U+" + text)
  }

  @Test func waysAreSpelledAsInAFileAndAsInSwift() {
    let path = DocumentPath().key("content").index(3).key("reset-at-the-end").index(0).index(1)
    #expect(path.text == "content[3].reset-at-the-end[0][1]")
    #expect(path.swiftPath == "content[3].resetAtTheEnd[0][1]")
    #expect(path.lastKey == "reset-at-the-end[0][1]")
    #expect(path.prefixes.count == 6)
    #expect(path.prefixes.first == path)
    #expect(path.prefixes.last == DocumentPath())
    #expect(DocumentPath().lastKey == "")
    #expect(DocumentPath([.index(2)]).lastKey == "[2]")
    #expect(DocumentPath([.key("--rate")]).text == "--rate")
  }

  /// Twenty names are listed, of more only the number is said.
  @Test func choiceIsShownWhereItIsShort() {
    let names = (10..<30).map { "n\($0)" }
    #expect(
      "\(SceneFault.unknownKey(nearest: nil, known: names.reversed()))"
        == "unknown key; known: " + names.joined(separator: ", "))
    #expect(
      "\(SceneFault.unknownKey(nearest: nil, known: names + ["n9"]))" == "unknown key; 21 are known"
    )
    #expect(
      "\(SceneFault.unknownName(found: "\"m\"", kind: "view", nearest: "n9", known: names))"
        == "\"m\" is not a known view; did you mean n9?")
  }

  /// Of very many names, none is looked for that is like the wrong one.
  @Test(arguments: [(5_000, "did you mean view 1?"), (5_001, "5001 are known")])
  func nearestOfManyNamesIsLookedFor(count: Int, hint: String) {
    var scene = Scene("s") { for index in 0..<count { view("view \(index)") } }
    scene.commands = [Command(at: 1) { CommandAction.show("viwe 1") }]
    #expect(found(scene) == ["command[0].show: \"viwe 1\" is not a known view; \(hint)"])
  }

  @Test func longNamesAreCut() {
    var scene = Scene("s") { view("v") }
    let name = String(repeating: "x", count: 39) + "\u{7}yz"
    scene.commands = [Command(at: 1) { CommandAction.show(name) }]
    #expect(
      found(scene) == [
        "command[0].show: \"\(String(repeating: "x", count: 39))\" is not a known view; known: v"
      ])
  }

  /// Of one thing built in Swift, what it is made of comes last, but the elements of a view.
  @Test func faultsOfABuiltSceneHaveTheirOrder() {
    let clock = TimelineClock(.explicit([]), format: "x").font(.system(size: 0))
    let system = OrbitSystem(height: 0, moons: [Moon(phase: -1)], duration: 0...1).parent("none")
    let field = Field(
      count: 0, motion: .orbit(radius: ValueRange(-1 ... -1), duration: ValueRange(1...1)),
      discRadius: 0, colors: [])
    let view = AnimatedView("v", .disc(radius: 0).offset(x: 2e6), .disc(radius: 1))
      .position(x: 2e6, y: 0)
    let scene = Scene("s") {
      clock
      system
      field
      view
    }
    #expect(
      found(scene).map { $0.prefix { $0 != ":" } } == [
        "content[0].format", "content[0].font", "content[0].schedule",
        "content[1].height", "content[1].duration[0]", "content[1].parent",
        "content[1].moons[0].phase",
        "content[2].count", "content[2].discRadius", "content[2].colors",
        "content[2].orbit.radius",
        "content[3].elements[0].at[0]", "content[3].elements[0].disc", "content[3].position[0]",
      ])
  }

  @Test func firstThousandFaultsAreKept() {
    let list = FaultList()
    for index in 0..<1_002 { list.add(DocumentPath().index(index), .noWidth) }
    #expect(list.entries.count == FaultList.keptMax)
    #expect(list.entries.last?.path == DocumentPath().index(999))
    #expect(list.total == 1_002)
    #expect(!list.isEmpty)
    #expect(FaultList().isEmpty)
    let both = FaultList()
    both.add(DocumentPath(), .noWidth)
    both.add(list)
    #expect(both.entries.count == 1_000)
    #expect(both.total == 1_003)
  }

  /// Twenty faults are shown, and how many more there are is said only if there are.
  @Test func twentyProblemsAreShown() {
    func lines(_ count: Int) -> [String] {
      let list = FaultList()
      for _ in 0..<count { list.add(DocumentPath().key("k"), .noWidth) }
      return "\(SceneLocations.built.error(list))".split(separator: "\n").map(String.init)
    }
    #expect(lines(20) == [String](repeating: "k: 0 points wide", count: 20))
    #expect(lines(21) == [String](repeating: "k: 0 points wide", count: 20) + ["and 1 more"])
  }

  /// A reason is told once, other faults and other reasons each time.
  @Test func reasonsAreToldOnce() {
    let list = FaultList()
    for why in ["a", "b", "a"] {
      list.add(DocumentPath().key(why), .notMeasured(why))
      list.add(DocumentPath().key("n"), .noWidth)
    }
    let told = list.withoutRepeatedReasons.entries
    #expect(told.map(\.path.text) == ["a", "n", "b", "n", "n"])
    #expect(told[0].fault == .notMeasured("a"))
  }

  /// A font that is not installed is no fault of the scene; beside such a fault it does not count.
  @Test func whatTheMachineLacksIsNoFaultOfTheScene() {
    func status(_ faults: [SceneFault]) -> OrreryBase.ExitStatus {
      let list = FaultList()
      for fault in faults { list.add(DocumentPath().key("k"), fault) }
      return Failure(SceneLocations.built.error(list)).status
    }
    #expect(status([.unavailable("no font")]) == .unavailable)
    #expect(status([.unavailable("no font"), .unavailable("no file")]) == .unavailable)
    #expect(status([.unavailable("no font"), .noWidth]) == .badData)
    #expect(status([.notMeasured("too long")]) == .badData)
    let list = FaultList()
    for why in ["a", "b", "a"] { list.add(DocumentPath().key("k"), .unavailable(why)) }
    #expect(
      list.withoutRepeatedReasons.entries.map(\.fault) == [.unavailable("a"), .unavailable("b")])
  }

  @Test func errorsSayWhatIsWrong() {
    #expect(
      "\(SceneError.unknownScene(name: "\"x\"", nearest: nil, known: ["a", "b"]))"
        == "no built-in scene \"x\"; there are a, b; a file's name has a slash or ends in .toml, .json, .csv, .ndjson, .jsonl, .parquet"
    )
    #expect("\(SceneError.notUTF8(file: "f", line: 2, column: 3))" == "f:2:3: not UTF-8")
    #expect("\(SceneError.tooLarge(file: "f", limitBytes: 7))" == "f: larger than 7 bytes")
    #expect(
      "\(SceneError.notEnoughMemory(entities: 3, needed: 36, available: 35))"
        == "laying out 3 entities needs 36 bytes of memory, 35 are available")
  }

  @Test(arguments: [
    ("mine.toml", "mine"), ("a/b/mine.toml", "mine"), ("a.toml", "a"), (".toml", ".toml"),
    ("a/.toml", ".toml"), ("mine", "mine"), ("a.toml/mine.txt", "mine.txt"),
  ])
  func sceneWithoutNameHasThatOfItsFile(file: String, name: String) throws {
    let text = "[[content]]\nkind = \"text\"\ntext = \"t\"\n"
    #expect(try SceneFile.decode(text, file: file).scene.name == name)
    #expect(try SceneFile.decode("name = \"own\"\n" + text, file: file).scene.name == "own")
  }

  // MARK: What has no closed form

  private struct Still: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? { nil }
  }

  /// Wherever an animation can stand, one without a closed form is refused.
  @Test func customAnimationsAreRefusedEverywhere() {
    let still = Animation(Still())
    let why = ": a custom animation has no closed form"
    var view = view("v")
    view.phases = [ViewPhase(scale: 2), ViewPhase(scale: 3, animation: still)]
    #expect(found(Scene("s") { view }) == ["content[0].phases[1].animation" + why])
    let moving = self.view("v").transition(.opacity.animation(still))
    #expect(Set(found(Scene("s") { moving })) == ["content[0].transition" + why])
    let accordion = Accordion(AccordionRow("r"))
    #expect(
      found(Scene("s") { accordion.animation(still) }) == ["content[0].animation" + why])
    #expect(
      Set(found(Scene("s") { accordion.transition(.opacity.animation(still)) }))
        == ["content[0].transition" + why])
    let row = Row(cells: [.label("a")]).animation(from: 0, to: 1, still)
    #expect(
      found(Scene("s") { row }).first?.hasPrefix("content[0].animation.animation: not a curve")
        == true)
  }

  /// Both halves of a transition are looked at.
  @Test func eitherHalfOfATransitionIsChecked() {
    let scales = (0..<4).reduce(AnyTransition.scale) { sum, _ in sum.combined(with: .scale) }
    let halves: [AnyTransition] = [
      .asymmetric(insertion: scales, removal: .opacity),
      .asymmetric(insertion: .opacity, removal: scales),
    ]
    for transition in halves {
      let lines = found(Scene("s") { view("v").transition(transition) })
      #expect(lines.count == 1, "\(transition)")
      #expect(
        lines.first?.hasSuffix("moving parts of a transition multiply each other, more than 4")
          == true, "\(lines)")
    }
    let three = (0..<3).reduce(AnyTransition.scale) { sum, _ in sum.combined(with: .scale) }
    #expect(found(Scene("s") { view("v").transition(three) }) == [])
  }

  @Test func schedulesAreInTheirRanges() {
    func lines(_ schedule: TimelineClock.Schedule) -> [String] {
      found(Scene("s") { TimelineClock(schedule) })
    }
    let times = "is out of range -1000000000000...1000000000000 seconds"
    #expect(lines(.periodic(from: -1e12, by: 0.001)) == [])
    #expect(
      lines(.periodic(from: -1e12 - 1, by: 1)).first == "content[0].schedule: -1000000000001 "
        + times)
    #expect(
      lines(.periodic(from: 0, by: 0.000_9))
        == ["content[0].schedule: 0.0009 is out of range 0.001...1000000 seconds"])
    #expect(lines(.explicit([-1e12, 0, 0, 1e12])) == [])
    #expect(lines(.explicit([0, 1e12 + 1])) == ["content[0].schedule: 1000000000001 " + times])
    #expect(lines(.animation(minimumInterval: 0.000_1)) == [])
    #expect(
      lines(.animation(minimumInterval: 1_001))
        == ["content[0].schedule: 1001 is out of range 0.0001...1000 seconds"])
  }

  @Test func cyclesOfRowsAreInTheirRange() {
    func lines(_ seconds: Double) -> [String] {
      let row = Row(cells: [.label("a")])
        .animation(from: 0, to: 1, .linear(duration: seconds).repeatForever(autoreverses: false))
      return found(Scene("s") { row })
    }
    #expect(lines(1_000_000) == [])
    #expect(
      lines(1_000_001)
        == ["content[0].animation.animation: 1000001 is out of range 0.001...1000000 seconds"])
  }

  // MARK: Circles

  private func commands(_ followers: [(after: String?, then: String)]) -> [String] {
    var scene = Scene("s") { view("v") }
    scene.commands = followers.map { after, then in
      let moment = after.map { Command.Moment.after($0) } ?? .at(0)
      var command = Command(moment, actions: [.show("v")])
      command.completion = then
      return command
    }
    return found(scene)
  }

  private let circle =
    "commands follow each other in a circle without a delay; one of them needs a delay"

  /// Each circle is told once, where it comes round; ways that meet again are none.
  @Test func eachCircleOfInstantsIsToldOnce() {
    #expect(
      commands([(nil, "a"), ("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]) == [])
    #expect(
      commands([("a", "b"), ("b", "c"), ("c", "b"), (nil, "a")])
        == ["command[1].after: " + circle])
    #expect(
      commands([(nil, "a"), ("a", "a"), ("b", "c"), ("c", "b")])
        == ["command[1].after: " + circle, "command[2].after: " + circle])
  }

  /// What counts is the completion that others wait for.
  @Test func criteriaDecideWhetherACircleTakesTime() {
    func lines(_ criteria: AnimationCompletionCriteria) -> [String] {
      var scene = Scene("s") { view("v") }
      scene.commands = [
        Command(after: "a") { CommandAction.set("v", x: 1) }.withAnimation(
          .linear(duration: 1).logicallyComplete(after: 0), completionCriteria: criteria,
          completion: "a")
      ]
      return found(scene)
    }
    #expect(lines(.removed) == [])
    #expect(lines(.logicallyComplete) == ["command[0].after: " + circle])
  }

  // MARK: Commands to a running sim

  private func parse(_ text: String) throws -> DocumentTable {
    try TOMLParser.parse(text, depthMax: SceneLimits.fileDepthMax)
  }

  private func live(_ text: String) throws -> [String] {
    let table = try parse(text)
    do throws(SceneError) {
      _ = try LiveNames().command(table)
      return []
    } catch {
      return "\(error)".split(separator: "\n").map(String.init)
    }
  }

  @Test func liveCommandsHaveTheSameFaults() throws {
    #expect(
      try live("show = [\"v\", \"w\", 3]") == [
        "show[2]: 3 is not a string", "show[0]: \"v\" is not a known view; the scene has none",
        "show[1]: \"w\" is not a known view; the scene has none",
      ])
    #expect(
      try live("") == ["missing; one of set, show, hide, toggle, destroy is wanted"])
    #expect(try live("at = 1\nshow = \"v\"").first?.hasPrefix("at: unknown key; ") == true)
    #expect(
      try live("set = { v = { x = 2e6 } }") == [
        "set.v: \"v\" is not a known view; the scene has none",
        "set.v.x: 2000000 is out of range -1000000...1000000 points",
      ])
    let names = [String](repeating: "\"v\"", count: 21).joined(separator: ",")
    let many = try live("show = [\(names)]")
    #expect(many.count == 21)
    #expect(many.last == "and 1 more")
  }

  @Test func liveCommandsBecomeTransactions() throws {
    let scene = Scene("s") {
      view("v")
      Accordion(AccordionRow("r"))
    } commands: {
      Command(at: 1) { CommandAction.show("v") }.withAnimation(.linear, completion: "known")
    }
    let names = try ScenePlan(scene, text: FixedWidths()).liveNames
    let table = try parse(
      "hide = \"v\"\nanimation = \"linear(duration: 2)\"\ncompletion = \"known\"")
    let command = try names.command(table)
    #expect(command.transaction.actions == [.hide(view: 0)])
    #expect(command.transaction.animation == .linear(duration: 2))
    #expect(command.transaction.completion == 0)
    #expect(command.completion == "known")
    let tap = try names.command(parse("toggle = \"r\"\ncompletion = \"new\""))
    #expect(tap.transaction.actions == [.tap(accordion: 0, row: 0)])
    #expect(tap.transaction.animation == .easeInOut)
    #expect(tap.transaction.completion == nil)
    #expect(tap.completion == "new")
  }
}
