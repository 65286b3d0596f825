// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: who waits for the frames of several shards of this machine has each as soon as its time has come.
///
/// Method: runs without a world, whose rings the test fills by hand.
@Suite struct JoinedSubscriptionTests {
  /// A shard that subscribers of this machine can join; each frame has one value.
  private final class LocalRing: Sendable {
    private let writer: FrameWriter
    private let server: JoinServer
    private let lock: RunLock

    /// As if the wall clock had been set when the run began.
    private static let clockOffsetNs: Int64 = 900_000_000_000_000_000

    init(_ shard: Shard, of name: String) throws {
      lock = try RunLock(RunDirectory(name: shard.run(of: name)))
      var batch = Orrery_Batch()
      (batch.firstEntity, batch.entityCount) = (UInt32(shard.index), 1)
      (batch.originX, batch.originY, batch.sprites) = ([0], [0], [0])
      var scene = Orrery_SceneLayout()
      (scene.run, scene.batches, scene.entityCount) = (shard.run(of: name), [batch], 1)
      (scene.shard.index, scene.shard.count) = (UInt32(shard.index), UInt32(shard.count))
      (scene.shard.entityCount, scene.shard.batches) = (UInt64(shard.count), [0])
      writer = try FrameWriter(
        layout: FrameLayout(columns: [
          ColumnDescription(
            batch: 0, field: 1, firstEntity: UInt32(shard.index), valueCount: 1, format: .float32)
        ]), slotCount: 8, staticPart: scene.serializedBytes(), generation: 7, delivery: .live,
        clockOffsetNs: Self.clockOffsetNs)
      server = try JoinServer(
        writer: writer, directory: lock.directory, subscribers: Subscribers(lock.directory))
    }

    deinit { stop("the join server") { [server] in server.stop() } }

    func publish() {
      let sequence = writer.sequence + 1
      _ = writer.claim()
      writer.publish(
        FrameStamp(
          tick: sequence, simTimeNs: sequence,
          publishTimeNs: UInt64(Self.clockOffsetNs) + Clock.monotonicNs(), stateHash: 1))
    }
  }

  /// However long a caller would wait: nobody wakes it when a part is late, and it looks for itself.
  @Test func frameWithoutALatePartIsFoundWithinALongWait() throws {
    let name = "test-\(getpid())-late-part"
    let rings = try (0..<2).map { try LocalRing(Shard($0, of: 2), of: name) }
    let (event, received): (SubscriptionEvent, [UInt64]) = try within("a frame without a part") {
      let subscription = try RunJoiner(
        program: "waiting", location: .run(name), reading: .every,
        joining: ShardJoining(leadSeconds: 0.02), waitSeconds: 20
      ).visit().join()
      rings[0].publish()
      let event = subscription.next(timeoutNs: 3_600_000_000_000) {
        subscription.source.isWhole($0)
      }
      return (event, subscription.shards.map(\.received))
    }
    #expect(event == .frame(sequence: 1))
    #expect(received == [1, 0])
  }
}
