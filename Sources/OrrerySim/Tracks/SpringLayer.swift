// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import CLinux
import Orrery
import OrreryScene

/// At most one spring for each lane of a block.
///
/// | column                 | unit    | changes              |
/// |------------------------|---------|----------------------|
/// | `displacement`         | lane's  | every tick           |
/// | `change`               | lane's  | every tick           |
/// | `stiffness` `damping`  | 1       | when a spring begins |
///
/// The state at a tick starts from the exact one, rounded to floats, at the last anchor or at the
/// spring's first tick, whichever is later, and is stepped from there tick by tick. Quick springs
/// (`SpringCoefficients.isQuick`) are exact at every tick. So it does not depend on which ticks were
/// computed before. Lanes without a spring rest at 0.
final class SpringLayer {
  /// Lanes that have a spring.
  ///
  /// This and the other state is not checked for overlapping accesses; see `LaneBlock.tweens`.
  @exclusivity(unchecked) private(set) var used = LaneSet()

  /// Lanes whose columns do not hold their state: springs that have not started, and quick ones.
  @exclusivity(unchecked) private var pending = LaneSet()

  private let displacement: Column<Float>
  private let change: Column<Float>
  private let stiffness: Column<Float>
  private let damping: Column<Float>
  /// Not hashed: other layers may add to the values.
  private let tile = KernelTile()
  private let springs: Column<Swing>
  private let stagger: Int
  private let rate: TickRate

  /// The tick of the columns' last exact state, and the tick for which they hold.
  private var anchor = Int64.min
  private var tick = Int64.min

  /// Lane groups from the first to the last spring; with `isLoose`, they may be too many.
  private var groups = 0..<0
  private var isLoose = false

  /// The different springs of the lanes, and some that were before them.
  @exclusivity(unchecked) private var solved: [Solved] = []

  /// The exact solution that was computed last: springs that begin together are often equal.
  @exclusivity(unchecked) private var lastStep: (solved: Int32, seconds: Double, SpringPropagator)?

  private struct Solved {
    let solution: SpringSolution
    let coefficients: SpringCoefficients
    /// The exact solution over a tick.
    let tick: SpringPropagator
  }

  /// One lane's spring; 48 bytes, because springs that are interrupted here and there cost accesses to memory.
  private struct Swing: BitwiseCopyable {
    var start = TickTime(tick: 0)
    var displacement = 0.0
    var velocity = 0.0
    var offset = 0.0
    var generation: UInt32 = 0
    /// Index of its spring.
    var solved: Int32 = 0

    mutating func takeOver(displacement: Double, velocity: Double, start: TickTime) {
      generation &+= 1
      (self.displacement, self.velocity, self.start, offset) = (displacement, velocity, start, 0)
    }
  }

  init(count: Int, stagger: Int, rate: TickRate) {
    displacement = Column(count: count, zero: 0)
    change = Column(count: count, zero: 0)
    stiffness = Column(count: count, zero: 0)
    damping = Column(count: count, zero: 0)
    springs = Column(count: count, zero: Swing())
    (self.stagger, self.rate) = (stagger, rate)
  }

  var isMoving: Bool { !used.isEmpty }

  func isMoving(_ lane: Int) -> Bool { used.contains(lane) }

  /// The constant part that a lane's spring adds to it.
  func offset(_ lane: Int) -> Double { used.contains(lane) ? springs.values[lane].offset : 0 }

  /// The generation of a lane's spring.
  func generation(_ lane: Int) -> UInt32 { springs.values[lane].generation }

  /// Brings the memory of a lane's spring into the cache.
  func prefetch(_ lane: Int) {
    OrrerySim.prefetch(springs.values + lane)
    linux_prefetch(displacement.values + lane)
    linux_prefetch(change.values + lane)
  }

