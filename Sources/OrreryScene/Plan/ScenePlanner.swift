// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages

/// Turns a checked scene into a plan, one thing of its content after the other.
struct ScenePlanner<Measuring: TextMeasuring> {
  /// What is wrong with texts, which only measuring shows.
  let faults = FaultList()

  private let scene: Scene
  private let fieldCounts: [Int]
  private let locale: SceneLocale
  private var texts: SceneTexts<Measuring>

  private var marquees = BatchCollector<MarqueeSpec>()
  private var tweens = BatchCollector<TweenSpec>()
  private var timers = BatchCollector<TimerSpec>()
  private var orbits = BatchCollector<OrbitSpec>()

  /// Kinds in the order in which they first occurred.
  private var kinds: [Kind] = []
  private var sprites: [Orrery_Sprite] = []
  private var fixtures: [Orrery_Fixture] = []

  private var fieldCount = 0
  private var systemCount = 0

  /// Top of the next row that does not say where it stands.
  private var nextRowY = 0.0

  /// Points between rows that do not say where they stand.
  private static var rowSpacing: Double { 30 }

  /// A row's frame takes this much of the scene's width.
  private static var frameWidthFactor: Double { 0.95 }

  private enum Kind { case marquee, tween, timer, orbit }

  /// Begins a plan.
  ///
  /// - Parameters:
  ///   - scene: Checked; with the run's own rate, seed and locale in it.
  ///   - fieldCounts: Entities of each field.
  ///   - locale: The scene's.
  ///   - measuring: Measures texts.
  init(_ scene: Scene, fieldCounts: [Int], locale: SceneLocale, measuring: Measuring) {
    self.scene = scene
    self.fieldCounts = fieldCounts
    self.locale = locale
    texts = SceneTexts(locale: locale, measuring: measuring)
  }

  /// Plans everything; the result means something only if `faults` is empty.
  mutating func plan() -> ScenePlan {
    for (index, part) in scene.content.enumerated() {
      let path = ScenePath().key("content").index(index)
      switch part {
      case .row(let row): add(row, at: path)
      case .orbitSystem(let system): add(system)
      case .field(let field): add(field)
      case .text(let text): add(text, at: path)
      }
    }
    return finish()
  }

  // MARK: Rows

  private mutating func add(_ row: Row, at path: ScenePath) {
    let width = row.width ?? Self.frameWidthFactor * scene.size.width
    let x = (row.position?.x ?? scene.size.width / 2) - width / 2
    let y = row.position.map { $0.y - row.height / 2 } ?? nextRowY
    nextRowY = y + row.height + Self.rowSpacing
    guard let layout = layout(row, at: path), let motion = row.motions.first else { return }
    let copies = copies(motion)
    let originX = copies.map { x + layout.centeredX(copies: $0, frameWidth: width) } ?? x
    var sprite = SpriteMaker.row(row, layout, copies: copies ?? 1)
    if copies == nil { sprite.tilePeriod = layout.period }
    if row.isClipped {
      sprite.clip.x = x - originX
      sprite.clip.width = width
      sprite.clip.height = row.height
    }
    sprites.append(sprite)
    add(motion, period: layout.period, x: originX, y: y)
  }

  private mutating func add(_ motion: RowMotion, period: Double, x: Double, y: Double) {
    let sprite = sprites.count - 1
    switch motion {
    case .marquee(let speed, let direction):
      note(.marquee)
      let spec = MarqueeSpec(
        period: period, speed: speed + 0, direction: direction == .left ? .left : .right, phase: 0)
      marquees.add(spec, x: x, y: y, sprite: sprite)
    case .animation(let from, let to, let duration):
      note(.tween)
      let spec = TweenSpec(from: from + 0, to: to + 0, duration: duration)
      tweens.add(spec, x: x, y: y, sprite: sprite)
    case .timer(let start, let step, let interval, let resetAt):
      note(.timer)
      let spec = TimerSpec(start: start + 0, step: step, resetAt: resetAt, interval: interval)
      timers.add(spec, x: x, y: y, sprite: sprite)
    }
  }

  /// Copies that a motion shows; nil is as many as are needed.
  private func copies(_ motion: RowMotion) -> Int? {
    switch motion {
    case .marquee: nil
    case .animation: 1
    case .timer: 2
    }
  }

  private mutating func layout(_ row: Row, at path: ScenePath) -> RowLayout? {
    let paths = CellPaths(row.cells, at: path)
    let faultsBefore = faults.total
    var items: [(content: RowLayout.Content, width: Double, height: Double)] = []
    for (index, cell) in row.cells.enumerated() {
      switch cell {
      case .currency(let code):
        let region = String(code.prefix(2))
        if let flag = flag(region, row, at: paths.currency(index)) { items.append(flag) }
        if let label = label(ofCurrency: code, row, at: paths.currency(index)) {
          items.append(label)
        }
      case .label(let text, let region):
        if let region, let flag = flag(region, row, at: paths.flag(index)) { items.append(flag) }
        if let label = label(text, row, at: paths.label(index)) { items.append(label) }
      }
    }
    guard faults.total == faultsBefore else { return nil }
    let layout = RowLayout(items, spacing: row.spacing)
    guard layout.period > 0 else {
      faults.add(paths.list, .noWidth)
      return nil
    }
    let across = layout.copies(viewport: scene.size.width) * Double(layout.items.count)
    guard across <= Double(SceneLimits.itemsAcrossMax) else {
      faults.add(
        paths.list, .tooManyCopies(found: across, limit: SceneLimits.itemsAcrossMax))
      return nil
    }
    return layout
  }

