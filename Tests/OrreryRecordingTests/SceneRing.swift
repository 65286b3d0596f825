// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import OrreryRecording
import OrreryTrace
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// A ring of a scene with parents, names and two kinds of entities, and a recorder on it.
///
/// | entities | batch | kind   | fields        | names                        |
/// |----------|-------|--------|---------------|------------------------------|
/// | 0 … 3    | 0     | views  | x, y, opacity | `Sun`, `Earth.a`, `Earth.b`  |
/// | 4 … 203  | 1     | orbits | x, y          | 4 … 53: `moon[0]`, …         |
///
/// Entity 4 + i stands in entity i mod 4, and 3 stands in 0.
final class SceneRing {
  static let fields: [[Orrery_Field]] = [[.x, .y, .opacity], [.x, .y]]
  static let counts = [4, 200]

  let writer: FrameWriter
  let reader: FrameReader
  let scene: Orrery_SceneLayout

  /// Frames publish at this rate, from this time on.
  var publishTimeNs: UInt64 = 1_000_000_000_000
  var tick: UInt64 = 0

  /// Time from one publication to the next; ticks are a sixtieth of a second.
  var publishStepNs: UInt64 = 16_666_667

  init(_ change: (inout Orrery_SceneLayout) -> Void = { _ in }) throws {
    var columns: [ColumnDescription] = []
    var (scene, first) = (Orrery_SceneLayout(), 0)
    for (index, count) in Self.counts.enumerated() {
      columns += Self.fields[index].map {
        ColumnDescription(
          batch: UInt32(index), field: UInt32($0.rawValue), firstEntity: UInt32(first),
          valueCount: UInt32(count))
      }
      var batch = Orrery_Batch()
      batch.kind = ["views", "orbit"][index]
      (batch.firstEntity, batch.entityCount) = (UInt32(first), UInt32(count))
      batch.fields = Self.fields[index]
      batch.originX = (0..<count).map { Float(first + $0) }
      batch.originY = [7]
      batch.sprites = (0..<count).map { UInt32($0 % 3) }
      batch.parents = index == 0 ? [0, 0, 0, 1] : (0..<count).map { UInt32($0 % 4 + 1) }
      scene.batches.append(batch)
      first += count
    }
    let layout = try FrameLayout(columns: columns)
    (scene.scene, scene.source, scene.hash) = ("moons", "size = [1, 1]\n", "full")
    (scene.layoutHash, scene.entityCount) = (layout.layoutHash, UInt64(first))
    scene.generation = Ring.generation
    scene.names = [("Sun", 0, 0), ("Earth.a", 1, 0), ("Earth.b", 2, 0), ("moon", 4, 50)].map {
      var name = Orrery_EntityName()
      (name.name, name.firstEntity, name.entityCount) = ($0.0, UInt32($0.1), UInt32($0.2))
      return name
    }
    change(&scene)
    self.scene = scene
    writer = try FrameWriter(
      layout: layout, slotCount: 4, staticPart: scene.serializedBytes(),
      generation: Ring.generation, delivery: .live)
    reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
  }

  /// A value that moves.
  static func value(_ entity: Int, _ field: Orrery_Field, _ tick: UInt64) -> Float {
    // An opacity is small enough for the finest unit.
    (Float(entity) * 3.3 + Float(field.rawValue) + Float(tick) * 0.37 * Float(entity % 5))
      * (field == .opacity ? 0x1p-6 : 1)
  }

  /// Publishes the next frame.
  func publish() -> FrameView? {
    tick += 1
    publishTimeNs += publishStepNs
    let frame = writer.claim().memory
    for column in writer.layout.columns {
      let description = column.description
      let field = Orrery_Field(rawValue: Int(description.field)) ?? .unspecified
      for index in 0..<Int(description.valueCount) {
        frame.storeBytes(
          of: Self.value(Int(description.firstEntity) + index, field, tick),
          toByteOffset: Int(column.valuesOffset) + 4 * index, as: Float.self)
      }
    }
    writer.publish(
      FrameStamp(
        tick: tick, simTimeNs: tick * 16_666_667, publishTimeNs: publishTimeNs,
        stateHash: tick &* 0x9e37_79b9_7f4a_7c15))
    guard case .frame(let view) = reader.acquire(writer.sequence) else { return nil }
    return view
  }
}

