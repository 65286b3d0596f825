// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// At most one tween for each lane of a block: a curve that runs once or repeatedly, or a hold.
///
/// | column      | unit          | changes                 |
/// |-------------|---------------|-------------------------|
/// | `phase`     | turns · 2^32  | once in a window        |
/// | `step`      | turns · 2^32  | when a tween begins     |
/// | `span`      | the lane's    | when one begins or ends |
/// | `entry`     | `CurveBank`   | when a tween begins     |
/// | `intervals` | the lane's    | when a tween begins     |
/// | `offsets`   | the lane's    | when a tween begins     |
/// | `indexes`   | `TweenStarts` | when a tween begins     |
///
/// The phase at tick t is the upper half of origin + step64 · t, exactly the turns since the tween's
/// start; see `Phases`. Lanes without a tween have the span 0.
final class TweenLayer {
  /// Lanes that have a tween, holds included.
  ///
  /// This and the other sets are not checked for overlapping accesses; see `LaneBlock.tweens`.
  @exclusivity(unchecked) private(set) var used = LaneSet()

  /// Lanes whose tween a kernel computes, from its table.
  @exclusivity(unchecked) private var tabulated = LaneSet()

  /// Lanes whose tween is computed by itself, in `Double`.
  @exclusivity(unchecked) private var exact = LaneSet()

  /// Lanes whose tween ends at the next `endPending`.
  @exclusivity(unchecked) private var ending = LaneSet()

  private let phase: Column<UInt32>
  private let step: Column<UInt32>
  private let span: Column<Float>
  private let entry: Column<UInt32>
  private let generations: Column<UInt32>

  /// The lane's change from progress 0 to 1, and a constant that is added to it; valid only for used lanes.
  private let intervals: Column<Double>
  private let offsets: Column<Double>

  /// How each lane moves; `none` for holds, and valid only for used lanes.
  private let indexes: Column<TweenStarts.Index>
  @exclusivity(unchecked) private var starts = TweenStarts()

  /// Not hashed: other layers may add to the values.
  private let tile = KernelTile()
  private let stagger: Int

  /// Whether its tables are those of keyframes; see `kernel_table.tween_grid`.
  private let isGrid: Bool

  /// The tick for which the phases hold.
  private var anchor = Int64.min

  /// The entry that all tabulated lanes share; nil if they differ.
  private var sharedEntry: UInt32?

  /// Lane groups from the first to the last tabulated lane.
  private var groups = 0..<0

  /// From `firstTick` to `lastTick`, every tabulated lane is between its start and its end.
  private var firstTick = Int64.min
  private var lastTick = Int64.max

  /// Whether lanes have ended, so `groups` may be too wide, and `firstTick` to `lastTick` too narrow.
  private var isLoose = false

  init(count: Int, stagger: Int, isGrid: Bool = false) {
    self.isGrid = isGrid
    phase = Column(count: count, zero: 0)
    step = Column(count: count, zero: 0)
    span = Column(count: count, zero: 0)
    entry = Column(count: count, zero: LaneCurve.linearEntry)
    generations = Column(count: count, zero: 0)
    intervals = Column(count: count, zero: 0)
    offsets = Column(count: count, zero: 0)
    indexes = Column(count: count, zero: TweenStarts.none)
    self.stagger = stagger
  }

  var isMoving: Bool { !tabulated.isEmpty || !exact.isEmpty }

  func isMoving(_ lane: Int) -> Bool { tabulated.contains(lane) || exact.contains(lane) }

  /// The constant part that a lane's tween adds to it.
  func offset(_ lane: Int) -> Double { used.contains(lane) ? offsets.values[lane] : 0 }

  /// Begins a hold: a tween that stands still.
  ///
  /// - Returns: Its generation.
  func hold(_ lane: Int, offset: Double) -> UInt32 {
    used.insert(lane)
    (intervals.values[lane], offsets.values[lane]) = (0, offset)
    indexes.values[lane] = TweenStarts.none
    generations.values[lane] &+= 1
    return generations.values[lane]
  }

