// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRecording
import OrreryTrace
import OrreryViewers
import OrreryWire
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// Goal: a trace has, beside frames, what viewers draw and what the run and its recorder took, in one base of time, and
/// what was left out is counted.
///
/// Method: a recorder on a real ring and a real file, with a clock that the test moves; then the file is read.
@Suite struct SideTopicsTests {
  private final class WallClock: Sendable {
    let ns = Atomic<UInt64>(1_700_000_000_000_000_000)
    var now: UInt64 { ns.load(ordering: .relaxed) }
    func advance(_ byNs: UInt64) { ns.add(byNs, ordering: .relaxed) }
  }

  private struct Message {
    let topic: String
    let logTimeNs: UInt64
    let bytes: [UInt8]
  }

  /// A run of a scene of five discs, one of which stands in another, and a view with a name; its recorder.
  private final class Desk {
    let base: TemporaryBase
    let writer: FrameWriter
    let reader: FrameReader
    let clock = WallClock()
    let inbox = EventInbox()
    let path: String
    let recorder: Recorder
    let tap = LogTap()
    /// Of 16-bit columns; nil: they are floats.
    let unit: Float?
    private(set) var account = Losses(joinedAfter: 0)

    /// Composing costs nothing, unless it is said what each look at the clock costs.
    init(
      _ options: SideOptions, delivery: Delivery = .live, lookNs: UInt64 = 0,
      parents: [UInt32] = [0, 0, 0, 0, 1], unit: Float? = nil
    ) throws {
      self.unit = unit
      base = try TemporaryBase()
      var layout = Orrery_SceneLayout()
      (layout.scene, layout.width, layout.height, layout.entityCount) = ("five", 100, 100, 5)
      (layout.rateNumerator, layout.rateDenominator) = (60, 1)
      var element = Orrery_Element()
      element.disc.radius = 2
      element.disc.color = 0x1122_3344
      var sprite = Orrery_Sprite()
      sprite.elements = [element]
      layout.sprites = [sprite]
      var batch = Orrery_Batch()
      (batch.kind, batch.firstEntity, batch.entityCount) = ("orbit", 0, 5)
      batch.fields = [.x, .y]
      (batch.originX, batch.originY, batch.sprites) = ([10, 20, 30, 40, 50], [7], [0])
      batch.parents = parents
      layout.batches = [batch]
      var name = Orrery_EntityName()
      (name.name, name.firstEntity) = ("Mars", 2)
      layout.names = [name]
      let columns = [1, 2].map {
        ColumnDescription(
          batch: 0, field: $0, firstEntity: 0, valueCount: 5,
          format: unit.map { .fixed16(unit: $0) } ?? .float32)
      }
      writer = try FrameWriter(
        layout: FrameLayout(columns: columns), slotCount: 8,
        staticPart: try layout.serializedBytes(), generation: Ring.generation, delivery: delivery)
      reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
      path = base.path + "/a.mcap"
      var options = options
      options.log = tap
      let costs = WallClock()
      options.costClock = { costs.ns.add(lookNs, ordering: .relaxed).newValue }
      let clock = clock
      recorder = try Recorder(
        try TraceWriter(path: path), path: path, source: reader, events: inbox, side: options,
        clock: { clock.now })
    }

    /// Publishes and records the next frame, at 60 Hz of scene time; `ageNs` later than it was published.
    func record(ageNs: UInt64 = 0) throws {
      let sequence = writer.sequence + 1
      let frame = writer.claim().memory
      for (field, column) in writer.layout.columns.enumerated() {
        for entity in 0..<5 {
          let value = Float(sequence) + Float(100 * field) + Float(entity) / 8
          let place = frame + Int(column.valuesOffset)
          if let unit {
            place.storeBytes(of: Int16(value / unit), toByteOffset: 2 * entity, as: Int16.self)
          } else {
            place.storeBytes(of: value, toByteOffset: 4 * entity, as: Float.self)
          }
        }
      }
      writer.publish(
        FrameStamp(
          tick: sequence, simTimeNs: sequence * 1_000_000_000 / 60,
          publishTimeNs: clock.now - ageNs,
          stateHash: 1))
      guard case .frame(let view) = reader.acquire(sequence) else {
        Issue.record("no frame \(sequence)")
        return
      }
      #expect(try recorder.use(view, source: reader))
      try recorder.keep(sequence: sequence)
      account.receive(sequence)
    }

