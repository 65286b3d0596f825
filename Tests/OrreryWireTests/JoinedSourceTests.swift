// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: the frames of several rings are one run's frames: whole, with what is missing said, never mixed.
///
/// Method: rings that the test fills by hand: two batches, of which each shard has a slice.
@Suite struct JoinedSourceTests {
  /// A shard's ring: `marquee` with a field, `orbit` with two; entity n has the value n + its field's number.
  private final class ShardRing {
    let writer: FrameWriter
    let reader: FrameReader

    init(_ shard: Shard, slots: UInt64 = 8, delivery: Delivery = .live, seed: UInt64 = 1) throws {
      var scene = Orrery_SceneLayout()
      (scene.scene, scene.run, scene.seed) = ("s", shard.run(of: "demo"), seed)
      (scene.shard.index, scene.shard.count) = (UInt32(shard.index), UInt32(shard.count))
      scene.shard.entityCount = 300
      scene.sprites = [Orrery_Sprite()]
      var columns: [ColumnDescription] = []
      // 100 and 200 entities; the last shard has nothing of the first batch.
      let batches: [(index: UInt32, first: Int, count: Int, fields: [UInt32])] = [
        (0, 0, 100, [1]), (1, 100, 200, [1, 2]),
      ]
      for batch in batches {
        let parts = batch.index == 0 ? shard.count - 1 : shard.count
        guard shard.index < parts else { continue }
        let first = batch.first + batch.count * shard.index / parts
        let count = batch.first + batch.count * (shard.index + 1) / parts - first
        var message = Orrery_Batch()
        (message.kind, message.firstEntity) = ("kind \(batch.index)", UInt32(first))
        message.entityCount = UInt32(count)
        message.originX = (0..<count).map { Float(first + $0) }
        (message.originY, message.sprites) = ([0], [0])
        for field in batch.fields {
          columns.append(
            ColumnDescription(
              batch: UInt32(scene.batches.count), field: field, firstEntity: UInt32(first),
              valueCount: UInt32(count), format: .float32))
        }
        scene.batches.append(message)
        scene.shard.batches.append(batch.index)
      }
      scene.entityCount = scene.batches.reduce(0) { $0 + UInt64($1.entityCount) }
      writer = try FrameWriter(
        layout: FrameLayout(columns: columns), slotCount: slots,
        staticPart: scene.serializedBytes(), generation: UInt64(shard.index + 1),
        delivery: delivery)
      reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
    }

    /// Publishes the next frame.
    func publish(tick: UInt64? = nil, ageNs: UInt64 = 0) {
      let claim = writer.claim()
      for column in writer.layout.columns {
        for value in 0..<Int(column.description.valueCount) {
          let number = Int(column.description.firstEntity) + value
          (claim.memory + Int(column.valuesOffset)).storeBytes(
            of: Float(number) + Float(column.description.field) * 1_000, toByteOffset: 4 * value,
            as: Float.self)
        }
      }
      writer.publish(
        FrameStamp(
          tick: tick ?? claim.sequence, simTimeNs: 0,
          publishTimeNs: Clock.monotonicNs() - ageNs, stateHash: 1 << claim.sequence))
    }
  }

  private static func rings(_ count: Int, delivery: Delivery = .live) throws -> [ShardRing] {
    try (0..<count).map { try ShardRing(Shard($0, of: count), delivery: delivery) }
  }

  private static func source(
    _ rings: [ShardRing], merges: Bool = true, leadNs: UInt64 = 1_000_000_000
  ) throws -> JoinedSource {
    try JoinedSource(name: "demo", rings.map(\.reader), merges: merges, leadNs: leadNs)
  }

  private static func bytes(_ view: FrameView) -> [UInt8] { view.pieces.flatMap(Array.init) }

  /// The numbers of the shards that the frame has; nil if it is not there.
  private static func parts(_ source: JoinedSource, _ sequence: UInt64, of count: Int) -> [Int]? {
    guard case .frame(let view) = source.acquire(sequence) else { return nil }
    let missing = source.missingShards(of: view)
    return (0..<count).filter { !missing.contains($0) }
  }

