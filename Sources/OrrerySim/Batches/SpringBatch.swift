// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Springs that are pulled from one value to another and back, for ever.
///
/// | column                 | unit         | changes                  |
/// |------------------------|--------------|--------------------------|
/// | `displacement`         | its field's  | every tick               |
/// | `change`               | the same     | every tick               |
/// | `stiffness` `damping`  | 1            | never                    |
/// | `base`: where it goes  | its field's  | once in a period         |
/// | `pulls`: see there     |              | once in a period         |
/// | `next`                 | entity       | when it is set exactly   |
///
/// A spring is set to the exact solution at the first tick of each of its periods and at every 256th tick
/// after it; the kernel moves it on in between. Its state at a tick is therefore a function of the tick, and
/// it costs the same whichever spring it is among. Which springs of a block are due at which tick is
/// known 256 ticks ahead: each tick has a list.
///
/// 46 bytes per entity and 32 per different spring, without the frame; a tick reads 20 and writes 8.
package final class SpringBatch: Batch, @unchecked Sendable {
  package let kind = "spring"
  package let fields: [Field]
  private let stiffness: Column<Float>
  private let damping: Column<Float>
  private let displacement: Column<Float>
  private let change: Column<Float>
  private let base: Column<Float>
  private let pulls: Column<Pull>
  private let forms: Column<SpringCoefficients>

  /// The tick that each block's columns stand for.
  private let tick: Column<Int64>

  /// For each block and each tick, modulo 256, the first entity of the block that is due then, and for each
  /// entity the next one.
  private let due: Column<UInt16>
  private let next: Column<UInt16>
  private static let nobody = UInt16.max

  /// Ticks from one exact state to the next, at most.
  private static let windowTicks = Phases.windowTicks

  /// What pulls a spring, there and back.
  private struct Pull: BitwiseCopyable {
    /// Where it stands in its two periods, there and back, is origin + step · tick, in units of 2^-64.
    var origin: UInt64 = 0
    var step: UInt64 = 0
    /// Where it comes from.
    var away: Float = 0
    /// Index of its form, and in the uppermost bit whether it is on its way back.
    var form: UInt32 = 0
  }

  /// Added to where a spring stands: a restart that would be at a tick exactly is, although 64 bits round
  /// the step, for 2^25 ticks.
  private static let phaseSlack: UInt64 = 1 << 24

  /// Builds the columns.
  ///
  /// - Parameters:
  ///   - specs: What moves.
  ///   - property: What of it.
  ///   - rate: Ticks per second.
  package init(_ specs: Specs<SpringSpec>, property: ViewProperty, rate: TickRate) {
    precondition(Blocks.entityCount <= Int(KERNEL_PLACED_MAX), "\(Blocks.entityCount) in a block")
    let count = specs.count
    fields = [Field(property)]
    stiffness = Column(count: count, zero: 0)
    damping = Column(count: count, zero: 0)
    displacement = Column(count: count, zero: 0)
    change = Column(count: count, zero: 0)
    base = Column(count: count, zero: 0)
    pulls = Column(count: count, zero: Pull())
    let blockCount = Blocks.count(entities: count)
    tick = Column(count: blockCount, zero: .min)
    due = Column(count: blockCount * Int(Self.windowTicks), zero: Self.nobody)
    next = Column(count: count, zero: Self.nobody)
    var forms: [SpringCoefficients] = []
    // As if all differed; what is not used is never there.
    forms.reserveCapacity(count)
    var latest: (spring: Spring, form: SpringCoefficients)?
    let tickSeconds = rate.tickSeconds
    var runs = specs.runs(of: Blocks.entityCount)
    while let (first, specs) = runs.next() {
      for (index, spec) in specs.enumerated() {
        let entity = first + index
        let form: SpringCoefficients
        if let latest, latest.spring == spec.spring {
          form = latest.form
        } else {
          form = SpringCoefficients(spec.spring, tickSeconds: tickSeconds)
          forms.append(form)
          latest = (spec.spring, form)
        }
        (stiffness.values[entity], damping.values[entity]) = (form.stiffness, form.damping)
        let (turns, rest) = Phases.turnsPerTick(speed: 0.5, period: spec.period, rate: rate)
        base.values[entity] = Float(spec.to)
        pulls.values[entity] = Pull(
          origin: Phases.fixedPoint(spec.phase / 2) &+ Self.phaseSlack,
          step: Phases.fixedPoint(turns, rest: rest), away: Float(spec.from),
          form: UInt32(forms.count - 1))
      }
    }
    self.forms = Column(forms, zero: SpringCoefficients.still)
  }

  package var count: Int { base.count }

  package let looksAhead = true

  /// The ends, and how far a spring swings beyond them.
  package func valueBound(_ field: Field) -> Double? {
    var bound = 0.0
    for entity in 0..<count {
      let (pull, base) = (pulls.values[entity], Double(base.values[entity]))
      // And what floats may add.
      let beyond = forms.values[Int(pull.form & ~Self.backBit)].overshoot + 2e-5
      let (away, distance) = (Double(pull.away), abs(Double(pull.away) - base))
      bound = max(bound, max(abs(base), abs(away)) + distance * beyond)
    }
    return bound
  }

  /// Computes one block; see `Batch.place`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let desk = kernel_own_spring_scratch()
    kernel_blank(desk).pointee.count = tile.pointee.count
    kernel_blank(desk).pointee.ticks = 1
    let ticks = tile.pointee.ticks
    let (first, last) = (Int64(tick), Int64(tick) + Int64(ticks) - 1)
    if self.tick.values[block] > first || self.tick.values[block] < first - Self.windowTicks {
      seek(block, first, kernels, desk)
    }
    fetch(block, through: last)
    var rotated: UInt32 = 0
    repeat {
      // As many ticks as no entity is due twice in.
      let reached = self.tick.values[block]
      let (stop, dueCount) = setDue(block, through: last, desk)
      if stop < first {
        kernel_blank(desk).pointee.elapsed = UInt32(stop - reached)
        advance(block, kernels, desk, kernel_blank(desk), dueCount)
      } else {
        let start = first + Int64(rotated)
        tile.pointee.elapsed = UInt32(start - reached)
        tile.pointee.ticks = UInt32(stop - start) + 1
        advance(block, kernels, desk, tile, dueCount)
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

  /// Moves a block's springs on, through the states that are on the desk.
  private func advance(
    _ block: Int, _ kernels: borrowing kernel_table,
    _ desk: UnsafeMutablePointer<kernel_spring_scratch>, _ tile: UnsafeMutablePointer<kernel_tile>,
    _ dueCount: Int
  ) {
    let first = block * Blocks.entityCount
    if dueCount > 0 {
      let (states, placed) = (kernel_states(desk), kernel_placed(desk))
      kernels.spring_states(UInt32(dueCount), states)
      let entities = kernel_spring_desk_entity(desk)
      let (displacement, change) = (
        kernel_spring_states_displacement(states), kernel_spring_states_change(states)
      )
      let (newDisplacement, newChange) = (
        kernel_placed_springs_displacement(placed), kernel_placed_springs_change(placed)
      )
      for index in 0..<dueCount {
        let entity = Int(entities[index])
        newDisplacement[entity] = displacement[index]
        newChange[entity] = change[index]
      }
    }
    kernels.spring(
      tile, stiffness.values + first, damping.values + first, displacement.values + first,
      change.values + first, base.values + first, dueCount > 0 ? kernel_placed(desk) : nil)
  }

  /// Sets a block's springs to their state at a tick, from nothing: each from its latest exact state on.
  private func seek(
    _ block: Int, _ tick: Int64, _ kernels: borrowing kernel_table,
    _ desk: UnsafeMutablePointer<kernel_spring_scratch>
  ) {
    let window = Int(Self.windowTicks)
    (due.values + block * window).update(repeating: Self.nobody, count: window)
    let start = tick - Self.windowTicks
    let range = Blocks.range(block, entities: count)
    for (index, entity) in range.enumerated() {
      let exact = exactTick(entity, atMost: tick)
      let ticks = set(entity, UInt16(index), at: exact, step: exact - start, desk, index)
      list(entity, block, at: exact + ticks)
    }
    kernel_blank(desk).pointee.elapsed = UInt32(Self.windowTicks)
    advance(block, kernels, desk, kernel_blank(desk), range.count)
    self.tick.values[block] = tick
  }

  /// The latest tick up to this one at which a spring is set exactly.
  private func exactTick(_ entity: Int, atMost tick: Int64) -> Int64 {
    if stiffness.values[entity] > SpringCoefficients.quickStiffness { return tick }
    let pull = pulls.values[entity]
    let step = pull.step << 1
    if step == 0 { return tick & -Self.windowTicks }
    let passed = (pull.origin &+ pull.step &* UInt64(bitPattern: tick)) << 1
    return tick - Int64(passed / step % UInt64(Self.windowTicks))
  }

  /// Has the lists and the pulls that the ticks up to this one need brought to the cache.
  private func fetch(_ block: Int, through last: Int64) {
    let first = block * Blocks.entityCount
    var tick = self.tick.values[block] + 1
    while tick <= last {
      var entity = due.values[slot(block, tick)]
      while entity != Self.nobody {
        kernel_prefetch(pulls.values + (first + Int(entity)))
        entity = next.values[first + Int(entity)]
      }
      tick += 1
    }
  }

  /// Puts the exact states of the springs that are due on the desk, tick by tick.
  ///
  /// - Returns: The last tick, before any spring is due again, and the number of states.
  private func setDue(
    _ block: Int, through last: Int64, _ desk: UnsafeMutablePointer<kernel_spring_scratch>
  ) -> (stop: Int64, count: Int) {
    let first = block * Blocks.entityCount
    let reached = tick.values[block]
    var (stop, count, tick) = (last, 0, reached + 1)
    while tick <= stop {
      let slot = slot(block, tick)
      var lane = due.values[slot]
      due.values[slot] = Self.nobody
      while lane != Self.nobody {
        let entity = first + Int(lane)
        let following = next.values[entity]
        let ticks = set(entity, lane, at: tick, step: tick - reached, desk, count)
        list(entity, block, at: tick + ticks)
        stop = min(stop, tick + ticks - 1)
        count += 1
        lane = following
      }
      tick += 1
    }
    return (stop, count)
  }

  private func slot(_ block: Int, _ tick: Int64) -> Int {
    block * Int(Self.windowTicks) + Int(tick & (Self.windowTicks - 1))
  }

  /// Lists a spring for the next time that it is to be set exactly.
  private func list(_ entity: Int, _ block: Int, at tick: Int64) {
    let slot = slot(block, tick)
    next.values[entity] = due.values[slot]
    due.values[slot] = UInt16(entity - block * Blocks.entityCount)
  }

  private static let backBit: UInt32 = 1 << 31

  /// Puts one spring's exact state at a tick on the desk.
  ///
  /// - Returns: Ticks until the next time.
  private func set(
    _ entity: Int, _ lane: UInt16, at tick: Int64, step number: Int64,
    _ desk: UnsafeMutablePointer<kernel_spring_scratch>, _ index: Int
  ) -> Int64 {
    var pull = pulls.values[entity]
    let stand = pull.origin &+ pull.step &* UInt64(bitPattern: tick)
    // The uppermost bit tells there from back, the others how far the period has passed.
    var target = base.values[entity]
    if UInt32(stand >> 63) != pull.form >> 31 {
      swap(&target, &pull.away)
      pull.form ^= Self.backBit
      pulls.values[entity] = pull
    }
    let (passed, step) = (stand << 1, pull.step << 1)
    let perTick = 1 / (Double(step >> 1) * 2)
    let exactly = passed > Self.phaseSlack << 1 ? passed - (Self.phaseSlack << 1) : 0
    let states = kernel_states(desk)
    let form = forms.values + Int(pull.form & ~Self.backBit)
    // A period without end has passed, but for nothing.
    kernel_spring_states_ticks(states)[index] =
      step == 0 ? 0x1p62 : Double(exactly >> 11) * 0x1p11 * perTick
    kernel_spring_states_turn(states)[index] = form.pointee.turn
    kernel_spring_states_decay(states)[index] = form.pointee.decay
    kernel_spring_states_lag(states)[index] = form.pointee.lag
    kernel_spring_states_drop(states)[index] = form.pointee.drop
    kernel_spring_states_pull(states)[index] = form.pointee.pull
    kernel_spring_states_displacement(states)[index] = Float(Double(pull.away) - Double(target))
    kernel_spring_desk_entity(desk)[index] = lane
    let placed = kernel_placed(desk)
    kernel_placed_springs_step(placed)[Int(lane)] = UInt32(truncatingIfNeeded: number)
    kernel_placed_springs_base(placed)[Int(lane)] = target
    kernel_placed_springs_group(placed)[Int(lane) / Blocks.laneCount] = 1
    if form.pointee.isQuick { return 1 }
    return step == 0 ? Self.windowTicks : Self.ticksToRestart(passed, step, perTick)
  }

  /// Ticks until the period has passed, or a window if that is less.
  private static func ticksToRestart(_ passed: UInt64, _ step: UInt64, _ perTick: Double) -> Int64 {
    let left = ~passed
    let ticks = Double(left >> 11) * 0x1p11 * perTick
    if ticks > Double(windowTicks) { return windowTicks }
    // The quotient is off by less than 10^-9: near whole numbers it does not tell which.
    let whole = Int64(ticks)
    let fraction = ticks - Double(whole)
    if fraction > 1e-9 && fraction < 1 - 1e-9 { return min(whole + 1, windowTicks) }
    return min(Int64(left / step) + 1, windowTicks)
  }
}
