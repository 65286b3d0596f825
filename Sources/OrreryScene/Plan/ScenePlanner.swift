// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrrerySceneBuilder

/// Turns a checked scene into a plan, in the order of its content.
struct ScenePlanner<Measuring: TextMeasuring> {
  /// Faults that only planning finds: in texts, images, transitions and widths of rows.
  let faults = FaultList()

  let scene: Scene
  let names: SceneNames
  let restingPositions: RestingPositions
  let mirror: SceneMirror
  private let fieldCounts: [Int]
  private let shard: Shard
  private let locale: SceneLocale
  var texts: SceneTexts<Measuring>
  var images: SceneImages

  var batches = BatchCollectors()

  /// Tracks of views' keyframes that repeat, and commands from other keyframes and from phases.
  var tracks: [KeyframeTrackPlan] = []
  var courses = KeyframeCourses()
  var loops: [CommandPlan] = []
  var accordions: [AccordionPlan] = []

  /// Each accordion's animation of taps without an animation of their own.
  var tapAnimations: [Animation] = []

  var sprites: [Orrery_Sprite] = []
  private var fixtures: [Orrery_Fixture] = []

  private var fieldCount = 0
  private var systemCount = 0

  /// Top of the next row without a position.
  private var nextRowY = 0.0

  /// Points between rows without a position.
  private static var rowSpacing: Double { 30 }

  /// Default width of a row's frame as a share of the scene's width.
  private static var frameWidthFactor: Double { 0.95 }

  /// Points per second of a ticker without a speed.
  private static var tickerSpeed: Double { 50 }

  /// Begins a plan.
  ///
  /// - Parameters:
  ///   - scene: A checked scene that has the run's rate, seed and locale.
  ///   - fieldCounts: Entities of each field.
  ///   - shard: Which of the scene's shards is planned.
  ///   - locale: The scene's locale.
  ///   - folder: Folder of the scene's images; nil is the current folder.
  ///   - givenImages: The scene's images by name, in place of files; nil: files are read.
  ///   - measuring: Measures texts.
  init(
    _ scene: Scene, fieldCounts: [Int], shard: Shard, locale: SceneLocale, folder: String?,
    givenImages: [String: Data]? = nil, measuring: Measuring
  ) {
    self.scene = scene
    names = SceneNames(scene)
    mirror = SceneMirror(scene, locale: locale)
    restingPositions = RestingPositions(scene, mirror: mirror)
    images = SceneImages(folder: folder, given: givenImages)
    self.fieldCounts = fieldCounts
    self.shard = shard
    self.locale = locale
    texts = SceneTexts(locale: locale, measuring: measuring)
  }

  /// Plans the whole scene; the result is valid only if `faults` is empty.
  mutating func plan() -> ScenePlan {
    for (index, part) in scene.content.enumerated() {
      let path = DocumentPath().key("content").index(index)
      switch part {
      case .row(let row): add(row, at: path)
      case .orbitSystem(let system):
        let planet = "planet \(systemCount)"
        add(system, planet: planet, moon: SceneNames.moon(of: planet), parent: system.parent)
      case .field(let field): add(field)
      case .text(let text): add(text, at: path)
      case .view(let view): add(view, at: path)
      case .accordion(let accordion): add(accordion, at: path)
      case .flowText(let text): add(text, at: path)
      case .clock(let clock): add(clock, at: path)
      }
    }
    return finish()
  }

  // MARK: Rows