  private typealias Item = (content: RowLayout.Content, width: Double, height: Double)

  private mutating func flag(_ region: String, _ row: Row, at path: ScenePath) -> Item? {
    do throws(TextFault) {
      let flag = try texts.flag(ofRegion: region)
      return (.flag(flag), row.flagWidth, row.height)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  private mutating func label(ofCurrency code: String, _ row: Row, at path: ScenePath) -> Item? {
    do throws(TextFault) {
      return label(try texts.name(ofCurrency: code), row, at: path)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  private mutating func label(_ text: String, _ row: Row, at path: ScenePath) -> Item? {
    do throws(TextFault) {
      let size = try texts.size(text, font: row.font)
      return (.label(text), size.width, size.height)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  // MARK: Orbits, fields, texts

  private var middle: CGPoint { CGPoint(x: scene.size.width / 2, y: scene.size.height / 2) }

  private mutating func add(_ system: OrbitSystem) {
    let random = CounterRandom(seed: scene.seed, use: .orbitSystem, index: systemCount)
    systemCount += 1
    let layout = OrbitLayout(height: system.height, moonCount: system.moonCount)
    let (x, y) = (Double((system.center ?? middle).x), Double((system.center ?? middle).y))
    sprites.append(SpriteMaker.disc(radius: layout.planetSize / 2, color: system.planetColor))
    addFixture(x: x, y: y)
    if system.moonCount > 0 { note(.orbit) }
    var moonSprites: [Color: Int] = [:]
    for index in 0..<system.moonCount {
      let moon: Moon = if case .list(let moons) = system.moons { moons[index] } else { Moon() }
      let color = moon.color ?? system.moonColor
      if moonSprites[color] == nil {
        sprites.append(SpriteMaker.disc(radius: layout.moonSize / 2, color: color))
        moonSprites[color] = sprites.count - 1
      }
      let turns = moon.phase.map { $0 / (2 * .pi) } ?? random.unit(index, draw: 1)
      let spec = OrbitSpec(
        radius: layout.radius(index),
        period: moon.duration ?? random.value(system.duration, index, draw: 0),
        phase: turns - turns.rounded(.down))
      orbits.add(spec, x: x, y: y, sprite: moonSprites[color] ?? 0)
    }
  }

  private mutating func add(_ field: Field) {
    let count = fieldCounts[fieldCount]
    let plan = FieldPlan(
      field, count: count, index: fieldCount, seed: scene.seed, size: scene.size)
    fieldCount += 1
    guard count > 0 else { return }
    let firstSprite = sprites.count
    sprites += field.colors.map { SpriteMaker.disc(radius: field.discRadius, color: $0) }
    switch field.motion {
    case .marquee(let speed, let period):
      note(.marquee)
      let specs = Specs(count: count) { plan.marquee($0, speed: speed, period: period) }
      marquees.add(specs) { (plan.origin(of: $1, $0), firstSprite + plan.color($0)) }
    case .orbit(let radius, let duration):
      note(.orbit)
      let specs = Specs(count: count) { plan.orbit($0, radius: radius, duration: duration) }
      orbits.add(specs) { (plan.origin(of: $1, $0), firstSprite + plan.color($0)) }
    }
  }

  private mutating func add(_ text: Text, at path: ScenePath) {
    do throws(TextFault) {
      let size = try texts.size(text.content, font: text.font)
      sprites.append(SpriteMaker.text(text, size: size))
      let center = text.position ?? middle
      addFixture(x: center.x, y: center.y)
    } catch {
      faults.add(path.key("text"), error.fault)
    }
  }

  /// Puts the last sprite there.
  private mutating func addFixture(x: Double, y: Double) {
    var fixture = Orrery_Fixture()
    fixture.x = x
    fixture.y = y
    fixture.sprite = UInt32(sprites.count - 1)
    fixtures.append(fixture)
  }

  // MARK: The whole

  private mutating func note(_ kind: Kind) {
    if !kinds.contains(kind) { kinds.append(kind) }
  }

  private func finish() -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.scene = scene.name
    layout.seed = scene.seed
    layout.locale = locale.identifier
    layout.rateNumerator = scene.rate.numerator
    layout.rateDenominator = scene.rate.denominator
    layout.width = scene.size.width
    layout.height = scene.size.height
    layout.background = scene.background.rgba
    layout.sprites = sprites
    layout.fixtures = fixtures
    var (batches, first) = ([BatchPlan](), 0)
    for kind in kinds {
      let batch = batch(kind)
      batches.append(batch)
      layout.batches.append(message(kind, name: batch.kind, firstEntity: first))
      first += batch.count
    }
    layout.entityCount = UInt64(first)
    return ScenePlan(
      name: scene.name, seed: scene.seed, rate: scene.rate, batches: batches, layout: layout)
  }

  private func batch(_ kind: Kind) -> BatchPlan {
    switch kind {
    case .marquee: .marquee(marquees.specs)
    case .tween: .tween(tweens.specs)
    case .timer: .timer(timers.specs)
    case .orbit: .orbit(orbits.specs)
    }
  }

  private func message(_ kind: Kind, name: String, firstEntity: Int) -> Orrery_Batch {
    switch kind {
    case .marquee: marquees.message(kind: name, firstEntity: firstEntity)
    case .tween: tweens.message(kind: name, firstEntity: firstEntity)
    case .timer: timers.message(kind: name, firstEntity: firstEntity)
    case .orbit: orbits.message(kind: name, firstEntity: firstEntity)
    }
  }
}
