// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Pictures that stand still until their start and then flow left, right, up or down without end.
///
/// | column      | unit   | changes      |
/// |-------------|--------|--------------|
/// | phases      | turns  | see `Phases` |
/// | `span`      | points | never        |
/// | `firstTick` | ticks  | never        |
///
/// `span` is minus the period for pictures that flow left or up.
package final class FlowBatch: BoundedBatch {
  package static var entityBytes: UInt64 { 24 }
  package let fields: [ViewProperty]
  private let phases: Phases
  private let span: Column<Float>

  /// The first tick that is not before an entity's start; `Int64.max` if the entity never moves.
  private let firstTick: Column<Int64>

  /// For each block, the first ticks of its first and its last entity to start, among those that move.
  private let firstTicks: [ClosedRange<Int64>]

  /// Builds the columns.
  ///
  /// - Parameters:
  ///   - specs: The entities.
  ///   - property: `.x` or `.y`, for all of them.
  ///   - rate: Ticks per second.
  package init(_ specs: Specs<FlowSpec>, property: ViewProperty, rate: TickRate) {
    let count = specs.count
    fields = [property]
    phases = Phases(count: count, first: specs.first)
    span = Column(count: count, zero: 0)
    firstTick = Column(count: count, zero: .max)
    for entity in 0..<count {
      let spec = specs[entity]
      // An entity that would turn more often than ticks can show does not turn at all.
      let turnsPerSecond = spec.speed / spec.period
      guard turnsPerSecond > 0 && turnsPerSecond < 0x1p40 else { continue }
      let start = TickTime(seconds: spec.start, rate: rate)
      phases.set(entity, start: start, speed: spec.speed, period: spec.period, rate: rate)
      let isBackward = spec.direction == .left || spec.direction == .up
      span.values[entity] = Float(isBackward ? -spec.period : spec.period)
      firstTick.values[entity] = start.firstTick
    }
    var firstTicks: [ClosedRange<Int64>] = []
    for block in 0..<Blocks.count(entities: count) {
      var (first, last) = (Int64.max, Int64.min)
      for entity in Blocks.range(block, entities: count) where firstTick.values[entity] < .max {
        first = min(first, firstTick.values[entity])
        last = max(last, firstTick.values[entity])
      }
      firstTicks.append(first...max(first, last))
    }
    self.firstTicks = firstTicks
  }

  package var count: Int { span.count }

  /// See `Batch.unchangedSince`: a block stands still until its first entity starts.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? {
    Int64(tick) < firstTicks[block].lowerBound ? 0 : nil
  }

  /// Always: nothing happens to them.
  package func looksAhead(block: Int, tick: UInt64) -> Bool { true }

  /// The longest span.
  package func valueBound(_ field: ViewProperty) -> Double? { span.magnitudeMax }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    tile.pointee.elapsed = phases.prepare(block: block, tick: tick)
    let range = Blocks.range(block, entities: count)
    let first = range.lowerBound
    kernels.marquee(
      tile, phases.phase.values + first, phases.step.values + first, span.values + first)
    // Only while some of the block's entities wait for their start.
    if Int64(tick) >= firstTicks[block].upperBound { return true }
    for index in 0..<Int(tile.pointee.ticks) {
      let now = Int64(tick) + Int64(index)
      for entity in range where now < firstTick.values[entity] {
        tile.set(0, lane: entity - first, field: 0, tick: index)
      }
    }
    return false
  }
}