  private mutating func add(_ row: Row, at path: DocumentPath) {
    let width = row.width ?? Self.frameWidthFactor * scene.size.width
    let center = mirror.point(row.position ?? middle)
    let x = center.x - width / 2
    let y = row.position.map { $0.y - row.height / 2 } ?? nextRowY
    nextRowY = y + row.height + Self.rowSpacing
    guard let layout = layout(row, at: path), let motion = row.motions.first else { return }
    let moved = moved(motion, layout, width: width)
    let originX = x + moved.x
    var sprite = SpriteMaker.row(
      row, mirror.isMirrored ? layout.mirrored : layout, copyXs: moved.copyXs)
    if moved.isTiled { sprite.tilePeriod = moved.copyPeriod }
    if row.isClipped {
      sprite.clip.x = x - originX
      sprite.clip.width = width
      sprite.clip.height = row.height
    }
    sprites.append(sprite)
    add(motion, moved, frameWidth: width, x: originX, y: y)
  }

  /// Position and copies of a row in its frame while it moves.
  private struct MovedRow {
    /// The sprite's origin, from the frame's left edge.
    var x = 0.0
    /// Left edges of the copies, from the origin.
    var copyXs = [0.0]
    /// Points from one copy to the next.
    var copyPeriod: Double
    /// Whether the renderer repeats the row as often as it needs.
    var isTiled = false
  }

  private func moved(_ motion: RowMotion, _ layout: RowLayout, width: Double) -> MovedRow {
    var moved = MovedRow(copyPeriod: layout.period)
    let contentWidth = layout.width(copies: 1)
    switch motion {
    case .marquee:
      moved.x = mirror.leadingX(ofWidth: contentWidth, in: width)
      moved.isTiled = true
    case .animation, .repeating:
      moved.x = layout.centeredX(copies: 1, frameWidth: width)
    case .timer:
      moved.copyXs = [0, layout.period]
      moved.x = layout.centeredX(copies: 2, frameWidth: width)
    case .ticker(_, let gap, let variant, let direction):
      moved.x = mirror.leadingX(ofWidth: contentWidth, in: width)
      switch variant {
      case .seamless:
        moved.isTiled = true
        moved.copyPeriod = max(width, contentWidth + (gap ?? layout.spacing))
      case .delta:
        moved.copyPeriod = width
        // The second copy comes behind the first.
        moved.copyXs = [0, mirror.direction(direction) == .left ? width : -width]
      case .perUpdate: break
      }
    }
    return moved
  }

  private mutating func add(
    _ motion: RowMotion, _ moved: MovedRow, frameWidth: Double, x: Double, y: Double
  ) {
    let sprite = sprites.count - 1
    switch motion {
    case .marquee(let speed, let direction):
      let spec = MarqueeSpec(
        period: moved.copyPeriod, speed: speed + 0, direction: mirror.direction(direction),
        phase: 0)
      batches.collector(BatchPlan.marquee).add(spec, x: x, y: y, sprite: sprite)
    case .animation(let from, let to, let duration):
      let spec = TweenSpec(
        from: mirror.distance(from) + 0, to: mirror.distance(to) + 0, period: duration)
      batches.collector(BatchPlan.tween, .x).add(spec, x: x, y: y, sprite: sprite)
    case .repeating(let from, let to, let animation):
      guard
        let spec = TweenSpec(
          from: mirror.distance(from) + 0, to: mirror.distance(to) + 0, animation: animation)
      else { return }
      batches.collector(BatchPlan.tween, .x).add(spec, x: x, y: y, sprite: sprite)
    case .ticker(let speed, _, .seamless, let direction):
      let spec = MarqueeSpec(
        period: moved.copyPeriod, speed: (speed ?? Self.tickerSpeed) + 0,
        direction: mirror.direction(direction), phase: 0)
      batches.collector(BatchPlan.marquee).add(spec, x: x, y: y, sprite: sprite)
    case .ticker(let speed, _, let variant, let direction):
      let step =
        variant == .perUpdate ? 1 : (speed ?? Self.tickerSpeed) * scene.rate.tickSeconds
      let sign = mirror.direction(direction) == .left ? -1.0 : 1
      let spec = TimerSpec(
        start: 0, step: sign * step, resetAt: sign * frameWidth,
        interval: TimerInterval(tickOf: scene.rate))
      batches.collector(BatchPlan.timer).add(spec, x: x, y: y, sprite: sprite)
    case .timer(let start, let step, let interval, let resetAt):
      let spec = TimerSpec(
        start: mirror.distance(start) + 0, step: mirror.distance(step),
        resetAt: mirror.distance(resetAt), interval: interval)
      batches.collector(BatchPlan.timer).add(spec, x: x, y: y, sprite: sprite)
    }
  }

