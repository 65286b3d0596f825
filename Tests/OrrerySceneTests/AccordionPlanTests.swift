// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import Testing

/// Goal: an accordion is planned as one group of rows whose panels push the rows below down.
///
/// Method: plan accordions and compare indexes, places and taps with values worked out by hand.
@Suite struct AccordionPlanTests {
  private let two = Accordion(
    AccordionRow("one", title: "Ganymede", moons: 2), AccordionRow("two", title: "Ganymede")
  ).frame(width: 400, rowHeight: 50, panelHeight: 200, spacing: 10).position(x: 640, y: 100)

  private func plan(_ commands: [Command] = []) throws -> ScenePlan {
    let scene = Scene("s") {
      AnimatedView("first", .disc(radius: 1))
      two
    } commands: {
      commands
    }
    return try ScenePlan(scene, text: FixedWidths())
  }

  @Test func rowsAreViewsBelowEachOther() throws {
    let plan = try plan()
    let views = try #require(plan.views)
    #expect(
      views.views.map(\.name) == [
        "first", "one.panel", "two.panel", "one.planet", "two.planet", "one.header", "two.header",
      ])
    #expect(views.views.map(\.isShown) == [true, false, false, true, true, true, true])
    let accordion = try #require(views.accordions.first)
    #expect(accordion.panels == [1, 2])
    #expect(accordion.members == [[5, 1], [6, 2]])
    #expect(accordion.panelHeights == [210, 210])
    #expect(accordion.open == nil)
    let message = try #require(plan.message("view"))
    #expect(message.originY == [360, 260, 320, 260, 320, 125, 185])
    #expect(message.originX.dropFirst().allSatisfy { $0 == 640 })
  }

  /// Planet and moons move with the panel, and no fixture stays behind.
  @Test func moonsMoveWithTheirPanel() throws {
    let plan = try plan()
    #expect(plan.message("view")?.parents == [0, 0, 0, 2, 3, 0, 0])
    #expect(plan.message("orbit")?.parents == [2])
    #expect(plan.message("orbit")?.originY == [260])
    #expect(plan.layout.fixtures.isEmpty)
    #expect(
      plan.orbits.map(\.radius) == [0, 1].map { OrbitLayout(height: 180, moonCount: 2).radius($0) })
  }

  /// [S4-04] Rows with equal titles and different names: a tap on the first is on the first only.
  @Test func tapsGoByNameNotByTitle() throws {
    let views = try #require(try plan([Command(at: 1) { CommandAction.toggle("one") }]).views)
    #expect(views.commands.map(\.transaction.actions) == [[.tap(accordion: 0, row: 0)]])
  }

  /// [S4-03] A tap that says no animation has the accordion's, easeInOut, complete after 0.35 s.
  @Test func tapsHaveTheAccordionsAnimation() throws {
    let own = Command(at: 1) { CommandAction.toggle("two") }.withAnimation(.linear(duration: 9))
    let views = try #require(
      try plan([Command(at: 1) { CommandAction.toggle("one") }, own]).views)
    #expect(views.commands[0].transaction.animation == .easeInOut)
    #expect(views.commands[0].transaction.animation?.course()?.end == 0.35)
    #expect(views.commands[1].transaction.animation == .linear(duration: 9))
  }

  @Test func transitionIsTheArticlesUnlessTheAccordionSaysItsOwn() throws {
    let insertion = try #require(try plan().views?.views[1].transition?.insertion)
    // Away by 1: up by the height, and a fifth as large.
    #expect(abs(insertion.scale.reduce(1, +) - 0.2) < 1e-12)
    let scene = Scene("s") { two.transition(.opacity) }
    let own = try #require(try ScenePlan(scene, text: FixedWidths()).views?.views[0].transition)
    #expect(own.insertion == TransitionForm(opacity: [-1]))
  }

  @Test func openRowsOfTheSceneChangeInTurn() throws {
    let file = try SceneSource.load(nameOrPath: "planets")
    let plan = try ScenePlan(file, text: FixedWidths())
    let views = try #require(plan.views)
    #expect(
      views.commands.map(\.transaction.actions)
        == [0, 1, 2, 2].map { [.tap(accordion: 0, row: $0)] })
    #expect(views.commands.map(\.time) == [1, 4, 8, 12])
    #expect(plan.orbits.count == 18)
  }

  /// A panel's rectangle and its transitions have its middle at the view's place.
  @Test func panelsAreCenteredOnTheirViews() throws {
    let accordion = two.transition(.scale(scale: 0.2, anchor: .center))
    let plan = try ScenePlan(Scene("s") { accordion }, text: FixedWidths())
    let panel = try #require(plan.views?.views.first { $0.name == "one.panel" })
    let transition = try #require(panel.transition)
    for form in [transition.insertion, transition.removal] {
      let far = (form.x + form.y).first { abs($0) > 1e-9 }
      #expect(far == nil)
    }
    var boxes: [Orrery_Element] = []
    for sprite in plan.layout.sprites {
      for element in sprite.elements where element.box.width == 400 && element.box.height == 200 {
        boxes.append(element)
      }
    }
    #expect(boxes.map { $0.x } == [-200])
    #expect(boxes.map { $0.y } == [-100])
  }
}
