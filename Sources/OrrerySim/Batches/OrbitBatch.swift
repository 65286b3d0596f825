// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Bodies on circles.
///
/// | column          | unit   | changes      |
/// |-----------------|--------|--------------|
/// | phases          | turns  | see `Phases` |
/// | `radius`        | points | never        |
/// | `less` `sine`   | 1      | never        |
///
/// `sine` is the sine of the angle turned in a tick, and `less` its cosine minus 1.
package final class OrbitBatch: BoundedBatch {
  package static var entityBytes: UInt64 { 24 }
  package static var fieldCountMax: Int { 2 }
  package let fields: [ViewProperty] = [.x, .y]
  private let phases: Phases
  private let radius: Column<Float>
  private let less: Column<Float>
  private let sine: Column<Float>

  package init(_ specs: Specs<OrbitSpec>, rate: TickRate) {
    phases = Phases(count: specs.count, first: specs.first)
    radius = Column(count: specs.count, zero: 0)
    less = Column(count: specs.count, zero: 0)
    sine = Column(count: specs.count, zero: 0)
    var runs = specs.runs(of: Blocks.entityCount)
    while let (first, specs) = runs.next() {
      for (index, spec) in specs.enumerated() { set(first + index, spec, rate) }
    }
  }

  private func set(_ entity: Int, _ spec: OrbitSpec, _ rate: TickRate) {
    phases.set(entity, turns: spec.phase, speed: 1, period: spec.period, rate: rate)
    radius.values[entity] = Float(spec.radius)
    // cos a - 1 = -2 sin²(a/2), with all its digits.
    let half = DeterministicMath.cosineAndSine(phases.turnsPerTick(entity) * .pi)
    less.values[entity] = Float(-2 * half.sine * half.sine)
    sine.values[entity] = Float(2 * half.sine * half.cosine)
  }

  package var count: Int { radius.count }

  /// Always: nothing happens to them.
  package func looksAhead(block: Int, tick: UInt64) -> Bool { true }

  /// The largest radius; the rounding of turns may exceed it by a millionth.
  package func valueBound(_ field: ViewProperty) -> Double? { radius.magnitudeMax * (1 + 0x1p-18) }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let skipped = phases.ticksSinceBorder(block: block, tick: tick)
    tile.pointee.elapsed = phases.prepare(block: block, tick: tick) - UInt32(skipped)
    tile.pointee.skipped = UInt32(skipped)
    // At a border the values come from the phases.
    if skipped == 0 { kernel_set_previous(tile, 0, nil) }
    let first = Blocks.range(block, entities: count).lowerBound
    kernels.orbit(
      tile, phases.phase.values + first, phases.step.values + first, radius.values + first,
      less.values + first, sine.values + first)
    return true
  }
}
