// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
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
  /// Cosine, less 1, and sine of the angle that `step` is.
  let less: Column<Float>
  let sine: Column<Float>
  let timerTicks: Column<UInt64>
  let loopTicks: Column<UInt64>
  /// Entries of tables in `KernelTables.rows`.
  let entry: Column<UInt32>
  /// Twenty columns of coefficients, one after the other.
  let coefficients: Column<Float>
  /// How far away a view is.
  let away: Column<Float>
  let x: Column<Float>
  let y: Column<Float>
  let opacity: Column<Float>
  let scale: Column<Float>
  let blur: Column<Float>

  /// Values behind the end of the written columns.
  static let guardCount = 64

  /// Stands where nothing was written.
  static let guardValue: Float = 12_345.678

  /// Counts on both sides of a lane group and of a block, and some that are neither.
  static let counts = [0, 1, 15, 16, 17, 1_000, 2_048, 2_049, 10_000]

  static let seeds: [UInt64] = [1, 2, 3]

  /// Fills the columns at random: any phase and step, sizes of both signs up to `sizeMax`.
  init(count: Int, seed: UInt64, sizeMax: Double = 1_000) {
    self.count = count
    phase = Column(count: count, zero: 0)
    step = Column(count: count, zero: 0)
    start = Column(count: count, zero: 0)
    size = Column(count: count, zero: 0)
    less = Column(count: count, zero: 0)
    sine = Column(count: count, zero: 0)
    timerTicks = Column(count: count, zero: 0)
    loopTicks = Column(count: count, zero: 1)
    entry = Column(count: count, zero: 0)
    coefficients = Column(count: 20 * Self.stride(count), zero: 0)
    away = Column(count: count, zero: 0)
    x = Column(count: count + Self.guardCount, zero: Self.guardValue)
    y = Column(count: count + Self.guardCount, zero: Self.guardValue)
    opacity = Column(count: count + Self.guardCount, zero: Self.guardValue)
    scale = Column(count: count + Self.guardCount, zero: Self.guardValue)
    blur = Column(count: count + Self.guardCount, zero: Self.guardValue)
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    for entity in 0..<count {
      phase.values[entity] = UInt32(truncatingIfNeeded: random.bits(entity, draw: 0))
      step.values[entity] = UInt32(truncatingIfNeeded: random.bits(entity, draw: 1))
      start.values[entity] = Float((random.unit(entity, draw: 2) * 2 - 1) * sizeMax)
      size.values[entity] = Float((random.unit(entity, draw: 3) * 2 - 1) * sizeMax)
      let turn = DeterministicMath.cosineAndSine(Double(step.values[entity]) * 0x1p-31 * .pi)
      less.values[entity] = Float(turn.cosine - 1)
      sine.values[entity] = Float(turn.sine)
      timerTicks.values[entity] = random.bits(entity, draw: 4)
      loopTicks.values[entity] = max(
        random.bits(entity, draw: 5) >> (random.bits(entity, draw: 6) & 63), 1)
      entry.values[entity] =
        KernelTables.shared.entries[
          random.index(KernelTables.shared.entries.count, entity, draw: 7)]
      away.values[entity] = Float(random.unit(entity, draw: 8) * 1.2 - 0.1)
      for column in 0..<20 {
        let number = entity * 20 + column
        coefficients.values[column * Self.stride(count) + entity] = Float(
          random.unit(number, draw: 9) * 2 - 1)
      }
    }
  }

  /// Floats from one column of coefficients to the next: whole lane groups.
  static func stride(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  /// Where kernels write.
  private var results: [UnsafeMutablePointer<Float>] {
    [x.values, y.values, opacity.values, scale.values, blur.values]
  }

  /// Bits of the values that a kernel wrote, column by column.
  var bits: [UInt32] {
    results.flatMap { column in (0..<count).map { column[$0].bitPattern } }
  }

  /// Whether nothing behind the end of any column was written.
  var guardsHold: Bool {
    results.allSatisfy { column in
      (count..<count + Self.guardCount).allSatisfy { column[$0] == Self.guardValue }
    }
  }

  /// A spring in each lane, with response and damping ratio by the lane's number, for ticks of 1/60 s.
  static func springCoefficients(_ entity: Int) -> SpringCoefficients {
    let spring = Spring(
      response: 0.103 + Double(entity % 97) / 20, dampingRatio: Double(entity % 31) / 15)
    return SpringCoefficients(spring, tickSeconds: 1.0 / 60)
  }
}

/// The kernels that place entities.
enum KernelKind: CaseIterable {
  case marquee
  case tween
  case tableTween4
  case tableTween5
  case tableTween7
  case mixedTween
  case gridTween
  case spring
  case transition
  case timer
  case orbit

  /// Places the entities of columns at one tick.
  func evaluate(_ columns: KernelColumns, elapsed: UInt32, _ set: InstructionSet) {
    let tile = KernelTile()
    tile.pointer.pointee.elapsed = elapsed
    kernel_set_column(tile.pointer, 0, 0, columns.x.values)
    kernel_set_column(tile.pointer, 1, 0, columns.y.values)
    evaluate(columns, in: tile.pointer, set)
  }

