// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Springs that are pulled from one value to another and back, for ever.
///
/// | column                 | unit         | changes                  |
/// |------------------------|--------------|--------------------------|
/// | `displacement`         | its field's  | every tick               |
/// | `change`               | the same     | every tick               |
/// | `stiffness` `damping`  | 1            | never                    |
/// | `base`: its target     | its field's  | once in a period         |
/// | `pulls`: see there     |              | once in a period         |
/// | `next`                 | lane         | at each restart          |
///
/// A spring restarts at the first tick of each of its periods and at every 256th tick after that: it is
/// set to the exact solution. Between restarts the kernel steps it. So its state at a tick is a
/// function of the tick, and its cost does not depend on the springs that share its block. Restarts are
/// known 256 ticks ahead: each tick has a list of the springs of a block that restart then.
///
/// A tick reads 20 bytes of an entity and writes 8.
package final class SpringBatch: BoundedBatch, @unchecked Sendable {
  /// Between 46, if springs share their coefficients, and 78, if each has 32 bytes of its own.
  package static var entityBytes: UInt64 { 64 }

  package let fields: [ViewProperty]
  private let stiffness: Column<Float>
  private let damping: Column<Float>
  private let displacement: Column<Float>
  private let change: Column<Float>
  private let base: Column<Float>
  private let pulls: Column<Pull>
  private let coefficients: Column<SpringCoefficients>

  /// The tick for which each block's columns hold.
  private let tick: Column<Int64>

  /// Lists of lanes by the tick of their next restart, modulo 256: `due` holds the first lane for each
  /// block and tick, `next` the lane that follows each entity's.
  private let due: Column<UInt16>
  private let next: Column<UInt16>
  private static let noLane = UInt16.max

  /// Largest number of ticks from one restart to the next.
  private static let windowTicks = Phases.windowTicks

  /// How a spring is pulled, there and back.
  private struct Pull: BitwiseCopyable {
    /// Its phase in two periods, there and back, is origin + step · tick, in units of 2^-64.
    var origin: UInt64 = 0
    var step: UInt64 = 0
    /// The value from which it comes.
    var away: Float = 0
    /// Index of its coefficients; the uppermost bit is set on its way back.
    var coefficientsIndex: UInt32 = 0
  }

  /// Added to a spring's phase, in units of 2^-64.
  ///
  /// A period that is to begin exactly at a tick begins there, although 64 bits round the step. This
  /// holds for 2^25 ticks.
  private static let phaseSlack: UInt64 = 1 << 24

  /// Builds the columns.
  ///
  /// - Parameters:
  ///   - specs: The entities.
  ///   - property: The property that moves.
  ///   - rate: Ticks per second.
  package init(_ specs: Specs<SpringSpec>, property: ViewProperty, rate: TickRate) {
    precondition(Blocks.entityCount <= Int(KERNEL_SPRINGS_MAX), "\(Blocks.entityCount) in a block")
    let count = specs.count
    fields = [property]
    stiffness = Column(count: count, zero: 0)
    damping = Column(count: count, zero: 0)
    displacement = Column(count: count, zero: 0)
    change = Column(count: count, zero: 0)
    base = Column(count: count, zero: 0)
    pulls = Column(count: count, zero: Pull())
    let blockCount = Blocks.count(entities: count)
    tick = Column(count: blockCount, zero: .min)
    due = Column(count: blockCount * Int(Self.windowTicks), zero: Self.noLane)
    next = Column(count: count, zero: Self.noLane)
    var different: [SpringCoefficients] = []
    // Capacity as if all differed: memory that is not used is never paged in.
    different.reserveCapacity(count)
    var previous: (spring: Spring, coefficients: SpringCoefficients)?
    let tickSeconds = rate.tickSeconds
    var runs = specs.runs(of: Blocks.entityCount)
    while let (first, specs) = runs.next() {
      for (index, spec) in specs.enumerated() {
        let entity = first + index
        let coefficients: SpringCoefficients
        if let previous, previous.spring == spec.spring {
          coefficients = previous.coefficients
        } else {
          coefficients = SpringCoefficients(spec.spring, tickSeconds: tickSeconds)
          different.append(coefficients)
          previous = (spec.spring, coefficients)
        }
        stiffness.values[entity] = coefficients.stiffness
        damping.values[entity] = coefficients.damping
        let (turns, residual) = Phases.turnsPerTick(speed: 0.5, period: spec.period, rate: rate)
        base.values[entity] = Float(spec.to)
        pulls.values[entity] = Pull(
          origin: Phases.fixedPoint(spec.phase / 2) &+ Self.phaseSlack,
          step: Phases.fixedPoint(turns, residual: residual), away: Float(spec.from),
          coefficientsIndex: UInt32(different.count - 1))
      }
    }
    coefficients = Column(different, zero: SpringCoefficients.still)
  }

  package var count: Int { base.count }

  package let looksAhead = true

  /// The largest absolute value of the ends, plus how far a spring swings beyond them.
  package func valueBound(_ field: ViewProperty) -> Double? {
    var bound = 0.0
    for entity in 0..<count {
      let (pull, base) = (pulls.values[entity], Double(base.values[entity]))
      // Plus the error of floats.
      let index = Int(pull.coefficientsIndex & ~Self.backBit)
      let beyond = coefficients.values[index].overshoot + 2e-5
      let (away, distance) = (Double(pull.away), abs(Double(pull.away) - base))
      bound = max(bound, max(abs(base), abs(away)) + distance * beyond)
    }
    return bound
  }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let scratch = kernel_own_spring_scratch()
    kernel_blank(scratch).pointee.count = tile.pointee.count
    kernel_blank(scratch).pointee.ticks = 1
    let ticks = tile.pointee.ticks
    let (first, last) = (Int64(tick), Int64(tick) + Int64(ticks) - 1)
    if self.tick.values[block] > first || self.tick.values[block] < first - Self.windowTicks {
      seek(block, first, kernels, scratch)
    }
    prefetch(block, through: last)
    var rotated: UInt32 = 0
    repeat {
      // As many ticks as possible without a second restart of any spring.
      let reached = self.tick.values[block]
      let (stop, dueCount) = collectDue(block, through: last, scratch)
      if stop < first {
        kernel_blank(scratch).pointee.elapsed = UInt32(stop - reached)
        advance(block, kernels, scratch, kernel_blank(scratch), dueCount)
      } else {
        let start = first + Int64(rotated)
        tile.pointee.elapsed = UInt32(start - reached)
        tile.pointee.ticks = UInt32(stop - start) + 1
        advance(block, kernels, scratch, tile, dueCount)
        let isDone = stop == last
        if !isDone {
          kernel_rotate_ticks(tile, tile.pointee.ticks)
          rotated += tile.pointee.ticks
        }
      }
      self.tick.values[block] = stop
    } while self.tick.values[block] < last
    if rotated > 0 { kernel_rotate_ticks(tile, UInt32(KERNEL_TILE_TICKS) - rotated) }
    tile.pointee.ticks = ticks
    return true
  }

  /// Steps a block's springs through a tile, with the restarts in the scratch memory.
  private func advance(
    _ block: Int, _ kernels: borrowing kernel_table,
    _ scratch: UnsafeMutablePointer<kernel_spring_scratch>,
    _ tile: UnsafeMutablePointer<kernel_tile>, _ dueCount: Int
  ) {
    let first = block * Blocks.entityCount
    if dueCount > 0 {
      let (states, restarted) = (kernel_states(scratch), kernel_restarted(scratch))
      kernels.spring_states(UInt32(dueCount), states)
      let lanes = kernel_spring_scratch_entity(scratch)
      let (displacement, change) = (
        kernel_spring_states_displacement(states), kernel_spring_states_change(states)
      )
      let (newDisplacement, newChange) = (
        kernel_restarted_springs_displacement(restarted),
        kernel_restarted_springs_change(restarted)
      )
      for index in 0..<dueCount {
        let lane = Int(lanes[index])
        newDisplacement[lane] = displacement[index]
        newChange[lane] = change[index]
      }
    }
    kernels.spring(
      tile, stiffness.values + first, damping.values + first, displacement.values + first,
      change.values + first, base.values + first, dueCount > 0 ? kernel_restarted(scratch) : nil)
  }

  /// Computes a block's springs at a tick from nothing: each from its last restart on.
  private func seek(
    _ block: Int, _ tick: Int64, _ kernels: borrowing kernel_table,
    _ scratch: UnsafeMutablePointer<kernel_spring_scratch>
  ) {
    let window = Int(Self.windowTicks)
    (due.values + block * window).update(repeating: Self.noLane, count: window)
    let start = tick - Self.windowTicks
    let range = Blocks.range(block, entities: count)
    for (index, entity) in range.enumerated() {
      let restart = restartTick(entity, atMost: tick)
      let ticks = addRestart(
        entity, UInt16(index), at: restart, step: restart - start, scratch, index)
      list(entity, block, at: restart + ticks)
    }
    kernel_blank(scratch).pointee.elapsed = UInt32(Self.windowTicks)
    advance(block, kernels, scratch, kernel_blank(scratch), range.count)
    self.tick.values[block] = tick
  }

  /// The tick of a spring's last restart up to a tick.
  private func restartTick(_ entity: Int, atMost tick: Int64) -> Int64 {
    if stiffness.values[entity] > SpringCoefficients.quickStiffness { return tick }
    let pull = pulls.values[entity]
    let step = pull.step << 1
    if step == 0 { return tick & -Self.windowTicks }
    let passed = (pull.origin &+ pull.step &* UInt64(bitPattern: tick)) << 1
    return tick - Int64(passed / step % UInt64(Self.windowTicks))
  }

  /// Brings the lists and the pulls for the ticks up to `last` into the cache.
  private func prefetch(_ block: Int, through last: Int64) {
    let first = block * Blocks.entityCount
    var tick = self.tick.values[block] + 1
    while tick <= last {
      var lane = due.values[dueIndex(block, tick)]
      while lane != Self.noLane {
        kernel_prefetch(pulls.values + (first + Int(lane)))
        lane = next.values[first + Int(lane)]
      }
      tick += 1
    }
  }

  /// Adds the restarts that are due to the scratch memory, tick by tick, and lists the ones after them.
  ///
  /// It stops before a tick at which a spring would restart a second time.
  ///
  /// - Returns: The last tick, and the number of restarts.
  private func collectDue(
    _ block: Int, through last: Int64, _ scratch: UnsafeMutablePointer<kernel_spring_scratch>
  ) -> (stop: Int64, count: Int) {
    let first = block * Blocks.entityCount
    let reached = tick.values[block]
    var (stop, count, tick) = (last, 0, reached + 1)
    while tick <= stop {
      let index = dueIndex(block, tick)
      var lane = due.values[index]
      due.values[index] = Self.noLane
      while lane != Self.noLane {
        let entity = first + Int(lane)
        let following = next.values[entity]
        let ticks = addRestart(entity, lane, at: tick, step: tick - reached, scratch, count)
        list(entity, block, at: tick + ticks)
        stop = min(stop, tick + ticks - 1)
        count += 1
        lane = following
      }
      tick += 1
    }
    return (stop, count)
  }

  private func dueIndex(_ block: Int, _ tick: Int64) -> Int {
    block * Int(Self.windowTicks) + Int(tick & (Self.windowTicks - 1))
  }

  /// Lists a spring at the tick of its next restart.
  private func list(_ entity: Int, _ block: Int, at tick: Int64) {
    let index = dueIndex(block, tick)
    next.values[entity] = due.values[index]
    due.values[index] = UInt16(entity - block * Blocks.entityCount)
  }

  private static let backBit: UInt32 = 1 << 31

  /// Adds one spring's restart at a tick to the scratch memory.
  ///
  /// - Returns: Ticks until its next restart.
  private func addRestart(
    _ entity: Int, _ lane: UInt16, at tick: Int64, step number: Int64,
    _ scratch: UnsafeMutablePointer<kernel_spring_scratch>, _ index: Int
  ) -> Int64 {
    var pull = pulls.values[entity]
    let phase = pull.origin &+ pull.step &* UInt64(bitPattern: tick)
    // The uppermost bit says there or back; the others are the part of the period that has passed.
    var target = base.values[entity]
    if UInt32(phase >> 63) != pull.coefficientsIndex >> 31 {
      swap(&target, &pull.away)
      pull.coefficientsIndex ^= Self.backBit
      pulls.values[entity] = pull
    }
    let (passed, step) = (phase << 1, pull.step << 1)
    let perTick = 1 / (Double(step >> 1) * 2)
    let passedExactly = passed > Self.phaseSlack << 1 ? passed - (Self.phaseSlack << 1) : 0
    let states = kernel_states(scratch)
    let coefficients = coefficients.values + Int(pull.coefficientsIndex & ~Self.backBit)
    // A spring with an endless period counts as released infinitely long ago.
    kernel_spring_states_ticks(states)[index] =
      step == 0 ? 0x1p62 : Double(passedExactly >> 11) * 0x1p11 * perTick
    kernel_spring_states_turn(states)[index] = coefficients.pointee.turn
    kernel_spring_states_decay(states)[index] = coefficients.pointee.decay
    kernel_spring_states_lag(states)[index] = coefficients.pointee.lag
    kernel_spring_states_drop(states)[index] = coefficients.pointee.drop
    kernel_spring_states_pull(states)[index] = coefficients.pointee.pull
    kernel_spring_states_displacement(states)[index] = Float(Double(pull.away) - Double(target))
    kernel_spring_scratch_entity(scratch)[index] = lane
    let restarted = kernel_restarted(scratch)
    kernel_restarted_springs_step(restarted)[Int(lane)] = UInt32(truncatingIfNeeded: number)
    kernel_restarted_springs_base(restarted)[Int(lane)] = target
    kernel_restarted_springs_group(restarted)[Int(lane) / Blocks.laneCount] = 1
    if coefficients.pointee.isQuick { return 1 }
    return step == 0 ? Self.windowTicks : Self.ticksToRestart(passed, step, perTick)
  }

  /// Ticks until the period has passed, at most a window.
  private static func ticksToRestart(_ passed: UInt64, _ step: UInt64, _ perTick: Double) -> Int64 {
    let left = ~passed
    let ticks = Double(left >> 11) * 0x1p11 * perTick
    if ticks > Double(windowTicks) { return windowTicks }
    // The quotient is off by less than 10^-9: near a whole number it does not decide the tick.
    let whole = Int64(ticks)
    let fraction = ticks - Double(whole)
    if fraction > 1e-9 && fraction < 1 - 1e-9 { return min(whole + 1, windowTicks) }
    return min(Int64(left / step) + 1, windowTicks)
  }
}
