// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: copies of a scene are as many scenes on top of each other, which can be drawn and steered.
///
/// Method: plan small scenes with copies; compare every column of the layout, names and actions with those of one.
@Suite struct SceneCopiesTests {
  /// An accordion with moons, a view with a command, a marquee and a text.
  private static let scene = Scene("s") {
    Text("at rest")
    Row(currencies: ["EUR"]).marquee(speed: 1)
    Accordion(AccordionRow("Mars", moons: 2), AccordionRow("Venus"))
    AnimatedView("card", .disc(radius: 3)).position(x: 9, y: 8)
  } commands: {
    Command(at: 1) { CommandAction.set("card", x: 5) }
      .withAnimation(.linear(duration: 1), completion: "there")
    Command(after: "there") { CommandAction.toggle("Mars") }
  }

  private static func plan(
    _ copies: Int?, viewsOnly: Bool = false, of scene: Scene = scene
  ) throws(SceneError) -> ScenePlan {
    var options = ScenePlanOptions()
    (options.copies, options.copiesViewsOnly) = (copies, viewsOnly)
    return try ScenePlan(scene, options: options, text: FixedWidths())
  }

  @Test func oneCopyIsTheSceneItself() throws {
    let (none, one) = (try Self.plan(nil), try Self.plan(1))
    #expect(try one.layout.serializedBytes() == (try none.layout.serializedBytes() as [UInt8]))
  }

  /// A batch's column as it is for each entity.
  private static func column<Value>(_ values: [Value], _ batch: Orrery_Batch) -> [Value] {
    values.count == 1 ? Array(repeating: values[0], count: Int(batch.entityCount)) : values
  }

  @Test(arguments: [false, true])
  func everyCopyLooksLikeTheFirst(viewsOnly: Bool) throws {
    let (one, three) = (try Self.plan(nil), try Self.plan(3, viewsOnly: viewsOnly))
    #expect(three.layout.options.copies == 3)
    #expect(three.layout.options.copiesViewsOnly == viewsOnly)
    #expect(three.layout.sprites == one.layout.sprites)
    #expect(three.layout.fixtures == one.layout.fixtures)
    #expect(three.layout.entityCount == UInt64(three.entityCount))
    var next = UInt32(0)
    let oneViews = try #require(one.message("view"))
    let views = try #require(three.message("view"))
    for (batch, other) in zip(one.layout.batches, three.layout.batches) {
      let copies = batch.kind == "view" || !viewsOnly ? 3 : 1
      #expect(other.firstEntity == next && other.kind == batch.kind)
      #expect(other.entityCount == batch.entityCount * UInt32(copies))
      next += other.entityCount
      func times<Value>(_ values: [Value]) -> [Value] {
        Array(repeatElement(Self.column(values, batch), count: copies).joined())
      }
      #expect(Self.column(other.originX, other) == times(batch.originX))
      #expect(Self.column(other.originY, other) == times(batch.originY))
      #expect(Self.column(other.sprites, other) == times(batch.sprites))
      guard !batch.parents.isEmpty else { continue }
      // A parent is counted from 1, by its number in the scene.
      let own = Self.column(batch.parents, batch).map { $0 == 0 ? 0 : $0 - oneViews.firstEntity }
      let expected = (0..<copies).flatMap { copy in
        own.map { $0 == 0 ? 0 : $0 + views.firstEntity + UInt32(copy) * oneViews.entityCount }
      }
      #expect(Self.column(other.parents, other) == expected, "\(batch.kind)")
    }
  }

  @Test func namesOfCopiesEndInTheirNumber() throws {
    let names = try Self.plan(3).layout.names
    #expect(names.map(\.firstEntity) == names.map(\.firstEntity).sorted())
    let known = EntityNames(try Self.plan(3).layout)
    let plan = try Self.plan(3)
    for (copy, suffix) in ["", "#1", "#2"].enumerated() {
      let (card, moons) = try (
        #require(names.first { $0.name == "card" + suffix }),
        #require(names.first { $0.name == "Mars.moon" + suffix })
      )
      let views = try #require(plan.message("view"))
      #expect(card.firstEntity == views.firstEntity + UInt32(copy) * 7 + 6)
      let orbits = try #require(plan.message("orbit"))
      #expect(moons.firstEntity == orbits.firstEntity + UInt32(copy) * 2 && moons.entityCount == 2)
      #expect(known.name(of: Int(card.firstEntity)) == "card" + suffix)
    }
  }

  @Test func commandsToARunReachTheCopyThatTheyName() throws {
    let plan = try Self.plan(3)
    func actions(_ key: String, _ name: String) throws -> [ActionPlan] {
      try plan.liveNames.command([key: .string(name)]).transaction.actions
    }
    #expect(try actions("hide", "card") == [.hide(view: 6)])
    #expect(try actions("hide", "card#2") == [.hide(view: 20)])
    #expect(try actions("toggle", "Venus#1") == [.tap(accordion: 1, row: 1)])
    let views = try #require(plan.views)
    #expect(views.completions == ["there", "there#1", "there#2"])
    #expect(views.reactions.map(\.completion) == [0, 1, 2])
    let command = try plan.liveNames.command([
      "toggle": .string("card#1"), "completion": .string("there#1"), "animation": .string("easeIn"),
    ])
    #expect(command.transaction.completion == 1)
  }

  /// A tap in a copy opens that copy's panel, and moves that copy's rows.
  @Test func accordionsOfCopiesHaveTheirOwnViews() throws {
    let one = try #require(try Self.plan(nil).views)
    let three = try #require(try Self.plan(3).views)
    let own = try #require(one.accordions.first)
    #expect(three.accordions.count == 3)
    for (copy, accordion) in three.accordions.enumerated() {
      let first = copy * one.views.count
      #expect(accordion.panels == own.panels.map { $0 + first })
      #expect(accordion.members == own.members.map { $0.map { $0 + first } })
      let names = ["Mars.panel", "Venus.panel"].map { $0 + (copy == 0 ? "" : "#\(copy)") }
      #expect(accordion.panels.map { three.views[$0].name } == names)
    }
  }

  @Test func hostileNumbersHaveOneLine() throws {
    #expect(
      problems { () throws(SceneError) in try Self.plan(0) }
        == ["--copies: 0 is out of range 1...10000000 copies"])
    #expect(
      problems { () throws(SceneError) in try Self.plan(-1) }
        == ["--copies: -1 is out of range 1...10000000 copies"])
    #expect(
      problems { () throws(SceneError) in try Self.plan(10_000_001) }
        == ["--copies: 10000001 is out of range 1...10000000 copies"])
    let stress = Scene("t") { Field.marquees(count: 11, speed: 1...2, period: 5...6) }
    #expect(
      problems { () throws(SceneError) in try Self.plan(10_000_000, of: stress) }
        == ["--copies: 110000000 entities, more than 100000000"])
    var options = ScenePlanOptions()
    (options.copies, options.shard) = (2, Shard(0, of: 2))
    #expect(
      problems { () throws(SceneError) in
        try ScenePlan(Self.scene, options: options, text: FixedWidths())
      } == ["--copies: a scene in copies is not divided into shards"])
  }
}
