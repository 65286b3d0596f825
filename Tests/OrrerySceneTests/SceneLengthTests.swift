// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: as many things, and as long names and texts, as the guide says, and not one more.
///
/// Method: scenes from Swift with lists and texts at their limit and one above it; whole messages.
@Suite struct SceneLengthTests {
  /// A list of a scene, and a scene with one of so many elements that is good otherwise.
  struct List: Sendable {
    let path: String
    let lower: Int
    let upper: Int
    let unit: String
    /// The way to the list while nothing is in it, if it is another one.
    var emptyPath: String?
    let scene: @Sendable (Int) -> Scene
  }

  private static func scene(_ part: SceneContent) -> Scene { Scene("s") { [part] } }

  private static func view(_ change: (inout AnimatedView) -> Void) -> Scene {
    var view = AnimatedView("v", .disc(radius: 1))
    change(&view)
    return scene(.view(view))
  }

  private static let red = Color.red

  static let lists: [List] = [
    List(path: "content", lower: 1, upper: 100_000, unit: "things") { count in
      Scene("s") { [SceneContent](repeating: .text(Text("t")), count: count) }
    },
    List(
      path: "content[0].cells", lower: 1, upper: 10_000, unit: "cells",
      emptyPath: "content[0].currencies"
    ) { count in
      let cells = [Cell](repeating: .label("a"), count: count)
      return Self.scene(.row(Row(cells: cells).marquee(speed: 1)))
    },
    List(path: "content[0].colors", lower: 1, upper: 256, unit: "colors") { count in
      let colors = [Color](repeating: Self.red, count: count)
      return Self.scene(.field(.orbits(count: 1, radius: 1...1, duration: 1...1, colors: colors)))
    },
    List(path: "content[0].colors", lower: 1, upper: 256, unit: "colors") { count in
      let colors = [Color](repeating: Self.red, count: count)
      return Self.scene(.flowText(FlowText("t").background(.gradient(colors, angle: nil))))
    },
    List(path: "content[0].elements", lower: 1, upper: 1_000, unit: "elements") { count in
      Self.view { $0.elements = [ViewElement](repeating: .disc(radius: 1), count: count) }
    },
    List(path: "content[0].keyframes[0].track", lower: 1, upper: 1_000, unit: "keyframes") {
      count in
      Self.view {
        let steps = [KeyframeStep](repeating: .linear(1, duration: 1), count: count)
        $0.keyframes = [KeyframeLoop(property: .x, steps: steps)]
      }
    },
    List(path: "content[0].phases", lower: 0, upper: 1_000, unit: "phases") { count in
      Self.view { $0.phases = [ViewPhase](repeating: ViewPhase(scale: 2), count: count) }
    },
    List(path: "command", lower: 0, upper: 100_000, unit: "commands") { count in
      var scene = Self.view { _ in }
      let command = Command(at: 1) { CommandAction.show("v") }
      scene.commands = [Command](repeating: command, count: count)
      return scene
    },
    List(path: "content[0].rows", lower: 1, upper: 1_000, unit: "rows") { count in
      Self.scene(.accordion(Accordion(rows: (0..<count).map { AccordionRow("row \($0)") })))
    },
    List(path: "content[0].moons", lower: 0, upper: 10_000, unit: "moons") { count in
      let moons = [Moon](repeating: Moon(), count: count)
      return Self.scene(.orbitSystem(OrbitSystem(height: 1, moons: moons)))
    },
    List(path: "content[0].schedule", lower: 1, upper: 10_000, unit: "times") { count in
      Self.scene(.clock(TimelineClock(.explicit((0..<count).map(Double.init)))))
    },
  ]

  private func found(_ scene: Scene) -> [String] {
    let faults = SceneChecker.check(scene)
    guard !faults.isEmpty else { return [] }
    return "\(SceneLocations.built.error(faults))".split(separator: "\n").map(String.init)
  }

