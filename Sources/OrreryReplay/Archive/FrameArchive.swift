// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryWire
import SwiftProtobuf

/// The frames of a trace, by their sequence or tick, whatever the trace keeps of them: whole frames, what changed, or
/// hashes.
///
/// Opening reads the scene. A frame is found by a search over the heads of chunks and then of messages, so that memory
/// does not grow with the trace. A frame of a digest is computed by a world from the scene and the recorded
/// changes, and proved by its hash. One thread uses an archive.
package final class FrameArchive {
  /// The files, for other topics.
  package let archive: TraceArchive

  /// The scene's static part, as recorded; of a digest that left parts out, with these parts.
  package private(set) var scene: Orrery_SceneLayout

  /// Layout of all frames that `bytes` gives.
  package private(set) var template: FrameTemplate

  /// The first and the last recorded frame; nil in a trace without frames.
  package private(set) var span: (first: RecordedFrame, last: RecordedFrame)?

  /// The least and the greatest tick that a frame shows; nil without frames.
  package func ticks() throws(Failure) -> ClosedRange<UInt64>? { try catalogue.ticks() }

  /// The failure of a command whose times have no frame of the trace.
  package var noFrameInTimes: Failure {
    var has = ""
    if let rate, let ticks = try? ticks() {
      let (first, last) = (ticks.lowerBound, ticks.upperBound)
      has =
        "; it has ticks \(first) to \(last), \(decimal(rate.seconds(tick: first), places: 3)) to"
        + " \(decimal(rate.seconds(tick: last), places: 3)) s"
    }
    return Failure(.unmet, "\(path): no frame in that time\(has)")
  }

  /// What computes the frames of a digest; nil of other traces.
  package private(set) var world: ReplayWorld?

  /// The files' first path, for messages.
  package let path: String

  /// The traces of a run's shards, by index, of which this one is joined; empty of a run that is one.
  package let shards: [FrameArchive]

  /// Whose channels are read; of joined traces, the first shard's.
  let source: RecordedSource
  let catalogue: FrameCatalogue
  private let decoder = FrameDeltaDecoder()
  private var memory: ReplayFrames?

  /// Where shards' values go.
  private let slices: [[JoinedLayout.Slice]]

  /// Layout of the frame that was read last, if it is not `template`.
  private var recorded: FrameTemplate?

  /// One more than the largest number of an entity; a shard's entities begin further on than 0.
  package var entityEnd: Int {
    scene.batches.map { Int($0.firstEntity) + Int($0.entityCount) }.max() ?? 0
  }

  /// Opens a trace.
  ///
  /// - Parameter paths: One file, or those that a recording was split into, or those of all shards of a run.
  /// - Throws: `Failure`: `unavailable` or `inputOutput` for a file that cannot be read, `badData` for one that is
  ///   no trace of
  ///   Orrery's or breaks a limit.
  package convenience init(paths: [String]) throws(Failure) {
    try self.init(Failure.ofTrace(paths.first ?? "") { try TraceArchive(paths: paths) })
  }

  /// Opens a trace whose files are open.
  ///
  /// - Throws: `Failure`: `incomplete` if an unfinished trace ends before its scene; `badData` for what is no trace of
  ///   Orrery's or breaks a limit.
  package convenience init(_ archive: TraceArchive) throws(Failure) {
    let path = archive.files.first?.path ?? ""
    let sources = try Failure.ofTrace(path) { try RecordedSource.find(in: archive) }
    guard let first = sources.first else {
      throw Failure(
        archive.statusOfNothing,
        "\(path): no scene; traces of Orrery have one at \(Topic.scene.rawValue)")
    }
    if sources.count == 1 {
      try self.init(archive, first, path: path)
      return
    }
    var shards: [FrameArchive] = []
    for source in sources {
      let own = archive.files[source.location.file].path
      let shard = try FrameArchive(archive, source, path: own)
      guard shard.scene.hasShard else {
        throw Failure(.badData, "\(own): not of the same run as \(path), and no shard of one")
      }
      shards.append(shard)
    }
    try self.init(archive, shards: shards, path: path)
  }

  /// One run's trace.
  private init(
    _ archive: TraceArchive, _ source: RecordedSource, path: String
  ) throws(Failure) {
    (self.archive, self.source, self.path) = (archive, source, path)
    (shards, slices) = ([], [])
    let scene = try Self.scene(of: archive, source, path: path)
    self.scene = scene
    catalogue = FrameCatalogue(archive, of: source)
    let (template, world) = try Self.template(scene, catalogue, archive, path: path)
    (self.template, self.world) = (template, world)
    if let world { self.scene = world.scene }
    if let first = try catalogue.frame(from: 0), let last = try catalogue.last() {
      guard first.sequence <= last.sequence else {
        throw fault(last, "it stands behind frame \(first.sequence)")
      }
      span = (first, last)
    }
  }

  /// The traces of all shards of a run as one.
  private init(_ archive: TraceArchive, shards: [FrameArchive], path: String) throws(Failure) {
    let shards = shards.sorted { $0.scene.shard.index < $1.scene.shard.index }
    for (index, shard) in shards.enumerated() where shard.scene.shard.index != index {
      throw Failure(
        .badData,
        shard.scene.shard.index < index
          ? "\(shard.path): shard \(shard.scene.shard.index) is there twice"
          : "\(path): shard \(index) of \(shard.scene.shard.count) is missing")
    }
    let count = shards[0].scene.shard.count
    guard shards.count == count else {
      throw Failure(.badData, "\(path): shard \(shards.count) of \(count) is missing")
    }
    (self.archive, self.shards, self.path) = (archive, shards, path)
    (source, catalogue) = (shards[0].source, shards[0].catalogue)
    let run = shards[0].scene.run
    let suffix = ".0of\(count)"
    do {
      let joined = try JoinedLayout(
        name: run.hasSuffix(suffix) ? String(run.dropLast(suffix.count)) : run,
        shards.map { ($0.template.layout, $0.scene) }, merges: true)
      slices = joined.slices
      scene = try Orrery_SceneLayout(serializedBytes: joined.staticPart, options: Self.decoding)
      template = FrameTemplate(joined.layout, generation: scene.generation)
    } catch {
      throw Failure(
        .badData, "\(path): the traces are not of one run's shards: \(messageFault(error))")
    }
    if let first = try frame(from: 0),
      let end = shards.compactMap({ $0.span?.last.sequence }).max(),
      let last = try frame(from: end)
    {
      span = (first, last)
    }
  }

  /// Whether a file is a trace with a scene and frames.
  ///
  /// - Throws: `Failure` if it cannot be read.
  package static func hasFrames(_ path: String) throws(Failure) -> Bool {
    let topics = try Failure.ofTrace(path) { try TraceArchive(paths: [path]).topics }
    return topics.contains(Topic.scene.rawValue)
      && topics.contains { MessageHead.Kind(topic: $0) != nil }
  }

  /// The frame of a number, or else the next one that was recorded; nil behind the last one.
  package func frame(from sequence: UInt64) throws(Failure) -> RecordedFrame? {
    shards.isEmpty ? try catalogue.frame(from: sequence) : try joined(from: sequence)
  }

  /// The frame that shows a tick, or else the next one that was recorded; nil behind the last one.
  package func frame(showing tick: UInt64) throws(Failure) -> RecordedFrame? {
    shards.isEmpty ? try catalogue.frame(showing: tick) : try joined(showing: tick)
  }

  /// The bytes of a frame, an `orrery.Frame` message; valid until the next call.
  ///
  /// - Throws: `Failure` if the trace is damaged; `unmet` if a frame that was computed has another hash than the
  ///   recorded one.
  package func bytes(of frame: RecordedFrame) throws(Failure) -> UnsafeRawBufferPointer {
    let (bytes, hash) = try content(of: frame)
    guard hash == frame.stamp.stateHash else { throw unproved(frame, computed: hash) }
    return bytes
  }

  /// The bytes of a frame, valid until the next call, and its hash: as recorded, or of a digest as computed, which may
  /// be another one.
  ///
  /// - Throws: `Failure` if the trace is damaged.
  package func content(
    of frame: RecordedFrame
  ) throws(Failure) -> (bytes: UnsafeRawBufferPointer, hash: UInt64) {
    switch frame.origin {
    case .frame(let location):
      return (try plain(frame, try message(at: location)), frame.stamp.stateHash)
    case .delta: return (try plain(frame, try changed(frame)), frame.stamp.stateHash)
    case .digest, .joined:
      let memory = ownMemory()
      let hash = try write(frame, to: memory.frame(0))
      return (memory.bytes(0), hash)
    }
  }

  /// Writes a frame's values to the places of its columns.
  ///
  /// - Parameters:
  ///   - frame: One that this archive has found.
  ///   - target: A frame of `template`, whose constant part is there.
  /// - Returns: The hash: as recorded, or of a digest as computed, which may be another one.
  /// - Throws: `Failure` if the trace is damaged.
  package func write(
    _ frame: RecordedFrame, to target: UnsafeMutableRawPointer
  ) throws(Failure) -> UInt64 {
    if case .digest = frame.origin { return try compute(frame, into: target) }
    if case .joined(let parts) = frame.origin { return try join(frame, parts, into: target) }
    let source = try bytes(of: frame)
    guard let base = source.baseAddress else { return frame.stamp.stateHash }
    for column in template.layout.columns {
      (target + Int(column.valuesOffset)).copyMemory(
        from: base + Int(column.valuesOffset), byteCount: Int(column.valuesBytes))
    }
    return frame.stamp.stateHash
  }

  /// Fills `target` with a digest's frame.
  private func compute(
    _ frame: RecordedFrame, into target: UnsafeMutableRawPointer
  ) throws(Failure) -> UInt64 {
    guard let world else { throw fault(frame, "no world computes it") }
    let hash = try world.evaluate(frame, into: target)
    frame.stamp.write(sequence: frame.sequence, to: target)
    return hash
  }

  private func ownMemory() -> ReplayFrames {
    if let memory { return memory }
    let made = ReplayFrames(template, wanted: 2)
    memory = made
    return made
  }

  /// A frame in this archive's layout: as it was recorded, or with its 16-bit values as floats.
  ///
  /// The unit of rounded values may be another one after each keyframe; so they are all given as floats.
  private func plain(
    _ frame: RecordedFrame, _ bytes: UnsafeRawBufferPointer
  ) throws(Failure) -> UnsafeRawBufferPointer {
    if template.fits(bytes) { return bytes }
    if recorded.map({ !$0.fits(bytes) }) ?? true { recorded = FrameTemplate(of: bytes) }
    guard scene.recording.quantiseBits != 0, let recorded,
      recorded.generation == template.generation,
      recorded.layout.hasColumns(of: template.layout), let base = bytes.baseAddress
    else {
      throw fault(frame, "it has other columns than the frames before it, or another run's")
    }
    let memory = ownMemory()
    for (column, target) in zip(recorded.layout.columns, template.layout.columns) {
      let reader = ColumnReader(column)
      let values = (memory.frame(0) + Int(target.valuesOffset))
        .bindMemory(to: Float.self, capacity: reader.entities.count)
      for (index, entity) in reader.entities.enumerated() {
        values[index] = reader.value(entity, in: base)
      }
    }
    frame.stamp.write(sequence: frame.sequence, to: memory.frame(0))
    return memory.bytes(0)
  }

  private func message(at location: TraceMessageLocation) throws(Failure) -> UnsafeRawBufferPointer
  {
    try Failure.ofTrace(path) { try archive.message(at: location).bytes }
  }

  /// The frame that a delta gives: the frames from its keyframe on are decoded, unless the one before it was the last.
  private func changed(_ frame: RecordedFrame) throws(Failure) -> UnsafeRawBufferPointer {
    if decoder.sequence == frame.sequence { return decoder.frame }
    var chain = [frame]
    while let oldest = chain.last, case .delta(_, let base) = oldest.origin,
      decoder.sequence != base
    {
      guard chain.count <= Self.chainMax else {
        throw fault(frame, "no keyframe is among the \(Self.chainMax) frames before it")
      }
      guard base < oldest.sequence, let before = try catalogue.frame(from: base),
        before.sequence == base
      else { throw fault(oldest, "the frame \(base), which it changes, is missing") }
      chain.append(before)
    }
    for step in chain.reversed() {
      let message: UnsafeRawBufferPointer
      switch step.origin {
      case .frame(let location): message = try self.message(at: location)
      case .delta(let location, _): message = try self.message(at: location)
      case .digest, .joined: throw fault(step, "a hash is no keyframe")
      }
      do throws(DeltaError) {
        if case .frame = step.origin {
          try decoder.decode(keyframe: message)
        } else {
          try decoder.decode(changes: message)
        }
      } catch {
        throw fault(step, "\(error)")
      }
    }
    return decoder.frame
  }

  /// Frames from one keyframe to the next, at most: a second at the highest rate that is likely.
  private static let chainMax = 10_000

  /// A failure that names a frame.
  package func fault(_ frame: RecordedFrame, _ reason: String) -> Failure {
    Failure(.badData, "\(path): frame \(frame.sequence), tick \(frame.tick): \(reason)")
  }

  /// The failure of a frame whose hash is not the recorded one.
  package func unproved(_ frame: RecordedFrame, computed: UInt64) -> Failure {
    Failure(
      .unmet,
      "\(path): frame \(frame.sequence), tick \(frame.tick): computed hash \(hexadecimal(computed)), recorded"
        + " \(hexadecimal(frame.stamp.stateHash))")
  }
}

