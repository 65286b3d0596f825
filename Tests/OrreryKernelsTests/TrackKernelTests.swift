// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: tweens by tables, springs and transitions are where their formulas say.
///
/// Method: random columns of sizes around lane groups and blocks, each value compared with the formula in
/// `Double`, from the curve's own form and not from its table.
@Suite struct TrackKernelTests {
  /// Tables of as many bits as the kernels tell apart.
  @Test func tablesAreOfEverySize() {
    #expect(KernelTables.shared.entries.map { $0 & 15 } == [4, 4, 5, 7])
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func tableTweensMatchTheirForms(set: InstructionSet, count: Int) {
    let kinds: [(KernelKind, TweenForm)] = [
      (.tableTween4, KernelTables.forms[1]), (.tableTween5, KernelTables.forms[2]),
      (.tableTween7, KernelTables.forms[3]),
    ]
    for (kind, form) in kinds {
      for elapsed: UInt32 in [0, 1, 255] {
        let columns = KernelColumns(count: count, seed: 1)
        kind.place(columns, elapsed: elapsed, set)
        let wrong = (0..<count).first { isWrong(columns, $0, elapsed, form) }
        #expect(wrong == nil, "\(kind), elapsed \(elapsed)")
      }
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func mixedTweensMatchTheirForms(set: InstructionSet, count: Int) throws {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: count, seed: seed)
      KernelKind.mixedTween.place(columns, elapsed: 7, set)
      for entity in 0..<count {
        let index = try #require(
          KernelTables.shared.entries.firstIndex(of: columns.entry.values[entity]))
        let form = KernelTables.forms[index]
        if isWrong(columns, entity, 7, form) { Issue.record("seed \(seed), entity \(entity)") }
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
      KernelKind.mixedTween.place(mixed, elapsed: 3, set)
      kind.place(uniform, elapsed: 3, set)
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
      kind.place(columns, elapsed: 0, set)
      #expect((0..<3).allSatisfy { columns.x.values[$0] == 0 }, "\(kind)")
    }
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func springsFollowTheirSteps(set: InstructionSet, count: Int) {
    for ticks: UInt32 in [0, 1, 2, 17, 255] {
      let columns = KernelColumns(count: count, seed: 1)
      KernelKind.spring.place(columns, elapsed: ticks, set)
      let wrong = (0..<count).first { entity in
        let (base, start) = (
          Double(columns.start.values[entity]), Double(columns.size.values[entity])
        )
        var (d, v) = (base, start)
        let k = KernelColumns.increments(entity).map { Double($0) }
        for _ in 0..<ticks { (d, v) = (d + (k[0] * d + k[1] * v), v + (k[2] * d + k[3] * v)) }
        // Displacements up to 1000, and velocities up to 1000 a second for a fifth of a radian's time.
        let bound = 1e-6 * (1 + Double(ticks).squareRoot()) * 2_000
        return !(abs(Double(columns.x.values[entity]) - (base + d)) <= bound)
      }
      #expect(wrong == nil, "\(ticks) ticks")
    }
  }

  /// One call of many ticks and many calls of one tick are the same.
  @Test(arguments: InstructionSet.supported)
  func springsStepAlike(set: InstructionSet) {
    let kernels = set.kernels()
    let (count, columns) = (100, (0..<8).map { _ in UnsafeMutablePointer<Float>.lanes(100) })
    defer { columns.forEach { $0.deallocate() } }
    func final(_ calls: UInt32, ticks: UInt32) -> [UInt32] {
      for entity in 0..<count {
        for (column, value) in KernelColumns.increments(entity).enumerated() {
          columns[column][entity] = value
        }
        (columns[4][entity], columns[5][entity]) = (Float(entity) - 50, 3)
      }
      for _ in 0..<calls {
        kernels.spring_matrix(
          UInt32(count), ticks, columns[0], columns[1], columns[2], columns[3], columns[4],
          columns[5], columns[6], columns[7])
      }
      return (0..<count).map { columns[7][$0].bitPattern }
    }
    #expect(final(200, ticks: 1) == final(1, ticks: 200))
    #expect(final(200, ticks: 1) != final(1, ticks: 199))
  }

  /// What decays is 0 in the end, and never a denormal.
  @Test(arguments: InstructionSet.supported)
  func decayedSpringsRestAtZero(set: InstructionSet) {
    let kernels = set.kernels()
    let columns = (0..<8).map { _ in UnsafeMutablePointer<Float>.lanes(16) }
    defer { columns.forEach { $0.deallocate() } }
    for lane in 0..<16 {
      let increments = SpringIncrements(
        SpringSolution(Spring(response: 0.1, dampingRatio: 0.3)), tickSeconds: 1.0 / 60)
      (columns[0][lane], columns[1][lane]) = (increments.xx, increments.xv)
      (columns[2][lane], columns[3][lane]) = (increments.vx, increments.vv)
      (columns[4][lane], columns[5][lane]) = (Float(lane) - 7.5, 1)
    }
    for _ in 0..<1_000 {
      kernels.spring_matrix(
        16, 1, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6],
        columns[7])
      #expect((0..<16).allSatisfy { !columns[4][$0].isSubnormal && !columns[5][$0].isSubnormal })
    }
    #expect((0..<16).allSatisfy { columns[4][$0] == 0 && columns[5][$0] == 0 })
  }

  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func transitionsMatchTheirPolynomials(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: count, seed: seed)
      KernelKind.transition.place(columns, elapsed: 0, set)
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
    KernelKind.transition.place(columns, elapsed: 0, set)
    for entity in 0..<100 {
      let (first, second) = (columns.start.values[entity], columns.size.values[entity])
      #expect(columns.x.values[entity] == first && columns.y.values[entity] == second)
      #expect(columns.opacity.values[entity] == first && columns.scale.values[entity] == second)
      #expect(columns.blur.values[entity] == first)
    }
  }

  /// Values may be changed where they lie.
  @Test(arguments: InstructionSet.supported, [1, 15, 16, 17, 33])
  func tweensAddToTheirOwnValues(set: InstructionSet, count: Int) {
    let (apart, inPlace) = (
      KernelColumns(count: count, seed: 3), KernelColumns(count: count, seed: 3)
    )
    KernelKind.tween.place(apart, elapsed: 9, set)
    for entity in 0..<count { inPlace.x.values[entity] = inPlace.start.values[entity] }
    let tile = KernelTile()
    tile.pointer.pointee.count = UInt32(count)
    tile.pointer.pointee.elapsed = 9
    kernel_set_column(tile.pointer, 0, 0, inPlace.x.values)
    set.kernels().tween(
      tile.pointer, inPlace.phase.values, inPlace.step.values, inPlace.x.values,
      inPlace.size.values)
    #expect(apart.bits == inPlace.bits && inPlace.guardsHold)
  }

  private func isWrong(
    _ columns: KernelColumns, _ entity: Int, _ elapsed: UInt32, _ form: TweenForm
  ) -> Bool {
    let (from, span) = (
      Double(columns.start.values[entity]), Double(columns.size.values[entity])
    )
    let phase = columns.phase.values[entity] &+ columns.step.values[entity] &* elapsed
    let expected = from + span * form.value(at: Double(phase) * 0x1p-32)
    let found = Double(columns.x.values[entity])
    let error = ScalarOracle.distance(found, expected, onLoopOf: span)
    return !(error <= CurveTable.errorMax * abs(span) + 0x1p-23 * (abs(from) + abs(span)))
  }
}