  /// Begins a tween.
  ///
  /// - Parameters:
  ///   - lane: A lane without a tween.
  ///   - start: How it moves.
  ///   - span: The lane's change from progress 0 to 1.
  ///   - offset: A constant that is added to the lane.
  /// - Returns: Its generation.
  @inline(__always)
  func begin(_ lane: Int, _ start: TweenStart, span: Double, offset: Double) -> UInt32 {
    used.insert(lane)
    (intervals.values[lane], offsets.values[lane]) = (span, offset)
    indexes.values[lane] = starts.use(start)
    if let entry = start.entry {
      step.values[lane] = start.step
      self.span.values[lane] = Float(span)
      self.entry.values[lane] = entry
      insert(lane, start, entry)
    } else {
      exact.insert(lane)
    }
    generations.values[lane] &+= 1
    return generations.values[lane]
  }

  /// Begins tweens in many lanes without one, each from minus its interval to 0.
  ///
  /// - Parameters:
  ///   - start: How they move; its curve has a table.
  ///   - changes: In rising order of lanes; they receive their generations.
  ///   - count: At least one.
  func begin(_ start: TweenStart, _ changes: UnsafeMutablePointer<LaneChange>, count: Int) {
    // The first one also tells the layer what is common to all of them.
    changes[0].generation = begin(
      Int(changes[0].lane), start, span: changes[0].interval, offset: -changes[0].interval)
    let groups =
      groups
      .lowerBound..<max(
        groups.upperBound, Int(changes[count - 1].lane) / Blocks.laneCount + 1)
    self.groups = groups
    let turns = start.origin &+ start.step64 &* UInt64(bitPattern: anchor)
    let phaseAtAnchor = UInt32(truncatingIfNeeded: turns >> 32)
    let entryOfAll = start.entry ?? LaneCurve.linearEntry
    let (phase, step, span, entry) = (phase.values, step.values, span.values, entry.values)
    let (intervals, offsets, generations) = (intervals.values, offsets.values, generations.values)
    let indexes = indexes.values
    let startIndex = count > 1 ? starts.use(start, count: count - 1) : TweenStarts.none
    var (word, lanes) = (Int(changes[0].lane) >> 6, UInt64(0))
    for index in 1..<max(count, 1) {
      let (lane, interval) = (Int(changes[index].lane), changes[index].interval)
      if lane >> 6 != word {
        insert(lanes, ofWord: word)
        (word, lanes) = (lane >> 6, 0)
      }
      lanes |= 1 << UInt64(lane & 63)
      (intervals[lane], offsets[lane]) = (interval, -interval)
      indexes[lane] = startIndex
      step[lane] = start.step
      phase[lane] = phaseAtAnchor
      span[lane] = Float(interval)
      entry[lane] = entryOfAll
      generations[lane] &+= 1
      changes[index].generation = generations[lane]
    }
    insert(lanes, ofWord: word)
  }

  /// As the other, in successive lanes, each with the same interval.
  func begin(_ start: TweenStart, _ lanes: Range<Int>, interval: Double) {
    guard let first = lanes.first, let last = lanes.last else { return }
    _ = begin(first, start, span: interval, offset: -interval)
    let rest = first + 1..<last + 1
    if rest.isEmpty { return }
    groups = groups.lowerBound..<max(groups.upperBound, last / Blocks.laneCount + 1)
    used.insert(rest)
    tabulated.insert(rest)
    func fill<Value>(_ column: borrowing Column<Value>, _ value: Value) {
      (column.values + rest.lowerBound).update(repeating: value, count: rest.count)
    }
    fill(intervals, interval)
    fill(offsets, -interval)
    fill(indexes, starts.use(start, count: rest.count))
    fill(step, start.step)
    fill(phase, phase.values[first])
    fill(span, Float(interval))
    fill(entry, entry.values[first])
    let generations = generations.values + rest.lowerBound
    for index in 0..<rest.count { generations[index] &+= 1 }
  }

  private func insert(_ lanes: UInt64, ofWord word: Int) {
    used.insert(lanes, ofWord: word)
    tabulated.insert(lanes, ofWord: word)
  }

  /// Ends a tween.
  ///
  /// - Returns: False if the lane's tween is not of this generation.
  func end(_ lane: Int, generation: UInt32) -> Bool {
    guard used.contains(lane), generations.values[lane] == generation else { return false }
    used.remove(lane)
    starts.release(indexes.values[lane])
    if tabulated.contains(lane) {
      tabulated.remove(lane)
      span.values[lane] = 0
      isLoose = true
    } else {
      exact.remove(lane)
    }
    return true
  }

  /// Ends a tween when `endPending` is called.
  ///
  /// - Parameters:
  ///   - lane: A lane with a tween.
  ///   - generation: The tween's.
  @inline(__always)
  func endLater(_ lane: Int, generation: UInt32) {
    assert(generations.values[lane] == generation, "tween \(generation) of lane \(lane)")
    ending.insert(lane)
  }

