// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder
import Testing

/// Goal: what a scene does not say is what `docs/reference/scene-file.md` says.
///
/// Method: each default by its number; values that say nothing beside values that say what they leave out.
@Suite struct DefaultValueTests {
  @Test func viewsAreAtRest() {
    let values = ViewValues()
    #expect(
      [values.x, values.y, values.opacity, values.scale, values.rotation, values.blur]
        == [0, 0, 1, 1, 0, 0])
    #expect(ViewProperty.allCases.map(\.defaultValue) == [0, 0, 1, 1, 0, 0])
    #expect(
      ViewProperty.allCases.map(\.rawValue) == ["x", "y", "opacity", "scale", "rotation", "blur"])
  }

  @Test(arguments: ViewProperty.allCases) func eachPropertyIsItsOwn(property: ViewProperty) {
    var values = ViewValues()
    values[property] = 0.25
    for other in ViewProperty.allCases {
      #expect(values[other] == (other == property ? 0.25 : ViewValues()[other]), "\(other)")
    }
  }

  @Test func valuesOfAViewStandWhereTheyAreNamed() {
    let values = ViewValues(x: 1, y: 2, opacity: 3, scale: 4, rotation: 5, blur: 6)
    #expect(
      [values.x, values.y, values.opacity, values.scale, values.rotation, values.blur]
        == [1, 2, 3, 4, 5, 6])
    #expect(ViewProperty.allCases.map { values[$0] } == [1, 2, 3, 4, 5, 6])
  }

  @Test func accordionsTurnTheirMoonsInTenToAHundredSeconds() {
    #expect(Accordion(AccordionRow("a")).duration == ValueRange(10...100))
  }

  @Test func scenesAreASecondsSixtiethInAWhiteWindow() {
    let scene = Scene("s") {}
    #expect(scene.name == "s")
    #expect(scene.size == CGSize(width: 1280, height: 720))
    #expect(scene.background == .white)
    #expect(scene.rate == 60)
    #expect(scene.seed == 0)
    #expect(scene.locale == "en")
    #expect(scene.layoutDirection == nil)
    #expect(scene.dateSeconds == 0)
    #expect(scene.timeZone == "GMT")
    #expect(scene.content.isEmpty)
    #expect(scene.commands.isEmpty)
    let other = Scene(
      "o", size: CGSize(width: 1, height: 2), background: .red, rate: 30, seed: 4, locale: "ja",
      dateSeconds: 5, timeZone: "UTC"
    ) {
      Text("t")
    } commands: {
      Command(at: 6) { CommandAction.show("v") }
    }
    #expect(other.background == .red)
    #expect(other.rate == 30)
    #expect(other.seed == 4)
    #expect(other.locale == "ja")
    #expect(other.dateSeconds == 5)
    #expect(other.timeZone == "UTC")
    #expect(other.content == [.text(Text("t"))])
    #expect(other.commands.map(\.moment) == [.at(6)])
  }

  @Test func accordionsAreThoseOfTheArticle() {
    let accordion = Accordion(rows: [])
    #expect(accordion.rows.isEmpty)
    #expect(accordion.width == 480)
    #expect(accordion.rowHeight == 56)
    #expect(accordion.panelHeight == 240)
    #expect(accordion.spacing == 8)
    #expect(accordion.position?.x == nil)
    #expect(accordion.animation == .easeInOut)
    #expect(accordion.font == .headline)
    #expect(accordion.color == .black)
    #expect(accordion.headerColor.rgba == 0xe5e5_eaff)
    #expect(accordion.panelColor.rgba == 0xf2f2_f7ff)
    #expect(accordion.moonColor == .gray)
    #expect(accordion.transition == Accordion.defaultTransition)
    #expect(
      Accordion.defaultTransition.description
        == "asymmetric(insertion: move(edge: top).combined(with: scale(0.2, anchor: topTrailing))"
        + ".combined(with: opacity), removal: move(edge: top).combined(with: opacity))")
    #expect(accordion.frame() == accordion)
    let row = AccordionRow("r")
    #expect(row.name == "r")
    #expect(row.title == nil)
    #expect(row.color == .blue)
    #expect(row.moons == .count(0))
    let listed = AccordionRow("r", moons: [Moon(phase: 1)])
    #expect(listed.color == .blue)
    #expect(listed.title == nil)
    #expect(listed.moons == .list([Moon(duration: nil, phase: 1, color: nil)]))
  }

  @Test func rowsTextsAndClocksAreBlackInTheirOwnStyles() {
    let row = Row(currencies: ["EUR"])
    #expect((row.flagWidth, row.spacing, row.height) == (100, 8, 30))
    #expect(row.flagHeight == nil)
    #expect(row.color == .black)
    #expect(row.frame() == row)
    #expect(row.marquee(speed: 1).motions == [.marquee(speed: 1, direction: .leading)])
    #expect(
      row.ticker().motions == [
        .ticker(speed: nil, gap: nil, variant: .seamless, direction: .leading)
      ])
    let text = Text("t")
    #expect(text.font == .body)
    #expect(text.color == .black)
    #expect(text.alignment == .center)
    #expect(text.position?.x == nil)
    let clock = TimelineClock(.animation())
    #expect(clock.schedule == .animation(minimumInterval: nil, paused: false))
    #expect(clock.format == "HH:mm:ss")
    #expect(clock.font == .title)
    #expect(clock.color == .black)
    #expect(clock.position?.x == nil)
  }

  @Test func textsFlowToTheRightAfterASecond() {
    let flow = FlowText("t")
    #expect(flow.content == "t")
    #expect(flow.font == .system(size: 34, weight: .bold))
    #expect(flow.color == .black)
    #expect(flow.fill == .gradient(FlowText.spectrum, angle: nil))
    #expect(flow.speed == nil)
    #expect(flow.direction == .right)
    #expect(flow.start == 1)
    #expect(flow.variant == .seamless)
    #expect(flow.flow(.right) == flow)
    #expect(
      FlowText.spectrum.map(\.rgba) == [
        0xff3b_30ff, 0xff95_00ff, 0xffcc_00ff, 0x34c7_59ff, 0x32ad_e6ff, 0x5856_d6ff, 0xff2d_55ff,
        0xff3b_30ff,
      ])
    #expect(FlowText.Variant.allCases.map(\.rawValue) == ["seamless", "one-copy", "two-copies"])
    #expect(TickerVariant.allCases.map(\.rawValue) == ["seamless", "delta", "per-update"])
  }

  @Test func systemsAndFieldsHaveTheirColors() {
    for system in [
      OrbitSystem(height: 9, moons: 2),
      OrbitSystem(height: 9, moons: [Moon(duration: 3)]),
    ] {
      #expect(system.height == 9)
      #expect(system.center == nil)
      #expect(system.duration == ValueRange(lower: 10, upper: 100))
      #expect(system.planetColor == .blue)
      #expect(system.moonColor == .gray)
      #expect(system.parent?.count == nil)
    }
    #expect(Field.defaultDiscRadius == 1.5)
    #expect(Field.defaultColors == [.teal, .orange, .pink, .indigo])
    let tween = FieldTween(end: .to(ValueRange(1...2)), duration: ValueRange(3...4))
    #expect(tween.property == .x)
    #expect(tween.curve == .easeInOut)
    #expect(tween.autoreverses)
    #expect(tween.from == nil)
    let spring = FieldSpring(
      end: .to(ValueRange(1...2)), response: ValueRange(3...4), dampingRatio: ValueRange(5...6),
      every: ValueRange(7...8))
    #expect(spring.property == .x)
    #expect(spring.from == nil)
    for field in [
      Field.marquees(count: 1, speed: 1...2, period: 3...4),
      .orbits(count: 1, radius: 1...2, duration: 3...4), .tweens(count: 1, tween),
      .springs(count: 1, spring),
    ] {
      #expect(field.discRadius == 1.5)
      #expect(field.colors == Field.defaultColors)
    }
  }

  @Test func viewsAndTheirElementsArePlain() {
    let view = AnimatedView("v", .disc(radius: 3))
    #expect(view.name == "v")
    #expect(view.elements == [ViewElement(.disc(radius: 3), color: .black, center: .zero)])
    #expect(view.initial == ViewValues())
    #expect(!view.isHidden)
    #expect(view.position?.x == nil)
    #expect(view.size == nil)
    #expect(view.transition?.description == nil)
    #expect(view.parent?.count == nil)
    #expect(view.keyframes.isEmpty)
    #expect(view.phases.isEmpty)
    #expect(
      ViewElement.text("t") == .text("t", font: .body, color: .black, alignment: .center))
    #expect(
      ViewElement.box(width: 1, height: 2)
        == .box(width: 1, height: 2, cornerRadius: 0, color: .black))
    #expect(ViewElement.flag("EU") == .flag("EU", width: 100))
    #expect(KeyframeLoop(property: .x, steps: []).repeats)
    #expect(view.keyframes(.x).keyframes.map(\.repeats) == [true])
    #expect(
      KeyframeStep.linear(1, duration: 2) == .linear(1, duration: 2, timingCurve: .linear))
    #expect(
      KeyframeStep.cubic(1, duration: 2)
        == .cubic(1, duration: 2, startVelocity: nil, endVelocity: nil))
    #expect(ViewPhase(x: 1) == ViewPhase([ViewChange(.x, 1)], animation: .default))
  }

  @Test func commandsAreNotAnimatedUnlessTheySaySo() {
    let plain = Command(at: 1) { CommandAction.show("v") }
    #expect(plain.moment == .at(1, every: nil))
    #expect(plain.animation == nil)
    #expect(plain.completion == nil)
    #expect(plain.criteria == .logicallyComplete)
    #expect(Command(after: "c") { CommandAction.show("v") }.moment == .after("c", delay: 0))
    let animated = plain.withAnimation()
    #expect(animated.animation == .default)
    #expect(animated.completion == nil)
    #expect(animated.criteria == .logicallyComplete)
  }
}
