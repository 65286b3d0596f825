// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryReplay
import OrreryScene
import OrrerySim
import OrreryTrace
import SwiftProtobuf
import TestSupport

/// A run of a scene's text, and traces of it as a logger writes them.
final class RecordedRun {
  /// How frames are recorded.
  enum Mode: CaseIterable {
    case full
    case delta
    case quantised
    case digest
  }

  /// A published frame.
  struct Frame {
    let sequence: UInt64
    let tick: UInt64
    let bytes: [UInt8]
    let hash: UInt64
  }

  /// A change, and the frame that it is made before.
  struct Change {
    let sequence: UInt64
    let text: String
  }

  let base: TemporaryBase
  let layout: FrameLayout
  let scene: Orrery_SceneLayout
  private(set) var frames: [Frame] = []
  private let changes: [(change: Change, tick: UInt64)]

  static let generation: UInt64 = 0x1234_5678_9abc_def0

  /// Two fields that move, and views that commands change.
  static let text = """
    size = [400, 300]
    rate = 60
    seed = 7

    [[content]]
    kind = "field"
    count = 3000
    orbit = { radius = [20, 90], duration = [2, 5] }

    [[content]]
    kind = "view"
    name = "box"
    elements = [{ box = [20, 10], color = "red" }]
    position = [50, 60]
    """

  /// Runs a scene.
  ///
  /// - Parameters:
  ///   - text: The scene, as TOML.
  ///   - ticks: The tick of each frame.
  ///   - changes: Changes, by rising sequences.
  /// - Throws: What planning the scene meets.
  init(
    _ text: String = RecordedRun.text, ticks: [UInt64] = Array(1...40), changes: [Change] = []
  ) throws {
    base = try TemporaryBase()
    let file = try SceneFile.decode(text, file: "small.toml")
    var plan = try ScenePlan(file, text: InstalledFonts())
    plan.layout.source = text
    plan.show([.x, .opacity])
    let world = try World(plan, instructionSet: .best, threadCount: 1)
    layout = try FrameLayout(columns: world.columns.map(ColumnDescription.init))
    var scene = plan.layout
    scene.run = "recorded"
    scene.generation = Self.generation
    scene.layoutHash = layout.layoutHash
    scene.entityCount = UInt64(world.entityCount)
    scene.hash = "full"
    for (index, batch) in world.batches.enumerated() {
      scene.batches[index].fields = batch.fields.map { Orrery_Field($0) }
    }
    self.scene = scene
    let memory = ReplayFrames(FrameTemplate(layout, generation: Self.generation), wanted: 2)
    let reader = CommandReader(names: plan.liveNames, rate: plan.rate, isPaced: true)
    var made: [(Change, UInt64)] = []
    for (index, tick) in ticks.enumerated() {
      let sequence = UInt64(index + 1)
      for change in changes where change.sequence == sequence {
        let asked = try RunChanges.change(change.text, reader, path: "test")
        guard let batch = plan.viewsBatch,
          world.apply(
            asked.command.transaction, atSeconds: asked.seconds(nextTick: tick, plan.rate),
            batch: batch)
        else { throw Failure(.badData, "no such change") }
        made.append((change, tick))
      }
      let hash = world.evaluate(tick: tick) { memory.values(0, column: $0) }
      FrameStamp(
        tick: tick, simTimeNs: plan.rate.timeNs(tick: tick), publishTimeNs: Self.timeNs(sequence),
        stateHash: hash
      ).write(sequence: sequence, to: memory.frame(0))
      frames.append(
        Frame(sequence: sequence, tick: tick, bytes: Array(memory.bytes(0)), hash: hash))
    }
    self.changes = made
  }

  private static func timeNs(_ sequence: UInt64) -> UInt64 {
    1_700_000_000_000_000_000 + sequence * 16_666_667
  }

