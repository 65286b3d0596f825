// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Content that moves left or right without end.
///
/// | column  | unit   | changes |
/// |---------|--------|---------|
/// | phases  | turns  | see `Phases` |
/// | `span`  | points | never   |
///
/// `span` is minus the period for content that moves left, plus the period for content that moves right.
package final class MarqueeBatch: BoundedBatch {
  package static var entityBytes: UInt64 { 16 }
  package let fields: [ViewProperty] = [.x]
  private let phases: Phases
  private let span: Column<Float>

  package init(_ specs: Specs<MarqueeSpec>, rate: TickRate) {
    phases = Phases(count: specs.count, first: specs.first)
    span = Column(count: specs.count, zero: 0)
    var runs = specs.runs(of: Blocks.entityCount)
    while let (first, specs) = runs.next() {
      for (index, spec) in specs.enumerated() { set(first + index, spec, rate) }
    }
  }

  private func set(_ entity: Int, _ spec: MarqueeSpec, _ rate: TickRate) {
    phases.set(entity, turns: spec.phase, speed: spec.speed, period: spec.period, rate: rate)
    span.values[entity] = Float(spec.direction == .left ? -spec.period : spec.period)
  }

  package var count: Int { span.count }

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
    let first = Blocks.range(block, entities: count).lowerBound
    kernels.marquee(
      tile, phases.phase.values + first, phases.step.values + first, span.values + first)
    return true
  }
}
