// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// The lanes that show some views: a director changes them between ticks, a batch evaluates them.
///
/// A view shows the values of its lanes. In a transition, they are combined with the transition's
/// polynomials. A hidden view has opacity 0.
final class ViewLanes: @unchecked Sendable {
  /// The fields that views show, in the order of `ViewProperty`.
  let fields: [ViewProperty]

  /// Whether any view has a transition.
  let hasTransitions: Bool

  /// The tick that is being prepared: changes made now show from this tick on.
  var tick: UInt64 = 0

  let plan: ViewsPlan
  private let rate: TickRate
  private let curves: CurveBank
  private let transitionTable: TransitionTable

  /// By field, then by block: field f's block b is `fieldBlocks[f * blockCount + b]`.
  @exclusivity(unchecked) var fieldBlocks: [LaneBlock] = []
  let blockCount: Int

  /// By block; empty if no view has a transition.
  @exclusivity(unchecked) var awayBlocks: [LaneBlock] = []
  @exclusivity(unchecked) var transitions: [TransitionLanes] = []

  /// The same by channel, then by block, nil where nothing shows the channel; and by block: changes count no references.
  private let lanes: FixedArray<Unmanaged<LaneBlock>?>
  private let transitionLanes: FixedArray<Unmanaged<TransitionLanes>?>

  /// How far away views are, by view, while a batch evaluates them.
  private let awayValues: Column<Float>

  /// 1 for each hidden view.
  let isHidden: Column<UInt8>

  /// By block: the number of hidden views; the tick since which it is unchanged, or `UInt64.max`; and
  /// whether it is in `touched`.
  let hiddenCount: Column<Int32>
  private let stillSince: Column<UInt64>
  private let isTouched: Column<UInt8>

  /// By block: the tick of its last change, and whether it has been steady since; whether later ticks were computed
  /// with an earlier one.
  private let changedAt: Column<UInt64>
  private let isSteady: Column<UInt8>
  private let isAhead: Column<UInt8>

  /// Blocks that were changed after that.
  @exclusivity(unchecked) private var outdated: [Int] = []

  /// Blocks in which something was changed in this tick.
  ///
  /// As `Director.state`, it is not checked for overlapping accesses, and so are the blocks.
  @exclusivity(unchecked) private var touched: [Int] = []

  /// Index into `fields` of each channel; -1 where nothing shows it.
  private let fieldIndexes: [Int]

  /// The views at time 0, none of them hidden.
  init(_ plan: ViewsPlan, rate: TickRate, curves: CurveBank) {
    let used = ViewFields(plan)
    let count = plan.views.count
    blockCount = Blocks.count(entities: count)
    fieldIndexes = ViewChannel.allCases.map { channel in
      channel.property.flatMap(used.fields.firstIndex) ?? -1
    }
    self.plan = plan
    self.rate = rate
    self.curves = curves
    fields = used.fields
    hasTransitions = used.hasTransitions
    transitionTable = TransitionTable(plan.views)
    awayValues = Column(count: used.hasTransitions ? count : 0, zero: 0)
    isHidden = Column(count: count, zero: 0)
    hiddenCount = Column(count: blockCount, zero: 0)
    stillSince = Column(count: blockCount, zero: 0)
    isTouched = Column(count: blockCount, zero: 0)
    changedAt = Column(count: blockCount, zero: 0)
    isSteady = Column(count: blockCount, zero: 0)
    isAhead = Column(count: blockCount, zero: 0)
    lanes = FixedArray(repeating: nil, count: ViewChannel.allCases.count * blockCount)
    transitionLanes = FixedArray(repeating: nil, count: blockCount)
    touched.reserveCapacity(blockCount)
    outdated.reserveCapacity(blockCount)
    reset()
  }