extension FrameArchive {
  /// The last frame of some ticks in the part of the run that begins with a frame of them.
  ///
  /// A run that was sent back may show the ticks again later.
  package func last(
    of ticks: ClosedRange<UInt64>, from first: RecordedFrame
  ) throws(Failure) -> RecordedFrame? {
    var last: RecordedFrame?
    for one in shards.isEmpty ? [self] : shards {
      for (sequences, _) in try one.catalogue.sequences(showing: ticks)
      where sequences.contains(first.sequence) {
        // In a damaged file the search may end before it has begun.
        guard let found = try one.catalogue.previous(before: sequences.upperBound + 1),
          found.sequence >= first.sequence
        else { continue }
        if found.sequence > last?.sequence ?? 0 { last = found }
      }
    }
    return try last.flatMap { (found) throws(Failure) in try frame(from: found.sequence) }
  }
}

// MARK: - Shards

extension FrameArchive {
  /// Whether a message is of the run's own channels; of several shards, of the first one's.
  func isOfFirstShard(_ message: TraceArchiveMessage) -> Bool {
    archive.files[message.file].channels[message.head.channel].map {
      source.owns($0, file: message.file)
    } ?? false
  }

  /// The shards' parts of the frame of a number, or else of the next one that a shard's trace has.
  private func joined(from sequence: UInt64) throws(Failure) -> RecordedFrame? {
    var found: [RecordedFrame?] = []
    for shard in shards { found.append(try shard.frame(from: sequence)) }
    guard let nearest = found.compactMap({ $0?.sequence }).min() else { return nil }
    let parts = found.map { $0?.sequence == nearest ? $0 : nil }
    guard let first = parts.lazy.compactMap({ $0 }).first else { return nil }
    for case let other? in parts where other.tick != first.tick {
      throw fault(first, "another shard shows tick \(other.tick) in it")
    }
    // As a run of several shards has it: the sum of the hashes of those that are there.
    let hash = parts.reduce(UInt64(0)) { $0 &+ ($1?.stamp.stateHash ?? 0) }
    return RecordedFrame(
      sequence: nearest,
      stamp: FrameStamp(
        tick: first.tick, simTimeNs: first.stamp.simTimeNs,
        publishTimeNs: parts.compactMap { $0?.stamp.publishTimeNs }.max() ?? 0, stateHash: hash),
      logTimeNs: parts.compactMap { $0?.logTimeNs }.max() ?? 0, origin: .joined(parts))
  }