  /// Begins a spring.
  ///
  /// - Parameters:
  ///   - lane: A lane without a spring.
  ///   - spring: How it moves.
  ///   - displacement: Value minus target, at the start.
  ///   - velocity: Per second, at the start.
  ///   - start: When it begins.
  ///   - offset: A constant that is added to the lane.
  /// - Returns: Its generation.
  func begin(
    _ lane: Int, _ spring: Spring, displacement: Double, velocity: Double, start: TickTime,
    offset: Double
  ) -> UInt32 {
    let solved = index(of: spring)
    let group = lane / Blocks.laneCount
    groups =
      used.isEmpty
      ? group..<group + 1
      : min(groups.lowerBound, group)..<max(groups.upperBound, group + 1)
    used.insert(lane)
    pending.insert(lane)
    let generation = springs.values[lane].generation &+ 1
    springs.values[lane] = Swing(
      start: start, displacement: displacement, velocity: velocity, offset: offset,
      generation: generation, solved: solved)
    setCoefficients(lane, solved)
    return generation
  }

  /// Lets a spring take over another one.
  ///
  /// - Parameters: As for `begin`; without an offset.
  /// - Returns: Its generation; nil if the lane's spring is not of this generation.
  func takeOver(
    _ lane: Int, generation: UInt32, _ spring: Spring, displacement: Double, velocity: Double,
    start: TickTime
  ) -> UInt32? {
    guard used.contains(lane), springs.values[lane].generation == generation else { return nil }
    pending.insert(lane)
    rest(lane)
    springs.values[lane].takeOver(displacement: displacement, velocity: velocity, start: start)
    if solved[Int(springs.values[lane].solved)].solution != SpringSolution(spring) {
      let solved = index(of: spring)
      springs.values[lane].solved = solved
      setCoefficients(lane, solved)
    }
    return generation &+ 1
  }

  private func setCoefficients(_ lane: Int, _ index: Int32) {
    let coefficients = solved[Int(index)].coefficients
    let isQuick = coefficients.isQuick
    stiffness.values[lane] = isQuick ? 0 : coefficients.stiffness
    damping.values[lane] = isQuick ? 0 : coefficients.damping
  }

  /// The index of a spring in `solved`; one that is not among the newest there is solved.
  private func index(of spring: Spring) -> Int32 {
    let solution = SpringSolution(spring)
    let newest = solved.indices.suffix(Self.comparedMax)
    if let index = newest.last(where: { solved[$0].solution == solution }) { return Int32(index) }
    if solved.count >= 2 * used.count + Self.comparedMax { removeUnused() }
    solved.append(
      Solved(
        solution: solution,
        coefficients: SpringCoefficients(spring, tickSeconds: rate.tickSeconds),
        tick: solution.step(rate.tickSeconds)))
    return Int32(solved.count - 1)
  }

  /// Springs with which one that begins is compared: more than the animations of most scenes.
  private static let comparedMax = 8

  /// Removes the springs that no lane has.
  private func removeUnused() {
    var (kept, indexes): ([Solved], [Int32: Int32]) = ([], [:])
    used.forEach { lane in
      let old = springs.values[lane].solved
      if indexes[old] == nil {
        indexes[old] = Int32(kept.count)
        kept.append(solved[Int(old)])
      }
      springs.values[lane].solved = indexes[old] ?? 0
    }
    (solved, lastStep) = (kept, nil)
  }

  /// Ends a spring.
  ///
  /// - Returns: False if the lane's spring is not of this generation.
  func end(_ lane: Int, generation: UInt32) -> Bool {
    guard used.contains(lane), springs.values[lane].generation == generation else { return false }
    used.remove(lane)
    pending.remove(lane)
    springs.values[lane] = Swing(generation: generation)
    rest(lane)
    (stiffness.values[lane], damping.values[lane]) = (0, 0)
    isLoose = true
    return true
  }

  private func rest(_ lane: Int) { (displacement.values[lane], change.values[lane]) = (0, 0) }

  /// The lane groups that kernels compute; fewer than before if springs have ended.
  func kernelGroups() -> Range<Int> {
    if used.isEmpty { return 0..<0 }
    if isLoose && used.count * 2 < groups.count {
      isLoose = false
      groups = used.groups
    }
    return groups
  }

