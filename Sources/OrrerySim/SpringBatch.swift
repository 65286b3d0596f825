// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Springs that are pulled from one value to another and back, for ever.
///
/// | column                | unit          | changes                 |
/// |-----------------------|---------------|-------------------------|
/// | `displacement`        | its field's   | every tick              |
/// | `velocity`            | its field's/s | every tick              |
/// | `target`              | its field's   | once in a period        |
/// | `xx` `xv` `vx` `vv`   | 1, s, 1/s, 1  | never                   |
/// | `from` `to`           | its field's   | never                   |
/// | `origin` `step`       | 2^-64 of two periods | never            |
/// | `period`              | s             | never                   |
/// | `solution`            | index         | never                   |
/// | `next`                | lane          | when a restart is due   |
///
/// Where a spring stands in its two periods, there and back, is the 64-bit number origin + step · tick. At
/// a block's anchors, once in 256 ticks, and at its restarts a spring's state is computed from it, exactly;
/// ticks between move it on. The restarts that are due until the next anchor wait in a list for each tick.
/// 70 bytes per entity, without the frame.
package final class SpringBatch: Batch, @unchecked Sendable {
  package let kind = "spring"
  package let fields: [Field]
  private let displacement: Column<Float>
  private let velocity: Column<Float>
  private let target: Column<Float>
  private let xx: Column<Float>
  private let xv: Column<Float>
  private let vx: Column<Float>
  private let vv: Column<Float>
  private let from: Column<Float>
  private let to: Column<Float>
  private let origin: Column<UInt64>
  private let step: Column<UInt64>
  private let period: Column<Double>
  private let solution: Column<UInt32>
  private let solutions: [SpringSolution]

  /// The tick that each block was set at exactly, and the tick that its columns stand for.
  private let anchor: Column<Int64>
  private let tick: Column<Int64>

  /// For each block and each tick of its window, the first lane to restart then; for each lane the next one.
  private let due: Column<UInt16>
  private let next: Column<UInt16>
  private static let noLane = UInt16.max

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
    let count = specs.count
    fields = [Field(property)]
    displacement = Column(count: count, zero: 0)
    velocity = Column(count: count, zero: 0)
    target = Column(count: count, zero: 0)
    xx = Column(count: count, zero: 0)
    xv = Column(count: count, zero: 0)
    vx = Column(count: count, zero: 0)
    vv = Column(count: count, zero: 0)
    from = Column(count: count, zero: 0)
    to = Column(count: count, zero: 0)
    origin = Column(count: count, zero: 0)
    step = Column(count: count, zero: 0)
    period = Column(count: count, zero: 0)
    solution = Column(count: count, zero: 0)
    let blockCount = Blocks.count(entities: count)
    anchor = Column(count: blockCount, zero: .min)
    tick = Column(count: blockCount, zero: .min)
    due = Column(count: blockCount * Int(Phases.windowTicks), zero: Self.noLane)
    next = Column(count: count, zero: Self.noLane)
    var solutions: [SpringSolution] = []
    var latest: (spring: Spring, increments: SpringIncrements)?
    for entity in 0..<count {
      let spec = specs[entity]
      if latest?.spring != spec.spring {
        let solution = SpringSolution(spec.spring)
        solutions.append(solution)
        latest = (spec.spring, SpringIncrements(solution, tickSeconds: rate.tickSeconds))
      }
      if let increments = latest?.increments {
        xx.values[entity] = increments.xx
        xv.values[entity] = increments.xv
        vx.values[entity] = increments.vx
        vv.values[entity] = increments.vv
      }
      solution.values[entity] = UInt32(solutions.count - 1)
      from.values[entity] = Float(spec.from)
      to.values[entity] = Float(spec.to)
      let (turns, rest) = Phases.turnsPerTick(speed: 0.5, period: spec.period, rate: rate)
      origin.values[entity] = Phases.fixedPoint(spec.phase / 2) &+ Self.phaseSlack
      step.values[entity] = Phases.fixedPoint(turns, rest: rest)
      period.values[entity] = spec.period
    }
    self.solutions = solutions
  }

  package var count: Int { target.count }

  /// Computes one block; see `Batch.place`.
  package func place(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let values = tile.floats(field: 0, tick: 0) - block * Blocks.entityCount
    let now = Int64(tick)
    let anchor = Phases.anchor(block: block, tick: tick)
    if self.anchor.values[block] != anchor || now < self.tick.values[block] {
      place(block, at: anchor)
    }
    let due = due.values + block * Int(Phases.windowTicks)
    var reached = self.tick.values[block]
    if reached == now { advance(block, ticks: 0, kernels, values) }
    while reached < now {
      var stop = reached + 1
      while stop < now && due[Int(stop - anchor)] == Self.noLane { stop += 1 }
      advance(block, ticks: stop - reached, kernels, values)
      restart(block, at: stop, values)
      reached = stop
    }
    self.tick.values[block] = now
    return false
  }

  /// Moves a block's springs on by some ticks and places them.
  private func advance(
    _ block: Int, ticks: Int64, _ kernels: borrowing kernel_table,
    _ values: UnsafeMutablePointer<Float>
  ) {
    let range = Blocks.range(block, entities: count)
    let first = range.lowerBound
    kernels.spring_matrix(
      UInt32(range.count), UInt32(ticks), xx.values + first, xv.values + first, vx.values + first,
      vv.values + first, displacement.values + first, velocity.values + first,
      target.values + first, values + first)
  }

  /// Sets a block's springs to their state at an anchor.
  private func place(_ block: Int, at anchor: Int64) {
    (self.anchor.values[block], tick.values[block]) = (anchor, anchor)
    let window = Int(Phases.windowTicks)
    (due.values + block * window).update(repeating: Self.noLane, count: window)
    for entity in Blocks.range(block, entities: count) { place(entity, block, at: anchor) }
  }

  /// Restarts the springs that are due at a tick and places them.
  private func restart(
    _ block: Int, at tick: Int64, _ values: UnsafeMutablePointer<Float>
  ) {
    let index = block * Int(Phases.windowTicks) + Int(tick - anchor.values[block])
    let first = block * Blocks.entityCount
    var lane = due.values[index]
    due.values[index] = Self.noLane
    while lane != Self.noLane {
      let entity = first + Int(lane)
      lane = next.values[entity]
      place(entity, block, at: tick)
      values[entity] = target.values[entity] + displacement.values[entity]
    }
  }

  /// Sets one spring to its state at a tick and lists its next restart.
  private func place(_ entity: Int, _ block: Int, at tick: Int64) {
    let stand = origin.values[entity] &+ step.values[entity] &* UInt64(bitPattern: tick)
    // The uppermost bit tells there from back, the others how far the period has passed.
    let isBack = stand >> 63 == 1
    let passed = stand << 1
    let (from, to) = (Double(from.values[entity]), Double(to.values[entity]))
    let distance = isBack ? to - from : from - to
    let seconds = Double(passed >> 11) * 0x1p-53 * period.values[entity]
    let motion = solutions[Int(solution.values[entity])].step(seconds)
    displacement.values[entity] = Float(motion.displacement(distance, 0))
    velocity.values[entity] = Float(motion.velocity(distance, 0))
    target.values[entity] = Float(isBack ? from : to)

    let step = step.values[entity] << 1
    if step == 0 { return }
    let ticks = (0 &- passed &- 1) / step + 1
    let index = tick - anchor.values[block] + Int64(clamping: ticks)
    if index < Phases.windowTicks {
      let head = block * Int(Phases.windowTicks) + Int(index)
      next.values[entity] = due.values[head]
      due.values[head] = UInt16(entity - block * Blocks.entityCount)
    }
  }
}
