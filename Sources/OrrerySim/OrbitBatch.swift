// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Bodies on circles.
///
/// | column   | unit   | changes |
/// |----------|--------|---------|
/// | phases   | turns  | see `Phases` |
/// | `radius` | points | never   |
///
/// 20 bytes per entity, without the frame.
package final class OrbitBatch: Batch {
  package let kind = "orbit"
  package let fields: [Field] = [.x, .y]
  private let phases: Phases
  private let radius: Column<Float>

  package init(_ specs: Specs<OrbitSpec>, rate: TickRate) {
    phases = Phases(count: specs.count)
    radius = Column(count: specs.count, zero: 0)
    for entity in 0..<specs.count {
      let spec = specs[entity]
      phases.set(entity, turns: spec.phase, speed: 1, period: spec.period, rate: rate)
      radius.values[entity] = Float(spec.radius)
    }
  }

  package var count: Int { radius.count }

  /// Computes one block; see `Batch.place`.
  package func place(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    columns: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let elapsed = phases.prepare(block: block, tick: tick)
    let range = Blocks.range(block, entities: count)
    let first = range.lowerBound
    kernels.orbit(
      UInt32(range.count), elapsed, phases.phase.values + first, phases.step.values + first,
      radius.values + first, columns[0] + first, columns[1] + first)
  }
}
