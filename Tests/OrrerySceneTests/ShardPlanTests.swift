// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: the shards' plans are the scene's plan, cut between blocks.
///
/// Method: plan a scene whole and in shards; put the shards together again and compare.
@Suite struct ShardPlanTests {
  /// Two fields of one kind with a system between them, another field, a fixture and views with moons.
  private static let scene = Scene("s", seed: 3) {
    Field.orbits(count: 9_000, radius: 4...60, duration: 10...100)
    OrbitSystem(height: 300, moons: 5)
    Field.orbits(count: 3_001, radius: 1...2, duration: 1...2)
    Field.marquees(count: 10_000, speed: 10...120, period: 40...400)
  }

  private static func plan(_ scene: Scene, _ shard: Shard = .whole) throws -> ScenePlan {
    var options = ScenePlanOptions()
    options.shard = shard
    return try ScenePlan(scene, options: options, text: FixedWidths())
  }

  @Test(arguments: [2, 3, 4, 6, 30])
  func shardsTogetherAreTheScene(count: Int) throws {
    let whole = try Self.plan(Self.scene)
    let shards = try (0..<count).map { try Self.plan(Self.scene, Shard($0, of: count)) }
    for (index, batch) in whole.layout.batches.enumerated() {
      let parts = shards.compactMap { shard -> Orrery_Batch? in
        shard.layout.shard.batches.firstIndex(of: UInt32(index)).map { shard.layout.batches[$0] }
      }
      #expect(parts.allSatisfy { $0.kind == batch.kind })
      #expect(parts.flatMap(\.originX) == batch.originX)
      #expect(parts.flatMap(\.originY) == batch.originY)
      #expect(parts.flatMap(\.sprites) == batch.sprites)
      var next = batch.firstEntity
      for part in parts {
        #expect(part.firstEntity == next)
        #expect((next - batch.firstEntity) % 2_048 == 0, "cut between blocks")
        next += part.entityCount
      }
      #expect(next == batch.firstEntity + batch.entityCount)
    }
    for (index, shard) in shards.enumerated() {
      #expect(shard.layout.shard.index == UInt32(index))
      #expect(shard.layout.shard.count == UInt32(count))
      #expect(shard.layout.shard.entityCount == UInt64(whole.entityCount))
      #expect(shard.layout.entityCount == UInt64(shard.entityCount))
      #expect(shard.firstEntities == shard.layout.batches.map { Int($0.firstEntity) })
      #expect(shard.layout.sprites == whole.layout.sprites)
      #expect(shard.layout.fixtures == whole.layout.fixtures)
    }
    #expect(shards.flatMap(\.orbits).map(\.radius).sorted() == whole.orbits.map(\.radius).sorted())
    #expect(shards.flatMap(\.marquees) == whole.marquees)
  }

  /// Each shard gets within a block of its part of a batch.
  @Test(arguments: [(10_000, 4), (2_049, 2), (1, 9), (2_048 * 64, 64), (100_000_000, 1_000)])
  func partsAreEqual(entities: Int, count: Int) {
    for before in [0, 1, 5, count] {
      var next = 0
      for index in 0..<count {
        let slice = Shard(index, of: count).slice(ofBatch: entities, blocksBefore: before)
        #expect(slice.lowerBound == next)
        #expect(abs(slice.count - entities / count) <= 2_048, "\(index)")
        next = slice.upperBound
      }
      #expect(next == entities)
    }
  }

  /// Batches of one block each: twelve of them give four shards three each.
  @Test func smallBatchesTakeTurns() {
    var counts = [0, 0, 0, 0]
    for batch in 0..<12 {
      for index in 0..<4 {
        counts[index] += Shard(index, of: 4).slice(ofBatch: 100, blocksBefore: batch).count
      }
    }
    #expect(counts == [300, 300, 300, 300])
  }

  /// Views and what moves with them stay together.
  @Test func viewsBelongToTheFirstShard() throws {
    let scene = Scene("s") {
      AnimatedView("a", .disc(radius: 10))
      OrbitSystem(height: 100, moons: 3).parent("a")
      Field.marquees(count: 3_000, speed: 10...120, period: 40...400)
    }
    let first = try Self.plan(scene, Shard(0, of: 2))
    let second = try Self.plan(scene, Shard(1, of: 2))
    #expect(first.batches.map(\.kind) == ["view", "orbit", "marquee"])
    #expect(second.batches.map(\.kind) == ["marquee"])
    #expect(first.layout.names == (try Self.plan(scene)).layout.names)
    #expect(second.layout.names.isEmpty)
    #expect(second.layout.shard.batches == [2])
  }

  @Test(arguments: ["0/1", "3/4", "65535/65536"])
  func shardIsReadAndWritten(text: String) { #expect(Shard(text)?.description == text) }

  @Test(arguments: [
    "", "/", "1", "4/4", "-1/4", "+1/4", "1/0", "1/4/2", "1/65537", " 1/4", "1 /4", "٣/4", "a/b",
    "0x1/4",
    "1/99999999999999999999",
  ])
  func otherTextsAreNoShard(text: String) { #expect(Shard(text) == nil) }

  @Test func runOfAShardSaysWhich() throws {
    #expect(Shard(2, of: 4).run(of: "demo") == "demo.2of4")
    #expect(Shard.whole.run(of: "demo") == "demo")
    let parsed = try #require(Shard.parse(run: "a.b.2of4"))
    #expect(parsed.name == "a.b")
    #expect(parsed.shard == Shard(2, of: 4))
    for name in ["demo", "demo.2of", "demo.of4", "demo.4of4", ".0of2", "demo.0of1", "demo-0of2"] {
      #expect(Shard.parse(run: name) == nil, "\(name)")
    }
  }
}
