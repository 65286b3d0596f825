// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Offsets that a timer increments by a constant and resets when they pass a limit.
///
/// | column       | unit   | changes    |
/// |--------------|--------|------------|
/// | `timerTicks` | 1      | every tick |
/// | `loopTicks`  | 1      | never      |
/// | `start`      | points | never      |
/// | `increment`  | points | never      |
/// | `intervalNs` | ns     | never      |
package final class TimerBatch: Batch {
  package static var entityBytes: UInt64 { 32 }
  package let fields: [ViewProperty] = [.x]
  private let rate: TickRate
  private let timerTicks: Column<UInt64>
  private let loopTicks: Column<UInt64>
  private let start: Column<Float>
  private let increment: Column<Float>
  private let intervalNs: Column<UInt64>

  package init(_ specs: Specs<TimerSpec>, rate: TickRate) {
    self.rate = rate
    timerTicks = Column(count: specs.count, zero: 0)
    loopTicks = Column(count: specs.count, zero: 1)
    start = Column(count: specs.count, zero: 0)
    increment = Column(count: specs.count, zero: 0)
    intervalNs = Column(count: specs.count, zero: 1)
    for entity in 0..<specs.count {
      let spec = specs[entity]
      loopTicks.values[entity] = spec.loopTicks
      start.values[entity] = Float(spec.start)
      increment.values[entity] = Float(spec.step)
      intervalNs.values[entity] = UInt64(max((spec.interval * 1e9).rounded(), 1))
    }
  }

  package var count: Int { start.count }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let range = Blocks.range(block, entities: count)
    // Whole numbers throughout: at 60 ticks per second every third tick meets a 10 ms timer exactly, and
    // there a quotient of floating-point seconds may fall on either side.
    let elapsedNs = UInt128(tick) * UInt128(rate.denominator) * 1_000_000_000
    for entity in range {
      let interval = UInt128(rate.numerator) * UInt128(intervalNs.values[entity])
      timerTicks.values[entity] = UInt64(truncatingIfNeeded: elapsedNs / interval)
    }
    let first = range.lowerBound
    kernels.timer(
      UInt32(range.count), timerTicks.values + first, loopTicks.values + first,
      start.values + first, increment.values + first, tile.floats(field: 0, tick: 0))
    return false
  }
}
