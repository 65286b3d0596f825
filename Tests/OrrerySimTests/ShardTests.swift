// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: the shards of a scene run slices of it: equal bits at every tick, and hashes that add up.
///
/// Method: the whole scene's world beside one for each shard, on other threads and instruction sets.
@Suite struct ShardTests {
  /// The part of `LookAheadTests.plan` that a shard runs; its views belong to the first shard.
  private static func slice(_ whole: ScenePlan, _ shard: Shard) -> ScenePlan {
    var (batches, firsts, blocks) = ([BatchPlan](), [Int](), 0)
    for (batch, first) in zip(whole.batches, whole.firstEntities) {
      let range = shard.slice(ofBatch: batch.count, blocksBefore: blocks)
      blocks += (batch.count + 2_047) / 2_048
      let own: BatchPlan? =
        switch batch {
        case .orbit(let specs): .orbit(specs.slice(range))
        case .marquee(let specs): .marquee(specs.slice(range))
        case .tween(let specs, let property): .tween(specs.slice(range), property)
        case .flow(let specs, let property): .flow(specs.slice(range), property)
        case .spring(let specs, let property): .spring(specs.slice(range), property)
        default: nil
        }
      if let own, !range.isEmpty {
        batches.append(own)
        firsts.append(first + range.lowerBound)
      } else if own == nil, shard.index == 0 {
        batches.append(batch)
        firsts.append(first)
      }
    }
    return ScenePlan(
      name: "test", seed: 1, rate: 60, batches: batches, layout: Orrery_SceneLayout(),
      firstEntities: firsts, shard: shard)
  }

  @Test(arguments: [2, 3, 4, 7, 40], HashMode.allCases)
  func framesAreSlicesAndHashesAddUp(count: Int, mode: HashMode) throws {
    let plan = try LookAheadTests.plan()
    let whole = try World(plan, instructionSet: .baseline, threadCount: 1, hashMode: mode)
    let memory = Memory(whole)
    let shards = try (0..<count).map { index in
      try World(
        Self.slice(plan, Shard(index, of: count)),
        instructionSet: InstructionSet.supported[index % InstructionSet.supported.count],
        threadCount: 1 + index % 2, hashMode: mode)
    }
    #expect(shards.reduce(0) { $0 + $1.entityCount } == whole.entityCount)
    let rings = shards.map { shard in
      let ring = (0..<9).map { _ in Memory(shard) }
      shard.keepDestinations(ring)
      return ring
    }
    // Steps with look-ahead, one jump forward and one back; a border of windows in the middle.
    for tick in Array(UInt64(240)..<275) + Array(100_000..<100_012) + Array(3..<20) {
      let hash = whole.evaluate(tick: tick) { memory.columns[$0] }
      var sum: UInt64 = 0
      for (shard, ring) in zip(shards, rings) {
        let slot = Int(tick) % ring.count
        sum &+= shard.evaluate(tick: tick, destination: slot, ahead: 7)
        try Self.expectSlice(shard, ring[slot], of: whole, memory, tick)
      }
      try #require(sum == hash, "tick \(tick)")
    }
  }

  /// Compares the bits of a shard's columns with those of the same entities in the whole scene.
  private static func expectSlice(
    _ shard: World, _ memory: Memory, of whole: World, _ wholeMemory: Memory, _ tick: UInt64
  ) throws {
    for (index, column) in shard.columns.enumerated() {
      let wholeIndex = try #require(
        whole.columns.firstIndex {
          $0.field == column.field && $0.firstEntity <= column.firstEntity
            && column.firstEntity < $0.firstEntity + $0.count
        })
      let offset = column.firstEntity - whole.columns[wholeIndex].firstEntity
      for value in 0..<column.count
      where memory[index][value].bitPattern != wholeMemory[wholeIndex][offset + value].bitPattern {
        Issue.record("tick \(tick), entity \(column.firstEntity + value), \(column.field)")
        return
      }
    }
  }

  @Test(arguments: [2, 4, 5])
  func shardsOfABuiltInSceneAddUp(count: Int) throws {
    func world(_ shard: Shard) throws -> World {
      var options = ScenePlanOptions(entities: 30_000)
      options.shard = shard
      let plan = try ScenePlan(
        SceneSource.load(nameOrPath: "stress"), options: options, text: NoTexts())
      return try World(plan, instructionSet: .best, threadCount: 1)
    }
    let whole = try world(.whole)
    let shards = try (0..<count).map { try world(Shard($0, of: count)) }
    for tick: UInt64 in [0, 1, 777, 1 << 40] {
      #expect(shards.reduce(0) { $0 &+ $1.hash(tick) } == whole.hash(tick), "tick \(tick)")
    }
  }
}
