// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryWire
import SwiftProtobuf

/// Writes a run's frames, gaps and events into a trace.
///
/// | topic            | message              | when            |
/// |------------------|----------------------|-----------------|
/// | `/orrery/scene`  | `orrery.SceneLayout` | once, first     |
/// | `/orrery/frames` | `orrery.Frame`       | each frame      |
/// | `/orrery/loss`   | `orrery.Loss`        | each gap        |
/// | `/orrery/events` | `orrery.Events`      | as they come    |
///
/// The scene file is an attachment; the account of received and missed frames is metadata,
/// `orrery.summary`. A frame's bytes are copied once, from the ring into the open chunk; a frame
/// that is overwritten meanwhile is removed again.
package final class Recorder: FrameConsumer {
  private let path: String
  private let writer: TraceWriter
  private let frames: TraceChannelID
  private let losses: TraceChannelID
  private let events: EventRecorder?
  private let clock: @Sendable () -> UInt64
  private var lastStamp: FrameStamp?

  /// For each shard that is missing in the newest frame, the frames since it is.
  private var shardGaps: [Int: ClosedRange<UInt64>] = [:]

  /// Called at the end whenever chunks were written, with the count of those that are left.
  private let finishing: (_ left: Int) -> Void

  /// Creates the file.
  package static func open(
    path: String, options: TraceOptions, overwrite: Bool
  ) throws(Failure) -> TraceWriter {
    do throws(TraceError) {
      return try TraceWriter(path: path, options: options, overwrite: overwrite)
    } catch {
      throw Failure(path: path, error)
    }
  }

  /// Adds the channels and writes the scene.
  ///
  /// - Parameters:
  ///   - writer: The writer of an empty trace.
  ///   - path: The file's path, for messages.
  ///   - source: The source of frames.
  ///   - events: The source of events; nil if none are recorded.
  ///   - clock: Nanoseconds since 1970, for log times.
  ///   - finishing: Called at the end whenever chunks were written, with the count of those that are
  ///     left.
  /// - Throws: `Failure`.
  package init(
    _ writer: TraceWriter, path: String, source: any FrameSource, events: (any EventSource)?,
    clock: @escaping @Sendable () -> UInt64 = Clock.wallNs,
    finishing: @escaping (_ left: Int) -> Void = { _ in }
  ) throws(Failure) {
    self.path = path
    self.finishing = finishing
    self.writer = writer
    self.clock = clock
    do {
      let descriptor = MessageSchema.descriptorSet
      let scene = try Self.channel(writer, "/orrery/scene", "orrery.SceneLayout", descriptor)
      frames = try Self.channel(writer, "/orrery/frames", "orrery.Frame", descriptor)
      losses = try Self.channel(writer, "/orrery/loss", "orrery.Loss", descriptor)
      self.events = try events.map {
        try EventRecorder($0, writer: writer, generation: source.generation, clock: clock)
      }
      let now = clock()
      let layout = try Orrery_SceneLayout(serializedBytes: Array(source.staticPart))
      try writer.addAttachment(
        name: layout.scene + ".toml", mediaType: "application/toml",
        data: Array(layout.source.utf8), logTimeNs: now, createTimeNs: 0, isPreamble: true)
      try writer.write(
        scene, sequence: 0, logTimeNs: now, publishTimeNs: now, parts: [source.staticPart],
        isPreamble: true)
    } catch let error as TraceError {
      throw Failure(path: path, error)
    } catch {
      throw Failure(.unavailable, "the scene's static part cannot be read: \(error)")
    }
  }

  /// Copies the frame into the open chunk, and removes it if it was overwritten meanwhile.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    let stamp = frame.stamp()
    let isWhole: Bool
    do throws(TraceError) {
      _ = try writer.splitIfDue(adding: frame.pieces.reduce(0) { $0 + $1.count })
      isWhole = try writer.write(
        frames, sequence: UInt32(truncatingIfNeeded: frame.sequence), logTimeNs: clock(),
        publishTimeNs: stamp.publishTimeNs, parts: frame.pieces,
        isIntact: { source.isWhole(frame) })
    } catch {
      throw Failure(path: path, error)
    }
    if isWhole {
      lastStamp = stamp
      try noteMissing(source.missingShards(of: frame), sequence: frame.sequence)
    }
    return isWhole
  }

  /// Extends the gaps of the shards that are missing in a frame, and writes the gaps that end before it.
  private func noteMissing(_ shards: [Int], sequence: UInt64) throws(Failure) {
    for (shard, gap) in shardGaps
    where !shards.contains(shard) || gap.upperBound + 1 != sequence {
      shardGaps[shard] = nil
      try write(loss: gap, shard: shard)
    }
    for shard in shards {
      shardGaps[shard] = (shardGaps[shard]?.lowerBound ?? sequence)...sequence
    }
  }

  /// Writes the events that have arrived.
  package func keep(sequence: UInt64) throws(Failure) { try recordEvents() }

  private func recordEvents() throws(Failure) {
    do throws(TraceError) {
      try events?.record()
    } catch {
      throw Failure(path: path, error)
    }
  }

  /// Writes a loss message for the gap.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) { try write(loss: gap) }

  private func write(loss gap: ClosedRange<UInt64>, shard: Int? = nil) throws(Failure) {
    var loss = Orrery_Loss()
    loss.firstSequence = gap.lowerBound
    loss.lastSequence = gap.upperBound
    if let shard { loss.shard = UInt32(shard) }
    do {
      let now = clock()
      try writer.write(
        losses, sequence: 0, logTimeNs: now, publishTimeNs: now, bytes: loss.serializedBytes())
    } catch let error as TraceError {
      throw Failure(path: path, error)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Writes the events that have arrived, and the open chunk if it is due.
  package func idle() throws(Failure) {
    try recordEvents()
    do throws(TraceError) {
      try writer.flushIfDue()
    } catch {
      throw Failure(path: path, error)
    }
  }

  /// Writes the remaining events, the account and the end of the file.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    for (shard, gap) in shardGaps.sorted(by: { $0.key < $1.key }) {
      try write(loss: gap, shard: shard)
    }
    do throws(TraceError) {
      let eventSummary = try events?.finish(
        isFromStart: account.joinedAfter == 0, simEnded: simEnded)
      try writer.flush(progress: finishing)
      try writer.addMetadata(
        name: "orrery.summary",
        [
          "published": "\(account.last - account.joinedAfter)",
          "received": "\(account.receivedCount)",
          "missed": "\(account.missedCount)",
          "joined_after": "\(account.joinedAfter)",
          "sim_ended": "\(simEnded)",
          "last_tick": "\(lastStamp?.tick ?? 0)",
          "state_hash": hexadecimal(lastStamp?.stateHash ?? 0),
        ].merging(eventSummary ?? [:]) { first, _ in first })
      try writer.finish()
    } catch {
      throw Failure(path: path, error)
    }
    return writer.paths
  }

  private static func channel(
    _ writer: TraceWriter, _ topic: String, _ message: String, _ descriptor: [UInt8]
  ) throws(TraceError) -> TraceChannelID {
    let schema = try writer.addSchema(name: message, encoding: "protobuf", data: descriptor)
    return try writer.addChannel(topic: topic, messageEncoding: "protobuf", schema: schema)
  }
}

extension Failure {
  /// The failure of a trace that cannot be written.
  fileprivate init(path: String, _ error: TraceError) {
    let text = "\(error)"
    self.init(.inputOutput, text.contains(path) ? text : "\(path): \(text)")
  }
}