  private mutating func layout(_ row: Row, at path: DocumentPath) -> RowLayout? {
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

  private mutating func flag(_ region: String, _ row: Row, at path: DocumentPath) -> Item? {
    do throws(TextFault) {
      let flag = try texts.flag(ofRegion: region)
      guard let height = row.flagHeight else { return (.flag(flag), row.flagWidth, row.height) }
      let width = min(row.flagWidth, height / (try texts.aspect(ofFlag: flag)))
      return (.flag(flag, width: width), row.flagWidth, row.height)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  private mutating func label(ofCurrency code: String, _ row: Row, at path: DocumentPath) -> Item? {
    do throws(TextFault) {
      return label(try texts.name(ofCurrency: code), row, at: path)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  private mutating func label(_ text: String, _ row: Row, at path: DocumentPath) -> Item? {
    do throws(TextFault) {
      let size = try texts.size(text, font: row.font)
      return (.label(text), size.width, size.height)
    } catch {
      faults.add(path, error.fault)
      return nil
    }
  }

  // MARK: Orbits, fields, texts

  var middle: CGPoint { CGPoint(x: scene.size.width / 2, y: scene.size.height / 2) }

  /// Adds a planet, which is a view if it moves with one, and its moons.
  ///
  /// - Parameters:
  ///   - system: The planet and its moons.
  ///   - planet: The planet's name if it is a view.
  ///   - moon: The name that its moons share then.
  ///   - parent: Name of the view that the whole system moves with.
  mutating func add(_ system: OrbitSystem, planet: String, moon: String, parent: String?) {
    let random = CounterRandom(seed: scene.seed, use: .orbitSystem, index: systemCount)
    systemCount += 1
    let layout = OrbitLayout(height: system.height, moonCount: system.moonCount)
    let center = restingPositions.position(system.center, parent: parent)
    let (x, y) = (Double(center.x), Double(center.y))
    sprites.append(SpriteMaker.disc(radius: layout.planetSize / 2, color: system.planetColor))
    let parentIndex = parent.flatMap { names.views[$0] }
    if parentIndex == nil {
      addFixture(x: x, y: y)
    } else {
      let view = ViewPlan(name: planet, initial: Self.defaults)
      addView(view, at: center, sprite: sprites.count - 1, parent: parent)
    }
    var moonSprites: [Color: Int] = [:]
    for index in 0..<system.moonCount {
      let moon = system.moons.moon(index)
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
      batches.collector(BatchPlan.orbit).add(
        spec, x: x, y: y, sprite: moonSprites[color] ?? 0, parent: parentIndex)
    }
    if parentIndex != nil {
      batches.collector(BatchPlan.orbit).nameLast(moon, entityCount: system.moonCount)
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
    @Sendable func look(_ origin: (x: Float, y: Float), _ disc: Int) -> EntityLook {
      EntityLook(x: origin.x, y: origin.y, sprite: UInt32(firstSprite + plan.color(disc)))
    }
    switch field.motion {
    case .marquee(let speed, let period):
      let specs = Specs(count: count) { plan.marquee($0, speed: speed, period: period) }
      batches.collector(BatchPlan.marquee).add(specs) { disc, spec in
        look(plan.origin(of: spec, disc), disc)
      }
    case .orbit(let radius, let duration):
      let specs = Specs(count: count) { plan.orbit($0, radius: radius, duration: duration) }
      batches.collector(BatchPlan.orbit).add(specs) { disc, spec in
        look(plan.origin(of: spec, disc), disc)
      }
    case .tween(let tween):
      let cycle = TweenCycle(curve: tween.curve, autoreverses: tween.autoreverses)
      let moves = FieldPlan.Moves(tween)
      let specs = Specs(count: count) { plan.tween($0, moves, cycle: cycle) }
      batches.collector(BatchPlan.tween, tween.property).add(specs) { disc, spec in
        look(plan.origin(moves.property, from: spec.from, to: spec.to, disc), disc)
      }
    case .spring(let spring):
      let property = spring.property
      let specs = Specs(count: count) { plan.spring($0, spring) }
      batches.collector(BatchPlan.spring, spring.property).add(specs) { disc, spec in
        look(plan.origin(property, from: spec.from, to: spec.to, disc), disc)
      }
    }
  }

  private mutating func add(_ text: Text, at path: DocumentPath) {
    do throws(TextFault) {
      let size = try texts.size(text.content, font: text.font)
      sprites.append(SpriteMaker.text(text, size: size, mirror: mirror))
      let center = mirror.point(text.position ?? middle)
      addFixture(x: center.x, y: center.y)
    } catch {
      faults.add(path.key("text"), error.fault)
    }
  }

  /// Adds a fixture: the last sprite at a fixed position.
  mutating func addFixture(x: Double, y: Double) {
    var fixture = Orrery_Fixture()
    fixture.x = x
    fixture.y = y
    fixture.sprite = UInt32(sprites.count - 1)
    fixtures.append(fixture)
  }

  // MARK: The whole

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
    layout.images = images.bytes
    layout.options.imageNames = images.names
    let placed = placedBatches
    let firstView = placed.first { $0.collector is BatchCollector<ViewPlan> }?.first ?? 0
    // A shard leaves out what it has nothing of.
    let own = placed.filter { !$0.slice.isEmpty }
    let plans = own.map { withCommands($0.collector.plan($0.slice)) }
    layout.batches = zip(own, plans).map { batch, plan in
      batch.collector.message(
        kind: plan.kind, batch.slice, firstEntity: batch.first + batch.slice.lowerBound,
        firstView: firstView)
    }
    layout.names = own.flatMap { $0.collector.names(firstEntity: $0.first) }
    layout.entityCount = own.reduce(0) { $0 + UInt64($1.slice.count) }
    if !shard.isWhole {
      layout.shard.index = UInt32(shard.index)
      layout.shard.count = UInt32(shard.count)
      layout.shard.entityCount = placed.reduce(0) { $0 + UInt64($1.collector.count) }
      layout.shard.batches = own.map { UInt32($0.index) }
    }
    var plan = ScenePlan(
      name: scene.name, seed: scene.seed, rate: scene.rate, batches: plans, layout: layout,
      firstEntities: own.map { $0.first + $0.slice.lowerBound }, shard: shard)
    plan.liveNames = LiveNames(names: names, tapAnimations: tapAnimations, mirror: mirror)
    return plan
  }
  /// A batch of the scene, and this shard's part of it.
  private struct PlacedBatch {
    let index: Int
    let collector: any AnyBatchCollector
    /// Number of the batch's first entity.
    let first: Int
    /// Indexes in the batch of this shard's entities.
    let slice: Range<Int>
  }

  /// All batches of the scene.
  ///
  /// Batches whose entities have names or move with views are kept whole, in the first shard.
  private var placedBatches: [PlacedBatch] {
    var (placed, entities, blocks) = ([PlacedBatch](), 0, 0)
    for (index, collector) in batches.all.enumerated() {
      let count = collector.count
      let slice =
        collector.isIndivisible
        ? 0..<(shard.index == 0 ? count : 0) : shard.slice(ofBatch: count, blocksBefore: blocks)
      placed.append(PlacedBatch(index: index, collector: collector, first: entities, slice: slice))
      entities += count
      blocks += Blocks.count(entities: count)
    }
    return placed
  }
}
