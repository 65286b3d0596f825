// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Offsets that a timer increments by a constant and resets when they pass a limit.
///
/// | column       | unit        | changes    |
/// |--------------|-------------|------------|
/// | `timerTicks` | 1           | every tick |
/// | `loopTicks`  | 1           | never      |
/// | `start`      | points      | never      |
/// | `increment`  | points      | never      |
/// | `pace`       | timer ticks | never      |
package final class TimerBatch: Batch {
  package static var entityBytes: UInt64 { 56 }
  package let fields: [ViewProperty] = [.x]
  private let timerTicks: Column<UInt64>
  private let loopTicks: Column<UInt64>
  private let start: Column<Float>
  private let increment: Column<Float>
  private let pace: Column<Pace>

  package init(_ specs: Specs<TimerSpec>, rate: TickRate) {
    timerTicks = Column(count: specs.count, zero: 0)
    loopTicks = Column(count: specs.count, zero: 1)
    start = Column(count: specs.count, zero: 0)
    increment = Column(count: specs.count, zero: 0)
    pace = Column(count: specs.count, zero: Pace())
    for entity in 0..<specs.count {
      let spec = specs[entity]
      loopTicks.values[entity] = spec.loopTicks
      start.values[entity] = Float(spec.start)
      increment.values[entity] = Float(spec.step)
      pace.values[entity] = Pace(spec.interval, rate: rate)
    }
  }

  package var count: Int { start.count }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let range = Blocks.range(block, entities: count)
    for entity in range { timerTicks.values[entity] = pace.values[entity].timerTicks(tick: tick) }
    let first = range.lowerBound
    kernels.timer(
      UInt32(range.count), timerTicks.values + first, loopTicks.values + first,
      start.values + first, increment.values + first, tile.floats(field: 0, tick: 0))
    return false
  }
}

/// Timer ticks per tick, as a fraction of whole numbers.
///
/// At 60 ticks per second every third tick is exactly at a tick of a 10 ms timer; there a quotient of
/// floating-point seconds may be rounded to either side.
private struct Pace: BitwiseCopyable {
  /// Timer ticks in `below` ticks, in lowest terms; at most 2^112, and less than 2^90.
  private var above: UInt128 = 1
  private var below: UInt128 = 1

  /// One timer tick per tick: what padding has.
  init() {}

  init(_ interval: TimerInterval, rate: TickRate) {
    above = UInt128(rate.denominator) * interval.denominator
    below = UInt128(rate.numerator) * UInt128(interval.numerator)
    var (divisor, remainder) = (above, below)
    while remainder > 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    (above, below) = (above / divisor, below / divisor)
  }

  /// Timer ticks until a tick, that tick included.
  @inline(__always)
  func timerTicks(tick: UInt64) -> UInt64 {
    // As good as always the terms are short.
    let (product, overflow) = UInt64(truncatingIfNeeded: above)
      .multipliedReportingOverflow(by: tick)
    if !overflow, (above | below) >> 64 == 0 {
      return product / UInt64(truncatingIfNeeded: below)
    }
    let wide = below.dividingFullWidth(above.multipliedFullWidth(by: UInt128(tick)))
    return UInt64(truncatingIfNeeded: wide.quotient)
  }
}