  /// Goes back to time 0, with no view hidden.
  func reset() {
    let count = plan.views.count
    let blocks = 0..<blockCount
    func makeBlock(_ block: Int, base: Double) -> LaneBlock {
      LaneBlock(
        count: Blocks.range(block, entities: count).count, base: base, rate: rate,
        curves: curves, stagger: block)
    }
    tick = 0
    fieldBlocks = fields.flatMap { field in
      blocks.map { makeBlock($0, base: field.defaultValue) }
    }
    awayBlocks = hasTransitions ? blocks.map { makeBlock($0, base: 0) } : []
    transitions = awayBlocks.map { TransitionLanes(laneCount: $0.count) }
    for channel in ViewChannel.allCases {
      let field = fieldIndexes[Int(channel.rawValue)]
      let made =
        channel == .away
        ? awayBlocks
        : field < 0 ? [] : Array(fieldBlocks[field * blockCount..<(field + 1) * blockCount])
      for (block, lane) in made.enumerated() {
        lanes[Int(channel.rawValue) * blockCount + block] = .passUnretained(lane)
      }
    }
    for (block, made) in transitions.enumerated() { transitionLanes[block] = .passUnretained(made) }
    isHidden.values.update(repeating: 0, count: count)
    hiddenCount.values.update(repeating: 0, count: blocks.count)
    stillSince.values.update(repeating: 0, count: blocks.count)
    for (view, plan) in plan.views.enumerated() {
      for (property, value) in zip(ViewProperty.allCases, plan.initial)
      where value != property.defaultValue {
        setBase(ViewChannel(property), view, value)
      }
    }
  }

  /// Applies the changes of this tick: ends pending contributions, and notes which changed blocks now
  /// move.
  func applyChanges() {
    for block in touched {
      for index in fields.indices { fieldBlocks[index * blockCount + block].endPending() }
      if hasTransitions { awayBlocks[block].endPending() }
      let isMoving =
        fields.indices.contains { fieldBlocks[$0 * blockCount + block].isMoving }
        || (hasTransitions && awayBlocks[block].isMoving)
      stillSince.values[block] = isMoving ? .max : tick
      changedAt.values[block] = tick
      isSteady.values[block] = findSteady(block) ? 1 : 0
      isTouched.values[block] = 0
      if isAhead.values[block] > 0 {
        isAhead.values[block] = 0
        outdated.append(block)
      }
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// See `Batch.takeOutdated`.
  func takeOutdated(_ body: (Int) -> Void) {
    if outdated.isEmpty { return }
    outdated.forEach(body)
    outdated.removeAll(keepingCapacity: true)
  }

  /// Whether a block's later ticks may be computed with this one: it moves on keyframes alone, and has not been
  /// changed for the length of a tile.
  ///
  /// Changes that come nevertheless make those ticks outdated. Where they come often, the work would be done in vain.
  func looksAhead(block: Int, tick: UInt64) -> Bool {
    isSteady.values[block] > 0 && tick >= changedAt.values[block] + UInt64(KERNEL_TILE_TICKS)
  }

  /// Whether a block's views are at rest or move on keyframes that kernels evaluate, none in a transition.
  private func findSteady(_ block: Int) -> Bool {
    if hasTransitions, transitions[block].count > 0 { return false }
    return fields.indices.allSatisfy { fieldBlocks[$0 * blockCount + block].isSteady }
  }

  /// Layers of all blocks.
  var layerCount: Int {
    (fieldBlocks + awayBlocks).reduce(0) { $0 + $1.tweens.count + $1.springs.count }
  }

  /// The tick since which a block is unchanged; nil if it changes at every tick.
  func unchangedSince(block: Int) -> UInt64? {
    let since = stillSince.values[block]
    return since == .max ? nil : since
  }
}

// MARK: - Changes by a director

extension ViewLanes {
  /// Names a contribution to a lane.
  typealias Handle = LaneBlock.Handle

  /// Sets the value of a view's channel at rest.
  func setBase(_ channel: ViewChannel, _ view: Int, _ value: Double) {
    lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.setBase(view % Blocks.entityCount, value)
    }
    touch(view)
  }

  /// Makes room for contributions to a block's lanes; see `LaneBlock.reserve`.
  func reserve(_ channel: ViewChannel, _ block: Int, tweens: Int, springs: Int) {
    lane(channel, ofBlock: block)?._withUnsafeGuaranteedRef {
      $0.reserve(tweens: tweens, springs: springs)
    }
  }

  /// Begins a contribution in a layer; nil if nothing shows the channel.
  func begin(
    _ channel: ViewChannel, _ view: Int, _ motion: LaneMotion, interval: Double, layer: Int
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.begin(view % Blocks.entityCount, motion, interval: interval, layer: layer)
    }
  }

