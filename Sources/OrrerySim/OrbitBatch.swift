// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Bodies on circles.
///
/// | column          | unit   | changes      |
/// |-----------------|--------|--------------|
/// | phases          | turns  | see `Phases` |
/// | `radius`        | points | never        |
/// | `cosine` `sine` | 1      | never        |
///
/// Cosine and sine are those of the angle of a tick. 28 bytes per entity, without the frame.
package final class OrbitBatch: Batch {
  package let kind = "orbit"
  package let fields: [Field] = [.x, .y]
  private let phases: Phases
  private let radius: Column<Float>
  private let cosine: Column<Float>
  private let sine: Column<Float>

  package init(_ specs: Specs<OrbitSpec>, rate: TickRate) {
    phases = Phases(count: specs.count)
    radius = Column(count: specs.count, zero: 0)
    cosine = Column(count: specs.count, zero: 0)
    sine = Column(count: specs.count, zero: 0)
    for entity in 0..<specs.count {
      let spec = specs[entity]
      phases.set(entity, turns: spec.phase, speed: 1, period: spec.period, rate: rate)
      radius.values[entity] = Float(spec.radius)
      let turn = DeterministicMath.cosineAndSine(phases.turnsPerTick(entity) * 2 * .pi)
      cosine.values[entity] = Float(turn.cosine)
      sine.values[entity] = Float(turn.sine)
    }
  }

  package var count: Int { radius.count }

  package var looksAhead: Bool { true }

  /// The largest radius; turning rounds, which may lead beyond it by a millionth.
  package func valueBound(_ field: Field) -> Double? { radius.magnitudeMax * (1 + 0x1p-18) }

  /// Computes one block; see `Batch.place`.
  package func place(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let skipped = Phases.ticksSinceBorder(block: block, tick: tick)
    tile.pointee.elapsed = phases.prepare(block: block, tick: tick) - UInt32(skipped)
    tile.pointee.skipped = UInt32(skipped)
    // At a border the values come from the phases.
    if skipped == 0 { kernel_set_previous(tile, 0, nil) }
    let first = Blocks.range(block, entities: count).lowerBound
    kernels.orbit(
      tile, phases.phase.values + first, phases.step.values + first, radius.values + first,
      cosine.values + first, sine.values + first)
    return true
  }
}
