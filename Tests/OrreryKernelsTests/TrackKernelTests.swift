// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: tweens by tables, springs and transitions are where their formulas say.
///
/// Method: random columns of sizes around lane groups and blocks, each value compared with the formula in
/// `Double`, from the cycle itself and not from its table.
@Suite struct TrackKernelTests {
  /// Tables of as many bits as the kernels tell apart.
  @Test func tablesAreOfEverySize() {
    #expect(KernelTables.shared.entries.map { $0 & 15 } == [4, 4, 5, 7])
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func tableTweensMatchTheirForms(set: InstructionSet, count: Int) {
    let kinds: [(KernelKind, TweenCycle)] = [
      (.tableTween4, KernelTables.cycles[1]), (.tableTween5, KernelTables.cycles[2]),
      (.tableTween7, KernelTables.cycles[3]),
    ]
    for (kind, cycle) in kinds {
      for elapsed: UInt32 in [0, 1, 255] {
        let columns = KernelColumns(count: count, seed: 1)
        kind.evaluate(columns, elapsed: elapsed, set)
        let wrong = (0..<count).first { isWrong(columns, $0, elapsed, cycle) }
        #expect(wrong == nil, "\(kind), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func mixedTweensMatchTheirForms(set: InstructionSet, count: Int) throws {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: count, seed: seed)
      KernelKind.mixedTween.evaluate(columns, elapsed: 7, set)
      for entity in 0..<count {
        let index = try #require(
          KernelTables.shared.entries.firstIndex(of: columns.entry.values[entity]))
        let cycle = KernelTables.cycles[index]
        if isWrong(columns, entity, 7, cycle) { Issue.record("seed \(seed), entity \(entity)") }
      }
    }
  }

  /// A linear entry among others gives the bits of the linear kernel, and a table the same bits alone and
  /// among others.
  @Test(arguments: InstructionSet.supported)
  func mixedAndUniformTweensHaveTheSameBits(set: InstructionSet) {
    let kinds: [KernelKind] = [.tween, .tableTween4, .tableTween5, .tableTween7]
    for (kind, entry) in zip(kinds, KernelTables.shared.entries) {
      let (mixed, uniform) = (
        KernelColumns(count: 10_000, seed: 1), KernelColumns(count: 10_000, seed: 1)
      )
      for entity in 0..<10_000 { mixed.entry.values[entity] = entry }
      KernelKind.mixedTween.evaluate(mixed, elapsed: 3, set)
      kind.evaluate(uniform, elapsed: 3, set)
      #expect(mixed.bits == uniform.bits, "\(kind)")
    }
  }

  /// Turns that round to a whole turn are the cycle's start.
  @Test(arguments: InstructionSet.supported)
  func progressIsZeroAtThePhaseZero(set: InstructionSet) {
    for kind in [KernelKind.tween, .tableTween4, .tableTween5, .tableTween7, .mixedTween] {
      let columns = KernelColumns(count: 3, seed: 1)
      for (entity, phase) in ([0, 0xff, 0xffff_ff00] as [UInt32]).enumerated() {
        columns.phase.values[entity] = phase
        columns.start.values[entity] = 0
      }
      kind.evaluate(columns, elapsed: 0, set)
      #expect((0..<3).allSatisfy { columns.x.values[$0] == 0 }, "\(kind)")
    }
  }

  /// Each row of a table of any size is read, and no row beside it, wherever the table lies.
  @Test(arguments: InstructionSet.supported)
  func tablesOfKeyframesAreReadWhereTheyLie(set: InstructionSet) {
    let rows = Column<Float>(count: 4 << 22, zero: -1)
    for count: UInt32 in [1, 2, 63, 64, 65, 500, 1023, 1024] {
      for first: UInt32 in [0, 1 << 11, 1 << 21, 1 << 22 - 1024] {
        for row in 0..<count {
          for (index, number) in [Float(row), 0, 0, 0].enumerated() {
            rows.values[Int(first + row) * 4 + index] = number
          }
        }
        let columns = KernelColumns(count: 1024, seed: 1)
        for lane in 0..<1024 {
          columns.entry.values[lane] = kernel_grid_entry(first, count)
          (columns.start.values[lane], columns.size.values[lane]) = (0, 1)
          // In the middle of a row.
          let turn = (Double(UInt32(lane) % count) + 0.5) / Double(count)
          columns.phase.values[lane] = UInt32(turn * 0x1p32)
        }
        let tile = KernelTile()
        (tile.pointer.pointee.count, tile.pointer.pointee.ticks) = (1024, 1)
        kernel_set_column(tile.pointer, 0, 0, columns.x.values)
        set.kernels().tween_grid(
          tile.pointer, rows.values, columns.entry.values, columns.phase.values,
          columns.step.values, columns.start.values, columns.size.values)
        let wrong = (0..<1024).first { columns.x.values[$0] != Float(UInt32($0) % count) }
        #expect(wrong == nil, "\(count) rows from \(first)")
        for number in Int(first) * 4..<Int(first + count) * 4 { rows.values[number] = -1 }
      }
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func springsFollowTheirSteps(set: InstructionSet, count: Int) {
    for ticks: UInt32 in [0, 1, 2, 17, 255] {
      let columns = KernelColumns(count: count, seed: 1)
      KernelKind.spring.evaluate(columns, elapsed: ticks, set)
      let wrong = (0..<count).first { entity in
        let base = Double(columns.start.values[entity])
        var (displacement, change) = (base / 8, Double(columns.size.values[entity]) / 512)
        let spring = KernelColumns.springCoefficients(entity)
        var most = abs(base) + abs(change)
        for _ in 0..<ticks {
          displacement += change
          change -= Double(spring.stiffness) * displacement + Double(spring.damping) * change
          most = max(most, abs(displacement))
        }
        let bound = 1e-6 * (1 + Double(ticks)) * most
        return !(abs(Double(columns.x.values[entity]) - (base + displacement)) <= bound)
      }
      #expect(wrong == nil, "\(ticks) ticks")
    }
  }

  /// One call of many ticks and many calls of one tick are the same.
  @Test(arguments: InstructionSet.supported)
  func springsStepAlike(set: InstructionSet) {
    func final(_ calls: Int, ticks: UInt32) -> [UInt32] {
      let springs = SpringColumns(count: 100, set)
      for entity in 0..<100 {
        (springs.displacement[entity], springs.change[entity]) = (Float(entity) - 50, 3)
      }
      for _ in 0..<calls { springs.evaluate(elapsed: ticks) }
      return (0..<100).map { springs.x[$0].bitPattern }
    }
    #expect(final(200, ticks: 1) == final(1, ticks: 200))
    #expect(final(200, ticks: 1) != final(1, ticks: 199))
  }

  /// What decays becomes almost nothing, and never a denormal.
  @Test(arguments: InstructionSet.supported)
  func decayedSpringsAreNoDenormals(set: InstructionSet) {
    let springs = SpringColumns(count: 16, set)
    let spring = SpringCoefficients(Spring(response: 0.1, dampingRatio: 0.3), tickSeconds: 1.0 / 60)
    for lane in 0..<16 {
      (springs.stiffness[lane], springs.damping[lane]) = (spring.stiffness, spring.damping)
      (springs.displacement[lane], springs.change[lane]) = (Float(lane) - 7.5, 1)
    }
    let mode = kernel_flush_to_zero()
    for _ in 0..<1_000 {
      springs.evaluate(elapsed: 1)
      let bits = (0..<16).flatMap {
        [springs.displacement[$0].bitPattern, springs.change[$0].bitPattern]
      }
      // Not `isSubnormal`: it may compare with what counts as zero.
      #expect(bits.allSatisfy { $0 << 1 == 0 || $0 & 0x7f80_0000 != 0 })
    }
    kernel_restore_mode(mode)
    #expect((0..<16).allSatisfy { abs(springs.displacement[$0]) < 1e-30 })
  }

  /// Restarted springs have their state after their step and go on from there; the others do not notice.
  @Test(arguments: InstructionSet.supported)
  func restartedSpringsGoOnFromTheirState(set: InstructionSet) {
    let (plain, restarting) = (SpringColumns(count: 100, set), SpringColumns(count: 100, set))
    for columns in [plain, restarting] {
      for entity in 0..<100 {
        (columns.displacement[entity], columns.change[entity]) = (Float(entity) - 50, 3)
      }
    }
    let restarts = kernel_restarted(kernel_own_spring_scratch())
    let steps = [3: 1, 17: 4, 18: 4, 40: 6, 41: 9, 99: 10]
    for (entity, step) in steps {
      kernel_restarted_springs_step(restarts)[entity] = UInt16(step)
      kernel_restarted_springs_displacement(restarts)[entity] = 7
      kernel_restarted_springs_change(restarts)[entity] = -1
      kernel_restarted_springs_base(restarts)[entity] = 1_000
      kernel_restarted_springs_group(restarts)[entity / 16] = 1
    }
    // Ticks 4 ... 11 of 11.
    let found = restarting.evaluate(elapsed: 4, ticks: 8, restarts: restarts)
    var expected: [[Float]] = []
    for tick in 1...11 {
      _ = plain.evaluate(elapsed: 1)
      for (entity, step) in steps where step == tick {
        (plain.displacement[entity], plain.change[entity]) = (7, -1)
        plain.base[entity] = 1_000
      }
      if tick >= 4 { expected.append(plain.values) }
    }
    #expect(found == expected)
    #expect((0..<100).allSatisfy { restarting.base[$0] == (steps[$0] == nil ? 0 : 1_000) })
    let stepsLeft = kernel_restarted_springs_step(restarts)
    #expect((0..<2_048).allSatisfy { stepsLeft[$0] == KERNEL_NOT_RESTARTED })
    #expect((0..<128).allSatisfy { kernel_restarted_springs_group(restarts)[$0] == 0 })
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func transitionsMatchTheirPolynomials(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: count, seed: seed)
      KernelKind.transition.evaluate(columns, elapsed: 0, set)
      let wrong = (0..<count).first { entity in
        let away = Double(columns.away.values[entity])
        let (first, second) = (
          Double(columns.start.values[entity]), Double(columns.size.values[entity])
        )
        func polynomial(_ field: Int) -> Double {
          var (power, sum) = (1.0, 0.0)
          for column in 4 * field..<4 * field + 4 {
            power *= away
            let index = column * KernelColumns.stride(count) + entity
            sum += Double(columns.coefficients.values[index]) * power
          }
          return sum
        }
        let factor = 1 + polynomial(3)
        let expected = [
          factor * first + polynomial(0), factor * second + polynomial(1),
          first * (1 + polynomial(2)), second * factor, first + polynomial(4),
        ]
        let found = [
          columns.x.values[entity], columns.y.values[entity], columns.opacity.values[entity],
          columns.scale.values[entity], columns.blur.values[entity],
        ]
        // Ten roundings of up to 5 times the larger own value.
        let bound = 10 * 0x1p-24 * 5 * (max(abs(first), abs(second)) + 5)
        return zip(expected, found).contains { !(abs($0 - Double($1)) <= bound) }
      }
      #expect(wrong == nil, "seed \(seed)")
    }
  }

  /// At identity a transition changes no bit.
  @Test(arguments: InstructionSet.supported)
  func identityIsExact(set: InstructionSet) {
    let columns = KernelColumns(count: 100, seed: 2)
    for entity in 0..<100 { columns.away.values[entity] = 0 }
    KernelKind.transition.evaluate(columns, elapsed: 0, set)
    for entity in 0..<100 {
      let (first, second) = (columns.start.values[entity], columns.size.values[entity])
      #expect(columns.x.values[entity] == first)
      #expect(columns.y.values[entity] == second)
      #expect(columns.opacity.values[entity] == first)
      #expect(columns.scale.values[entity] == second)
      #expect(columns.blur.values[entity] == first)
    }
  }

  /// Values may be changed where they lie.
  @Test(arguments: InstructionSet.supported, [1, 15, 16, 17, 33])
  func tweensAddToTheirOwnValues(set: InstructionSet, count: Int) {
    let (apart, inPlace) = (
      KernelColumns(count: count, seed: 3), KernelColumns(count: count, seed: 3)
    )
    KernelKind.tween.evaluate(apart, elapsed: 9, set)
    for entity in 0..<count { inPlace.x.values[entity] = inPlace.start.values[entity] }
    let tile = KernelTile()
    tile.pointer.pointee.count = UInt32(count)
    tile.pointer.pointee.elapsed = 9
    kernel_set_column(tile.pointer, 0, 0, inPlace.x.values)
    set.kernels().tween(
      tile.pointer, inPlace.phase.values, inPlace.step.values, inPlace.x.values,
      inPlace.size.values)
    #expect(apart.bits == inPlace.bits)
    #expect(inPlace.guardsHold)
  }

  private func isWrong(
    _ columns: KernelColumns, _ entity: Int, _ elapsed: UInt32, _ cycle: TweenCycle
  ) -> Bool {
    let (from, span) = (
      Double(columns.start.values[entity]), Double(columns.size.values[entity])
    )
    let phase = columns.phase.values[entity] &+ columns.step.values[entity] &* elapsed
    let expected = from + span * cycle.value(at: Double(phase) * 0x1p-32)
    let found = Double(columns.x.values[entity])
    let error = ScalarOracle.distance(found, expected, onLoopOf: span)
    return !(error <= CurveTable.errorMax * abs(span) + 0x1p-23 * (abs(from) + abs(span)))
  }
}

/// Columns of springs, with the coefficients of `KernelColumns` about bases of 0.
private final class SpringColumns {
  let stiffness: UnsafeMutablePointer<Float>
  let damping: UnsafeMutablePointer<Float>
  let displacement: UnsafeMutablePointer<Float>
  let change: UnsafeMutablePointer<Float>
  let base: UnsafeMutablePointer<Float>
  /// Values of the last tick.
  private(set) var x: [Float] = []
  private let count: Int
  private let kernels: kernel_table

  init(count: Int, _ set: InstructionSet) {
    self.count = count
    kernels = set.kernels()
    let columns = (0..<5).map { _ in UnsafeMutablePointer<Float>.lanes(count) }
    (stiffness, damping) = (columns[0], columns[1])
    (displacement, change, base) = (columns[2], columns[3], columns[4])
    for entity in 0..<count {
      let coefficients = KernelColumns.springCoefficients(entity)
      (stiffness[entity], damping[entity]) = (coefficients.stiffness, coefficients.damping)
    }
  }

  deinit { [stiffness, damping, displacement, change, base].forEach { $0.deallocate() } }

  /// Where the springs are.
  var values: [Float] { (0..<count).map { base[$0] + displacement[$0] } }

  /// Values at each tick of a tile.
  @discardableResult
  func evaluate(
    elapsed: UInt32, ticks: Int = 1,
    restarts: UnsafeMutablePointer<kernel_restarted_springs>? = nil
  ) -> [[Float]] {
    let tile = KernelTile()
    let columns = (0..<ticks).map { _ in UnsafeMutablePointer<Float>.lanes(count) }
    defer { columns.forEach { $0.deallocate() } }
    tile.pointer.pointee.count = UInt32(count)
    tile.pointer.pointee.elapsed = elapsed
    tile.pointer.pointee.ticks = UInt32(ticks)
    for tick in 0..<ticks { kernel_set_column(tile.pointer, 0, tick, columns[tick]) }
    kernels.spring(tile.pointer, stiffness, damping, displacement, change, base, restarts)
    let values = columns.map { column in (0..<count).map { column[$0] } }
    x = values[ticks - 1]
    return values
  }
}
