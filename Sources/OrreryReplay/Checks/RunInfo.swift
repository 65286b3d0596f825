// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryTraceTools

/// Finds what `orrery trace info` says of the runs in an archive.
///
/// However large the files are, a bounded part of them is read: the start of each scene, the heads of the first and the
/// last frame, the metadata, and as many losses and events as a few chunks hold.
package enum RunInfo {
  /// Chunks that are read for losses and for events each, at most.
  private static let chunksMax = 256

  /// Bytes that may have to be decompressed for each: a chunk is, up to the message.
  private static let decompressedMax: UInt64 = 16 << 20

  /// Gaps and changes that are listed, at most.
  private static let listMax = 1000

  /// Bytes of a message of losses or events, at most.
  private static let messageBytesMax = 64 << 10

  /// Bytes of a scene's text of which a hash is taken, at most.
  private static let textBytesMax: UInt64 = 1 << 20

  /// Reads.
  ///
  /// - Throws: `Failure` if something is damaged that the files' indexes name.
  package static func read(_ archive: TraceArchive) throws(Failure) -> [TraceRunInfo] {
    let path = archive.files.first?.path ?? ""
    do {
      return try RecordedSource.find(in: archive).map { try read(archive, $0) }
    } catch {
      throw Failure(reading: "what the trace is of", of: path, error)
    }
  }

  private static func read(
    _ archive: TraceArchive, _ source: RecordedSource
  ) throws -> TraceRunInfo {
    var info = TraceRunInfo()
    let head = source.head
    (info.scene, info.run, info.seed) = (head.scene, head.run, head.seed)
    (info.rate, info.entities) = (head.rate.map { "\($0)" } ?? "", head.entityCount)
    info.shard = Shard.parse(run: head.run).map {
      TraceRunInfo.Shard(index: UInt32($0.shard.index), count: UInt32($0.shard.count))
    }
    let files = source.files.sorted()
    for file in files {
      let text = archive.files[file].attachments.first { $0.head.name == head.scene + ".toml" }
      if let text, text.head.dataBytes <= textBytesMax, info.sceneHash == nil {
        info.sceneHash = hexadecimal(hash(try archive.files[file].data(of: text)))
      }
    }
    try addFrames(archive, source, to: &info)
    let isCounted = try addLosses(archive, source, to: &info)
    info.isCounted = try addChanges(archive, source, to: &info) && isCounted
    try addFacts(files.map { archive.files[$0] }, to: &info)
    return info
  }

  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash = StableHash()
    hash.combine(UInt64(bytes.count))
    for first in stride(from: 0, to: bytes.count, by: 8) {
      hash.combine(
        bytes[first..<min(first + 8, bytes.count)].reversed()
          .reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    return hash.value
  }

  private static func addFrames(
    _ archive: TraceArchive, _ source: RecordedSource, to info: inout TraceRunInfo
  ) throws {
    let catalogue = FrameCatalogue(archive, of: source)
    guard let first = try catalogue.first(), let last = try catalogue.last() else { return }
    switch first.origin {
    case .digest: info.frames = "digest"
    default:
      let deltaCount = count(archive, source, topic: .deltas)
      info.frames = deltaCount > 0 ? "delta" : "full"
    }
    func end(_ frame: RecordedFrame) -> TraceRunInfo.End {
      TraceRunInfo.End(
        sequence: frame.sequence, tick: frame.tick,
        sceneSeconds: source.head.rate.map { $0.seconds(tick: frame.tick) } ?? 0,
        stateHash: hexadecimal(frame.stamp.stateHash))
    }
    (info.first, info.last) = (end(first), end(last))
    let ticks = try catalogue.ticks()
    (info.leastTick, info.greatestTick) = (ticks?.lowerBound, ticks?.upperBound)
    info.sceneSeconds = end(last).sceneSeconds - end(first).sceneSeconds
  }

  // MARK: - Losses and changes

  /// - Returns: Whether all were read.
  private static func addLosses(
    _ archive: TraceArchive, _ source: RecordedSource, to info: inout TraceRunInfo
  ) throws -> Bool {
    var losses = TraceRunInfo.Losses()
    losses.gapCount = count(archive, source, topic: .loss)
    let isCounted = try forEach(archive, source, topic: .loss) { bytes in
      let loss = try Orrery_Loss(serializedBytes: bytes)
      guard loss.firstSequence <= loss.lastSequence else { return true }
      let frames = loss.lastSequence - loss.firstSequence + 1
      if loss.hasShard {
        losses.missedByShard["\(loss.shard)", default: 0] &+= frames
      } else {
        losses.missedByRecorder &+= frames
      }
      losses.gaps.append(
        TraceRunInfo.Gap(
          first: loss.firstSequence, last: loss.lastSequence,
          shard: loss.hasShard ? loss.shard : nil))
      return losses.gaps.count < listMax
    }
    info.losses = losses
    return isCounted
  }

  /// - Returns: Whether all were read.
  private static func addChanges(
    _ archive: TraceArchive, _ source: RecordedSource, to info: inout TraceRunInfo
  ) throws -> Bool {
    var changes: [TraceRunInfo.Change] = []
    let isCounted = try forEach(archive, source, topic: .events) { bytes in
      let events = try Orrery_Events(serializedBytes: bytes)
      for event in events.events where event.kind == .command {
        changes.append(TraceRunInfo.Change(tick: events.tick, command: event.command))
      }
      return changes.count < listMax
    }
    info.changes = changes
    return isCounted
  }

  /// Messages of a topic, by the counts of the files.
  private static func count(
    _ archive: TraceArchive, _ source: RecordedSource, topic: Topic
  ) -> UInt64 {
    source.files.reduce(0) { sum, file in
      archive.files[file].channels.reduce(sum) { sum, channel in
        guard channel.value.topic == topic.rawValue, source.owns(channel.value, file: file) else {
          return sum
        }
        return sum &+ (archive.files[file].statistics.messageCounts[channel.key] ?? 0)
      }
    }
  }

  /// Reads the messages of a topic in the order of the files, as far as the bounds allow.
  ///
  /// - Parameters:
  ///   - archive: The files.
  ///   - source: The run.
  ///   - topic: Of its messages.
  ///   - use: Takes a message; false if no more is wanted.
  /// - Returns: Whether all were read.
  /// - Throws: `TraceError` if the trace is damaged; what `use` throws.
  private static func forEach(
    _ archive: TraceArchive, _ source: RecordedSource, topic: Topic,
    _ use: ([UInt8]) throws -> Bool
  ) throws -> Bool {
    var left = count(archive, source, topic: topic)
    var chunksLeft = chunksMax
    for file in source.files.sorted() {
      let opened = archive.files[file]
      let channels = opened.channels.filter {
        $0.value.topic == topic.rawValue && source.owns($0.value, file: file)
      }.keys
      let cost = cost(opened)
      for (index, chunk) in opened.chunks.enumerated() {
        guard left > 0 else { return true }
        guard channels.contains(where: { chunk.mayHold($0) }) else { continue }
        guard chunksLeft > 0 else { return false }
        chunksLeft -= cost
        for location in try archive.locations(file: file, chunk: index, topic: topic.rawValue)
        where channels.contains(location.channel) {
          left -= min(left, 1)
          let message = try archive.prefix(of: location, byteCount: messageBytesMax)
          guard message.bytes.count < messageBytesMax else { return false }
          guard try use(Array(message.bytes)) else { return left == 0 }
        }
      }
    }
    return true
  }

  /// What a chunk of a file costs, of `chunksMax`.
  private static func cost(_ file: TraceArchiveFile) -> Int {
    let packed = file.totals.filter { $0.key != .none }.values
    let bytes = packed.reduce(0) { $0 + $1.recordBytes / max($1.chunkCount, 1) }
    return max(Int(min(bytes, decompressedMax) * UInt64(chunksMax) / decompressedMax), 1)
  }

  // MARK: - Metadata

  private static func addFacts(
    _ files: [TraceArchiveFile], to info: inout TraceRunInfo
  ) throws {
    for record in try files.flatMap({ try $0.metadata() }) {
      switch record.name {
      case "orrery.recording":
        info.host = record.values["host"] ?? info.host
        info.commandLine = record.values["command_line"] ?? info.commandLine
        guard let version = record.values["version"] else { continue }
        let parts = version.split(separator: " (", maxSplits: 1)
        info.version = parts.first.map { String($0) }
        let words = parts.count > 1 ? parts[1].split { " ,)".contains($0) } : []
        if words.count > 1, words[0] == "commit" { info.commit = String(words[1]) }
      case "orrery.summary":
        if let missed = record.values["missed"].flatMap({ UInt64($0) }) {
          info.losses.missedByRecorder = missed
        }
      default: continue
      }
    }
  }
}