  @Test(arguments: lists.indices)
  func listsHaveAsManyElementsAsTheGuideSays(index: Int) {
    let list = Self.lists[index]
    #expect(found(list.scene(list.upper)) == [])
    #expect(
      found(list.scene(list.upper + 1)) == [
        "\(list.path): \(list.upper + 1) is out of range \(list.lower)...\(list.upper) \(list.unit)"
      ])
    let emptyPath = list.emptyPath ?? list.path
    let empty = "\(emptyPath): empty; \(list.lower)...\(list.upper) \(list.unit) are wanted"
    #expect(found(list.scene(0)) == (list.lower == 0 ? [] : [empty]))
  }

  /// There are as many properties as there may be tracks.
  @Test func eachPropertyHasOneTrack() {
    func tracks(_ properties: [ViewProperty]) -> Scene {
      Self.view {
        $0.keyframes = properties.map {
          KeyframeLoop(property: $0, steps: [.linear(1, duration: 1)])
        }
      }
    }
    #expect(found(tracks(ViewProperty.allCases)) == [])
    #expect(
      found(tracks(ViewProperty.allCases + [.blur])) == [
        "content[0].keyframes: 7 is out of range 0...6 tracks",
        "content[0].keyframes[6].property: \"blur\" is the name of another view or row",
      ])
  }

  /// Lists that are too long are refused while they are read, before anything is made of them.
  @Test func listsOfAFileHaveTheSameLimits() {
    func file(ofColors colors: Int) -> String {
      let list = [String](repeating: "\"red\"", count: colors).joined(separator: ",")
      return "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\ncolors = [\(list)]"
    }
    #expect(problems(file(ofColors: 256)) == [])
    #expect(problems(file(ofColors: 257)) == ["4:10: colors: 257 is out of range 1...256 colors"])
    func file(ofNames names: Int) -> String {
      let list = [String](repeating: "\"v\"", count: names).joined(separator: ",")
      return "[[content]]\nkind = \"view\"\nname = \"v\"\ndisc = 1\n[[command]]\nat = 1\n"
        + "show = [\(list)]"
    }
    #expect(problems(file(ofNames: 100_000)) == [])
    #expect(
      problems(file(ofNames: 100_001)) == ["7:8: show: 100001 is out of range 0...100000 names"])
  }

  // MARK: Names and texts

  struct Words: Sendable {
    let path: String
    let limit: Int
    let scene: @Sendable (String) -> Scene
  }

  static let words: [Words] = [
    Words(path: "name", limit: 100) { name in Scene(name) { Text("t") } },
    Words(path: "content[0].name", limit: 100) { name in
      Self.scene(.view(AnimatedView(name, .disc(radius: 1))))
    },
    Words(path: "content[0].rows[0].name", limit: 100) { name in
      Self.scene(.accordion(Accordion(AccordionRow(name))))
    },
    Words(path: "command[0].completion", limit: 100) { name in
      var scene = Self.view { _ in }
      scene.commands = [
        Command(at: 1) { CommandAction.show("v") }.withAnimation(.linear, completion: name)
      ]
      return scene
    },
    Words(path: "content[0].rows[0].title", limit: 1_000) { title in
      Self.scene(.accordion(Accordion(AccordionRow("r", title: title))))
    },
    Words(path: "content[0].text", limit: 1_000) { text in Self.scene(.text(Text(text))) },
    Words(path: "content[0].text", limit: 1_000) { text in Self.scene(.flowText(FlowText(text))) },
    Words(path: "content[0].text", limit: 1_000) { text in
      Self.scene(.view(AnimatedView("v", .text(text))))
    },
    Words(path: "content[0].cells[0].label", limit: 1_000) { text in
      Self.scene(.row(Row(cells: [.label(text)]).marquee(speed: 1)))
    },
  ]

  @Test(arguments: words.indices)
  func namesAndTextsAreAsLongAsTheGuideSays(index: Int) {
    let words = Self.words[index]
    // Two bytes each.
    let longest = String(repeating: "ä", count: words.limit / 2)
    #expect(found(words.scene(longest)) == [])
    #expect(
      found(words.scene(longest + "a"))
        == ["\(words.path): \(words.limit + 1) bytes of UTF-8, more than \(words.limit)"])
    #expect(
      found(words.scene(""))
        == ["\(words.path): empty; 1...\(words.limit) bytes of UTF-8 are wanted"])
    #expect(found(words.scene("a\u{7}b")) == ["\(words.path): holds the control character U+0007"])
  }

  // MARK: Entities

  /// A row, 3 moons, 2 moons and their planet, a view, a picture, two rows of three views with 2 moons, and 5
  /// digits and marks: 22 entities, besides the field's.
  private static let everything = Scene("s") {
    Text("t")
    Row(cells: [.label("a")]).marquee(speed: 1)
    OrbitSystem(height: 9, moons: 3)
    OrbitSystem(height: 9, moons: 2).parent("v")
    AnimatedView("v", .disc(radius: 1))
    FlowText("t")
    Accordion(AccordionRow("a", moons: 2), AccordionRow("b"))
    TimelineClock(.everyMinute, format: "mm:ss")
    Field.orbits(count: 10, radius: 1...2, duration: 3...4)
  }

  @Test(arguments: [22, 23, 40, 1_000])
  func everyKindOfThingCountsItsEntities(entities: Int) throws {
    #expect(SceneChecker.entityCount(of: Self.everything) == (fixed: 22, fields: 10))
    let options = ScenePlanOptions(entities: entities)
    let plan = try ScenePlan(Self.everything, options: options, text: FixedWidths())
    #expect(plan.entityCount == entities)
    #expect(plan.layout.entityCount == UInt64(entities))
  }

  @Test func fewerEntitiesThanAreFixedAreRefused() {
    let found = problems { () throws(SceneError) in
      try ScenePlan(Self.everything, options: ScenePlanOptions(entities: 21), text: FixedWidths())
    }
    #expect(
      found == [
        "--entities: 21 entities are fewer than the 22 that the scene has outside its fields"
      ])
  }

  /// What is out of range is said once, and not that there are too many of it as well.
  @Test func countsOutOfRangeCountAsNone() {
    func count(_ part: SceneContent) -> (fixed: Int, fields: Int) {
      SceneChecker.entityCount(of: Self.scene(part))
    }
    func field(_ count: Int) -> SceneContent {
      .field(.orbits(count: count, radius: 1...1, duration: 1...1))
    }
    #expect(count(.orbitSystem(OrbitSystem(height: 1, moons: 10_000))) == (10_000, 0))
    #expect(count(.orbitSystem(OrbitSystem(height: 1, moons: 10_001))) == (0, 0))
    #expect(count(.orbitSystem(OrbitSystem(height: 1, moons: -1))) == (0, 0))
    #expect(count(field(100_000_000)) == (0, 100_000_000))
    #expect(count(field(100_000_001)) == (0, 0))
    #expect(count(field(-1)) == (0, 0))
    #expect(count(.clock(TimelineClock(.everyMinute, format: "?"))) == (0, 0))
  }

  @Test func entitiesOfAllContentTogetherHaveALimit() {
    func scene(_ count: Int) -> Scene {
      Scene("s") {
        Row(cells: [.label("a")]).marquee(speed: 1)
        Field.orbits(count: count, radius: 1...2, duration: 3...4)
      }
    }
    #expect(found(scene(99_999_999)) == [])
    #expect(found(scene(100_000_000)) == ["content: 100000001 entities, more than 100000000"])
  }

  /// Three fields of one disc each: two of five are left over, for the first two; the largest rest first.
  @Test(
    arguments: [
      ([1, 1, 1], 5, [2, 2, 1]), ([1, 2, 4], 10, [1, 3, 6]), ([3, 1], 5, [4, 1]),
      ([1, 3], 5, [1, 4]), ([1, 1], 0, [0, 0]), ([2, 2], 4, [2, 2]),
    ] as [([Int], Int, [Int])])
  func fieldsShareEntitiesInProportion(counts: [Int], entities: Int, shares: [Int]) throws {
    // Of different properties, so that each field has its own batch; a row, so that there is one to keep.
    let properties = ViewProperty.allCases
    let scene = Scene("s") {
      Row(cells: [.label("a")]).marquee(speed: 1)
      for (index, count) in counts.enumerated() {
        Field.tweens(
          count: count,
          FieldTween(properties[index], end: .to(ValueRange(0...1)), duration: ValueRange(1...2)))
      }
    }
    let options = ScenePlanOptions(entities: entities + 1)
    let plan = try ScenePlan(scene, options: options, text: FixedWidths())
    #expect(plan.batches.dropFirst().map(\.count) == shares.filter { $0 > 0 })
    #expect(plan.entityCount == entities + 1)
  }
}