/// A recording of a `SceneRing`, and what is in the file.
final class SceneDesk {
  /// One message of the file.
  struct Message {
    let topic: String
    let sequence: UInt32
    let bytes: [UInt8]
  }

  let ring: SceneRing
  let recorder: Recorder
  let path: String
  private let base: TemporaryBase
  private var losses = Losses(joinedAfter: 0)
  private let clock: Box

  /// A clock that follows the ring's.
  private final class Box: @unchecked Sendable { var ns: UInt64 = 1_000_000_000_000 }

  init(_ options: RecordingOptions, ring: SceneRing? = nil) throws {
    let ring = try ring ?? SceneRing()
    let clock = Box()
    (self.ring, self.clock) = (ring, clock)
    base = try TemporaryBase()
    path = base.path + "/a.mcap"
    recorder = try Recorder(
      TraceWriter(path: path, clock: { clock.ns }), path: path, source: ring.reader, events: nil,
      options: options, clock: { clock.ns })
  }

  /// Publishes frames and records them.
  func record(_ count: Int) throws {
    for _ in 0..<count {
      let view = try #require(ring.publish())
      clock.ns = ring.publishTimeNs
      #expect(try recorder.use(view, source: ring.reader))
      try recorder.keep(sequence: view.sequence)
      losses.receive(view.sequence)
    }
  }

  /// Lets time pass in which nothing is published.
  func wait(ns: UInt64) {
    ring.publishTimeNs += ns
    clock.ns += ns
  }

  /// Publishes frames that the recorder does not get.
  func lose(_ count: Int) throws {
    let first = ring.writer.sequence + 1
    for _ in 0..<count { _ = ring.publish() }
    try miss(first...ring.writer.sequence)
  }

  /// Says that frames did not come.
  func miss(_ gap: ClosedRange<UInt64>) throws {
    losses.miss(through: gap.upperBound)
    try recorder.miss(gap)
  }

  /// Ends the file and reads it.
  func finish() throws -> (messages: [Message], summary: [String: String]) {
    _ = try recorder.finish(losses, simEnded: true)
    let reader = try TraceReader(path: path)
    var messages: [Message] = []
    while let message = try reader.nextMessage() {
      messages.append(
        Message(topic: message.topic, sequence: message.head.sequence, bytes: Array(message.bytes)))
    }
    #expect(reader.ending == .whole)
    return (messages, reader.metadata.first { $0.name == "orrery.summary" }?.values ?? [:])
  }

  /// Bytes of the finished file.
  var fileBytes: Int { FileManager.default.contents(atPath: path)?.count ?? 0 }
}

extension [SceneDesk.Message] {
  /// The scene that the trace begins with.
  func scene() throws -> Orrery_SceneLayout {
    let message = try #require(first)
    #expect(message.topic == "/orrery/scene")
    return try Orrery_SceneLayout(serializedBytes: Data(message.bytes))
  }

  /// All frames, whole.
  func frames() throws -> [Orrery_Frame] {
    let decoder = FrameDeltaDecoder()
    return try compactMap { message in
      try message.bytes.withUnsafeBytes { bytes in
        switch message.topic {
        case "/orrery/frames": try decoder.decode(keyframe: bytes)
        case "/orrery/deltas": try decoder.decode(changes: bytes)
        default: return nil
        }
        return try Orrery_Frame(serializedBytes: Data(decoder.frame))
      }
    }
  }

  /// The hashes of all frames.
  func digests() throws -> [Orrery_Digests] {
    try filter { $0.topic == "/orrery/digests" }
      .map { try Orrery_Digests(serializedBytes: Data($0.bytes)) }
  }
}
