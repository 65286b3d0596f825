// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
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
    scene.content = (0..<Int.random(in: 1...4, using: &random)).map { _ in part() }
    return scene
  }

  private mutating func part() -> SceneContent {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .row(row())
    case 1: .orbitSystem(system())
    case 2: .field(field())
    default: .text(line())
    }
  }

  private mutating func row() -> Row {
    let onlyCurrencies = flip()
    var row = Row(cells: list(1...30) { $0.cell(onlyCurrencies: onlyCurrencies) })
    if flip() { row.flagWidth = number(SceneLimits.flagWidth) }
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
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return .marquee(speed: number(SceneLimits.speed), direction: flip() ? .left : .right)
    case 1:
      return .animation(
        from: number(SceneLimits.position), to: number(SceneLimits.position),
        duration: number(SceneLimits.duration))
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
      flip()
      ? .marquee(speed: range(SceneLimits.speed), period: range(SceneLimits.period))
      : .orbit(radius: range(SceneLimits.radius), duration: range(SceneLimits.duration))
    return Field(
      count: Int.random(in: 1...20_000_000, using: &random), motion: motion,
      discRadius: flip() ? number(SceneLimits.discRadius) : Field.defaultDiscRadius,
      colors: flip() ? list(1...40) { $0.color() } : Field.defaultColors)
  }

  private mutating func line() -> Text {
    var line = Text(text(bytesMax: SceneLimits.textBytesMax))
    if flip() { line.font = font() }
    if flip() { line.color = color() }
    if flip() { line.position = point() }
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

  /// Any number of a range; often a whole one, an end, a neighbour of one, zero of either sign, or a
  /// very small one.
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
