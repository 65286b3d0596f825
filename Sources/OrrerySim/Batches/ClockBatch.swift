// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Digits of clocks that timeline schedules drive.
///
/// Each tick asks each schedule once, in `Double`, for the entry that it shows. Digits are computed only
/// when one of the batch's schedules shows a new entry.
package final class ClockBatch: Batch {
  package static var entityBytes: UInt64 { 48 }
  package let fields: [ViewProperty] = [.y]
  private let rate: TickRate

  /// The different schedules.
  private let timelines: [ClockTimeline]

  /// Index into `timelines` of each entity.
  private let timeline: Column<UInt32>

  /// The data of each entity's digit: making a spec anew for each tick would cost many times as much.
  private let digits: Column<ClockDigit>

  /// The date that each timeline shows at the prepared tick, in seconds since the reference date.
  private let shown: Column<Double>

  /// The prepared tick, and the tick since which no timeline has shown a new date.
  private let prepared: Column<UInt64>

  package init(_ specs: Specs<ClockSpec>, rate: TickRate) {
    self.rate = rate
    timeline = Column(count: specs.count, zero: 0)
    digits = Column(count: specs.count, zero: ClockDigit())
    var (timelines, indexes) = ([ClockTimeline](), [ClockTimeline.Key: UInt32]())
    for entity in 0..<specs.count {
      let spec = specs[entity]
      digits.values[entity] = ClockDigit(spec)
      let key = ClockTimeline.Key(schedule: spec.schedule, start: spec.start)
      if indexes[key] == nil {
        indexes[key] = UInt32(timelines.count)
        timelines.append(ClockTimeline(key))
      }
      timeline.values[entity] = indexes[key] ?? 0
    }
    self.timelines = timelines
    shown = Column(count: timelines.count, zero: .nan)
    prepared = Column(count: 2, zero: 0)
  }

  package var count: Int { timeline.count }

  /// Asks every schedule for the date that it shows; see `Batch.prepare`.
  package func prepare(tick: UInt64) {
    let seconds = rate.seconds(tick: tick)
    var isChanged = false
    for index in timelines.indices {
      let date = timelines[index].shown(at: seconds)
      isChanged = isChanged || date != shown.values[index]
      shown.values[index] = date
    }
    // Shown dates never go back: if they are equal at two ticks, they are equal in between.
    prepared.values[0] = tick
    prepared.values[1] = isChanged ? tick : min(prepared.values[1], tick)
  }

  /// The tick since which no schedule of the batch has shown a new date; see `Batch.unchangedSince`.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? { prepared.values[1] }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    let range = Blocks.range(block, entities: count)
    let values = tile.floats(field: 0, tick: 0)
    for entity in range {
      let date = shown.values[Int(timeline.values[entity])]
      values[entity - range.lowerBound] = Float(digits.values[entity].offset(showing: date))
    }
    return false
  }
}

/// One digit of a clock: the part of its spec that a tick reads.
private struct ClockDigit: BitwiseCopyable {
  /// The date of digit 0, in seconds since the reference date.
  private var zero = 0.0
  /// Seconds of a step of the digit.
  private var unit = 1.0
  /// Number of different digits.
  private var base = 1.0
  /// Points from one digit of the strip to the next.
  private var digitHeight = 0.0

  /// A digit that is always 0, for padding.
  init() {}

  init(_ spec: ClockSpec) {
    (zero, unit) = (spec.zero.timeIntervalSinceReferenceDate, spec.unit)
    (base, digitHeight) = (Double(spec.base), spec.digitHeight)
  }

  /// Seconds by which a digit's step counts as reached early, as with entries: in binary, a sum of tenths of
  /// a second may be short by its last bit.
  private static let earlySeconds = 0.5e-6

  /// Position of the strip of digits.
  ///
  /// - Parameter date: That of the entry shown, in seconds since the reference date.
  /// - Returns: Points, from -(base - 1)·`digitHeight` to 0.
  func offset(showing date: Double) -> Double {
    let seconds = date - zero
    let steps = ((seconds + min(Self.earlySeconds, unit / 8)) / unit).rounded(.down)
    let digit = steps - (steps / base).rounded(.down) * base
    // 0 and not -0, which has other bits.
    return digit == 0 ? 0 : -digitHeight * digit
  }
}