    func finish() throws -> (messages: [Message], summary: [String: String]) {
      _ = try recorder.finish(account, simEnded: false)
      let reader = try TraceReader(path: path)
      var messages: [Message] = []
      while let message = try reader.nextMessage() {
        messages.append(
          Message(
            topic: message.topic, logTimeNs: message.head.logTimeNs, bytes: Array(message.bytes)))
      }
      #expect(reader.ending == .whole)
      return (messages, reader.metadata.last?.values ?? [:])
    }
  }

  private static func options(points: Int = 100, views: Int = 10) -> SideOptions {
    var options = SideOptions()
    (options.pointsMax, options.viewsMax) = (points, views)
    options.facts = ["mode": "full"]
    return options
  }

  private static func floats(_ cloud: Foxglove_PointCloud) -> [(x: Float, y: Float, entity: UInt32)]
  {
    let data = [UInt8](cloud.data)
    return stride(from: 0, to: data.count, by: Int(cloud.pointStride)).map { start in
      data.withUnsafeBytes { bytes in
        (
          bytes.loadUnaligned(fromByteOffset: start, as: Float.self),
          bytes.loadUnaligned(fromByteOffset: start + 4, as: Float.self),
          bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)
        )
      }
    }
  }

  @Test func pointsStandWhereEntitiesAreDrawn() throws {
    let desk = try Desk(Self.options())
    try desk.record()
    let (messages, summary) = try desk.finish()
    let bytes = try #require(messages.first { $0.topic == "/orrery/points" }).bytes
    let cloud = try Foxglove_PointCloud(serializedBytes: bytes)
    // Origin, the column's value, and for the last its parent's.
    let expected: [(Float, Float)] = [
      (11, 108), (21.125, 108.125), (31.25, 108.25), (41.375, 108.375), (52.5, 209.5),
    ]
    let points = Self.floats(cloud)
    #expect(points.map(\.entity) == [0, 1, 2, 3, 4])
    for (point, expected) in zip(points, expected) {
      #expect(point.x == expected.0 && point.y == expected.1)
    }
    #expect([UInt8](cloud.data)[12..<16] == [0x11, 0x22, 0x33, 0x44])
    #expect(cloud.frameID == "scene" && cloud.pointStride == 20)
    #expect(cloud.fields.map(\.name) == ["x", "y", "z", "red", "green", "blue", "alpha", "entity"])
    #expect(summary["points_stride"] == "1")
  }

  @Test(arguments: [
    (1, [0]), (2, [0, 3]), (3, [0, 2, 4]), (4, [0, 2, 4]), (5, [0, 1, 2, 3, 4]),
  ])
  func largeScenesAreThinnedOut(pointsMax: Int, entities: [UInt32]) throws {
    let desk = try Desk(Self.options(points: pointsMax))
    try desk.record()
    let bytes = try #require(try desk.finish().messages.first { $0.topic == "/orrery/points" })
      .bytes
    #expect(Self.floats(try Foxglove_PointCloud(serializedBytes: bytes)).map(\.entity) == entities)
  }

  /// Only the entities that have a point are converted.
  @Test(arguments: [1, 2, 5])
  func pointsOf16BitColumnsStandThereToo(pointsMax: Int) throws {
    let desk = try Desk(
      Self.options(points: pointsMax, views: 0), parents: [0, 0, 0, 0, 0], unit: 0.125)
    for _ in 0..<3 {
      desk.clock.advance(33_333_334)
      try desk.record()
    }
    let clouds = try desk.finish().messages.filter { $0.topic == "/orrery/points" }
      .map { Self.floats(try Foxglove_PointCloud(serializedBytes: $0.bytes)) }
    #expect(clouds.count >= 2 && clouds.allSatisfy { $0.count >= 1 })
    for point in clouds.joined() {
      let value = Float(point.entity) / 8
      let sequence = point.x - Float(10 * (point.entity + 1)) - value
      #expect([1, 2, 3].contains(sequence))
      #expect(point.y == 107 + sequence + value)
    }
  }

  @Test func viewsStandWhereTheyAreDrawn() throws {
    let desk = try Desk(Self.options(points: 0))
    try desk.record()
    let messages = try desk.finish().messages
    #expect(!messages.contains { $0.topic == "/orrery/points" })
    let bytes = try #require(messages.first { $0.topic == "/orrery/views" }).bytes
    let update = try Foxglove_SceneUpdate(serializedBytes: bytes)
    #expect(update.entities.map(\.id) == ["Mars"])
    let entity = try #require(update.entities.first)
    let sphere = try #require(entity.spheres.first)
    #expect(sphere.pose.position.x == 31.25 && sphere.pose.position.y == 108.25)
    #expect(sphere.size.x == 4 && sphere.pose.orientation.w == 1)
    #expect(abs(sphere.color.a - 0x44 / 255.0) < 1e-9 && entity.frameID == "scene")
  }

  /// The first two entities stand in each other.
  @Test func sceneThatCannotBeDrawnIsRecordedWithoutPoints() throws {
    let desk = try Desk(Self.options(), parents: [2, 1, 0, 0, 0])
    try desk.record()
    let (messages, summary) = try desk.finish()
    #expect(!messages.contains { ["/orrery/points", "/orrery/views"].contains($0.topic) })
    #expect(messages.count { $0.topic == "/orrery/frames" } == 1)
    #expect(summary["points_stride"] == nil && summary["received"] == "1")
    let lines = try messages.filter { $0.topic == "/orrery/log" }
      .map { try Foxglove_Log(serializedBytes: $0.bytes) }
    #expect(lines.first?.level == .warning)
    #expect(
      lines.first?.message
        == "no points and views: the scene cannot be drawn: batch 0, entity 1 is its own ancestor",
      "\(lines.map(\.message))")
  }

  /// Every other frame of 60 Hz, in scene time and in the day's time.
  @Test(arguments: [Delivery.live, .lockstep])
  func picturesComeThirtyTimesASecond(delivery: Delivery) throws {
    let desk = try Desk(Self.options(), delivery: delivery)
    for _ in 0..<120 {
      // In lockstep the run is ten times as fast as the scene.
      desk.clock.advance(delivery == .live ? 16_666_667 : 1_666_667)
      try desk.record()
    }
    let messages = try desk.finish().messages
    let clouds = try messages.filter { $0.topic == "/orrery/points" }
      .map { try Foxglove_PointCloud(serializedBytes: $0.bytes) }
    #expect((59...61).contains(clouds.count), "\(clouds.count)")
    let times = clouds.map {
      UInt64($0.timestamp.seconds) * 1_000_000_000 + UInt64($0.timestamp.nanos)
    }
    // The first frame has its turn whenever it comes.
    let steps = zip(times.dropFirst(), times.dropFirst(2)).map { $1 - $0 }
    #expect(steps.allSatisfy { (33_333_332...33_333_335).contains($0) }, "\(Set(steps))")
    // Scene time lies among the trace's times of day.
    #expect(times.first.map { $0 / 1_000_000_000 } == 1_700_000_000)
    #expect(messages.count { $0.topic == "/orrery/transform" } == 1)
  }

  /// A live run whose scene hurries, as after a jump: pictures are as rare as ever in the day's time.
  @Test func picturesOfAHurryingSceneKeepToTheDaysTime() throws {
    let desk = try Desk(Self.options(views: 0))
    // Four seconds of the scene in 0.4 s of the day.
    for _ in 0..<240 {
      desk.clock.advance(1_666_667)
      try desk.record()
    }
    let count = try desk.finish().messages.count { $0.topic == "/orrery/points" }
    // Two at once, and then thirty a second.
    #expect((12...14).contains(count), "\(count)")
  }

  /// A recorder that lags behind draws nothing, and says how often.
  @Test func nothingIsDrawnOfOldFrames() throws {
    let desk = try Desk(Self.options())
    for index in 0..<20 {
      desk.clock.advance(33_333_334)
      try desk.record(ageNs: index < 10 ? 0 : 400_000_000)
    }
    let (messages, summary) = try desk.finish()
    let count = messages.count { $0.topic == "/orrery/points" }
    #expect((5...6).contains(count), "\(count)")
    #expect((summary["pictures_skipped"].flatMap { Int($0) } ?? 0) > 3)
    #expect(messages.count { $0.topic == "/orrery/frames" } == 20)
  }

  /// Composing takes a tenth of the time at most.
  @Test func dearPicturesAreRare() throws {
    let desk = try Desk(Self.options(), lookNs: 1_000_000_000)
    for _ in 0..<60 {
      desk.clock.advance(33_333_334)
      try desk.record()
    }
    // Each look is a second, two of which are a picture's: 9 s must pass, and each refusal is a second.
    let (messages, summary) = try desk.finish()
    let count = messages.count { $0.topic == "/orrery/points" }
    #expect((3...7).contains(count), "\(count)")
    #expect((summary["pictures_skipped"].flatMap { Int($0) } ?? 0) > 15)
  }

  @Test func timingsAreCountedAndTheirGapsToo() throws {
    let desk = try Desk(Self.options(points: 0, views: 0))
    for first in [1, 4, 10, 8] as [UInt64] {
      var events = Orrery_Events()
      events.generation = Ring.generation
      events.firstNumber = 1
      events.timings.firstSequence = first
      events.timings.lateTicks = first
      events.timings.waitNs = [1, 2, 3]
      events.timings.computeNs = [4, 5, 6]
      events.timings.publishNs = [7, 8, 9]
      let bytes: [UInt8] = try events.serializedBytes()
      bytes.withUnsafeBytes { desk.inbox.put($0) }
    }
    try desk.record()
    let (messages, summary) = try desk.finish()
    let timings = try messages.filter { $0.topic == "/orrery/timings" }
      .map { try Orrery_Timings(serializedBytes: $0.bytes) }
    // The last came late: it is older than the one before it.
    #expect(timings.map(\.firstSequence) == [1, 4, 10])
    #expect(timings.last?.publishNs == [7, 8, 9])
    #expect(summary["timings_received"] == "9" && summary["timings_missed"] == "3")
    #expect(!messages.contains { $0.topic == "/orrery/events" })
    let last = try #require(messages.last { $0.topic == "/orrery/statistics" }).bytes
    #expect(try Orrery_Statistics(serializedBytes: last).lateTicks == 10)
  }

  @Test func statisticsComeOnceASecond() throws {
    let desk = try Desk(Self.options(points: 0, views: 0))
    for _ in 0..<180 {
      desk.clock.advance(16_666_667)
      try desk.record()
    }
    try desk.recorder.miss(181...185)
    let messages = try desk.finish().messages
    let all = try messages.filter { $0.topic == "/orrery/statistics" }
      .map { try Orrery_Statistics(serializedBytes: $0.bytes) }
    #expect((3...4).contains(all.count), "\(all.count)")
    #expect(all.last?.received == 180 && all.last?.missed == 5 && all.last?.sequence == 180)
    #expect(all.dropLast().allSatisfy { abs($0.framesPerSecond - 60) < 1 })
  }

  @Test func logIsRecordedWithGapsAndTheAccount() throws {
    let desk = try Desk(Self.options(points: 0, views: 0))
    desk.tap.add(.init(level: .notice, text: "hello", timeNs: 1_700_000_000_500_000_000))
    try desk.record()
    try desk.recorder.miss(2...4)
    let lines = try desk.finish().messages.filter { $0.topic == "/orrery/log" }
      .map { try Foxglove_Log(serializedBytes: $0.bytes) }
    #expect(lines.map(\.message).prefix(2) == ["hello", "missed frames 2 to 4"])
    #expect(lines.map(\.level).prefix(2) == [.info, .warning])
    #expect(lines.last?.message.hasPrefix("received 1 of 1 frames; ") == true)
    #expect(lines.first?.timestamp.nanos == 500_000_000)
  }

  @Test func tapIsBounded() {
    let tap = LogTap()
    tap.add(.init(level: .info, text: "nobody reads", timeNs: 0))
    tap.open()
    for index in 0..<LogTap.linesMax + 5 {
      tap.add(.init(level: .info, text: "\(index)", timeNs: 0))
    }
    let (lines, dropped) = tap.take()
    #expect(lines.count == LogTap.linesMax && lines.first?.text == "0" && dropped == 5)
    #expect(tap.take().lines.isEmpty)
  }

  @Test func factsHideSecrets() {
    let facts = RecordingFacts.make(
      mode: "full", version: "v",
      arguments: ["/home/me/bin/logger", "--keys", "/secret", "--out", "it's.mcap", "--keys=/x"],
      recordsHost: false, startNs: 5)
    #expect(facts["command_line"] == "logger --keys ... --out 'it'\\''s.mcap' --keys=...")
    #expect(facts["started_ns"] == "5" && facts["host"] == nil)
    let named = RecordingFacts.make(
      mode: "full", version: "v", arguments: [], recordsHost: true, startNs: 5)
    #expect(named["host"]?.isEmpty == false && named["processors"] != nil)
  }
}