  @Test(arguments: [2, 3, 7])
  func mergedFrameHasTheBytesOfAWholeRun(count: Int) throws {
    let rings = try Self.rings(count)
    let source = try Self.source(rings)
    for ring in rings { ring.publish() }
    guard case .frame(let view) = source.acquire(1) else {
      Issue.record("no frame")
      return
    }
    #expect(view.byteCount == Int(source.layout.frameBytes))
    let frame = try Orrery_Frame(serializedBytes: Self.bytes(view))
    #expect(frame.columns.map(\.batch) == [0, 1, 1])
    #expect(frame.columns.map(\.firstEntity) == [0, 100, 100])
    #expect(frame.columns[0].values == (0..<100).map { Float($0) + 1_000 })
    #expect(frame.columns[1].values == (100..<300).map { Float($0) + 1_000 })
    #expect(frame.columns[2].values == (100..<300).map { Float($0) + 2_000 })
    #expect((frame.sequence, frame.tick) == (1, 1))
    #expect(frame.stateHash == 2 * UInt64(count))
    #expect(frame.layoutHash == source.layout.layoutHash)
    #expect(source.isWhole(view))
    let scene = try Orrery_SceneLayout(serializedBytes: Array(source.staticPart))
    #expect(!scene.hasShard)
    #expect((scene.run, scene.entityCount) == ("demo", 300))
    #expect(scene.batches.map(\.entityCount) == [100, 200])
    #expect(scene.batches[1].originX == (100..<300).map { Float($0) })
    #expect(scene.batches[1].sprites == [0])
  }

  /// One value that serves a whole slice serves no other slice, unless it has the same one.
  @Test func valuesOfSlicesAreThoseOfTheirEntities() throws {
    let parts = try [2, 3].enumerated().map { index, count -> JoinedLayout.Part in
      var batch = Orrery_Batch()
      (batch.firstEntity, batch.entityCount) = (UInt32(2 * index), UInt32(count))
      (batch.originX, batch.originY) = ([7], index == 0 ? [1] : [2, 3, 4])
      (batch.sprites, batch.parents) = ([UInt32(index)], index == 0 ? [] : [5, 6, 7])
      var scene = Orrery_SceneLayout()
      (scene.shard.index, scene.shard.count) = (UInt32(index), 2)
      (scene.shard.entityCount, scene.shard.batches) = (5, [0])
      scene.batches = [batch]
      let column = ColumnDescription(
        batch: 0, field: 1, firstEntity: batch.firstEntity, valueCount: batch.entityCount,
        format: .float32)
      return (try FrameLayout(columns: [column]), scene)
    }
    let joined = try JoinedLayout(name: "demo", parts, merges: true)
    let scene = try Orrery_SceneLayout(serializedBytes: joined.staticPart)
    let batch = try #require(scene.batches.first)
    #expect(scene.batches.count == 1)
    #expect(batch.originX == [7])
    #expect(batch.originY == [1, 1, 2, 3, 4])
    #expect(batch.sprites == [0, 0, 1, 1, 1])
    #expect(batch.parents == [0, 0, 5, 6, 7])
  }

  @Test func slicesCanBeUsedInPlace() throws {
    let rings = try Self.rings(3)
    let source = try Self.source(rings, merges: false)
    for ring in rings { ring.publish() }
    guard case .frame(let view) = source.acquire(1) else {
      Issue.record("no frame")
      return
    }
    #expect(source.layout.columns.count == 2 + 2 * 3)
    for column in source.layout.columns {
      let first = Float(column.description.firstEntity) + Float(column.description.field) * 1_000
      let expected = (0..<column.description.valueCount).map { first + Float($0) }
      #expect(Array(view.values(column)) == expected)
    }
    let copy = try #require(FrameCopy(of: source))
    let taken = try #require(copy.take(view))
    #expect(Array(taken.bytes) == Self.bytes(view))
    #expect(copy.missingShards(of: taken).isEmpty)
  }