  /// As `endLater`, of successive lanes with tweens.
  func endLater(_ lanes: Range<Int>) { ending.insert(lanes) }

  /// Ends the tweens that were given to `endLater`.
  ///
  /// - Parameter body: Called with each of their lanes, in rising order.
  func endPending(_ body: (Int) -> Void) {
    if ending.isEmpty { return }
    used.subtract(ending)
    exact.subtract(ending)
    if tabulated.subtract(ending) > 0 { isLoose = true }
    ending.forEach { lane in
      starts.release(indexes.values[lane])
      span.values[lane] = 0
      body(lane)
    }
    ending.removeAll()
  }

  /// The generation of a lane's tween.
  func generation(_ lane: Int) -> UInt32 { generations.values[lane] }

  @inline(__always)
  private func insert(_ lane: Int, _ tween: TweenStart, _ tableEntry: UInt32) {
    let group = lane / Blocks.laneCount
    if tabulated.isEmpty {
      sharedEntry = tableEntry
      groups = group..<group + 1
      (firstTick, lastTick) = (.min, .max)
    } else {
      if sharedEntry != tableEntry { sharedEntry = nil }
      groups = min(groups.lowerBound, group)..<max(groups.upperBound, group + 1)
    }
    firstTick = max(firstTick, tween.start.firstTick)
    lastTick = min(lastTick, tween.lastTick)
    tabulated.insert(lane)
    if anchor != .min { phase.values[lane] = starts.phase(indexes.values[lane], at: anchor) }
  }

  /// Adds the tweens of a tick to values.
  ///
  /// - Parameters:
  ///   - tick: Any.
  ///   - kernels: Those of the instruction set in use.
  ///   - rows: The bank's.
  ///   - base: The values to add to; may be `values`.
  ///   - values: Receives the sums of the groups of `kernelGroups`; of all lanes if `base` is `values`.
  func add(
    tick: UInt64, kernels: borrowing kernel_table, rows: UnsafePointer<Float>,
    base: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>
  ) {
    if !tabulated.isEmpty {
      let now = Int64(tick)
      let elapsed = moveAnchor(tick)
      let isGuarded = now < firstTick || now > lastTick
      if isGuarded { tabulated.forEach { if isOutside($0, now) { span.values[$0] = 0 } } }
      addTabulated(elapsed, kernels, rows, base, values)
      if isGuarded {
        tabulated.forEach { lane in
          if isOutside(lane, now) { values[lane] += standing(lane, now) }
        }
      }
    }
    exact.forEach { values[$0] += exactValue($0, Int64(tick)) }
  }

  /// Whether one kernel computes all tweens, at every tick of the scene.
  var isEndless: Bool { exact.isEmpty && firstTick <= 0 && lastTick == .max }

  /// Computes the sums of values and tweens at a tile's ticks, for all lanes, and adds their hash terms.
  ///
  /// - Parameters:
  ///   - tile: Has the lanes' column as its first field; crosses no border of tiles.
  ///   - tick: The tile's first; all tweens are endless.
  ///   - kernels: Those of the instruction set in use.
  ///   - rows: The bank's.
  ///   - base: The values to add to.
  func fill(
    _ tile: UnsafeMutablePointer<kernel_tile>, tick: UInt64, kernels: borrowing kernel_table,
    rows: UnsafePointer<Float>, base: UnsafePointer<Float>
  ) {
    assert(isGrid, "another kernel is needed")
    tile.pointee.elapsed = moveAnchor(tick)
    kernels.tween_grid(
      tile, rows, entry.values, phase.values, step.values, base, span.values)
  }

  /// Makes the phases of all tabulated lanes ready for a tick.
  ///
  /// - Returns: Ticks from the anchor to it.
  private func moveAnchor(_ tick: UInt64) -> UInt32 {
    let current = Phases.laneAnchor(block: stagger, tick: tick)
    if anchor != current {
      anchor = current
      starts.findPhases(tabulated, at: anchor, indexes.values, phase.values)
    }
    return UInt32(Int64(tick) - current)
  }

  /// The lane groups that kernels compute; fewer than before if tweens have ended.
  func kernelGroups(tick: UInt64) -> Range<Int> {
    if tabulated.isEmpty { return 0..<0 }
    let now = Int64(tick)
    if isLoose && (tabulated.count * 2 < groups.count || now > lastTick || now < firstTick) {
      tighten()
    }
    return groups
  }

