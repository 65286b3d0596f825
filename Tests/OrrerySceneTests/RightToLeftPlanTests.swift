// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a scene whose language runs from right to left is the mirror image of the same scene from
/// left to right, glyphs, orbits and digits excepted.
///
/// Method: plan scenes with texts of known widths, and compare with numbers worked out by hand or
/// with the plan from left to right.
@Suite struct RightToLeftPlanTests {
  /// Labels of 30, 20 and 40 points after flags of 100, spacing 8: 430 points, period 438.
  private let three = Row(cells: [
    .label("a", flag: "EU"), .label("b", flag: "JP"), .label("c", flag: "CH"),
  ])
  private let widths = FixedWidths(widths: ["a": 30, "b": 20, "c": 40, "t": 120])

  private func plan(
    _ content: SceneContent..., direction: LayoutDirection? = .rightToLeft, locale: String = "en",
    width: Double = 400, commands: [Command] = []
  ) throws -> ScenePlan {
    let scene = Scene(
      "s", size: CGSize(width: width, height: 300), rate: 100, locale: locale,
      layoutDirection: direction
    ) {
      content
    } commands: {
      commands
    }
    return try ScenePlan(scene, text: widths)
  }

  // MARK: Direction

  @Test(
    arguments: [
      ("ar", nil, true), ("he", nil, true), ("fa_AF", nil, true), ("en", nil, false),
      ("ja", nil, false), ("ar", .leftToRight, false), ("de", .rightToLeft, true),
    ] as [(String, LayoutDirection?, Bool)])
  func languageDecidesUnlessTheSceneDoes(
    locale: String, direction: LayoutDirection?, isMirrored: Bool
  ) throws {
    let text = Text("t").position(x: 40, y: 20)
    let fixture = try plan(.text(text), direction: direction, locale: locale).layout.fixtures[0]
    #expect((fixture.x, fixture.y) == (isMirrored ? 360 : 40, 20))
  }

  @Test func optionForTheLocaleMirrorsAFile() throws {
    let file = try SceneFile.decode(
      "[[content]]\nkind = \"text\"\ntext = \"t\"\nposition = [80, 20]", file: "f")
    let arabic = try ScenePlan(file, options: ScenePlanOptions(locale: "ar"), text: widths)
    #expect(arabic.layout.fixtures[0].x == 1200)
    #expect(try ScenePlan(file, text: widths).layout.fixtures[0].x == 80)
  }

  // MARK: Rows

  @Test func cellsFollowFromTheRightAndFlagsAreBeforeTheirLabels() throws {
    let plan = try plan(.row(three.marquee(speed: 60)))
    let elements = plan.layout.sprites[0].elements
    #expect(elements.map(\.text.text) == ["🇪🇺", "a", "🇯🇵", "b", "🇨🇭", "c"])
    #expect(elements.map(\.x) == [330, 292, 184, 156, 48, 0])
    // The frame is from 10 to 390, and the first flag ends where the frame does.
    #expect(plan.layout.batches[0].originX == [390 - 430])
    #expect(plan.layout.sprites[0].tilePeriod == 438)
  }

