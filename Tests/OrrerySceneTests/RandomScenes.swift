// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport

/// Makes scenes at random that pass every check, with the values that are hardest to write down.
struct RandomScenes {
  private var random: SeededRandom

  /// Begins a series of scenes that is the same for the same seed.
  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  private static let currencies = SceneLocale.currencies.sorted().filter {
    SceneLocale.regions.contains(String($0.prefix(2)))
  }

  private static let regions = SceneLocale.regions.sorted().filter {
    SceneLocale.flag(ofRegion: $0) != nil
  }

  private static let locales = SceneLocale.known.sorted() + ["zh-hans", "pt-BR"]

  private static let styles = Font.styles.keys.sorted().compactMap { Font.styles[$0] }

  private static let colors = Color.named.keys.sorted().compactMap { Color.named[$0] }

  /// The next scene.
  mutating func next() -> Scene {
    var scene = Scene(text(bytesMax: SceneLimits.nameBytesMax)) {}
    if flip() {
      scene.size = CGSize(width: number(SceneLimits.side), height: number(SceneLimits.side))
    }
    if flip() { scene.background = color() }
    if flip() { scene.rate = rate() }
    if flip() { scene.seed = random.next() >> UInt64.random(in: 0..<64, using: &random) }
    if flip() { scene.locale = pick(Self.locales) }
    if flip() { scene.layoutDirection = pick(LayoutDirection.allCases) }
    if flip() { scene.dateSeconds = number(SceneLimits.date) }
    if flip() { scene.timeZone = pick(["Europe/London", "Asia/Tokyo", "UTC"]) }
    scene.content = (0..<Int.random(in: 1...4, using: &random)).map { _ in part() }
    if flip() { addViews(to: &scene) }
    return scene
  }

