// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder
import Testing

/// Goal: a modifier sets what it is called after, to what it was given, and leaves all else.
///
/// Method: each modifier beside the same value with that one property set.
@Suite struct VocabularyModifierTests {
  /// A copy with a change.
  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
  }

  @Test func accordionsAreModified() {
    let plain = Accordion(AccordionRow("a"), AccordionRow("b"))
    #expect(plain.rows.map(\.name) == ["a", "b"])
    #expect(
      plain.position(x: 1, y: 2) == with(plain) { $0.position = CGPoint(x: 1, y: 2) })
    let framed = with(plain) {
      $0.width = 1
      $0.rowHeight = 2
      $0.panelHeight = 3
      $0.spacing = 4
    }
    #expect(plain.frame(width: 1, rowHeight: 2, panelHeight: 3, spacing: 4) == framed)
    #expect(framed.frame() == plain)
    #expect(plain.transition(.slide) == with(plain) { $0.transition = .slide })
    #expect(plain.animation(.bouncy) == with(plain) { $0.animation = .bouncy })
    #expect(plain.font(.caption) == with(plain) { $0.font = .caption })
    #expect(plain.foregroundColor(.red) == with(plain) { $0.color = .red })
    let painted = with(plain) {
      $0.headerColor = .mint
      $0.panelColor = .teal
    }
    #expect(plain.background(header: .mint, panel: .teal) == painted)
    let row = AccordionRow("n", title: "t", color: .red, moons: 3)
    #expect((row.name, row.title) == ("n", "t"))
    #expect(row.color == .red)
    #expect(row.moons == .count(3))
    let listed = AccordionRow("n", title: "t", color: .red, moons: [Moon(duration: 5)])
    #expect((listed.name, listed.title) == ("n", "t"))
    #expect(listed.color == .red)
    #expect(listed.moons == .list([Moon(duration: 5)]))
  }

  @Test func flowTextsAreModified() {
    let plain = FlowText("t")
    #expect(plain.font(.caption) == with(plain) { $0.font = .caption })
    #expect(plain.foregroundColor(.red) == with(plain) { $0.color = .red })
    #expect(
      plain.position(x: 1, y: 2) == with(plain) { $0.position = CGPoint(x: 1, y: 2) })
    #expect(plain.background(.image("a.png")) == with(plain) { $0.fill = .image("a.png") })
    let flowing = with(plain) {
      $0.direction = .up
      $0.speed = 30
      $0.start = 2
      $0.variant = .twoCopies
    }
    #expect(plain.flow(.up, speed: 30, start: 2, variant: .twoCopies) == flowing)
    #expect(flowing.flow(.right) == plain)
  }

  @Test func clocksAndTextsAreModified() {
    let clock = TimelineClock(.everyMinute, format: "ss")
    #expect(clock.format == "ss")
    #expect(clock.schedule == .everyMinute)
    #expect(clock.font(.caption) == with(clock) { $0.font = .caption })
    #expect(clock.foregroundColor(.red) == with(clock) { $0.color = .red })
    #expect(
      clock.position(x: 1, y: 2) == with(clock) { $0.position = CGPoint(x: 1, y: 2) })
    let text = Text("t")
    #expect(text.font(.caption) == with(text) { $0.font = .caption })
    #expect(text.foregroundColor(.red) == with(text) { $0.color = .red })
    #expect(text.position(x: 1, y: 2) == with(text) { $0.position = CGPoint(x: 1, y: 2) })
    #expect(text.alignment(.trailing) == with(text) { $0.alignment = .trailing })
  }

  @Test func rowsAreModified() {
    let plain = Row(cells: [.label("a", flag: "EU"), .currency("JPY")], flagWidth: 1, spacing: 2)
    #expect((plain.flagWidth, plain.spacing) == (1, 2))
    let coded = Row(currencies: ["EUR"], flagWidth: 3, spacing: 4)
    #expect((coded.flagWidth, coded.spacing) == (3, 4))
    #expect(coded.cells == [.currency("EUR")])
    let framed = with(plain) {
      $0.width = 5
      $0.height = 6
    }
    #expect(plain.frame(width: 5, height: 6) == framed)
    #expect(plain.position(x: 1, y: 2) == with(plain) { $0.position = CGPoint(x: 1, y: 2) })
    #expect(plain.flagHeight(7) == with(plain) { $0.flagHeight = 7 })
    #expect(plain.clipped() == with(plain) { $0.isClipped = true })
    #expect(plain.font(.caption) == with(plain) { $0.font = .caption })
    #expect(plain.foregroundColor(.red) == with(plain) { $0.color = .red })
    let moving = plain.marquee(speed: 1, direction: .right)
      .animation(from: 2, to: 3, duration: 4).animation(from: 5, to: 6, .linear)
      .ticker(speed: 7, gap: 8, variant: .delta, direction: .right)
      .timer(start: 9, step: 10, interval: 11, resetAt: 12)
    let motions: [RowMotion] = [
      .marquee(speed: 1, direction: .right), .animation(from: 2, to: 3, duration: 4),
      .repeating(from: 5, to: 6, animation: .linear),
      .ticker(speed: 7, gap: 8, variant: .delta, direction: .right),
      .timer(start: 9, step: 10, interval: 11, resetAt: 12),
    ]
    #expect(moving == with(plain) { $0.motions = motions })
  }

  @Test func viewsAreModified() {
    let plain = AnimatedView("v", .disc(radius: 1))
    #expect(
      plain.position(x: 1, y: 2) == with(plain) { $0.position = CGPoint(x: 1, y: 2) })
    #expect(
      plain.frame(width: 1, height: 2)
        == with(plain) { $0.size = CGSize(width: 1, height: 2) })
    #expect(plain.opacity(0.5) == with(plain) { $0.initial.opacity = 0.5 })
    #expect(plain.scaleEffect(2) == with(plain) { $0.initial.scale = 2 })
    #expect(plain.rotationEffect(3) == with(plain) { $0.initial.rotation = 3 })
    #expect(plain.blur(radius: 4) == with(plain) { $0.initial.blur = 4 })
    let moved = with(plain) {
      $0.initial.x = 5
      $0.initial.y = 6
    }
    #expect(plain.offset(x: 5, y: 6) == moved)
    #expect(moved.offset() == plain)
    #expect(plain.hidden() == with(plain) { $0.isHidden = true })
    #expect(plain.transition(.slide) == with(plain) { $0.transition = .slide })
    #expect(plain.parent("p") == with(plain) { $0.parent = "p" })
    let loops = plain.keyframes(.blur, repeats: false, .move(1), .linear(2, duration: 3))
      .keyframes(.scale, .move(4))
    let found: [KeyframeLoop] = loops.keyframes
    #expect(
      found == [
        KeyframeLoop(property: .blur, repeats: false, steps: [.move(1), .linear(2, duration: 3)]),
        KeyframeLoop(property: .scale, repeats: true, steps: [.move(4)]),
      ])
    let phases = plain.phases(ViewPhase(x: 1), ViewPhase(y: 2, animation: .linear))
    let listed: [ViewPhase] = phases.phases
    #expect(listed == [ViewPhase(x: 1), ViewPhase(y: 2, animation: .linear)])
  }

  @Test func elementsHaveTheirPlaceAndParts() {
    let disc = ViewElement.disc(radius: 3, color: .red)
    #expect(disc == ViewElement(.disc(radius: 3), color: .red))
    #expect(
      disc.offset(x: 1, y: 2).offset(x: 10, y: 20).center == CGPoint(x: 11, y: 22))
    #expect(disc.offset() == disc)
    #expect(
      ViewElement.text("t", font: .title, color: .red, alignment: .leading)
        == ViewElement(.text("t", font: .title, alignment: .leading), color: .red))
    #expect(
      ViewElement.box(width: 1, height: 2, cornerRadius: 3, color: .red)
        == ViewElement(.box(width: 1, height: 2, cornerRadius: 3), color: .red))
    #expect(ViewElement.flag("EU", width: 4) == ViewElement(.flag("EU", width: 4)))
    let placed = ViewElement(.disc(radius: 1), center: CGPoint(x: 7, y: 8))
    #expect(placed.center == CGPoint(x: 7, y: 8))
  }

  @Test func systemsAndFieldsAreBuiltFromTheirParts() {
    let center = CGPoint(x: 1, y: 2)
    for system in [
      OrbitSystem(
        height: 9, moons: 2, center: center, duration: 3...4, planetColor: .red, moonColor: .mint),
      OrbitSystem(
        height: 9, moons: [Moon(phase: 1)], center: center, duration: 3...4, planetColor: .red,
        moonColor: .mint),
    ] {
      #expect(system.height == 9)
      #expect(system.center == center)
      #expect(system.duration == ValueRange(lower: 3, upper: 4))
      #expect(system.planetColor == .red)
      #expect(system.moonColor == .mint)
      #expect(system.parent("p") == with(system) { $0.parent = "p" })
    }
    let range = ValueRange(1...2)
    #expect((range.lower, range.upper) == (1, 2))
    let other = ValueRange(lower: 3, upper: 4)
    let tween = FieldTween(
      .scale, from: range, end: .distance(other), duration: ValueRange(5...6), curve: .linear,
      autoreverses: false)
    #expect(tween.property == .scale)
    #expect(tween.from == range)
    #expect(tween.end == .distance(other))
    #expect(tween.duration == ValueRange(5...6))
    #expect(tween.curve == .linear)
    #expect(!tween.autoreverses)
    let spring = FieldSpring(
      .blur, from: range, end: .to(other), response: ValueRange(5...6),
      dampingRatio: ValueRange(7...8), every: ValueRange(9...10))
    #expect(spring.property == .blur)
    #expect(spring.from == range)
    #expect(spring.end == .to(other))
    #expect(spring.response == ValueRange(5...6))
    #expect(spring.dampingRatio == ValueRange(7...8))
    #expect(spring.every == ValueRange(9...10))
    let fields = [
      Field.marquees(count: 3, speed: 1...2, period: 3...4, discRadius: 5, colors: [.red]),
      .orbits(count: 3, radius: 1...2, duration: 3...4, discRadius: 5, colors: [.red]),
      .tweens(count: 3, tween, discRadius: 5, colors: [.red]),
      .springs(count: 3, spring, discRadius: 5, colors: [.red]),
    ]
    #expect(
      fields.map(\.motion) == [
        .marquee(speed: range, period: other), .orbit(radius: range, duration: other),
        .tween(tween), .spring(spring),
      ])
    for field in fields {
      #expect(field.count == 3)
      #expect(field.discRadius == 5)
      #expect(field.colors == [.red])
    }
  }

  /// Changes are listed in the order of the properties, and what is not named is not changed.
  @Test func changesAreOfTheirProperties() {
    let all: [ViewChange] = [
      ViewChange(.x, 1), ViewChange(.y, 2), ViewChange(.opacity, 3), ViewChange(.scale, 4),
      ViewChange(.rotation, 5), ViewChange(.blur, 6),
    ]
    #expect(
      CommandAction.set("v", x: 1, y: 2, opacity: 3, scale: 4, rotation: 5, blur: 6)
        == .change("v", all))
    let phase = ViewPhase(
      x: 1, y: 2, opacity: 3, scale: 4, rotation: 5, blur: 6, animation: .linear)
    #expect(phase.changes == all)
    #expect(phase.animation == .linear)
    #expect(CommandAction.set("v", y: 2, blur: 6) == .change("v", [all[1], all[5]]))
    #expect(ViewPhase(opacity: 3).changes == [all[2]])
    #expect(CommandAction.set("v") == .change("v", []))
  }

  /// Later settings of a property replace earlier ones; views stand in the order of their names' bytes.
  @Test func commandsCollectTheirActions() {
    let command = Command(at: 1, every: 2) {
      CommandAction.set("z", y: 1)
      CommandAction.set("ä", x: 1)
      CommandAction.set("B", x: 1, blur: 4)
      CommandAction.set("z", x: 2, y: 3)
      CommandAction.show("a")
      CommandAction.hide("b")
      CommandAction.toggle("c")
      CommandAction.destroy("d")
      CommandAction.show("e")
      CommandAction.set("none")
    }
    #expect(command.moment == .at(1, every: 2))
    #expect(command.settings.map(\.view) == ["B", "none", "z", "ä"])
    #expect(
      command.settings.map(\.changes) == [
        [ViewChange(.x, 1), ViewChange(.blur, 4)], [], [ViewChange(.x, 2), ViewChange(.y, 3)],
        [ViewChange(.x, 1)],
      ])
    #expect(command.show == ["a", "e"])
    #expect(command.hide == ["b"])
    #expect(command.toggle == ["c"])
    #expect(command.destroy == ["d"])
    let animated = command.withAnimation(
      .linear, completionCriteria: .removed, completion: "done")
    #expect(animated.animation == .linear)
    #expect(animated.criteria == .removed)
    #expect(animated.completion == "done")
    #expect(animated.withAnimation(nil).animation == nil)
    #expect(animated.settings == command.settings)
    let after = Command(after: "c", delay: 3) { CommandAction.show("v") }
    #expect(after.moment == .after("c", delay: 3))
  }

  @Test(arguments: [true, false])
  func commandsAreBuiltWithConditionsAndLoops(isWide: Bool) {
    let scene = Scene("s") {
      Text("t")
    } commands: {
      if isWide { Command(at: 1) { CommandAction.show("v") } }
      if isWide {
        Command(at: 2) { CommandAction.show("v") }
      } else {
        Command(at: 3) { CommandAction.show("v") }
      }
      for time in [4.0, 5] { Command(at: time) { CommandAction.show("v") } }
      [Command(at: 6) { CommandAction.show("v") }]
    }
    let times: [Double] = isWide ? [1, 2, 4, 5, 6] : [3, 4, 5, 6]
    #expect(scene.commands.map(\.moment) == times.map { Command.Moment.at($0) })
    let command = Command(at: 0) {
      if isWide { CommandAction.show("a") }
      if isWide { CommandAction.show("b") } else { CommandAction.show("c") }
      for name in ["d", "e"] { CommandAction.show(name) }
    }
    #expect(command.show == (isWide ? ["a", "b", "d", "e"] : ["c", "d", "e"]))
  }

  @Test func colorsAndFontsHaveTheirNames() {
    let colors: [String: UInt32] = [
      "black": 0x0000_00ff, "white": 0xffff_ffff, "clear": 0, "gray": 0x8e8e_93ff,
      "red": 0xff3b_30ff, "orange": 0xff95_00ff, "yellow": 0xffcc_00ff, "green": 0x34c7_59ff,
      "mint": 0x00c7_beff, "teal": 0x30b0_c7ff, "cyan": 0x32ad_e6ff, "blue": 0x007a_ffff,
      "indigo": 0x5856_d6ff, "purple": 0xaf52_deff, "pink": 0xff2d_55ff, "brown": 0xa284_5eff,
    ]
    #expect(Color.named.mapValues(\.rgba) == colors)
    for (name, rgba) in colors { #expect(Color(name)?.rgba == rgba, "\(name)") }
    #expect(
      Font.styles.mapValues(\.size) == [
        "largeTitle": 34, "title": 28, "title2": 22, "title3": 20, "headline": 17, "body": 17,
        "callout": 16, "subheadline": 15, "footnote": 13, "caption": 12, "caption2": 11,
      ])
    for (name, font) in Font.styles {
      #expect(font.weight == (name == "headline" ? .semibold : .regular), "\(name)")
    }
    #expect(Font.system(size: 5) == .system(size: 5, weight: .regular))
    #expect(Font.system(size: 5, weight: .semibold).bold() == .system(size: 5, weight: .bold))
  }

  /// Parts are whole bytes, rounded, red first; opacities multiply.
  @Test func colorsAreBytes() {
    #expect(Color(red: 0.2, green: 0.4, blue: 0.6, opacity: 0.8).rgba == 0x3366_99cc)
    #expect(Color(red: 0.2, green: 0.4, blue: 0.6).rgba == 0x3366_99ff)
    // 0.498 is 126.99 of 255, 0.5 is 127.5.
    #expect(Color(red: 0.498, green: 0.5, blue: 1.5).rgba == 0x7f80_ffff)
    #expect(Color(rgba: 0x1122_3344).opacity(1).rgba == 0x1122_3344)
    #expect(Color(rgba: 0x1122_3344).opacity(7).rgba == 0x1122_3344)
    #expect(Color(rgba: 0x1122_33ff).opacity(0.2).rgba == 0x1122_3333)
    for opacity in [0, -1, Double.nan] {
      #expect(Color(rgba: 0x1122_33ff).opacity(opacity).rgba == 0x1122_3300)
    }
    for text in ["#", "#12345", "#+123456", "x123456", "#12345\u{e9}"] {
      #expect(Color(text) == nil)
    }
    #expect(Color("#abcdefAB")?.rgba == 0xabcd_efab)
    #expect(Color("#09afAF")?.rgba == 0x09af_afff)
  }
}
