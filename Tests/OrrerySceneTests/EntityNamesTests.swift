// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: who has a scene's static part knows what its entities are called, and by which words to ask.
///
/// Method: compare the names of the built-in scenes with their plans; ask for every name there is.
@Suite struct EntityNamesTests {
  private static func plan(_ scene: String) throws -> ScenePlan {
    try ScenePlan(try SceneSource.load(nameOrPath: scene), text: FixedWidths())
  }

  /// The first entity of the views, and the views.
  private static func views(_ plan: ScenePlan) throws -> (first: Int, views: [ViewPlan]) {
    let views = try #require(plan.views).views
    return (Int(try #require(plan.message("view")).firstEntity), views)
  }

  @Test(arguments: [
    "completions", "completions-as-written", "planets", "planets-as-written", "timeline",
    "timeline-as-written",
  ])
  func everyViewOfABuiltInSceneHasItsNameInTheLayout(scene: String) throws {
    let plan = try Self.plan(scene)
    let (first, views) = try Self.views(plan)
    let own = plan.layout.names.filter { $0.entityCount == 0 }
    #expect(own.map(\.name) == views.map(\.name))
    #expect(own.map { Int($0.firstEntity) } == Array(first..<first + views.count))
  }

  @Test(arguments: ["flags", "flags-linear", "flags-timer", "flow-text", "stress"])
  func layoutOfASceneWithoutViewsHasNoNames(scene: String) throws {
    #expect(try Self.plan(scene).layout.names.isEmpty)
  }

  @Test func moonsOfARowShareAName() throws {
    let plan = try Self.plan("planets")
    let moons = plan.layout.names.filter { $0.entityCount > 0 }
    #expect(moons.map(\.name) == ["Mars.moon", "Jupiter.moon", "Saturn.moon", "Uranus.moon"])
    #expect(moons.map(\.entityCount) == [2, 4, 7, 5])
    let first = try #require(plan.message("orbit")).firstEntity
    #expect(moons.map { $0.firstEntity - first } == [0, 2, 6, 13])
  }

  /// The bytes of names must not grow with entities that have none, or share one.
  @Test func namesOfAMillionEntitiesAreSmall() throws {
    let scene = Scene("s") {
      Field.marquees(count: 1_000_000, speed: 10...120, period: 40...400)
      Accordion(AccordionRow("Mars", moons: 10_000))
    }
    let plan = try ScenePlan(scene, text: FixedWidths())
    #expect(plan.entityCount == 1_010_003)
    var names = Orrery_SceneLayout()
    names.names = plan.layout.names
    let bytes: [UInt8] = try names.serializedBytes()
    #expect(bytes.count < 100)
    let last = try #require(EntityNames(plan.layout).entities(named: "Mars.moon[9999]").first)
    #expect(EntityNames(plan.layout).name(of: last.lowerBound) == "Mars.moon[9999]")
  }

  @Test(arguments: ["completions", "planets"])
  func nameOfAnEntityMeansThatEntity(scene: String) throws {
    let plan = try Self.plan(scene)
    let names = EntityNames(plan.layout)
    for entity in 0..<plan.entityCount {
      let name = try #require(names.name(of: entity), "entity \(entity)")
      #expect(names.entities(named: name) == [entity..<entity + 1], "\(name)")
    }
    #expect(names.name(of: plan.entityCount) == nil)
    #expect(names.name(of: -1) == nil)
  }

  @Test func groupIsAllWhoseNamesBeginWithIt() throws {
    let plan = try Self.plan("planets")
    let names = EntityNames(plan.layout)
    let members = names.entities(named: "Mars").flatMap { $0.compactMap(names.name) }
    #expect(
      Set(members) == [
        "Mars.panel", "Mars.planet", "Mars.header", "Mars.moon[0]", "Mars.moon[1]",
      ])
    #expect(members.count == 5)
    #expect(names.entities(named: "Mars.moon").map(\.count) == [2])
  }

  @Test(arguments: [
    "", "Mar", "mars", "Mars.", "Mars.moon[2]", "Mars.moon[-1]", "Mars.moon[]", "Mars.moon[x]",
    "Mars.header[0]", "[0]", "]",
  ])
  func whatIsNoNameMeansNothing(name: String) throws {
    #expect(EntityNames(try Self.plan("planets").layout).entities(named: name) == [])
  }

  @Test func misspeltNameHasANearest() throws {
    let names = EntityNames(try Self.plan("planets").layout)
    #expect(names.nearest(to: "Jupitre") == "Jupiter")
    #expect(names.nearest(to: "Mars.haeder") == "Mars.header")
    #expect(names.nearest(to: "something else") == nil)
  }

  @Test func viewOfAnOrbitSystemThatMovesHasANameAndItsMoonsToo() throws {
    let scene = Scene("s") {
      AnimatedView("base", .disc(radius: 1))
      OrbitSystem(height: 100, moons: 3)
      OrbitSystem(height: 100, moons: 2).parent("base")
    }
    let plan = try ScenePlan(scene, text: FixedWidths())
    #expect(
      plan.layout.names.map(\.name).sorted() == ["base", "planet 1", "planet 1.moon"])
    let names = EntityNames(plan.layout)
    #expect(names.wordsMax == 2)
    let orbits = Int(try #require(plan.message("orbit")).firstEntity)
    #expect(names.entities(named: "planet 1.moon") == [orbits + 3..<orbits + 5])
    #expect(names.name(of: orbits) == nil)
  }
}