  private func joined(showing tick: UInt64) throws(Failure) -> RecordedFrame? {
    var nearest: RecordedFrame?
    for shard in shards {
      guard let frame = try shard.frame(showing: tick) else { continue }
      if nearest.map({ (frame.tick, frame.sequence) < ($0.tick, $0.sequence) }) ?? true {
        nearest = frame
      }
    }
    return try nearest.flatMap { (frame) throws(Failure) in try joined(from: frame.sequence) }
  }

  /// Copies the shards' values to where they are in the joined frame; those of a missing shard are NaN.
  private func join(
    _ frame: RecordedFrame, _ parts: [RecordedFrame?], into target: UnsafeMutableRawPointer
  ) throws(Failure) -> UInt64 {
    var hash: UInt64 = 0
    for (index, part) in parts.enumerated() {
      var source: UnsafeRawPointer?
      if let part {
        let content = try shards[index].content(of: part)
        hash &+= content.hash
        source = content.bytes.baseAddress
      }
      for (column, slices) in zip(template.layout.columns, slices) {
        var place = target + Int(column.valuesOffset)
        for slice in slices {
          let byteCount = Int(slice.column.valuesBytes)
          if slice.shard == index {
            if let source {
              place.copyMemory(
                from: source + Int(slice.column.valuesOffset), byteCount: byteCount)
            } else {
              place.initializeMemory(as: UInt8.self, repeating: 0xff, count: byteCount)
            }
          }
          place += byteCount
        }
      }
    }
    frame.stamp.write(sequence: frame.sequence, to: target)
    return hash
  }
}