  /// Places the entities of columns at a tile's ticks, where it says.
  ///
  /// All but its count is set. Of transitions and timers, which know no tiles, only `elapsed` counts.
  func evaluate(
    _ columns: KernelColumns, in tile: UnsafeMutablePointer<kernel_tile>, _ set: InstructionSet
  ) {
    let (kernels, count) = (set.kernels(), UInt32(columns.count))
    tile.pointee.count = count
    let (phase, step) = (columns.phase.values, columns.step.values)
    let (start, size) = (columns.start.values, columns.size.values)
    switch self {
    case .marquee: kernels.marquee(tile, phase, step, size)
    case .tween: kernels.tween(tile, phase, step, start, size)
    case .tableTween4: evaluate(columns, tile, table: 1, kernels)
    case .tableTween5: evaluate(columns, tile, table: 2, kernels)
    case .tableTween7: evaluate(columns, tile, table: 3, kernels)
    case .mixedTween:
      kernels.tween_mixed(
        tile, KernelTables.shared.rows.values, columns.entry.values, phase, step, start, size)
    case .gridTween: gridTweens(columns, tile, kernels)
    case .spring:
      tile.pointee.elapsed &= 255
      springs(columns, tile, kernels)
    case .transition:
      kernels.transition(
        count, columns.away.values, columns.coefficients.values,
        UInt32(KernelColumns.stride(columns.count)),
        kernel_view_columns(x: start, y: size, opacity: start, scale: size, blur: start),
        kernel_view_columns(
          x: columns.x.values, y: columns.y.values, opacity: columns.opacity.values,
          scale: columns.scale.values, blur: columns.blur.values))
    case .timer:
      kernels.timer(
        count, columns.timerTicks.values, columns.loopTicks.values, start, size, columns.x.values)
    case .orbit:
      kernels.orbit(tile, phase, step, size, columns.less.values, columns.sine.values)
    }
  }
}

extension KernelKind {
  /// Tweens by one of the shared tables.
  private func evaluate(
    _ columns: KernelColumns, _ tile: UnsafeMutablePointer<kernel_tile>, table: Int,
    _ kernels: borrowing kernel_table
  ) {
    let entry = KernelTables.shared.entries[table]
    kernels.tween_table(
      tile, KernelTables.shared.rows.values + Int(entry >> 4) * 4, entry & 15,
      columns.phase.values, columns.step.values, columns.start.values, columns.size.values)
  }

  /// Tweens by tables of 1 to 128 rows, large and small ones side by side: in some lane groups every tick has other rows,
  /// in others few lanes change theirs.
  private func gridTweens(
    _ columns: KernelColumns, _ tile: UnsafeMutablePointer<kernel_tile>,
    _ kernels: borrowing kernel_table
  ) {
    let entries = Column<UInt32>(count: columns.count, zero: 0)
    let steps = Column<UInt32>(count: columns.count, zero: 0)
    for entity in 0..<columns.count {
      let count = UInt32(1 + entity * 7 % 128)
      let first = UInt32(entity % 50)
      entries.values[entity] = kernel_grid_entry(count > 64 ? first / 16 * 16 : first, count)
      steps.values[entity] =
        columns.step.values[entity] >> (entity / 16 % 2 == 0 ? 0 : entity % 5 == 0 ? 4 : 12)
    }
    kernels.tween_grid(
      tile, KernelTables.shared.rows.values, entries.values, columns.phase.values, steps.values,
      columns.start.values, columns.size.values)
  }

  /// Springs about bases `start`, an eighth of that away and with changes of a small part of `size`: what
  /// swings for seconds stays within twice the bases.
  private func springs(
    _ columns: KernelColumns, _ tile: UnsafeMutablePointer<kernel_tile>,
    _ kernels: borrowing kernel_table
  ) {
    let states = (0..<4).map { _ in UnsafeMutablePointer<Float>.lanes(columns.count) }
    defer { states.forEach { $0.deallocate() } }
    for entity in 0..<columns.count {
      let coefficients = KernelColumns.springCoefficients(entity)
      states[0][entity] = coefficients.stiffness
      states[1][entity] = coefficients.damping
      states[2][entity] = columns.start.values[entity] / 8
      states[3][entity] = columns.size.values[entity] / 512
    }
    kernels.spring(tile, states[0], states[1], states[2], states[3], columns.start.values, nil)
  }
}

extension UnsafeMutablePointer<Float> {
  /// Zeros in whole lane groups.
  static func lanes(_ count: Int) -> Self {
    let padded = (count + 15) / 16 * 16
    let lanes = UnsafeMutableRawPointer.allocate(byteCount: max(padded * 4, 64), alignment: 64)
      .bindMemory(to: Float.self, capacity: padded)
    lanes.initialize(repeating: 0, count: padded)
    return lanes
  }
}

/// Tables of every way to look one up, in one column.
final class KernelTables: Sendable {
  static let shared = KernelTables()

  /// The straight line, then tables of 4, 5 and 7 bits.
  static let cycles = [
    TweenCycle.linear, TweenCycle(curve: .easeInOut),
    TweenCycle(curve: .easeInOut, autoreverses: true), TweenCycle(curve: .easeIn),
  ]

  let rows: Column<Float>
  let entries: [UInt32]

  private init() {
    let tables = Self.cycles.compactMap { CurveTable($0) }
    rows = Column(count: 4 * tables.reduce(0) { $0 + $1.rows.count }, zero: 0)
    var (first, entries) = (0, [UInt32]())
    for table in tables {
      for (index, row) in table.rows.enumerated() {
        for column in 0..<4 { rows.values[(first + index) * 4 + column] = row[column] }
      }
      entries.append(UInt32(first) << 4 | table.bits)
      first += table.rows.count
    }
    self.entries = entries
  }
}

extension InstructionSet {
  /// Those that this machine has.
  static var supported: [InstructionSet] { allCases.filter(\.isSupported) }
}
