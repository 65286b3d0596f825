// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryScene
import OrrerySim

/// The columns that kernels read and write, with guard values behind what may be written.
final class KernelColumns {
  let count: Int
  let phase: Column<UInt32>
  let step: Column<UInt32>
  /// Where a tween or a timer starts.
  let start: Column<Float>
  /// Span, radius, or a timer's increment.
  let size: Column<Float>
  let timerTicks: Column<UInt64>
  let loopTicks: Column<UInt64>
  let x: Column<Float>
  let y: Column<Float>

  /// Values behind the end of the written columns.
  static let guardCount = 64

  /// Stands where nothing was written.
  static let guardValue: Float = 12_345.678

  /// Counts on both sides of a lane group and of a block, and some that are neither.
  static let counts = [0, 1, 15, 16, 17, 1_000, 4_096, 4_097, 10_000]

  static let seeds: [UInt64] = [1, 2, 3]

  /// Fills the columns at random: any phase and step, sizes of both signs up to `sizeMax`.
  init(count: Int, seed: UInt64, sizeMax: Double = 1_000) {
    self.count = count
    phase = Column(count: count, zero: 0)
    step = Column(count: count, zero: 0)
    start = Column(count: count, zero: 0)
    size = Column(count: count, zero: 0)
    timerTicks = Column(count: count, zero: 0)
    loopTicks = Column(count: count, zero: 1)
    x = Column(count: count + Self.guardCount, zero: Self.guardValue)
    y = Column(count: count + Self.guardCount, zero: Self.guardValue)
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    for entity in 0..<count {
      phase.values[entity] = UInt32(truncatingIfNeeded: random.bits(entity, draw: 0))
      step.values[entity] = UInt32(truncatingIfNeeded: random.bits(entity, draw: 1))
      start.values[entity] = Float((random.unit(entity, draw: 2) * 2 - 1) * sizeMax)
      size.values[entity] = Float((random.unit(entity, draw: 3) * 2 - 1) * sizeMax)
      timerTicks.values[entity] = random.bits(entity, draw: 4)
      loopTicks.values[entity] = max(
        random.bits(entity, draw: 5) >> (random.bits(entity, draw: 6) & 63), 1)
    }
  }

  /// Bits of the values that a kernel wrote: x, then y.
  var bits: [UInt32] {
    (0..<count).map { x.values[$0].bitPattern } + (0..<count).map { y.values[$0].bitPattern }
  }

  /// Whether nothing behind the end of either column was written.
  var guardsHold: Bool {
    (count..<count + Self.guardCount).allSatisfy {
      x.values[$0] == Self.guardValue && y.values[$0] == Self.guardValue
    }
  }
}

/// The kernels that place entities.
enum KernelKind: CaseIterable {
  case marquee
  case tween
  case timer
  case orbit

  /// Places the entities of columns.
  func place(_ columns: KernelColumns, elapsed: UInt32, _ set: InstructionSet) {
    let (kernels, count) = (set.kernels(), UInt32(columns.count))
    let (phase, step) = (columns.phase.values, columns.step.values)
    let (start, size) = (columns.start.values, columns.size.values)
    switch self {
    case .marquee: kernels.marquee(count, elapsed, phase, step, size, columns.x.values)
    case .tween: kernels.tween(count, elapsed, phase, step, start, size, columns.x.values)
    case .timer:
      kernels.timer(
        count, columns.timerTicks.values, columns.loopTicks.values, start, size, columns.x.values)
    case .orbit:
      kernels.orbit(count, elapsed, phase, step, size, columns.x.values, columns.y.values)
    }
  }
}

extension InstructionSet {
  /// Those that this machine has.
  static var supported: [InstructionSet] { allCases.filter(\.isSupported) }
}
