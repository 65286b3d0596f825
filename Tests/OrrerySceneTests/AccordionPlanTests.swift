// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
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

  /// At a planet's place stands its disc, not what was drawn before it.
  @Test func planetsAreDrawnAsDiscs() throws {
    let plan = try plan()
    let message = try #require(plan.message("view"))
    let planet = try #require(plan.views?.views.firstIndex { $0.name == "one.planet" })
    let disc = plan.layout.sprites[Int(message.sprites[planet])].elements[0].disc
    #expect(Double(disc.radius) == OrbitLayout(height: 180, moonCount: 2).planetSize / 2)
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
    #expect(own.insertion == TransitionHalf(opacity: [-1]))
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

  /// Without a position: the first header 30 points below the top, in the middle of the width.
  @Test func accordionStandsBelowTheTop() throws {
    let scene = Scene("s", size: CGSize(width: 1000, height: 500)) { Accordion(AccordionRow("a")) }
    let plan = try ScenePlan(scene, text: FixedWidths())
    let message = try #require(plan.message("view"))
    // Panel, planet, header: 30 + 56/2; and 8 points and half a panel of 240 below the header.
    #expect(message.originX == [500, 500, 500])
    #expect(message.originY == [214, 214, 58])
    #expect(plan.views?.accordions.first?.panelHeights == [248])
  }

  /// A header's box, its planet, its title and a small disc for each moon, at most twelve.
  @Test func headersShowPlanetTitleAndMoons() throws {
    var moons = [Moon](repeating: Moon(), count: 13)
    moons[0].color = .red
    let accordion = Accordion(
      AccordionRow("one", title: "Io", color: .green, moons: 2), AccordionRow("two"),
      AccordionRow("three", moons: moons)
    ).frame(width: 400, rowHeight: 50, panelHeight: 200, spacing: 10)
    let sprites = try ScenePlan(Scene("s") { accordion }, text: FixedWidths()).layout.sprites
    let headers = sprites.filter { $0.elements[0].box.height == 50 }.map(\.elements)
    try #require(headers.map(\.count) == [5, 3, 15])
    #expect(headers.map { $0[0].box.width } == [400, 400, 400])
    #expect(headers.map { $0[0].box.cornerRadius } == [12, 12, 12])
    #expect(headers.map { $0[0].box.color } == [0xe5e5_eaff, 0xe5e5_eaff, 0xe5e5_eaff])
    #expect(headers.map { $0[2].text.text } == ["Io", "two", "three"])
    let one = headers[0]
    #expect(isNear(one.map(\.x), [-200, -170, -140, 163, 175]))
    #expect(isNear(one.map(\.y), [-25, 0, -8, 0, 0]))
    #expect(isNear([1, 3, 4].map { one[$0].disc.radius }, [12.5, 3.5, 3.5]))
    #expect([1, 3, 4].map { one[$0].disc.color } == [Color.green, .gray, .gray].map(\.rgba))
    #expect(one[2].text.font == "Noto Sans Semi-Bold 17")
    let three = headers[2]
    #expect(isNear((3..<15).map { three[$0].x }, (0..<12).map { 175 - 12 * Double(11 - $0) }))
    #expect(three[3].disc.color == Color.red.rgba)
    #expect(three[4].disc.color == Color.gray.rgba)
  }

  /// Corners are at most half of a row's height.
  @Test func cornersFitLowHeaders() throws {
    let accordion = Accordion(AccordionRow("a")).frame(width: 400, rowHeight: 20, panelHeight: 16)
    let sprites = try ScenePlan(Scene("s") { accordion }, text: FixedWidths()).layout.sprites
    let boxes = sprites.map { $0.elements[0].box }.filter { $0.width == 400 }
    #expect(boxes.map(\.height) == [16, 20])
    #expect(boxes.map(\.cornerRadius) == [8, 10])
    #expect(boxes.map(\.color) == [0xf2f2_f7ff, 0xe5e5_eaff])
  }

  /// A second accordion has rows, views and taps of its own.
  @Test func accordionsAreCountedInTheirOrder() throws {
    let other = Accordion(AccordionRow("x"), AccordionRow("y")).animation(.linear(duration: 7))
    let scene = Scene("s") {
      two
      other
    } commands: {
      Command(at: 1) { CommandAction.toggle("y") }
    }
    let views = try #require(try ScenePlan(scene, text: FixedWidths()).views)
    #expect(views.commands[0].transaction.actions == [.tap(accordion: 1, row: 1)])
    #expect(views.commands[0].transaction.animation == .linear(duration: 7))
    #expect(views.accordions.map(\.panels) == [[0, 1], [6, 7]])
    #expect(views.accordions.map(\.members) == [[[4, 0], [5, 1]], [[10, 6], [11, 7]]])
  }

  private func isNear(_ values: [Double], _ expected: [Double]) -> Bool {
    values.count == expected.count && zip(values, expected).allSatisfy { abs($0 - $1) < 1e-9 }
  }
}