  /// Sets the value of a view's channel at rest, and begins a contribution that leads to it.
  ///
  /// - Parameters:
  ///   - channel: A channel of the view.
  ///   - view: The view's index.
  ///   - start: How the contribution moves, with velocities in intervals per second.
  ///   - base: The new value at rest.
  ///   - interval: New value at rest minus the one before.
  /// - Returns: Nil if nothing shows the channel.
  func begin(
    _ channel: ViewChannel, _ view: Int, _ start: LaneStart, base: Double, interval: Double
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.begin(view % Blocks.entityCount, start, base: base, interval: interval)
    }
  }

  /// As the other, of a tween.
  func begin(
    _ channel: ViewChannel, _ view: Int, _ start: UnsafePointer<TweenStart>, base: Double,
    interval: Double
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.begin(view % Blocks.entityCount, start, base: base, interval: interval)
    }
  }

  /// Whether a lane of a block is free in a first layer of tweens.
  @inline(__always)
  func hasFirstLayer(_ channel: ViewChannel, _ block: Int, free lane: Int) -> Bool {
    self.lane(channel, ofBlock: block)?._withUnsafeGuaranteedRef {
      $0.hasFirstLayer(free: lane)
    } ?? false
  }

  /// Whether lanes of a block are free in a first layer of tweens.
  func hasFirstLayer(_ channel: ViewChannel, _ block: Int, free lanes: Range<Int>) -> Bool {
    lane(channel, ofBlock: block)?._withUnsafeGuaranteedRef { $0.hasFirstLayer(free: lanes) }
      ?? false
  }

  /// As `begin`, in successive lanes of a block that are free in its first layer of tweens, all from one value to
  /// another; `touch` its block before.
  func begin(
    _ channel: ViewChannel, _ block: Int, _ start: UnsafePointer<TweenStart>,
    _ lanes: Range<Int>, base: Double, interval: Double
  ) {
    self.lane(channel, ofBlock: block)?._withUnsafeGuaranteedRef {
      $0.begin(start, lanes, base: base, interval: interval)
    }
  }

  /// As `begin`, in many lanes of a block that are free in its first layer of tweens; `touch` its block before.
  func begin(
    _ channel: ViewChannel, _ block: Int, _ start: UnsafePointer<TweenStart>,
    _ changes: UnsafeMutablePointer<LaneChange>, count: Int
  ) {
    self.lane(channel, ofBlock: block)?._withUnsafeGuaranteedRef {
      $0.begin(start, changes, count: count)
    }
  }

  /// Sets the value of a view's channel at rest, and lets a spring take over its only contribution.
  ///
  /// - Parameters:
  ///   - channel: A channel of the view.
  ///   - view: The view's index.
  ///   - handle: The contribution.
  ///   - spring: How the value moves from now on.
  ///   - start: When.
  ///   - base: The new value at rest.
  ///   - remaining: `base` minus the value at the start.
  ///   - velocity: Of the value at the start, per second.
  /// - Returns: Nil if nothing shows the channel.
  func takeOver(
    _ channel: ViewChannel, _ view: Int, _ handle: Handle, _ spring: Spring, _ start: TickTime,
    base: Double, remaining: Double, velocity: Double
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.takeOver(
        handle, spring, start, base: base, displacement: -remaining, velocity: velocity)
    }
  }

  /// Brings the memory of a spring that moves a view's channel into the cache.
  func prefetch(_ channel: ViewChannel, _ view: Int) {
    lane(channel, view)?._withUnsafeGuaranteedRef { $0.prefetch(view % Blocks.entityCount) }
  }

  /// Ends a contribution.
  func end(_ channel: ViewChannel, _ view: Int, _ handle: Handle) {
    lane(channel, view)?._withUnsafeGuaranteedRef { $0.endLater(handle) }
    touch(view)
  }

  /// Ends the tweens in the first layers of successive views of one block.
  func end(_ channel: ViewChannel, _ views: Range<Int>) {
    let lanes = lanes(of: views)
    lane(channel, views.lowerBound)?._withUnsafeGuaranteedRef { $0.endLater(lanes) }
    touch(views.lowerBound)
  }

  /// The tween of a view's channel in the first layer.
  func firstTween(_ channel: ViewChannel, _ view: Int) -> Handle? {
    lane(channel, view)?._withUnsafeGuaranteedRef { $0.firstTween(view % Blocks.entityCount) }
  }

  private func lanes(of views: Range<Int>) -> Range<Int> {
    let first = views.lowerBound % Blocks.entityCount
    return first..<first + views.count
  }

  /// Lets keyframes move a view's channel from tick 0 on.
  ///
  /// - Returns: False if nothing shows the channel, or the course has no table.
  func beginTrack(_ channel: ViewChannel, _ view: Int, _ course: KeyframeCourse) -> Bool {
    guard let track = curves.track(course), let lane = lane(channel, view) else { return false }
    touch(view)
    lane._withUnsafeGuaranteedRef { $0.beginTrack(view % Blocks.entityCount, track) }
    return true
  }

  /// Ends the keyframes of a view's channel; its value at rest is then to be set.
  func endTrack(_ channel: ViewChannel, _ view: Int) {
    touch(view)
    lane(channel, view)?._withUnsafeGuaranteedRef { $0.endTrack(view % Blocks.entityCount) }
  }

  /// Hides a view, or shows it again.
  @inline(__always)
  func setHidden(_ view: Int, _ hidden: Bool) {
    guard (isHidden.values[view] > 0) != hidden else { return }
    isHidden.values[view] = hidden ? 1 : 0
    hiddenCount.values[view / Blocks.entityCount] += hidden ? 1 : -1
    touch(view)
  }

  /// As `setHidden`, of successive views of one block.
  func setHidden(_ views: Range<Int>, _ hidden: Bool) {
    let flags = isHidden.values + views.lowerBound
    var old: Int32 = 0
    for index in 0..<views.count { old += Int32(flags[index]) }
    guard old != (hidden ? Int32(views.count) : 0) else { return }
    flags.update(repeating: hidden ? 1 : 0, count: views.count)
    hiddenCount.values[views.lowerBound / Blocks.entityCount] +=
      hidden ? Int32(views.count) - old : -old
    touch(views.lowerBound)
  }

  /// Whether a view is in a transition.
  @inline(__always)
  func isInTransition(_ view: Int) -> Bool {
    transitionLanes[view / Blocks.entityCount]?._withUnsafeGuaranteedRef {
      $0.contains(view % Blocks.entityCount)
    } ?? false
  }

  /// Whether any of successive views of one block is in a transition.
  func areInTransition(_ views: Range<Int>) -> Bool {
    transitionLanes[views.lowerBound / Blocks.entityCount]?._withUnsafeGuaranteedRef {
      $0.count > 0 && lanes(of: views).contains(where: $0.contains)
    } ?? false
  }

  /// Sets the half of its transition that a view is in; nil for a view at identity, or gone.
  @inline(__always)
  func setTransition(_ view: Int, _ half: TransitionTable.Half?) {
    guard hasTransitions else { return }
    let index = half.flatMap { transitionTable.index(view, $0) }
    transitionLanes[view / Blocks.entityCount]?._withUnsafeGuaranteedRef {
      $0.set(view % Blocks.entityCount, index)
    }
    touch(view)
  }

  /// As `setTransition`, of successive views of one block.
  func setTransition(_ views: Range<Int>, _ half: TransitionTable.Half?) {
    guard hasTransitions else { return }
    let indexes = half.map { transitionTable.indexes(from: views.lowerBound, $0) }
    transitionLanes[views.lowerBound / Blocks.entityCount]?._withUnsafeGuaranteedRef {
      $0.set(lanes(of: views), indexes)
    }
    touch(views.lowerBound)
  }

  /// The block that shows a channel of a view; it lives until the next `reset`.
  @inline(__always)
  func lane(_ channel: ViewChannel, _ view: Int) -> Unmanaged<LaneBlock>? {
    lane(channel, ofBlock: view / Blocks.entityCount)
  }

  @inline(__always)
  private func lane(_ channel: ViewChannel, ofBlock block: Int) -> Unmanaged<LaneBlock>? {
    lanes[Int(channel.rawValue) * blockCount + block]
  }

  @inline(__always)
  func touch(_ view: Int) {
    let block = view / Blocks.entityCount
    guard isTouched.values[block] == 0 else { return }
    isTouched.values[block] = 1
    touched.append(block)
  }
}

