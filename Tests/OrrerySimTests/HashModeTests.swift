// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: a rolling hash covers the blocks that docs/explained/determinism.md says, and any change of a value
/// within eight ticks; its values are those of a full one, whichever way a tick is reached.
///
/// Method: the page's formula, value by value, over the blocks in question.
@Suite struct HashModeTests {
  /// The terms of the values that a mode covers, as the page has them.
  private static func terms(
    _ world: World, _ memory: Memory, _ mode: HashMode, tick: UInt64
  ) -> UInt64 {
    var sum: UInt64 = 0
    for (index, column) in world.columns.enumerated() {
      let fieldKey = World.hashKey(field: column.field.fieldNumber)
      func keyed(_ value: Int) -> UInt64 {
        let key = UInt32(truncatingIfNeeded: column.firstEntity + value) &* 0x9E37_79B1 &+ fieldKey
        return UInt64((value < column.count ? memory[index][value].bitPattern : 0) ^ key)
      }
      for first in stride(from: 0, to: column.count, by: 2) {
        let block = UInt64(first / 2_048)
        guard mode == .full || (mode == .rolling && (block + tick) % 8 == 0) else { continue }
        let (left, right) = (keyed(first), keyed(first + 1))
        sum &+= left &* right &+ left << 32 &+ right
      }
    }
    return sum
  }

  private static func ring(
    _ world: World, of count: Int
  ) -> [Memory] {
    let memory = (0..<count).map { _ in Memory(world) }
    world.keepDestinations(memory)
    return memory
  }

  /// Views stand still from tick 36 on: then blocks are right, but not hashed, when their turn comes.
  @Test(arguments: HashMode.allCases, [(0, 1), (3, 5), (7, 8), (7, 9)])
  func coversWhatThePageSays(mode: HashMode, ring: (ahead: Int, count: Int)) throws {
    let world = try LookAheadTests.world(threads: 2, hashMode: mode)
    let memory = Self.ring(world, of: ring.count)
    for tick in UInt64(1)...90 {
      let slot = Int(tick) % ring.count
      let hash = world.evaluate(tick: tick, destination: slot, ahead: ring.ahead)
      try #require(hash == Self.terms(world, memory[slot], mode, tick: tick), "tick \(tick)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3], InstructionSet.supported)
  func everyWayToATickHasTheSameRollingHash(seed: UInt64, set: InstructionSet) throws {
    let world = try LookAheadTests.world(set: set, hashMode: .rolling)
    let direct = try LookAheadTests.world(hashMode: .rolling)
    let memory = Self.ring(world, of: 9)
    defer { withExtendedLifetime(memory) {} }
    var walk = TickWalk(seed: seed, slotCount: 9)
    for _ in 0..<150 {
      walk.step()
      let (tick, slot, ahead) = (walk.tick, walk.slot, walk.ahead)
      let hash = world.evaluate(tick: tick, destination: slot, ahead: ahead)
      try #require(hash == direct.hash(tick), "seed \(seed), tick \(tick)")
    }
  }

  /// A value that differs from the first tick on is seen within eight ticks, in whichever block it is.
  @Test(arguments: [0, 1, 2_047, 2_048, 9 * 2_048 + 1, 20_010])
  func changeIsSeenWithinEightTicks(entity: Int) throws {
    func world(_ radius: Double) throws -> World {
      try World(
        .orbit(
          Specs(count: 20_011) {
            OrbitSpec(radius: $0 == entity ? radius : 5, period: 3, phase: 0.1)
          }), hashMode: .rolling)
    }
    let (one, other) = (try world(5), try world(5.000_001))
    let differing = (UInt64(100)..<108).filter { one.hash($0) != other.hash($0) }
    #expect(differing == (UInt64(100)..<108).filter { ($0 + UInt64(entity / 2_048)) % 8 == 0 })
  }

  @Test func offIsNoHash() throws {
    let world = try World(stress: 100_000)
    #expect(world.hash(5) != 0)
    #expect(try LookAheadTests.world(hashMode: .off).hash(5) == 0)
  }

  /// Blocks are hashed in turn: each tick an eighth of them.
  @Test func eightTicksCoverEachBlockOnce() {
    for block in 0..<100 {
      let covered = (UInt64(1_000)..<1_008).filter {
        HashMode.rolling.covers(block: block, tick: $0)
      }
      #expect(covered.count == 1)
    }
    for tick in UInt64(0)..<20 {
      let blocks = (0..<800).filter { HashMode.rolling.covers(block: $0, tick: tick) }
      #expect(blocks.count == 100)
    }
  }
}
