// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Content that runs sideways without end.
///
/// | column  | unit   | changes |
/// |---------|--------|---------|
/// | phases  | turns  | see `Phases` |
/// | `span`  | points | never   |
///
/// `span` is minus the period for content that moves left, plus the period for content that moves right.
///
/// 20 bytes per entity, without the frame.
package final class MarqueeBatch: Batch {
  package let kind = "marquee"
  package let fields: [Field] = [.x]
  private let phases: Phases
  private let span: Column<Float>

  package init(_ specs: Specs<MarqueeSpec>, rate: TickRate) {
    phases = Phases(count: specs.count)
    span = Column(count: specs.count, zero: 0)
    for entity in 0..<specs.count {
      let spec = specs[entity]
      phases.set(
        entity, turns: spec.phase, speed: spec.speed, period: spec.period, rate: rate)
      span.values[entity] = Float(spec.direction == .left ? -spec.period : spec.period)
    }
  }

  package var count: Int { span.count }

  /// Computes one block; see `Batch.place`.
  package func place(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    columns: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let elapsed = phases.prepare(block: block, tick: tick)
    let range = Blocks.range(block, entities: count)
    let first = range.lowerBound
    kernels.marquee(
      UInt32(range.count), elapsed, phases.phase.values + first, phases.step.values + first,
      span.values + first, columns[0] + first)
  }
}