// MARK: - Values for a batch

extension ViewLanes {
  /// Computes one block's values; see `Batch.evaluate`.
  func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    if isSteady.values[block] > 0 {
      evaluateSteady(block, tick: tick, kernels: kernels, tile: tile)
      return true
    }
    let range = Blocks.range(block, entities: plan.views.count)
    for index in fields.indices {
      fieldBlocks[index * blockCount + block].evaluate(
        tick: tick, kernels: kernels, into: tile.floats(field: index, tick: 0))
    }
    if hasTransitions, transitions[block].count > 0 {
      let values = awayValues.values + range.lowerBound
      awayBlocks[block].evaluate(tick: tick, kernels: kernels, into: values)
      transitions[block].evaluate(kernels: kernels, table: transitionTable, away: values) {
        column($0, tile)
      }
    }
    if hiddenCount.values[block] > 0, let opacity = column(.opacity, tile) {
      hide(range, opacity)
    }
    return false
  }

  /// Computes a steady block's values at all ticks of a tile, field by field, each as the tile's first.
  private func evaluateSteady(
    _ block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) {
    if tile.pointee.ticks > 1 { isAhead.values[block] = 1 }
    for (index, field) in fields.enumerated() {
      if index > 0 { kernel_move_field(tile, index) }
      let lanes = fieldBlocks[index * blockCount + block]
      guard field == .opacity, hiddenCount.values[block] > 0 else {
        lanes.evaluateSteady(tick: tick, kernels: kernels, tile: tile)
        continue
      }
      let hashTicks = tile.pointee.hash_ticks
      tile.pointee.hash_ticks = 0
      lanes.evaluateSteady(tick: tick, kernels: kernels, tile: tile)
      for ahead in 0..<Int(tile.pointee.ticks) {
        hide(Blocks.range(block, entities: plan.views.count), tile.floats(field: 0, tick: ahead))
      }
      tile.pointee.hash_ticks = hashTicks
      kernels.hash(tile, 1)
    }
  }

  /// Makes the hidden views of a block invisible.
  private func hide(_ range: Range<Int>, _ opacity: UnsafeMutablePointer<Float>) {
    for view in range where isHidden.values[view] > 0 { opacity[view - range.lowerBound] = 0 }
  }

  private func column(
    _ field: ViewProperty, _ tile: UnsafeMutablePointer<kernel_tile>
  ) -> UnsafeMutablePointer<Float>? {
    let index = fieldIndexes[Int(ViewChannel(field).rawValue)]
    return index < 0 ? nil : tile.floats(field: index, tick: 0)
  }
}
