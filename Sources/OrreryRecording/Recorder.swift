// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryWire
import SwiftProtobuf

/// Writes a run's frames, gaps and events into a trace.
///
/// | topic             | message              | when                              |
/// |-------------------|----------------------|-----------------------------------|
/// | `/orrery/scene`   | `orrery.SceneLayout` | once, first                       |
/// | `/orrery/frames`  | `orrery.Frame`       | each frame, or each keyframe      |
/// | `/orrery/deltas`  | `orrery.DeltaFrame`  | each frame between two keyframes  |
/// | `/orrery/digests` | `orrery.Digests`     | each second, in place of frames   |
/// | `/orrery/loss`    | `orrery.Loss`        | each gap                          |
/// | `/orrery/events`  | `orrery.Events`      | as they come                      |
///
/// The scene file is an attachment; the account of received and missed frames is metadata,
/// `orrery.summary`. A frame's bytes are copied once, from the ring into the open chunk; a frame
/// that is overwritten meanwhile is removed again. `RecordingOptions` say what of a frame is
/// recorded, and a `FrameRecording` does it. `SideTopics` writes what stands beside them, on topics of its own.
package final class Recorder: FrameConsumer {
  private let writer: any TraceSink

  /// The trace that was asked for, and the file that is written.
  private let wantedPath: String
  private var path: String { writer.paths.last ?? wantedPath }

  private let options: RecordingOptions
  private let frames: any FrameRecording
  private let losses: TraceChannelID
  private let events: EventRecorder?

  /// What is recorded beside frames, gaps and events; nil: nothing.
  private let side: SideTopics?
  private let clock: @Sendable () -> UInt64
  private var lastStamp: FrameStamp?

  /// Bytes of the frame that was used last.
  private var lastByteCount = 0

  /// What of a frame is recorded; nil: all of it.
  private let selection: FrameSelection?

  /// Frames that were recorded, and those that `RecordingOptions.every` left out.
  private var (recordedCount, leftOutCount): (UInt64, UInt64) = (0, 0)

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
  ///   - options: What of the frames is recorded.
  ///   - side: What is recorded beside them; nil: nothing.
  ///   - clock: Nanoseconds since 1970, for log times.
  ///   - finishing: Called at the end whenever chunks were written, with the count of those that are
  ///     left.
  /// - Throws: `Failure`; `.usage` where the scene does not have what is to be recorded.
  package init(
    _ writer: any TraceSink, path: String, source: any FrameSource, events: (any EventSource)?,
    options: RecordingOptions = RecordingOptions(), side: SideOptions? = nil,
    clock: @escaping @Sendable () -> UInt64 = Clock.wallNs,
    finishing: @escaping (_ left: Int) -> Void = { _ in }
  ) throws(Failure) {
    wantedPath = path
    self.finishing = finishing
    self.writer = writer
    self.clock = clock
    self.options = options
    do {
      let layout = try source.sceneLayout()
      if options.mode == .digest { try DigestRecorder.check(layout) }
      let selection = try RecordedScene.selection(options, of: source, layout)
      self.selection = selection
      let scene = try writer.addChannel(.scene)
      let frames = try Self.frames(
        writer, options, layout: selection?.layout ?? source.layout, generation: source.generation)
      self.frames = frames
      losses = try writer.addChannel(.loss)
      let sideTopics = try side.map {
        try SideTopics($0, sink: writer, source: source, layout: layout, clock: clock)
      }
      self.side = sideTopics
      self.events = try events.map {
        try EventRecorder(
          $0, writer: writer, generation: source.generation, side: sideTopics, clock: clock)
      }
      let now = clock()
      let file = TraceAttachmentHead(
        name: layout.scene + ".toml", mediaType: "application/toml", logTimeNs: now)
      try writer.addAttachment(file, Array(layout.source.utf8), isPreamble: true)
      let head = TraceMessageHead(scene, logTimeNs: now)
      if options.isPlain {
        try writer.write(head, parts: [source.staticPart], isPreamble: true)
      } else {
        let recorded = RecordedScene.scene(
          layout, options, selection, layoutHash: (frames as? DeltaRecorder)?.layoutHash)
        try writer.write(head, bytes: recorded.serializedBytes(), isPreamble: true)
      }
    } catch let error as TraceError {
      throw Failure(path: path, error)
    } catch {
      throw Failure(error)
    }
  }

  private static func frames(
    _ writer: any TraceSink, _ options: RecordingOptions, layout: FrameLayout, generation: UInt64
  ) throws(TraceError) -> any FrameRecording {
    switch options.mode {
    case .digest: try DigestRecorder(writer, generation: generation)
    case .full where options.quantises || options.delta:
      try DeltaRecorder(writer, layout: layout, generation: generation, options)
    case .full: try WholeFrameRecorder(writer)
    }
  }

  /// Writes into the trace; a failure names the file.
  private func writing<Value>(
    _ body: () throws(TraceError) -> Value
  ) throws(Failure) -> Value {
    do throws(TraceError) {
      return try body()
    } catch {
      throw Failure(path: path, error)
    }
  }

  /// Bytes in the trace.
  package var fileBytes: UInt64? { writer.sinkLoad.fileBytes }

  /// Of a frame's values a digest has the hash.
  package var isBrief: Bool { options.mode == .digest }

  /// The frame is written, and what stands beside it.
  package var phases: (use: TimelinePhase, keep: TimelinePhase) { (.write, .write) }

  /// Copies the frame into the open chunk, and removes it if it was overwritten meanwhile.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    let stamp = frame.stamp()
    lastByteCount = frame.byteCount
    guard frame.sequence % options.every == 0 else {
      guard source.isWhole(frame) else { return false }
      leftOutCount += 1
      side?.leaveOut()
      lastStamp = stamp
      return true
    }
    let isWhole = try writing { () throws(TraceError) in
      if try writer.splitIfDue(adding: frame.byteCount) { frames.breakChain() }
      return try frames.record(
        selection?.view(of: frame) ?? frame, stamp, logTimeNs: clock(),
        isIntact: { source.isWhole(frame) })
    }
    if isWhole {
      recordedCount += 1
      lastStamp = stamp
      side?.use(frame, stamp: stamp)
      // The frame is recorded; only what was made of it to be looked at may be no good.
      if !source.isWhole(frame) { side?.discard() }
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
  package func keep(sequence: UInt64) throws(Failure) {
    if let side, let lastStamp {
      try writing { () throws(TraceError) in
        try side.keep(sequence: sequence, stamp: lastStamp, byteCount: lastByteCount)
      }
    }
    try recordEvents()
  }

  /// Sets who sees what is learned of the run, and holds it weakly.
  package func setWitness(_ witness: any RunWitness) { side?.witness = witness }

  private func recordEvents() throws(Failure) {
    try writing { () throws(TraceError) in
      try events?.record()
      try side?.recordDue()
    }
  }

  /// Writes a loss message for the gap.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {
    frames.breakChain()
    try write(loss: gap)
    try writing { () throws(TraceError) in try side?.miss(gap) }
  }

  private func write(loss gap: ClosedRange<UInt64>, shard: Int? = nil) throws(Failure) {
    var loss = Orrery_Loss()
    loss.firstSequence = gap.lowerBound
    loss.lastSequence = gap.upperBound
    if let shard { loss.shard = UInt32(shard) }
    try writing { () throws(TraceError) in
      try writer.write(TraceMessageHead(losses, logTimeNs: clock()), bytes: loss.ownBytes)
    }
  }

  /// Writes the events that have arrived, and the open chunk if it is due.
  package func idle() throws(Failure) {
    try recordEvents()
    try writing { () throws(TraceError) in
      try frames.flushIfDue(logTimeNs: clock())
      try writer.flushIfDue()
    }
  }

  /// Writes the remaining events, the account and the end of the file.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    for (shard, gap) in shardGaps.sorted(by: { $0.key < $1.key }) {
      try write(loss: gap, shard: shard)
    }
    try writing { () throws(TraceError) in
      try frames.finish(logTimeNs: clock())
      let eventSummary = try events?.finish(
        isFromStart: account.joinedAfter == 0, simEnded: simEnded)
      let sideSummary = try side?.finish(account, last: lastStamp, simEnded: simEnded)
      try writer.flush(progress: finishing)
      let every =
        options.every > 1
        ? ["recorded": "\(recordedCount)", "left_out": "\(leftOutCount)"] : [:]
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
        ].merging(eventSummary ?? [:]) { first, _ in first }
          .merging(every) { first, _ in first }
          .merging(sideSummary ?? [:]) { first, _ in first })
      try writer.finish()
    }
    // Of a set, files that were finished may be taken away.
    let gone = writer.paths.filter { access($0, F_OK) != 0 }
    for path in gone {
      Logger(label: "logger").notice("\(path): was removed or moved after it was finished")
    }
    return writer.paths.filter { !gone.contains($0) }
  }
}

extension Failure {
  /// The failure of a trace that cannot be written.
  init(path: String, _ error: TraceError) {
    self.init(.inputOutput, error.inFile(path))
  }
}
