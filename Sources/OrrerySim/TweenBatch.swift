// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Linear moves from one place to another that start again for ever.
///
/// | column  | unit   | changes |
/// |---------|--------|---------|
/// | phases  | turns  | see `Phases` |
/// | `from`  | points | never   |
/// | `span`  | points | never   |
///
/// 24 bytes per entity, without the frame.
package final class TweenBatch: Batch {
  package let kind = "tween"
  package let fields: [Field] = [.x]
  private let phases: Phases
  private let from: Column<Float>
  private let span: Column<Float>

  package init(_ specs: Specs<TweenSpec>, rate: TickRate) {
    phases = Phases(count: specs.count)
    from = Column(count: specs.count, zero: 0)
    span = Column(count: specs.count, zero: 0)
    for entity in 0..<specs.count {
      let spec = specs[entity]
      phases.set(entity, turns: 0, speed: 1, period: spec.duration, rate: rate)
      from.values[entity] = Float(spec.from)
      span.values[entity] = Float(spec.to - spec.from)
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
    kernels.tween(
      UInt32(range.count), elapsed, phases.phase.values + first, phases.step.values + first,
      from.values + first, span.values + first, columns[0] + first)
  }
}