  /// Writes a trace.
  ///
  /// - Parameters:
  ///   - mode: Form in which frames are kept.
  ///   - name: Of the file.
  ///   - missing: Sequences that did not come.
  ///   - chunkBytes: Size of chunks: small ones make many.
  ///   - beside: Whether points, an event and a log line follow each frame, a loss each gap, and timings some frames.
  ///   - lostEvents: Events that did not come, before the first that did.
  ///   - timedFrames: Frames of each message of timings.
  ///   - alter: Changes a frame's bytes before it is written; of a digest, its hash.
  ///   - alterScene: Changes the scene before it is written.
  ///   - firstTick: The first tick that a message of hashes says, of the number and tick of its first frame.
  ///   - alterTimings: Changes timings before they are written.
  /// - Returns: Its path.
  /// - Throws: What writing it meets.
  func write(
    _ mode: Mode, _ name: String = "run", missing: Set<UInt64> = [], chunkBytes: Int = 64 << 10,
    beside: Bool = false, lostEvents: UInt64 = 0, timedFrames: UInt64 = 10,
    alter: (inout [UInt8], UInt64) -> Void = { _, _ in },
    alterScene: (inout Orrery_SceneLayout) -> Void = { _ in },
    firstTick: (UInt64, UInt64) -> UInt64 = { $1 },
    alterTimings: (inout Orrery_Timings) -> Void = { _ in }
  ) throws -> String {
    let path = "\(base.path)/\(name).mcap"
    let writer = try TraceWriter(
      path: path, compression: .lz4, chunkBytes: chunkBytes, overwrite: true)
    let descriptor = MessageSchema.descriptorSet
    func channel(_ topic: String, _ message: String) throws -> TraceChannelID {
      try writer.addChannel(
        TraceChannel(
          schema: writer.addSchema(
            TraceSchema(name: message, encoding: "protobuf", data: descriptor)), topic: topic,
          messageEncoding: "protobuf"))
    }
    var scene = scene
    if mode == .quantised {
      scene.recording.mode = "full"
      scene.recording.quantiseBits = 16
      scene.recording.delta = true
      scene.recording.runLayoutHash = layout.layoutHash
    }
    alterScene(&scene)
    let sceneChannel = try channel("/orrery/scene", "orrery.SceneLayout")
    let frameChannel = try channel("/orrery/frames", "orrery.Frame")
    let deltaChannel = try channel("/orrery/deltas", "orrery.DeltaFrame")
    let digestChannel = try channel("/orrery/digests", "orrery.Digests")
    let eventChannel = try channel("/orrery/events", "orrery.Events")
    func put(_ channel: TraceChannelID, _ sequence: UInt64, _ parts: [UnsafeRawBufferPointer])
      throws
    {
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(sequence), logTimeNs: Self.timeNs(sequence),
          publishTimeNs: Self.timeNs(sequence)), parts: parts)
    }
    func put(_ channel: TraceChannelID, _ sequence: UInt64, _ bytes: [UInt8]) throws {
      try bytes.withUnsafeBytes { try put(channel, sequence, [$0]) }
    }
    try put(sceneChannel, 0, scene.serializedBytes())
    let encoder = try FrameDeltaEncoder(
      layout: layout, generation: Self.generation, quantises: mode == .quantised)
    var digests = Orrery_Digests()
    func flush(at sequence: UInt64) throws {
      guard !digests.stateHashes.isEmpty else { return }
      digests.generation = Self.generation
      digests.firstTick = firstTick(digests.firstSequence, digests.firstTick)
      try put(digestChannel, sequence, digests.serializedBytes())
      digests = Orrery_Digests()
    }
    var number = lostEvents
    var last: UInt64 = 0
    var channels: [String: TraceChannelID] = [:]
    if beside {
      try writer.addAttachment(
        TraceAttachmentHead(
          name: scene.scene + ".toml", mediaType: "application/toml", logTimeNs: Self.timeNs(0)),
        Array(scene.source.utf8))
      for (topic, message) in [
        ("/orrery/loss", "orrery.Loss"), ("/orrery/points", "foxglove.PointCloud"),
        ("/orrery/log", "foxglove.Log"), ("/orrery/timings", "orrery.Timings"),
      ] {
        channels[topic] = try channel(topic, message)
      }
    }
    channels["/orrery/events"] = eventChannel
    /// What stands beside frames, 5 ms after one.
    func putBeside(_ frame: Frame) throws {
      func put(_ topic: String, _ bytes: [UInt8]) throws {
        guard let channel = channels[topic] else { return }
        try writer.write(
          TraceMessageHead(
            channel, sequence: UInt64(frame.sequence),
            logTimeNs: Self.timeNs(frame.sequence) + 5_000_000,
            publishTimeNs: Self.timeNs(frame.sequence)), bytes: bytes)
      }
      if frame.sequence > last + 1, last > 0 {
        var loss = Orrery_Loss()
        (loss.firstSequence, loss.lastSequence) = (last + 1, frame.sequence - 1)
        try put("/orrery/loss", loss.serializedBytes())
      }
      last = frame.sequence
      var events = Orrery_Events()
      (events.generation, events.firstNumber) = (Self.generation, number + 1)
      events.tick = frame.tick
      events.events = [Orrery_Event()]
      number += 1
      try put("/orrery/events", events.serializedBytes())
      try put("/orrery/points", [])
      try put("/orrery/log", [])
      if frame.sequence % timedFrames == 0 {
        var timings = Orrery_Timings()
        timings.firstSequence = frame.sequence + 1 - timedFrames
        timings.waitNs = (0..<timedFrames).map { 4_000_000 + $0 }
        timings.computeNs = timings.waitNs.map { _ in 1_500 }
        timings.publishNs = timings.waitNs.map { _ in 2_250 }
        alterTimings(&timings)
        try put("/orrery/timings", timings.serializedBytes())
      }
    }
    for frame in frames {
      for (change, tick) in changes where change.sequence == frame.sequence {
        number += 1
        var events = Orrery_Events()
        (events.generation, events.firstNumber, events.tick) = (Self.generation, number, tick)
        var event = Orrery_Event()
        (event.kind, event.command, event.time) = (.command, change.text, Double(tick) / 60)
        events.events = [event]
        try put(eventChannel, frame.sequence, events.serializedBytes())
      }
      guard !missing.contains(frame.sequence) else { continue }
      var bytes = frame.bytes
      alter(&bytes, frame.sequence)
      switch mode {
      case .full: try put(frameChannel, frame.sequence, bytes)
      case .delta, .quantised:
        try bytes.withUnsafeBytes { bytes in
          let message = try encoder.encode(
            FrameView(sequence: frame.sequence, bytes: bytes),
            asKeyframe: frame.sequence % 16 == 1)
          try put(
            message.isKeyframe ? frameChannel : deltaChannel, frame.sequence, message.parts)
        }
      case .digest:
        let count = UInt64(digests.stateHashes.count)
        if count > 0,
          digests.firstSequence + count != frame.sequence || digests.firstTick + count != frame.tick
            || count == 7
        {
          try flush(at: frame.sequence)
        }
        if digests.stateHashes.isEmpty {
          (digests.firstSequence, digests.firstTick) = (frame.sequence, frame.tick)
        }
        let hash = bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.map { FrameField.stateHash.load(from: $0) } ?? 0
        }
        digests.stateHashes.append(hash)
        digests.publishTimesNs.append(Self.timeNs(frame.sequence))
      }
      if beside { try putBeside(frame) }
    }
    try flush(at: frames.last?.sequence ?? 0)
    try writer.finish()
    return path
  }
}