  private mutating func part() -> SceneContent {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .row(row())
    case 1: .orbitSystem(system())
    case 2: .field(field())
    case 3: .flowText(flowText())
    case 4: .clock(clock())
    default: .text(line())
    }
  }

  private mutating func row() -> Row {
    let onlyCurrencies = flip()
    var row = Row(cells: list(1...30) { $0.cell(onlyCurrencies: onlyCurrencies) })
    if flip() { row.flagWidth = number(SceneLimits.flagWidth) }
    if flip() { row.flagHeight = number(SceneLimits.flagWidth) }
    if flip() { row.spacing = number(SceneLimits.spacing) }
    if flip() { row.font = font() }
    if flip() { row.color = color() }
    if flip() { row.width = number(SceneLimits.frameSide) }
    if flip() { row.height = number(SceneLimits.frameSide) }
    if flip() { row.position = point() }
    row.isClipped = flip()
    row.motions = [motion()]
    return row
  }

  private mutating func cell(onlyCurrencies: Bool) -> Cell {
    if onlyCurrencies || flip() { return .currency(pick(Self.currencies)) }
    return .label(text(bytesMax: 60), flag: flip() ? pick(Self.regions) : nil)
  }

  private mutating func motion() -> RowMotion {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return .marquee(speed: number(SceneLimits.speed), direction: pick(MarqueeDirection.allCases))
    case 1:
      return .animation(
        from: number(SceneLimits.position), to: number(SceneLimits.position),
        duration: number(SceneLimits.duration))
    case 2:
      return .repeating(
        from: number(SceneLimits.position), to: number(SceneLimits.position),
        animation: .timingCurve(curve(), duration: 0.4 * number(SceneLimits.duration) + 0.01)
          .repeatForever(autoreverses: flip()))
    case 3:
      switch pick(TickerVariant.allCases) {
      case .seamless:
        return .ticker(
          speed: flip() ? number(SceneLimits.speed) : nil,
          gap: flip() ? number(SceneLimits.gap) : nil,
          direction: pick(MarqueeDirection.allCases))
      case .delta:
        return .ticker(speed: flip() ? number(SceneLimits.speed) : nil, variant: .delta)
      case .perUpdate: return .ticker(variant: .perUpdate)
      }
    default:
      let ends = [number(SceneLimits.position), number(SceneLimits.position)].sorted()
      let isRising = ends[0] < ends[1]
      return .timer(
        start: isRising ? ends[0] : -2, step: number(SceneLimits.step),
        interval: number(SceneLimits.interval), resetAt: isRising ? ends[1] : -1)
    }
  }

  private mutating func system() -> OrbitSystem {
    var system = OrbitSystem(height: number(SceneLimits.frameSide), moons: 0)
    if flip() {
      system.moons = .count(Int.random(in: 0...10_000, using: &random))
    } else {
      system.moons = .list(
        list(0...40) {
          Moon(
            duration: $0.flip() ? $0.number(SceneLimits.duration) : nil,
            phase: $0.flip() ? $0.number(SceneLimits.phase) : nil,
            color: $0.flip() ? $0.color() : nil)
        })
    }
    if flip() { system.center = point() }
    if flip() { system.duration = range(SceneLimits.duration) }
    if flip() { system.planetColor = color() }
    if flip() { system.moonColor = color() }
    return system
  }

  private mutating func field() -> Field {
    let motion: Field.Motion =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .marquee(speed: range(SceneLimits.speed), period: range(SceneLimits.period))
      case 1: .orbit(radius: range(SceneLimits.radius), duration: range(SceneLimits.duration))
      case 2: .tween(tween())
      default: .spring(spring())
      }
    return Field(
      count: Int.random(in: 1...20_000_000, using: &random), motion: motion,
      discRadius: flip() ? number(SceneLimits.discRadius) : Field.defaultDiscRadius,
      colors: flip() ? list(1...40) { $0.color() } : Field.defaultColors)
  }

  private mutating func tween() -> FieldTween {
    let property = pick(ViewProperty.allCases)
    return FieldTween(
      property, from: flip() ? range(SceneLimits.of(property)) : nil, end: end(property),
      duration: range(SceneLimits.duration), curve: curve(), autoreverses: flip())
  }

  private mutating func spring() -> FieldSpring {
    let property = pick(ViewProperty.allCases)
    return FieldSpring(
      property, from: flip() ? range(SceneLimits.of(property)) : nil, end: end(property),
      response: range(SceneLimits.duration), dampingRatio: range(SceneLimits.dampingRatio),
      every: range(SceneLimits.duration))
  }

  private mutating func end(_ property: ViewProperty) -> FieldMoveEnd {
    flip() ? .to(range(SceneLimits.of(property))) : .distance(range(SceneLimits.distance))
  }

  private mutating func curve() -> UnitCurve {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: pick([.linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseInOut])
    case 1: .steps(Int.random(in: 2...9, using: &random), pick(StepJump.allCases))
    case 2: .easeInOut
    default:
      .bezier(
        startControlPoint: UnitPoint(x: number(SceneLimits.opacity), y: number(SceneLimits.scale)),
        endControlPoint: UnitPoint(x: number(SceneLimits.opacity), y: number(SceneLimits.scale)))
    }
  }

  private mutating func flowText() -> FlowText {
    var flow = FlowText(text(bytesMax: SceneLimits.textBytesMax))
    if flip() { flow.font = font() }
    if flip() { flow.color = color() }
    if flip() { flow.position = point() }
    flow.fill =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .image(pick(["a.png", "ä b.png", "\"quoted\""]))
      case 1: .gradient(list(1...9) { $0.color() }, angle: flip() ? number(SceneLimits.angle) : nil)
      default: .gradient(FlowText.spectrum, angle: nil)
      }
    if flip() { flow.speed = number(SceneLimits.speed) }
    flow.direction = pick(FlowText.Direction.allCases)
    if flip() { flow.start = number(SceneLimits.time) }
    flow.variant = pick(FlowText.Variant.allCases)
    return flow
  }

  private mutating func clock() -> TimelineClock {
    let schedule: TimelineClock.Schedule =
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        .periodic(from: number(SceneLimits.schedule), by: number(SceneLimits.duration))
      case 1: .everyMinute
      case 2: .explicit(list(1...9) { $0.number(SceneLimits.schedule) }.sorted())
      case 3: .animation(minimumInterval: number(SceneLimits.interval), paused: flip())
      default: .animation(paused: flip())
      }
    var clock = TimelineClock(schedule, format: pick(["HH:mm:ss", "mm:ss.S", "ss SSS", "S/SS-HH"]))
    if flip() { clock.font = font() }
    if flip() { clock.color = color() }
    if flip() { clock.position = point() }
    return clock
  }

  // MARK: Views

  private static let animations: [Animation] = [
    .default, .linear(duration: 0.1), .easeInOut, .spring(duration: 0.7, bounce: 0.25),
    .interpolatingSpring(stiffness: 120, damping: 11), .easeIn(duration: 2).delay(0.3).speed(1.7),
    .linear(duration: 0.8).repeatCount(3, autoreverses: false), .bouncy,
  ]

  private static let transitions: [AnyTransition] = [
    .opacity, .slide, .scale(scale: 0.1, anchor: .bottomLeading), .push(from: .leading),
    .move(edge: .trailing).combined(with: .opacity), Accordion.defaultTransition,
    .offset(x: 0.1, y: -3).animation(.spring(duration: 0.2)), .identity,
  ]

  /// Views in the scene's content, and commands about them.
  private mutating func addViews(to scene: inout Scene) {
    var names: [String] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      var view = view("\(names.count) " + text(bytesMax: 40))
      if flip(), let parent = names.last { view.parent = parent }
      scene.content.append(.view(view))
      names.append(view.name)
    }
    let rows = list(1...3) { $0.row() }
    scene.content.append(.accordion(accordion(rows)))
    if flip() {
      scene.content.append(.orbitSystem(system().parent(pick(names))))
    }
    for index in 0..<Int.random(in: 1...4, using: &random) {
      var command = Command(
        index == 0 || flip()
          ? .at(number(SceneLimits.time), every: flip() ? number(SceneLimits.duration) : nil)
          : .after("c0", delay: number(SceneLimits.time) + 0.001 > 1 ? 0.5 : 0.25),
        actions: actions(names))
      command.animation = pick(Self.animations)
      if index == 0 || flip() { command.completion = "c\(index)" }
      if command.completion != nil, flip() { command.criteria = .removed }
      scene.commands.append(command)
    }
    let row = pick(rows.indices.map { "row \($0)" })
    scene.commands.append(Command(at: 1) { CommandAction.toggle(row) })
  }

  private mutating func actions(_ names: [String]) -> [CommandAction] {
    list(1...4) {
      let name = $0.pick(names)
      switch Int.random(in: 0..<5, using: &$0.random) {
      case 0: return .show(name)
      case 1: return .hide(name)
      case 2: return .toggle(name)
      case 3: return .destroy(name)
      default:
        let property = $0.pick(ViewProperty.allCases)
        return .change(name, [ViewChange(property, $0.number(SceneLimits.of(property)))])
      }
    }
  }

  private mutating func view(_ name: String) -> AnimatedView {
    var view = AnimatedView(name, elements: list(1...3) { $0.element() })
    if flip() { view.position = point() }
    if flip() {
      view.size = CGSize(
        width: number(SceneLimits.frameSide), height: number(SceneLimits.frameSide))
    }
    for property in ViewProperty.allCases where flip() {
      view.initial[property] = number(SceneLimits.of(property))
    }
    view.isHidden = flip()
    if flip() { view.transition = pick(Self.transitions) }
    if flip() {
      let steps: [KeyframeStep] = [
        .linear(
          number(SceneLimits.blur), duration: number(SceneLimits.duration), timingCurve: curve()),
        .cubic(number(SceneLimits.blur), duration: 1, startVelocity: number(SceneLimits.velocity)),
        .spring(number(SceneLimits.blur), Spring(response: 0.3, dampingRatio: 0.7)),
        .move(number(SceneLimits.blur)),
      ]
      view.keyframes = [KeyframeLoop(property: .blur, repeats: flip(), steps: steps)]
    }
    if flip() {
      view.phases = [
        ViewPhase(opacity: number(SceneLimits.opacity)),
        ViewPhase(x: number(SceneLimits.position), animation: pick(Self.animations)),
      ]
    }
    return view
  }

  private mutating func element() -> ViewElement {
    let shape: ViewElement.Shape =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .text(text(bytesMax: 60), font: font(), alignment: pick(TextAlignment.allCases))
      case 1: .disc(radius: number(SceneLimits.elementRadius))
      case 2:
        .box(
          width: number(SceneLimits.elementSide), height: number(SceneLimits.elementSide),
          cornerRadius: number(SceneLimits.cornerRadius))
      default: .flag(pick(Self.regions), width: number(SceneLimits.flagWidth))
      }
    return ViewElement(shape, color: color(), center: flip() ? point() : .zero)
  }

  private mutating func accordion(_ rows: [Row]) -> Accordion {
    var accordion = Accordion(
      rows: rows.indices.map { index in
        let moons: OrbitSystem.Moons = flip() ? .count(index) : system().moons
        return AccordionRow(
          "row \(index)", title: flip() ? text(bytesMax: 50) : nil, color: color(), moons: moons)
      })
    if flip() { accordion.width = number(SceneLimits.frameSide) }
    if flip() { accordion.rowHeight = number(SceneLimits.frameSide) }
    if flip() { accordion.panelHeight = number(SceneLimits.frameSide) }
    if flip() { accordion.spacing = number(SceneLimits.spacing) }
    if flip() { accordion.position = point() }
    if flip() { accordion.transition = pick(Self.transitions) }
    if flip() { accordion.animation = pick(Self.animations) }
    if flip() { accordion.font = font() }
    if flip() { accordion.color = color() }
    if flip() { accordion.headerColor = color() }
    if flip() { accordion.panelColor = color() }
    if flip() { accordion.moonColor = color() }
    if flip() { accordion.duration = range(SceneLimits.duration) }
    return accordion
  }

  private mutating func line() -> Text {
    var line = Text(text(bytesMax: SceneLimits.textBytesMax))
    if flip() { line.font = font() }
    if flip() { line.color = color() }
    if flip() { line.position = point() }
    line.alignment = pick(TextAlignment.allCases)
    return line
  }

  private mutating func font() -> Font {
    if flip() { return pick(Self.styles) }
    return .system(size: number(SceneLimits.fontSize), weight: pick(Font.Weight.allCases))
  }

  private mutating func color() -> Color {
    if flip() { return pick(Self.colors) }
    return Color(rgba: UInt32.random(in: 0...UInt32.max, using: &random) | (flip() ? 0xff : 0))
  }

  private mutating func point() -> CGPoint {
    CGPoint(x: number(SceneLimits.position), y: number(SceneLimits.position))
  }

  private mutating func range(_ limit: SceneLimit) -> ValueRange {
    let ends = [number(limit), number(limit)].sorted()
    return ValueRange(lower: ends[0], upper: flip() ? ends[0] : ends[1])
  }

  /// Decimals, fractions, and the ends of what is allowed.
  private mutating func rate() -> TickRate {
    let denominator: UInt64 =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: 1
      case 1: pick([10, 100, 1_000, 1_000_000])
      case 2: 1_001
      default: UInt64.random(in: 1...TickRate.termMax, using: &random)
      }
    let most = min(TickRate.termMax, 1_000_000 * denominator)
    let least = denominator / 100 + 1
    let numerator = UInt64.random(in: least...most, using: &random)
    return TickRate(numerator: numerator, denominator: denominator) ?? 60
  }

  /// Any number of a range; often a whole one, an end, a neighbour of one, zero of either sign, or
  /// a very small one.
  private mutating func number(_ limit: SceneLimit) -> Double {
    let (low, high) = (limit.range.lowerBound, limit.range.upperBound)
    let any = Double.random(in: low...high, using: &random)
    let value: Double =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: pick([low, high, low.nextUp, high.nextDown])
      case 1: pick([-0.0, 0, 0.1, 1 / 3.0, 1e-05, 0.0.nextUp, 2.2250738585072014e-308])
      case 2: any.rounded()
      case 3: (any * 100).rounded() / 100
      case 4: Double(bitPattern: random.next() & ~(1 << 62))
      default: any
      }
    return limit.range.contains(value) ? value : any
  }

  /// Text in many scripts, with what TOML and Unicode make hard.
  private mutating func text(bytesMax: Int) -> String {
    var text = ""
    var bytes = 0
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let scalars =
        flip()
        ? pick([
          "\"", "\\", "'", "\"\"\"", "\\n", "#", " ", "a", "é", "e\u{301}", "\"\u{301}", "日本",
          "العربية", "हिन्दी", "🇪🇺", "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{feff}", "\u{200b}", "\u{e000}", "{x}", "[y]",
        ])
        : String(Character(scalar()))
      guard bytes + scalars.utf8.count <= bytesMax else { break }
      text.unicodeScalars.append(contentsOf: scalars.unicodeScalars)
      bytes += scalars.utf8.count
    }
    return text.isEmpty ? "-" : text
  }

  private mutating func scalar() -> Unicode.Scalar {
    let number = UInt32.random(in: 0...(flip() ? 0x10_ffff : 0x2fff), using: &random)
    guard let scalar = Unicode.Scalar(number), !scalar.isUnfitForText else { return "x" }
    return scalar
  }

  private mutating func list<Value>(
    _ count: ClosedRange<Int>, _ make: (inout RandomScenes) -> Value
  ) -> [Value] {
    (0..<Int.random(in: count, using: &random)).map { _ in make(&self) }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }
}
