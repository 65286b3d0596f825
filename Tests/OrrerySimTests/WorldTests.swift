// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: a world's state is a function of the scene and the tick, and of nothing else.
///
/// Method: state hashes with different instruction sets, thread counts, ways to a tick and
/// neighbours, against each other and against constants. A constant may change only with a line in
/// CHANGELOG.md.
@Suite struct WorldTests {
  /// Entities so that the blocks of both batches end in a part of a lane group.
  static let entities = 6 * Blocks.entityCount + 10

  static let ticks: [UInt64] = [0, 1, 255, 256, 257, 1_000, 86_400 * 60, 1 << 40, 1 << 62]

  static let pinnedStress: [(tick: UInt64, hash: UInt64)] = [
    (0, 0xf9fa_43d7_5c6e_48dc), (1, 0xabd2_175c_dfc8_a679), (60, 0xa41d_a051_e220_cc35),
    (255, 0x4d0e_8145_0566_b80b), (256, 0xf8ae_7d19_58f0_2682),
    (5_184_000, 0x5f71_2352_647c_c3f3), (1 << 40, 0xc91b_4659_f0d3_302a),
  ]

  static let pinnedSmall: [(tick: UInt64, hash: UInt64)] = [
    (0, 0x903f_8da9_a307_0d46), (1, 0x888b_25a3_d645_fda5), (600, 0xc9eb_c342_422f_9a35),
    (5_184_000, 0xca7f_cbbf_4540_cd46), (1 << 40, 0x6e45_ce91_9e4b_35ef),
  ]

  @Test(arguments: InstructionSet.supported, [1, 2, 3, 8])
  func setsAndThreadsGiveOneHash(set: InstructionSet, threads: Int) throws {
    let expected = try World(stress: Self.entities, set: .baseline)
    let world = try World(stress: Self.entities, set: set, threads: threads)
    for tick in Self.ticks { #expect(world.hash(tick) == expected.hash(tick), "tick \(tick)") }
  }

  @Test(arguments: InstructionSet.supported, [1, 2, 3, 8])
  func steppingGivesTheHashOfComputingDirectly(set: InstructionSet, threads: Int) throws {
    let stepped = try World(stress: Self.entities, set: set, threads: threads)
    let direct = try World(stress: Self.entities, set: .baseline)
    var hashes: [UInt64] = []
    for tick in UInt64(0)...600 { hashes.append(stepped.hash(tick)) }
    for tick in stride(from: UInt64(600), through: 0, by: -37) {
      #expect(direct.hash(tick) == hashes[Int(tick)], "tick \(tick)")
    }
  }

  @Test(arguments: InstructionSet.supported)
  func hashesOfStressArePinned(set: InstructionSet) throws {
    let world = try World(stress: 100_000, set: set, threads: 2)
    for (tick, hash) in Self.pinnedStress { #expect(world.hash(tick) == hash, "tick \(tick)") }
  }

  @Test(arguments: InstructionSet.supported)
  func hashesOfASmallSceneArePinned(set: InstructionSet) throws {
    let world = try World.small(set: set)
    for (tick, hash) in Self.pinnedSmall { #expect(world.hash(tick) == hash, "tick \(tick)") }
  }

  @Test func sameTickTwiceChangesNothing() throws {
    let world = try World.small()
    let first = world.hash(1_234)
    for _ in 0..<10 { #expect(world.hash(1_234) == first) }
    #expect(world.hash(1_235) != first)
  }

  @Test func seedsDiffer() throws {
    let hashes = try (UInt64(1)...20).map { try World(stress: 1_000, seed: $0).hash(0) }
    #expect(Set(hashes).count == 20)
  }

  @Test func emptyWorldHasHashZero() throws {
    for threads in [1, 3] {
      let world = try World(threads: threads)
      #expect(world.entityCount == 0)
      #expect(world.columns.isEmpty)
      #expect(world.hash(0) == 0)
      #expect(world.hash(1_000) == 0)
    }
    #expect(try World(.orbit(Specs([])), .marquee(Specs([]))).hash(5) == 0)
  }

  @Test(arguments: [1, 15, 16, 17, 2_047, 2_048, 2_049, 4_096, 4_097])
  func countsAroundBlockEdgesKeepEveryEntity(count: Int) throws {
    let orbits = Specs(count: count) {
      OrbitSpec(radius: Double($0 + 1), period: 10, phase: 0)
    }
    for threads in [1, 2] {
      let values = Values(of: try World(.orbit(orbits), threads: threads), tick: 0)
      #expect((0..<count).allSatisfy { abs(values.value(.x, entity: $0) - Float($0 + 1)) < 0.1 })
    }
  }

  @Test func columnsNumberEntitiesThroughTheBatches() throws {
    let world = try World.small()
    #expect(world.entityCount == 5)
    #expect(world.columns.map(\.field) == [.x, .x, .x, .x, .y])
    #expect(world.columns.map(\.batch) == [0, 1, 2, 3, 3])
    #expect(world.columns.map(\.firstEntity) == [0, 2, 3, 4, 4])
    #expect(world.columns.map(\.count) == [2, 1, 1, 1, 1])
  }

  @Test func fieldsThatABatchLacksHaveTheirDefaults() throws {
    let values = Values(of: try .small(), tick: 60)
    #expect(values.tick == 60)
    #expect(values.value(.y, entity: 0) == 0)
    #expect(values.value(.rotation, entity: 4) == 0)
    #expect(values.value(.opacity, entity: 0) == 1)
    #expect(values.value(.scale, entity: 4) == 1)
    #expect(values.value(.y, entity: 4) != 0)
  }

  /// The hash keys of docs/explained/determinism.md.
  @Test func fieldsHaveTheirHashKeys() {
    let properties: [ViewProperty] = [.x, .y, .opacity, .scale, .rotation]
    #expect(
      properties.map { World.hashKey(field: $0.fieldNumber) }
        == [0x100b_05e5, 0x3a2b_148a, 0xe314_28f0, 0x7456_2914, 0xbebb_45dc])
  }

  @Test func tickBeyondTheLastTraps() async {
    await #expect(processExitsWith: .failure) { _ = try World.small().hash(1 << 62 + 1) }
  }

  @Test func negativeColumnTraps() async {
    await #expect(processExitsWith: .failure) { _ = Column<Float>(count: -1, zero: 0) }
  }

  @Test(.enabled(if: InstructionSet.allCases.contains { !$0.isSupported }))
  func missingInstructionSetTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = InstructionSet.allCases.first { !$0.isSupported }?.kernels()
    }
  }
}