// MARK: - Opening

extension FrameArchive {
  /// The scene of a run.
  private static func scene(
    of archive: TraceArchive, _ source: RecordedSource, path: String
  ) throws(Failure) -> Orrery_SceneLayout {
    do {
      let message = try archive.message(at: source.location)
      return try Orrery_SceneLayout(serializedBytes: Array(message.bytes), options: decoding)
    } catch {
      throw Failure(reading: "the scene", of: path, error)
    }
  }

  /// Messages are nested a few levels deep; a deeper one is hostile.
  private static var decoding: BinaryDecodingOptions {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 16
    return options
  }

  /// The layout of frames: that of the first one, or that of the world that computes them.
  private static func template(
    _ scene: Orrery_SceneLayout, _ catalogue: FrameCatalogue, _ archive: TraceArchive, path: String
  ) throws(Failure) -> (FrameTemplate, ReplayWorld?) {
    guard let first = try catalogue.frame(from: 0) else {
      return (try empty(scene), nil)
    }
    switch first.origin {
    case .digest:
      let changes = try RunChanges(archive, catalogue, scene, path: path)
      let world = try ReplayWorld(scene, changes: changes, path: path)
      return (world.template, world)
    case .delta, .joined:
      throw Failure(
        .badData, "\(path): frame \(first.sequence), tick \(first.tick): no keyframe is before it")
    case .frame(let location):
      let bytes = try Failure.ofTrace(path) { try archive.message(at: location).bytes }
      if let template = FrameTemplate(of: bytes), template.generation == scene.generation {
        if scene.recording.quantiseBits != 0 { return (try floats(template), nil) }
        if template.layout.layoutHash == scene.layoutHash { return (template, nil) }
      }
      throw Failure(
        .badData,
        "\(path): frame \(first.sequence), tick \(first.tick): its columns are not those of the scene"
      )
    }
  }

