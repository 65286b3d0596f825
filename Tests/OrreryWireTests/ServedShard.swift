// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// A shard without a world that is served by messages: a ring that a test fills by hand, and a `WireServer`.
///
/// It has ten entities, whose values are their numbers; the hash of each of its frames is `1 << 8 * index`.
final class ServedShard: Sendable {
  let writer: FrameWriter
  let server: WireServer
  let subscribers: Subscribers
  private let shard: Shard
  private let base: TemporaryBase
  private let lock: RunLock

  static let entityCount = 10

  /// A shard that serves at a loopback address.
  ///
  /// - Parameters:
  ///   - shard: Which.
  ///   - delivery: Of its run.
  ///   - generation: Which of the runs of this shard it is.
  ///   - seed: Of its scene.
  ///   - listen: Where it serves.
  /// - Throws: When there is no memory or no socket left.
  init(
    _ shard: Shard, delivery: Delivery = .live, generation: UInt64 = 7, seed: UInt64 = 1,
    listen: String = "tcp://127.0.0.1:0"
  ) throws {
    self.shard = shard
    base = try TemporaryBase()
    lock = try RunLock(RunDirectory(name: shard.run(of: "demo"), base: base.path))
    let first = UInt32(shard.index * Self.entityCount)
    var scene = Orrery_SceneLayout()
    (scene.scene, scene.run, scene.seed) = ("s", shard.run(of: "demo"), seed)
    if !shard.isWhole {
      (scene.shard.index, scene.shard.count) = (UInt32(shard.index), UInt32(shard.count))
      scene.shard.entityCount = UInt64(shard.count * Self.entityCount)
      scene.shard.batches = [0]
    }
    var batch = Orrery_Batch()
    (batch.kind, batch.firstEntity) = ("kind", first)
    batch.entityCount = UInt32(Self.entityCount)
    (batch.originX, batch.originY, batch.sprites) = ([0], [0], [0])
    scene.batches = [batch]
    scene.entityCount = UInt64(Self.entityCount)
    let staticPart: [UInt8] = try scene.serializedBytes()
    writer = try FrameWriter(
      layout: FrameLayout(columns: [
        ColumnDescription(
          batch: 0, field: 1, firstEntity: first, valueCount: UInt32(Self.entityCount),
          format: .float32)
      ]), slotCount: 64, spareCount: 8, staticPart: staticPart, generation: generation,
      delivery: delivery)
    var options = WireOptions()
    options.listen = try WireEndpoint(listen)
    subscribers = try Subscribers(lock.directory)
    server = try WireServer(
      writer: writer,
      run: WireRun(
        name: shard.run(of: "demo"), rate: (60, 1), delivery: delivery, staticPart: staticPart,
        descriptorSet: [4, 5]),
      directory: lock.directory, subscribers: subscribers, options: options,
      handler: ServedRun.Handler())
  }

  deinit { stop("the wire server") { [server] in server.stop() } }

  /// Where it listens.
  var address: WireAddress {
    get throws { .tcp(try WireEndpoint(try #require(server.endpoint)), keys: nil) }
  }

  /// Publishes frames.
  func publish(_ count: Int = 1) {
    for _ in 0..<count {
      let column = writer.layout.columns[0]
      let sequence = writer.sequence + 1
      let values = (writer.claim().memory + Int(column.valuesOffset))
        .assumingMemoryBound(to: Float.self)
      for value in 0..<Self.entityCount {
        values[value] = Float(Int(column.description.firstEntity) + value)
      }
      writer.publish(
        FrameStamp(
          tick: sequence, simTimeNs: sequence * 100, publishTimeNs: Clock.wallNs(),
          stateHash: 1 << (8 * UInt64(shard.index))))
      server.frameWasPublished()
    }
  }

  /// Ends its run; returns when subscribers have been told.
  func end() {
    writer.end()
    server.stop()
  }
}
