// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a plan is the whole scene, numbered without gaps, whatever the scene was made from.
///
/// Method: plan mixed scenes, from TOML and from Swift, with and without options, and compare.
@Suite struct ScenePlanTests {
  /// Measures nothing, as on a machine without fonts.
  private struct NoFonts: TextMeasuring {
    struct Missing: Error, CustomStringConvertible {
      let description = "font family \"Noto Sans\" is not installed"
    }
    func size(of text: String, font: String, language: String) throws -> MeasuredText {
      throw Missing()
    }
    func draws(flag: String) throws -> Bool { true }
    func aspect(ofFlag flag: String) throws -> Double { throw Missing() }
  }

  @Test func missingFontIsToldOnce() throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let error = #expect(throws: SceneError.self) { try ScenePlan(file, text: NoFonts()) }
    guard case .invalid(let problems, let total) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((problems.count, total) == (1, 1))
    #expect(problems.first?.description.contains("Noto Sans") == true)
  }

  private let mixed = Scene("mixed", size: CGSize(width: 400, height: 300), rate: 120, seed: 5) {
    Text("Title").position(x: 200, y: 20)
    Row(currencies: ["EUR", "JPY"]).marquee(speed: 60)
    OrbitSystem(height: 100, moons: 2)
    Field.marquees(count: 10, speed: 1...2, period: 10...20)
    Row(cells: [.label("a")]).animation(from: -10, to: 0, duration: 2)
    Field.orbits(count: 30, radius: 1...2, duration: 10...20)
    Row(cells: [.label("b", flag: "CH")]).timer(start: 0, step: 1, interval: 0.5, resetAt: 9)
  }

  private let mixedFile = """
    name = "mixed"
    size = [400, 300]
    rate = 120
    seed = 5
    [[content]]
    kind = "text"
    text = "Title"
    position = [200, 20]
    [[content]]
    kind = "row"
    currencies = ["EUR", "JPY"]
    marquee = { speed = 60 }
    [[content]]
    kind = "orbit-system"
    height = 100
    moons = 2
    [[content]]
    kind = "field"
    count = 10
    marquee = { speed = [1, 2], period = [10, 20] }
    [[content]]
    kind = "row"
    cells = [{ label = "a" }]
    [content.animation]
    from = -10
    to = 0
    duration = 2
    [[content]]
    kind = "field"
    count = 30
    orbit.radius = [1, 2]
    orbit.duration = [10.0, 20.0]
    [[content]]
    kind = "row"
    cells = [{ label = "b", flag = "CH" }]
    timer = { start = 0, step = 1, interval = 0.5, reset-at = 9 }
    """

  @Test func batchesAreOnePerKindInOrderOfFirstUse() throws {
    let plan = try ScenePlan(mixed, text: FixedWidths())
    #expect(plan.batches.map(\.kind) == ["marquee", "orbit", "tween", "timer"])
    #expect(plan.batches.map(\.count) == [11, 32, 1, 1])
    #expect(plan.layout.batches.map(\.kind) == plan.batches.map(\.kind))
    #expect(plan.layout.batches.map(\.firstEntity) == [0, 11, 43, 44])
    #expect(plan.layout.batches.map(\.entityCount) == [11, 32, 1, 1])
    #expect(plan.entityCount == 45)
    #expect(plan.layout.entityCount == 45)
    for batch in plan.layout.batches {
      #expect([1, Int(batch.entityCount)].contains(batch.originX.count))
      #expect(batch.originX.count == batch.originY.count)
      #expect([1, Int(batch.entityCount)].contains(batch.sprites.count))
      #expect(batch.sprites.allSatisfy { $0 < plan.layout.sprites.count })
    }
  }

  @Test func headIsTheScenes() throws {
    let plan = try ScenePlan(mixed, text: FixedWidths())
    #expect((plan.name, plan.seed, plan.rate) == ("mixed", 5, 120))
    let layout = plan.layout
    #expect((layout.scene, layout.seed, layout.locale) == ("mixed", 5, "en"))
    #expect((layout.rateNumerator, layout.rateDenominator) == (120, 1))
    #expect((layout.width, layout.height, layout.background) == (400, 300, 0xffff_ffff))
  }

  @Test func textIsCentredOnItsPosition() throws {
    let layout = try ScenePlan(mixed, text: FixedWidths(width: 50)).layout
    let fixture = layout.fixtures[0]
    let element = layout.sprites[Int(fixture.sprite)].elements[0]
    #expect((fixture.x, fixture.y, element.x, element.y) == (200, 20, -25, -8))
    #expect((element.text.text, element.text.font) == ("Title", "Noto Sans 17"))
  }

  @Test func fileAndBuilderGiveEqualPlans() throws {
    let file = try SceneFile.decode(mixedFile, file: "mixed.toml")
    #expect(file.scene == mixed)
    let first = try ScenePlan(file, text: FixedWidths())
    let second = try ScenePlan(mixed, text: FixedWidths())
    // A built scene has its text, which says the same in other words.
    #expect(try SceneFile.decode(second.layout.source, file: "built.toml").scene == mixed)
    var layout = second.layout
    layout.source = first.layout.source
    #expect(first.layout == layout)
    #expect(first.marquees == second.marquees)
    #expect(first.tweens == second.tweens)
    #expect(first.timers == second.timers)
    #expect(first.orbits == second.orbits)
  }

  @Test func fileAndBuilderGiveEqualFaults() throws {
    let found = problems(mixedFile.replacing("from = -10", with: "from = 1e9"))
    #expect(found == ["25:8: from: 1000000000 is out of range -1000000...1000000 points"])
    var scene = mixed
    scene.content[4] = .row(Row(cells: [.label("a")]).animation(from: 1e9, to: 0, duration: 2))
    let built = problems { () throws(SceneError) in try ScenePlan(scene, text: FixedWidths()) }
    #expect(
      built
        == ["content[4].animation.from: 1000000000 is out of range -1000000...1000000 points"])
  }

  @Test func faultFoundWhilePlanningHasItsPlaceInTheFile() throws {
    let file = try SceneFile.decode(mixedFile, file: "mixed.toml")
    let found = problems { () throws(SceneError) in
      try ScenePlan(file, text: FixedWidths(missingFlags: ["🇯🇵", "🇨🇭"]))
    }
    #expect(
      found == [
        "mixed.toml:11:22: currencies[1]: JP has no flag",
        "mixed.toml:35:32: flag: CH has no flag",
      ])
  }

  @Test func optionsReplaceWhatTheSceneSays() throws {
    let options = ScenePlanOptions(
      rate: TickRate("30000/1001"), entities: 105, seed: 77, locale: "zh-Hans")
    let plan = try ScenePlan(mixed, options: options, text: FixedWidths())
    #expect(plan.rate.description == "30000/1001")
    #expect(plan.seed == 77)
    #expect(plan.layout.locale == "zh_Hans")
    #expect(plan.layout.sprites[1].elements[1].text.text == "欧元")
    #expect(plan.entityCount == 105)
    // 5 entities are fixed; 100 are shared 10 to 30.
    #expect(plan.batches.map(\.count) == [1 + 25, 2 + 75, 1, 1])
  }

  @Test(arguments: [5, 6, 7, 44, 45, 46, 1_000_003])
  func entitiesAreExactlyAsMany(entities: Int) throws {
    let options = ScenePlanOptions(entities: entities)
    #expect(try ScenePlan(mixed, options: options, text: FixedWidths()).entityCount == entities)
  }

  /// Whoever only wants to know whether a scene is right does not draw millions of entities.
  @Test func planForChecksHasOneEntityInAField() throws {
    var options = ScenePlanOptions(entities: 100_000_000)
    options.checksOnly = true
    let plan = try ScenePlan(mixed, options: options, text: FixedWidths())
    #expect(plan.entityCount == 7, "five that are fixed, and two fields")
    options.entities = 4
    let found = problems { () throws(SceneError) in
      try ScenePlan(mixed, options: options, text: FixedWidths())
    }
    #expect(found.count == 1)
  }

  @Test(arguments: [
    (4, "4 entities are fewer than the 5 that the scene has outside its fields"),
    (0, "0 is out of range 1...100000000 entities"),
    (-1, "-1 is out of range 1...100000000 entities"),
    (100_000_001, "100000001 is out of range 1...100000000 entities"),
  ])
  func impossibleEntitiesAreRefused(entities: Int, message: String) {
    let found = problems { () throws(SceneError) in
      try ScenePlan(mixed, options: ScenePlanOptions(entities: entities), text: FixedWidths())
    }
    #expect(found == ["--entities: " + message])
  }

  @Test func entitiesNeedAField() throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let options = ScenePlanOptions(
      rate: TickRate(numerator: 1, denominator: 1_000), entities: 9, locale: "xq")
    let found = problems { () throws(SceneError) in
      try ScenePlan(file, options: options, text: FixedWidths())
    }
    #expect(
      found == [
        "--rate: 1/1000 is out of range 0.01...1000000 ticks per second",
        "--locale: \"xq\" is not a known locale; did you mean sq?",
        "--entities: the scene has no field, so its number of entities is fixed",
      ])
  }

  /// Rows and fields of one kind share a batch, each entity with its own origin and sprite.
  @Test func entitiesKeepTheOrderOfTheContent() throws {
    let row = Row(cells: [.label("a")]).position(x: 77, y: 88)
    let scene = Scene("s") {
      row.marquee(speed: 500)
      Field.marquees(count: 3, speed: 1...2, period: 10...20)
      row.marquee(speed: 600)
    }
    let plan = try ScenePlan(scene, text: FixedWidths())
    #expect(plan.marquees.map { $0.speed > 100 } == [true, false, false, false, true])
    #expect(plan.marquees[4].speed == 600)
    let batch = plan.layout.batches[0]
    #expect((batch.originY[0], batch.originY[4]) == (73, 73))
    #expect((batch.sprites[0], batch.sprites[4]) == (0, 5))
    #expect(batch.sprites[1...3].allSatisfy { (1...4).contains($0) })
  }

  @Test func specsAreJoinedInOrder() {
    let joined = Specs<Int>(joining: [
      Specs([10, 11]), Specs([]), Specs(count: 3) { 20 + $0 }, Specs([30]),
    ])
    #expect((0..<joined.count).map { joined[$0] } == [10, 11, 20, 21, 22, 30])
  }

  @Test func specOutOfRangeTraps() async {
    await #expect(processExitsWith: .failure) { _ = Specs([1])[1] }
  }

  /// Counts what it is asked for.
  private final class Counting: TextMeasuring {
    var asked: [String] = []

    func size(of text: String, font: String, language: String) -> MeasuredText {
      asked.append("\(text), \(font), \(language)")
      return MeasuredText(width: 10, height: 16)
    }

    func draws(flag: String) -> Bool {
      asked.append(flag)
      return true
    }

    func aspect(ofFlag flag: String) -> Double {
      asked.append("aspect of \(flag)")
      return 0.75
    }
  }

  /// Each text is measured once in each font, and each flag is looked for and measured once.
  @Test func textsAreMeasuredOnce() throws {
    let measuring = Counting()
    let row = Row(cells: [.label("a", flag: "CH"), .label("a", flag: "CH")]).flagHeight(20)
    let scene = Scene("s", locale: "de") {
      row.marquee(speed: 1)
      row.marquee(speed: 2)
      Text("a")
      Text("a")
    }
    _ = try ScenePlan(scene, text: measuring)
    #expect(
      measuring.asked == [
        "🇨🇭", "aspect of 🇨🇭", "a, Noto Sans 13, de", "a, Noto Sans 17, de",
      ])
  }

  @Test(
    arguments: [
      (1e6, 1e6, nil), (0, 0, nil), (1e6.nextUp, 16, "1000000.0000000001 by 16.0 points"),
      (10, 1e6 + 1, "10.0 by 1000001.0 points"), (-1, 16, "-1.0 by 16.0 points"),
      (10, -1, "10.0 by -1.0 points"), (.nan, 16, "nan by 16.0 points"),
      (10, .infinity, "10.0 by inf points"),
    ] as [(Double, Double, String?)])
  func sizesThatAreNoneAreRefused(width: Double, height: Double, message: String?) {
    let found = problems { () throws(SceneError) in
      try ScenePlan(Scene("s") { Text("t") }, text: FixedWidths(width: width, height: height))
    }
    #expect(found == (message.map { ["content[0].text: cannot be measured: " + $0] } ?? []))
  }

  /// No sign of zero gets into a plan, wherever a scene has one.
  @Test func minusZerosAreZeros() throws {
    let zero = -0.0
    let row = Row(cells: [.label("a")])
    let forever = Animation.linear.repeatForever()
    let view = AnimatedView("v", .disc(radius: 1)).offset(x: zero, y: 1)
      .keyframes(.x, repeats: false, .linear(zero, duration: 1)).phases(ViewPhase(blur: zero))
    let scene = Scene("s", dateSeconds: zero) {
      row.marquee(speed: zero)
      row.ticker(speed: zero)
      row.animation(from: zero, to: zero, duration: 1)
      row.animation(from: zero, to: zero, forever)
      row.timer(start: zero, step: 1, interval: 1, resetAt: 1)
      FlowText("t").flow(.left, speed: zero, start: zero)
        .background(.gradient([.red], angle: zero))
      TimelineClock(.periodic(from: zero, by: 1), format: "S")
      view
    } commands: {
      Command(at: zero) { CommandAction.set("v", x: zero) }.withAnimation(.linear, completion: "c")
      Command(after: "c", delay: zero) { CommandAction.show("v") }
    }
    let plan = try ScenePlan(scene, text: FixedWidths())
    let views = try #require(plan.views)
    var numbers: [(String, Double)] = []
    numbers += plan.marquees.map { ("marquee", $0.speed) }
    numbers += plan.tweens.flatMap { [("from", $0.from), ("to", $0.to)] }
    numbers += plan.timers.map { ("timer", $0.start) }
    numbers += plan.flows.flatMap { [("flow", $0.speed), ("start", $0.start)] }
    numbers += plan.layout.sprites.flatMap(\.elements).map { ("angle", $0.gradient.angle) }
    numbers += plan.clocks.map { ("date", $0.start.timeIntervalSince1970) }
    numbers += views.views[0].initial.map { ("initial", $0) }
    numbers += views.commands.map { ("time", $0.time) }
    numbers += views.reactions.map { ("delay", $0.delay) }
    for case .set(_, let property, let value) in views.commands.flatMap(\.transaction.actions) {
      numbers.append(("set \(property)", value))
    }
    for case .periodic(let from, _) in plan.clocks.map(\.schedule) {
      numbers.append(("schedule", from))
    }
    let signed = numbers.filter { $0.1 == 0 && $0.1.sign == .minus }
    #expect(signed.map(\.0) == [])
    #expect(numbers.count > 30)
  }

  /// Pieces that share a place or a look say it once; others say it one by one.
  @Test func sharedPlacesAreWrittenOnce() throws {
    func batch(_ places: [(x: Double, y: Double)]) throws -> (x: [Float], y: [Float]) {
      let scene = Scene("s") {
        for place in places {
          AnimatedView("v\(place.x) \(place.y)", .disc(radius: 1)).position(x: place.x, y: place.y)
        }
      }
      let message = try #require(try ScenePlan(scene, text: FixedWidths()).message("view"))
      return (message.originX, message.originY)
    }
    #expect(try batch([(1, 2), (1, 3)]) == ([1, 1], [2, 3]))
    #expect(try batch([(1, 2), (4, 2)]) == ([1, 4], [2, 2]))
    #expect(try batch([(1, 2)]) == ([1], [2]))
    let orbits = try ScenePlan(
      Scene("s") { OrbitSystem(height: 9, moons: 3, center: CGPoint(x: 4, y: 5)) },
      text: FixedWidths()
    ).layout.batches[0]
    #expect((orbits.originX, orbits.originY, orbits.sprites) == ([4], [5], [1]))
  }

  @Test func installedFontsDrawFlagsThatExist() throws {
    let fonts = InstalledFonts()
    #expect(try fonts.draws(flag: "🇨🇭"))
    #expect(try !fonts.draws(flag: "🇽🇽"))
    // The Swiss flag is nearly square, others are wider.
    #expect(try fonts.aspect(ofFlag: "🇨🇭") > fonts.aspect(ofFlag: "🇯🇵"))
    #expect(try fonts.aspect(ofFlag: "🇯🇵") > 0.5)
    let size = try fonts.size(of: "Noto", font: "Noto Sans 100", language: "en")
    #expect(abs(size.width - 233.1) < 0.02)
    #expect(abs(size.height - 136.2) < 0.02)
    #expect(try fonts.size(of: "Noto", font: "Noto Sans 100", language: "ja") == size)
  }
}