  @Test(
    arguments: [
      (.leading, .left, .right), (.trailing, .right, .left), (.left, .left, .left),
      (.right, .right, .right),
    ] as [(MarqueeDirection, MarqueeSpec.Direction, MarqueeSpec.Direction)])
  func leadingIsTheSideWhereLinesBegin(
    direction: MarqueeDirection, leftToRight: MarqueeSpec.Direction,
    rightToLeft: MarqueeSpec.Direction
  ) throws {
    for row in [
      three.marquee(speed: 60, direction: direction), three.ticker(direction: direction),
    ] {
      #expect(
        try plan(.row(row), direction: .leftToRight).marquees.map(\.direction) == [leftToRight])
      #expect(try plan(.row(row)).marquees.map(\.direction) == [rightToLeft])
    }
  }

  @Test func offsetsPointToTheLeft() throws {
    let animated = try plan(.row(three.animation(from: -730, to: 0, duration: 60)))
    #expect(animated.tweens == [TweenSpec(from: 730, to: 0, period: 60)])
    let timed = try plan(.row(three.timer(start: -1550, step: 3, interval: 1, resetAt: 330)))
    #expect(timed.timers == [TimerSpec(start: 1550, step: -3, resetAt: -330, interval: 1)])
    #expect(timed.timers[0].loopTicks == 627)
    // Two copies of 438 and 430 points are in the middle of their frame, as from left to right.
    #expect(timed.layout.batches[0].originX == [10 - 244])
  }

  @Test func clipIsWhereTheFrameIs() throws {
    let row = three.ticker().position(x: 100, y: 50).frame(width: 60, height: 40).clipped()
    let layout = try plan(.row(row)).layout
    #expect(Double(layout.batches[0].originX[0]) + layout.sprites[0].clip.x == 270)
    #expect(layout.sprites[0].clip.width == 60)
  }

  private func ticker(
    _ variant: TickerVariant, direction: MarqueeDirection = .leading,
    layoutDirection: LayoutDirection = .rightToLeft
  ) throws -> ScenePlan {
    let row = Row(cells: [.label("t")])
      .ticker(variant: variant, direction: direction).frame(width: 360).position(x: 180, y: 100)
    return try plan(.row(row), direction: layoutDirection)
  }

  /// The frame is from 40 to 400; a text of 120 points begins at its right edge and moves right.
  @Test func tickersRunTheOtherWay() throws {
    let seamless = try ticker(.seamless)
    #expect(
      seamless.marquees == [MarqueeSpec(period: 360, speed: 50, direction: .right, phase: 0)])
    #expect(seamless.layout.batches[0].originX == [280])
    let delta = try ticker(.delta)
    #expect((delta.timers[0].step, delta.timers[0].resetAt) == (0.5, 360))
    #expect(delta.layout.sprites[0].elements.map(\.x) == [0, -360])
    #expect(delta.layout.batches[0].originX == [280])
    let perUpdate = try ticker(.perUpdate).timers[0]
    #expect((perUpdate.start, perUpdate.step, perUpdate.resetAt) == (0, 1, 360))
  }

  /// The second copy comes behind the first, whichever side that is.
  @Test func tickersHaveADirectionOfTheirOwn() throws {
    let delta = try ticker(.delta, direction: .trailing, layoutDirection: .leftToRight)
    #expect((delta.timers[0].step, delta.timers[0].resetAt) == (0.5, 360))
    #expect(delta.layout.sprites[0].elements.map(\.x) == [0, -360])
    #expect(delta.layout.batches[0].originX == [0])
    let left = try ticker(.delta, direction: .left)
    #expect((left.timers[0].step, left.timers[0].resetAt) == (-0.5, -360))
    #expect(left.layout.sprites[0].elements.map(\.x) == [0, 360])
  }

  // MARK: Texts, views, accordions

  @Test(
    arguments: [(.leading, -120), (.center, -60), (.trailing, 0)] as [(TextAlignment, Double)])
  func alignmentFollowsTheLeadingSide(alignment: TextAlignment, x: Double) throws {
    let text = Text("t").position(x: 40, y: 20).alignment(alignment)
    #expect(try plan(.text(text)).layout.sprites[0].elements[0].x == x)
    let element = ViewElement.text("t", alignment: alignment).offset(x: 5, y: 1)
    let view = try plan(.view(AnimatedView("v", element))).layout.sprites[0].elements[0]
    #expect(view.x == x - 5)
  }

  @Test func shapesOfAViewAreMirrored() throws {
    let view = AnimatedView(
      "v", .box(width: 40, height: 20).offset(x: 100), .disc(radius: 5).offset(x: -30, y: 50),
      .flag("EU", width: 10).offset(x: 7))
    let layout = try plan(.view(view.position(x: 100, y: 60))).layout
    #expect(layout.sprites[0].elements.map(\.x) == [-120, 30, -12])
    #expect(layout.batches[0].originX == [300])
    #expect(layout.batches[0].originY == [60])
  }

  @Test(
    arguments: [
      .move(edge: .leading), .move(edge: .trailing), .slide, .push(from: .leading),
      .offset(x: 3, y: 4), .scale(scale: 0.2, anchor: .topTrailing), .move(edge: .top),
    ] as [AnyTransition])
  func transitionsMoveToTheOtherSide(transition: AnyTransition) throws {
    // Off the middle, so that the side of the anchor counts.
    let view = AnimatedView("v", .box(width: 90, height: 50).offset(x: 100)).transition(transition)
    func halves(_ direction: LayoutDirection) throws -> [TransitionHalf] {
      let plan = try plan(.view(view), direction: direction).views?.views[0].transition
      return [try #require(plan?.insertion), try #require(plan?.removal)]
    }
    for (mirrored, plain) in zip(try halves(.rightToLeft), try halves(.leftToRight)) {
      #expect(mirrored.x.count == plain.x.count)
      for (one, other) in zip(mirrored.x, plain.x) { #expect(abs(one + other) < 1e-9) }
      #expect((mirrored.y, mirrored.scale) == (plain.y, plain.scale))
    }
  }

  @Test func leadingEdgeIsTheRightOne() throws {
    let view = AnimatedView("v", .box(width: 90, height: 50)).transition(.move(edge: .leading))
    #expect(try plan(.view(view)).views?.views[0].transition?.insertion.x == [90])
  }

  /// x and clockwise turns change their sign wherever a scene sets them; nothing else does.
  @Test func changesOfViewsAreMirrored() throws {
    var view = AnimatedView("v", .disc(radius: 1)).offset(x: 5, y: 6)
    view.keyframes = [KeyframeLoop(property: .x, repeats: false, steps: [.move(7)])]
    let command = Command(at: 1) {
      CommandAction.set("v", x: 8, y: 9, opacity: 0.5, rotation: 2)
    }
    let plan = try plan(.view(view), commands: [command])
    let views = try #require(plan.views)
    #expect(views.views[0].initial[...1] == [-5, 6])
    #expect(views.commands[0].transaction.actions == [.set(view: 0, .x, -7)])
    #expect(
      Set(views.commands[1].transaction.actions.map { "\($0)" })
        == Set(
          ([
            .set(view: 0, .x, -8), .set(view: 0, .y, 9), .set(view: 0, .opacity, 0.5),
            .set(view: 0, .rotation, -2),
          ] as [ActionPlan]).map { "\($0)" }))
    let live = try plan.liveNames.command(
      TOMLParser.parse("set = { v = { x = 12 } }", depthMax: SceneLimits.fileDepthMax))
    #expect(live.transaction.actions == [.set(view: 0, .x, -12)])
  }

  @Test func headersBeginAtTheRight() throws {
    let accordion = Accordion(AccordionRow("one", title: "b", moons: 2))
      .frame(width: 300, rowHeight: 50).position(x: 160, y: 10)
    let plan = try plan(.accordion(accordion))
    let header = try #require(plan.layout.sprites.first { $0.elements.count == 5 })
    // Box, planet, title of 20 points, two moons.
    #expect(header.elements.map(\.x) == [-150, 120, 70, -113, -125])
    #expect(plan.message("view")?.originX == [240, 240, 240])
    #expect(plan.message("orbit")?.originX == [240])
  }

  @Test func digitsKeepTheirOrder() throws {
    let clock = TimelineClock(.everyMinute, format: "mm").position(x: 100, y: 50)
    #expect(try plan(.clock(clock)).message("clock")?.originX == [290, 300])
  }

  /// Positions of the built-in scenes; all texts are equally wide.
  @Test(arguments: BuiltInScenes.names.filter { $0 != "stress" })
  func builtInScenesAreMirrored(name: String) throws {
    let file = try SceneSource.load(nameOrPath: name)
    let plain = try ScenePlan(file, text: FixedWidths()).layout
    let arabic = try ScenePlan(file, options: ScenePlanOptions(locale: "ar"), text: FixedWidths())
      .layout
    #expect(arabic.fixtures.map(\.x) == plain.fixtures.map { plain.width - $0.x })
    #expect(arabic.fixtures.map(\.y) == plain.fixtures.map(\.y))
    #expect(arabic.batches.map(\.kind) == plain.batches.map(\.kind))
    for (one, other) in zip(arabic.batches, plain.batches) {
      #expect(one.originY == other.originY)
      guard ["view", "orbit", "flow"].contains(one.kind) else { continue }
      #expect(one.originX == other.originX.map { Float(plain.width) - $0 })
    }
  }
}