  private func tighten() {
    isLoose = false
    groups = tabulated.groups
    (firstTick, lastTick) = (.min, .max)
    sharedEntry = nil
    var (first, isShared) = (UInt32.max, true)
    tabulated.forEach { lane in
      let start = starts[indexes.values[lane]]
      firstTick = max(firstTick, start.start.firstTick)
      lastTick = min(lastTick, start.lastTick)
      if first == .max { first = entry.values[lane] }
      if entry.values[lane] != first { isShared = false }
    }
    if isShared { sharedEntry = first }
  }

  private func addTabulated(
    _ elapsed: UInt32, _ kernels: borrowing kernel_table, _ rows: UnsafePointer<Float>,
    _ base: UnsafePointer<Float>, _ values: UnsafeMutablePointer<Float>
  ) {
    let first = groups.lowerBound * Blocks.laneCount
    let tile = tile.pointer
    tile.pointee.count = UInt32(min(groups.upperBound * Blocks.laneCount, span.count) - first)
    tile.pointee.elapsed = elapsed
    kernel_set_column(tile, 0, 0, values + first)
    let (phase, step) = (phase.values + first, step.values + first)
    let (span, base) = (span.values + first, base + first)
    if isGrid {
      kernels.tween_grid(tile, rows, entry.values + first, phase, step, base, span)
      return
    }
    switch sharedEntry {
    case LaneCurve.linearEntry:
      kernels.tween(tile, phase, step, base, span)
    case let shared?:
      kernels.tween_table(
        tile, rows + Int(shared >> 4) * 4, shared & 15, phase, step, base, span)
    case nil:
      kernels.tween_mixed(tile, rows, entry.values + first, phase, step, base, span)
    }
  }

  /// Whether a tick is before a tween's start or after its end.
  private func isOutside(_ lane: Int, _ tick: Int64) -> Bool {
    let start = starts[indexes.values[lane]]
    return tick < start.start.firstTick || tick > start.lastTick
  }

  /// The moving part of a tween before its start or after its end; also restores the span that `add`
  /// cleared.
  private func standing(_ lane: Int, _ tick: Int64) -> Float {
    let (start, interval) = (starts[indexes.values[lane]], intervals.values[lane])
    span.values[lane] = Float(interval)
    guard let curve = start.curve?.takeUnretainedValue() else { return 0 }
    return Float(interval * (tick < start.start.firstTick ? curve.start : curve.end))
  }

  /// The moving part of a lane's tween, computed from its cycle.
  private func exactValue(_ lane: Int, _ tick: Int64) -> Float {
    let tween = starts[indexes.values[lane]]
    guard let curve = tween.curve?.takeUnretainedValue() else { return 0 }
    let elapsed = tween.start.ticks(until: tick)
    let turns: Double
    if elapsed <= 0 {
      turns = 0
    } else if tween.isCycle {
      // Periods are rounded; a jump that is due at a tick must not be late for that, as in `TickTime`.
      let early = curve.cycle.curve.mayJump ? 0x1p-36 + elapsed * 0x1p-51 : 0
      // This remainder is exact, however large the quotient.
      turns =
        (elapsed + early).truncatingRemainder(dividingBy: tween.periodTicks) / tween.periodTicks
    } else {
      turns = min(elapsed / tween.periodTicks, 1)
    }
    return Float(intervals.values[lane] * curve.cycle.value(at: turns.isNaN ? 0 : turns))
  }
}

// MARK: - Invariants

extension TweenLayer {
  /// Traps where the sets of lanes contradict each other.
  func checkInvariants(laneCount: Int) {
    for lane in 0..<laneCount {
      let (isTabulated, isExact) = (tabulated.contains(lane), exact.contains(lane))
      precondition(!(isTabulated && isExact), "lane \(lane) is computed twice")
      precondition(used.contains(lane) || !(isTabulated || isExact), "lane \(lane) has no tween")
      precondition(used.contains(lane) || !ending.contains(lane), "lane \(lane) ends twice")
      if isTabulated {
        precondition(groups.contains(lane / Blocks.laneCount), "lane \(lane) is not in \(groups)")
        precondition(sharedEntry == nil || sharedEntry == entry.values[lane], "lane \(lane)")
      } else {
        precondition(span.values[lane] == 0, "lane \(lane) is moved and has no tween")
      }
    }
  }
}
