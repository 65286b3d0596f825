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
/// | `due`                  | tick mod 256 | at each restart          |
/// | `pulls`: see there     |              | never                    |
///
/// A spring restarts at the first tick of each of its periods and at every 256th tick after that: it is
/// set to the exact solution. Between restarts the kernel steps it. So its state at a tick is a
/// function of the tick, and its cost does not depend on the springs that share its block. Restarts are
/// known at most 256 ticks ahead: a byte for each spring has the tick of its next one.
///
/// A tick reads 20 bytes of an entity and writes 8; a tile reads one more, and 64 of each spring that
/// restarts.
package final class SpringBatch: BoundedBatch, @unchecked Sendable {
  /// Between 53, if springs share their coefficients, and 85, if each has 32 bytes of its own.
  package static var entityBytes: UInt64 { 72 }

  package let fields: [ViewProperty]
  private let stiffness: Column<Float>
  private let damping: Column<Float>
  private let displacement: Column<Float>
  private let change: Column<Float>
  private let base: Column<Float>
  private let pulls: Column<kernel_spring_pull>
  private let coefficients: Column<kernel_spring_coefficients>

  /// The tick of each spring's next restart, modulo 256.
  private let due: Column<UInt8>

  /// The tick for which each block's columns hold.
  private let tick: Column<Int64>

  /// Largest number of ticks from one restart to the next.
  private static let windowTicks = Int64(KERNEL_SPRING_WINDOW)

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
    pulls = Column(count: count, zero: kernel_spring_pull())
    let dueLanes = Int(KERNEL_DUE_LANES)
    due = Column(count: (count + dueLanes - 1) / dueLanes * dueLanes, zero: 0)
    tick = Column(count: Blocks.count(entities: count), zero: .min)
    var different: [kernel_spring_coefficients] = []
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
          different.append(coefficients.row)
          previous = (spec.spring, coefficients)
        }
        stiffness.values[entity] = coefficients.stiffness
        damping.values[entity] = coefficients.damping
        let (turns, residual) = Phases.turnsPerTick(speed: 0.5, period: spec.period, rate: rate)
        base.values[entity] = Float(spec.to)
        pulls.values[entity] = kernel_spring_pull(
          origin: Phases.fixedPoint(spec.phase / 2) &+ 1 << UInt64(KERNEL_PHASE_SLACK_BITS),
          step: Phases.fixedPoint(turns, residual: residual), from: Float(spec.from),
          to: Float(spec.to), coefficients: UInt32(different.count - 1),
          window: coefficients.isQuick ? 1 : UInt32(KERNEL_SPRING_WINDOW))
      }
    }
    coefficients = Column(different, zero: kernel_spring_coefficients())
  }

  package var count: Int { base.count }

  /// Always: nothing happens to them.
  package func looksAhead(block: Int, tick: UInt64) -> Bool { true }

  /// The largest absolute value of the ends, plus the farthest swing beyond them.
  package func valueBound(_ field: ViewProperty) -> Double? {
    var bound = 0.0
    for entity in 0..<count {
      let pull = pulls.values[entity]
      // Plus the error of floats.
      let beyond = coefficients.values[Int(pull.coefficients)].overshoot + 2e-5
      let (from, to) = (Double(pull.from), Double(pull.to))
      bound = max(bound, max(abs(from), abs(to)) + abs(from - to) * beyond)
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
      seek(block, first)
    }
    var rotated: UInt32 = 0
    repeat {
      // As many ticks as possible without a second restart of any spring.
      let reached = self.tick.values[block]
      let (stop, restarted) = restart(block, kernels, through: last, scratch)
      if stop < first {
        kernel_blank(scratch).pointee.elapsed = UInt32(stop - reached)
        advance(block, kernels, kernel_blank(scratch), restarted)
      } else {
        let start = first + Int64(rotated)
        tile.pointee.elapsed = UInt32(start - reached)
        tile.pointee.ticks = UInt32(stop - start) + 1
        advance(block, kernels, tile, restarted)
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

  /// Steps a block's springs through a tile.
  private func advance(
    _ block: Int, _ kernels: borrowing kernel_table, _ tile: UnsafeMutablePointer<kernel_tile>,
    _ restarted: UnsafeMutablePointer<kernel_restarted_springs>?
  ) {
    let first = block * Blocks.entityCount
    kernels.spring(
      tile, stiffness.values + first, damping.values + first, displacement.values + first,
      change.values + first, base.values + first, restarted)
  }

  /// Computes the restarts of a block's springs up to a tick, at most a window ahead.
  ///
  /// - Returns: The last tick that can be stepped to, and the restarts up to it, if any.
  private func restart(
    _ block: Int, _ kernels: borrowing kernel_table, through last: Int64,
    _ scratch: UnsafeMutablePointer<kernel_spring_scratch>
  ) -> (stop: Int64, restarted: UnsafeMutablePointer<kernel_restarted_springs>?) {
    let reached = tick.values[block]
    if reached == last { return (last, nil) }
    let range = Blocks.range(block, entities: count)
    let restarts = kernels.spring_restarts(
      UInt32(range.count), due.values + range.lowerBound, pulls.values + range.lowerBound,
      coefficients.values, UInt64(bitPattern: reached),
      UInt32(min(last - reached, Self.windowTicks)), scratch)
    return (
      reached + Int64(restarts.ticks), restarts.count > 0 ? kernel_restarted(scratch) : nil
    )
  }

  /// Goes back by a window from a tick, so that each spring restarts within the window: at its last restart up
  /// to the tick.
  private func seek(_ block: Int, _ tick: Int64) {
    for entity in Blocks.range(block, entities: count) {
      due.values[entity] = UInt8(truncatingIfNeeded: restartTick(entity, atMost: tick))
    }
    self.tick.values[block] = tick - Self.windowTicks
  }

  /// The tick of a spring's last restart up to a tick.
  private func restartTick(_ entity: Int, atMost tick: Int64) -> Int64 {
    let pull = pulls.values[entity]
    let window = Int64(pull.window)
    let step = pull.step << 1
    if step == 0 { return tick & -window }
    let passed = (pull.origin &+ pull.step &* UInt64(bitPattern: tick)) << 1
    return tick - Int64(passed / step % UInt64(window))
  }
}