  /// The same columns with floats.
  private static func floats(_ template: FrameTemplate) throws(Failure) -> FrameTemplate {
    let columns = template.layout.columns.map(\.description).map {
      ColumnDescription(
        batch: $0.batch, field: $0.field, firstEntity: $0.firstEntity, valueCount: $0.valueCount)
    }
    let layout = try Failure.of(.badData) { try FrameLayout(columns: columns) }
    return FrameTemplate(layout, generation: template.generation)
  }

  private static func empty(_ scene: Orrery_SceneLayout) throws(Failure) -> FrameTemplate {
    let layout = try Failure.of(.badData) { try FrameLayout(columns: []) }
    return FrameTemplate(layout, generation: scene.generation)
  }
}

extension FrameLayout {
  /// Whether it has the same fields of the same entities as another one, in whichever formats.
  fileprivate func hasColumns(of other: FrameLayout) -> Bool {
    columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { own, other in
        let (own, other) = (own.description, other.description)
        return own.batch == other.batch && own.field == other.field
          && own.firstEntity == other.firstEntity && own.valueCount == other.valueCount
      }
  }
}

extension TraceArchive {
  /// What a trace without a scene or frames is: one that ends before these, or none of a run.
  var statusOfNothing: ExitStatus {
    files.contains { $0.state.word == "unfinished" } ? .incomplete : .badData
  }
}

extension Failure {
  /// Reads a trace; the line of a failure names the file.
  static func ofTrace<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw Failure(trace: error, path: path)
    }
  }

  /// The failure of a trace that cannot be read.
  private init(trace error: any Error, path: String) {
    let failure = Failure(error)
    let line = failure.description
    self.init(failure.status, line.contains(path) ? line : "\(path): \(line)")
  }

  /// What went wrong while messages were read: a failure of its own, a fault of the trace, or a message that cannot be
  /// decoded.
  init(reading what: String, of path: String, _ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let fault as TraceError: self.init(trace: fault, path: path)
    default: self.init(.badData, "\(path): \(what) cannot be read: \(messageFault(error))")
    }
  }
}

// MARK: - The scene

extension FrameArchive {
  /// Ticks per second; nil if the scene has an invalid rate.
  package var rate: TickRate? {
    TickRate(numerator: scene.rateNumerator, denominator: scene.rateDenominator)
  }

  /// Whether frames are computed, so that nothing but hashes is in the trace.
  package var isDigest: Bool { world != nil || shards.contains(where: \.isDigest) }

  /// Whether values are as they were published: neither left out nor rounded.
  package var isExact: Bool {
    guard shards.isEmpty else { return shards.allSatisfy(\.isExact) }
    return !scene.hasRecording
      || (scene.recording.runLayoutHash == 0
        || scene.recording.runLayoutHash == scene.layoutHash)
        && scene.recording.quantiseBits == 0
  }
}