  @Test func partIsWaitedForUntilItIsOverdue() throws {
    let rings = try Self.rings(3)
    let source = try Self.source(rings, leadNs: 60_000_000_000)
    rings[0].publish()
    rings[2].publish()
    #expect(Self.parts(source, 1, of: 3) == nil)
    #expect(source.published == 0)
    rings[1].publish()
    #expect(Self.parts(source, 1, of: 3) == [0, 1, 2])
    #expect(source.published == 1)
    for ring in [rings[0], rings[2]] { ring.publish(ageNs: 61_000_000_000) }
    #expect(source.published == 2)
    #expect(Self.parts(source, 2, of: 3) == [0, 2])
    guard case .frame(let view) = source.acquire(2) else {
      Issue.record("no frame")
      return
    }
    let frame = try Orrery_Frame(serializedBytes: Self.bytes(view))
    // Shard 1 has entities 50 to 99 of the first batch.
    #expect(frame.columns[0].values.map(\.isNaN) == (0..<100).map { $0 >= 50 })
    #expect(frame.stateHash == 2 << 2)
  }

  @Test func lockstepWaitsForEver() throws {
    let rings = try Self.rings(2, delivery: .lockstep)
    let source = try Self.source(rings, leadNs: 0)
    rings[0].publish(ageNs: 1_000_000_000)
    #expect(Self.parts(source, 1, of: 2) == nil)
    #expect(source.published == 0)
  }

  @Test func deadShardIsMissingUntilItReturns() throws {
    let rings = try Self.rings(2)
    let source = try Self.source(rings)
    for ring in rings { ring.publish() }
    source.hasGone(1)
    #expect(Self.parts(source, 1, of: 2) == [0, 1], "what it published is still there")
    rings[0].publish()
    #expect(Self.parts(source, 2, of: 2) == [0])
    let again = try ShardRing(Shard(1, of: 2))
    again.writer.begin(after: 3)
    #expect(source.hasReturned(1, again.reader, after: 3))
    for _ in 3...4 { rings[0].publish() }
    again.publish()
    #expect(Self.parts(source, 3, of: 2) == [0])
    #expect(Self.parts(source, 4, of: 2) == [0, 1])
    let other = try ShardRing(Shard(0, of: 2))
    #expect(!source.hasReturned(1, other.reader, after: 4), "it has other columns")
  }

  /// Nobody mixes two ticks into a frame.
  @Test func shardAtAnotherTickIsMissing() throws {
    let rings = try Self.rings(2)
    let source = try Self.source(rings)
    rings[0].publish(tick: 9)
    rings[1].publish(tick: 8)
    #expect(Self.parts(source, 1, of: 2) == [0])
  }

  @Test func frameIsWholeOnlyIfAllPartsAre() throws {
    let rings = try Self.rings(2)
    let source = try Self.source(rings)
    for ring in rings { ring.publish() }
    guard case .frame(let view) = source.acquire(1) else {
      Issue.record("no frame")
      return
    }
    for _ in 0..<8 { rings[1].publish() }
    #expect(!source.isWhole(view))
    guard case .lapped = source.acquire(1) else {
      Issue.record("frame 1 is still there")
      return
    }
  }

  @Test func onlyAllShardsOfOneSceneAreJoined() throws {
    let rings = try Self.rings(3)
    func join(_ rings: [ShardRing]) throws { _ = try Self.source(rings) }
    #expect(throws: WireError.self) { try join([rings[0], rings[1]]) }
    #expect(throws: WireError.self) { try join([rings[1], rings[0], rings[2]]) }
    #expect(throws: WireError.self) {
      try join([rings[0], rings[1], ShardRing(Shard(2, of: 3), seed: 2)])
    }
    #expect(throws: WireError.self) {
      try join([rings[0], rings[1], ShardRing(Shard(2, of: 3), delivery: .lockstep)])
    }
  }
}