  /// Adds the springs at a tick to values.
  ///
  /// - Parameters:
  ///   - tick: Any.
  ///   - kernels: Those of the instruction set in use.
  ///   - base: The values to add to; may be `values`.
  ///   - values: Receives the sums of the groups of `kernelGroups`.
  func add(
    tick: UInt64, kernels: borrowing kernel_table, base: UnsafePointer<Float>,
    values: UnsafeMutablePointer<Float>
  ) {
    if used.isEmpty { return }
    let now = Int64(tick)
    let current = Phases.laneAnchor(block: stagger, tick: tick)
    if anchor != current || now < self.tick { move(to: current) }
    let first = groups.lowerBound * Blocks.laneCount
    let tile = tile.pointer
    tile.pointee.count = UInt32(
      min(groups.upperBound * Blocks.laneCount, displacement.count) - first)
    tile.pointee.elapsed = UInt32(now - self.tick)
    kernel_set_column(tile, 0, 0, values + first)
    kernels.spring(
      tile, stiffness.values + first, damping.values + first, displacement.values + first,
      change.values + first, UnsafeMutablePointer(mutating: base + first), nil)
    self.tick = now
    if pending.isEmpty { return }
    var next = pending.next(from: 0)
    while let lane = next {
      let state = state(lane, at: now)
      values[lane] += state.displacement
      if state.isStepped {
        pending.remove(lane)
        (displacement.values[lane], change.values[lane]) = (state.displacement, state.change)
      }
      next = pending.next(from: lane + 1)
    }
  }

  /// Sets all columns to the state at an anchor.
  private func move(to anchor: Int64) {
    (self.anchor, tick) = (anchor, anchor)
    used.forEach { lane in
      let state = state(lane, at: anchor)
      if state.isStepped {
        pending.remove(lane)
        (displacement.values[lane], change.values[lane]) = (state.displacement, state.change)
      } else {
        pending.insert(lane)
        rest(lane)
      }
    }
  }

  /// The exact solution of a spring over some seconds.
  private func step(_ index: Int32, _ seconds: Double) -> SpringPropagator {
    if let lastStep, lastStep.solved == index, lastStep.seconds == seconds { return lastStep.2 }
    let step = solved[Int(index)].solution.step(seconds)
    lastStep = (index, seconds, step)
    return step
  }

  /// A lane's state at a tick, and whether the kernel steps it from there.
  ///
  /// The kernel does not step a quick spring, or one that has not started and stands still at its start.
  private func state(
    _ lane: Int, at tick: Int64
  ) -> (displacement: Float, change: Float, isStepped: Bool) {
    let spring = springs.values[lane]
    guard spring.start.firstTick <= tick else { return (Float(spring.displacement), 0, false) }
    let solved = solved[Int(spring.solved)]
    let exactTick = solved.coefficients.isQuick ? tick : max(anchor, spring.start.firstTick)
    let step = step(spring.solved, spring.start.ticks(until: exactTick) * rate.tickSeconds)
    let exact = step.displacement(spring.displacement, spring.velocity)
    let velocity = step.velocity(spring.displacement, spring.velocity)
    var (displacement, change) = (Float(exact), Float(solved.tick.change(exact, velocity)))
    // The same steps as in the kernel.
    for _ in 0..<tick - exactTick {
      displacement += change
      change -=
        solved.coefficients.stiffness * displacement + solved.coefficients.damping * change
    }
    return (displacement, change, !solved.coefficients.isQuick)
  }
}

// MARK: - Invariants

extension SpringLayer {
  /// Traps where the sets of lanes and their columns contradict each other.
  func checkInvariants(laneCount: Int) {
    precondition(
      solved.count <= 2 * laneCount + Self.comparedMax, "\(solved.count) springs are kept")
    for lane in 0..<laneCount {
      if used.contains(lane) {
        precondition(solved.indices.contains(Int(springs.values[lane].solved)), "lane \(lane)")
        precondition(groups.contains(lane / Blocks.laneCount), "lane \(lane) is not in \(groups)")
      } else {
        precondition(!pending.contains(lane), "lane \(lane) has no spring")
        let isAtRest = displacement.values[lane] == 0 && change.values[lane] == 0
        precondition(isAtRest, "lane \(lane) is moved and has no spring")
      }
    }
  }
}
