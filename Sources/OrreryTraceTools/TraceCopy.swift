// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace
import SwiftProtobuf

/// What of a trace is wanted.
package struct TraceFilter {
  /// Topics; nil for all.
  package var topics: Set<String>?

  /// The part of its time; nil: all of it.
  package var timeline: (any TraceTimeline)?

  /// Every Nth frame, and every Nth message of topics that are not Orrery's.
  package var every = 1

  /// Of events, only those of this view, and all changes to the run.
  package var view: String?

  package init() {}

  /// Topics of a trace of which one message in N is enough.
  static func isThinned(_ topic: String) -> Bool {
    switch Topic(rawValue: topic) {
    case .frames, .points, .views: true
    default: !topic.hasPrefix(Topic.prefix)
    }
  }
}

/// What `orrery trace filter` and `merge` print with `--json`: docs/schemas/trace-copy.schema.json.
package struct TraceCopy: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.trace-copy.v1"

  /// The file that was written.
  package let output: String
  /// Messages in the files.
  package let messagesRead: UInt64
  /// Messages written.
  package let messages: UInt64
  /// Attachments written.
  package let attachments: UInt64
  /// Metadata records written.
  package let metadata: UInt64
  /// Whole, or unfinished: then one of the files is.
  package let state: String
  /// What is missing; nil if nothing is.
  package let missing: String?

  /// Writes what is wanted of some files into a new one, by rising log time, and verifies that.
  ///
  /// If one of the files is unfinished, so is the new one. The scene comes first, once for all files that have the same. Files with other scenes, as those of
  /// shards, keep channels of their own, with the metadata `file`. Changes to the run are kept, also those before the
  /// part: the frames after them cannot be computed without.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - output: The new file.
  ///   - selection: What is wanted.
  ///   - compression: Compression of the new file; nil for the most frequent of the files.
  ///   - overwrite: Whether a file that is there is replaced.
  ///   - opened: The files, if they are open: two archives would keep twice as many chunks in memory.
  /// - Throws: `Failure`: `badData` for a file that is damaged, or deltas with `every`; `inputOutput`.
  package init(
    _ paths: [String], to output: String, _ selection: TraceFilter,
    compression: TraceCompression? = nil, overwrite: Bool, opened: TraceArchive? = nil
  ) throws(Failure) {
    let archive = try Failure.of { try opened ?? TraceArchive(paths: paths) }
    try checkOutput(output, isNoneOf: paths)
    var reasons: [String] = []
    for file in archive.files {
      if case .damaged = file.state {
        throw Failure(
          .badData, "\(file.path): \(file.state.text); orrery trace recover keeps what is whole")
      }
      if let reason = file.state.reason, !reasons.contains(reason) { reasons.append(reason) }
    }
    let deltas = Topic.deltas.rawValue
    let wantsDeltas =
      archive.topics.contains(deltas) && (selection.topics?.contains(deltas) ?? true)
    if wantsDeltas, selection.every > 1 {
      throw Failure(
        .badData,
        "\(paths[0]): its frames are deltas, of which --every would break the chain; "
          + "leave \(deltas) out, and keyframes are thinned")
    }
    let writer: TraceCopyWriter
    do throws(TraceError) {
      writer = try TraceCopyWriter(
        path: output, compression: compression ?? Self.compression(archive), overwrite: overwrite)
    } catch {
      throw Failure(writing: output, error)
    }
    do throws(TraceError) {
      var job = TraceCopyJob(archive, writer, selection, wantsDeltas: wantsDeltas)
      try job.run(missing: reasons)
    } catch {
      writer.discard()
      throw Failure(writing: output, error)
    }
    self.output = output
    messagesRead = archive.files.reduce(0) { $0 &+ $1.statistics.messageCount }
    (messages, attachments, metadata) = (writer.messages, writer.attachments, writer.metadata)
    missing = reasons.first
    state = try verify(output)
  }

  private static func compression(_ archive: TraceArchive) -> TraceCompression {
    var chunks: [TraceCompression: UInt64] = [:]
    for (compression, total) in archive.files.flatMap(\.totals) {
      chunks[compression, default: 0] &+= total.chunkCount
    }
    return chunks.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key ?? .none
  }

  /// For people.
  package var text: String {
    "\(output): \(messages) of \(messagesRead) messages, \(attachments) attachments, "
      + "\(metadata) metadata records, \(missing.map { "\(state): \($0)" } ?? "verified")\n"
  }
}

/// One copy under way.
private struct TraceCopyJob {
  private let archive: TraceArchive
  private let writer: TraceCopyWriter
  private let selection: TraceFilter
  private let wantsDeltas: Bool

  /// For each file, the number of its scene; files with the same are one recording.
  private var groups: [Int] = []

  /// Messages met of each channel that is thinned.
  private var met: [TraceChannelID: Int] = [:]

  /// Groups whose chain of deltas has begun.
  private var begun: Set<Int> = []

  init(
    _ archive: TraceArchive, _ writer: TraceCopyWriter, _ selection: TraceFilter,
    wantsDeltas: Bool
  ) {
    self.archive = archive
    self.writer = writer
    self.selection = selection
    self.wantsDeltas = wantsDeltas
  }

  mutating func run(missing reasons: [String]) throws(TraceError) {
    try writeScenes()
    try writeAttachments(reasons.map(TraceMetadata.init(part:)))
    var topics = selection.topics
    if wantsDeltas { topics?.insert(Topic.frames.rawValue) }
    topics?.remove(Topic.scene.rawValue)
    let times = selection.timeline?.logTimes ?? 0...UInt64.max
    if let timeline = selection.timeline, times.lowerBound > 0 {
      try writePreamble(timeline, topics, to: times.lowerBound - 1)
    }
    let messages = archive.messages(
      topics: topics, fromNs: times.lowerBound, toNs: times.upperBound)
    while let message = try messages.next() {
      guard message.topic != Topic.scene.rawValue else { continue }
      try copy(message, selection.timeline?.part(of: message) ?? .whole)
    }
    try writer.finish()
  }

  /// Writes what of the time before the part is needed: changes, and the transform of what viewers draw.
  private mutating func writePreamble(
    _ timeline: any TraceTimeline, _ topics: Set<String>?, to lastNs: UInt64
  ) throws(TraceError) {
    let needed: Set<String> = [Topic.events.rawValue, Topic.transform.rawValue]
    let messages = archive.messages(
      topics: topics.map(needed.intersection) ?? needed, toNs: lastNs)
    while let message = try messages.next() {
      try copy(message, timeline.preamble(of: message))
    }
  }

  private mutating func copy(
    _ message: TraceArchiveMessage, _ part: TraceMessagePart
  ) throws(TraceError) {
    if part == .none { return }
    let group = groups[message.file]
    switch Topic(rawValue: message.topic) {
    case .frames: begun.insert(group)
    case .deltas where !begun.contains(group): return
    default: break
    }
    let channel = try declare(message)
    if selection.every > 1, TraceFilter.isThinned(message.topic) {
      let count = met[channel, default: 0]
      met[channel] = count + 1
      guard count % selection.every == 0 else { return }
    }
    if case .changed(let sequence, let bytes) = part {
      try bytes.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
        try write(message, sequence: sequence, bytes, to: channel)
      }
    } else {
      try write(message, message.bytes, to: channel)
    }
  }

  /// Writes a message, or a part of it.
  private func write(
    _ message: TraceArchiveMessage, sequence: UInt64? = nil, _ bytes: UnsafeRawBufferPointer,
    to channel: TraceChannelID
  ) throws(TraceError) {
    if let view = selection.view, message.topic == Topic.events.rawValue {
      return try copyEvents(message, bytes, of: view, to: channel)
    }
    try writer.write(message.head, to: channel, sequence: sequence, bytes)
  }

  /// Writes the events of a view, and changes, a message for those that follow each other: numbers stay right.
  private func copyEvents(
    _ message: TraceArchiveMessage, _ bytes: UnsafeRawBufferPointer, of view: String,
    to channel: TraceChannelID
  ) throws(TraceError) {
    guard let all = try? Orrery_Events(serializedBytes: Array(bytes)) else {
      throw TraceError.invalidText(offset: 0).inFile(archive.files[message.file].path)
    }
    var part = all
    part.events = []
    for (index, event) in all.events.enumerated() {
      let isWanted =
        event.kind == .command || event.view == view || event.view.hasPrefix(view + ".")
        || event.view.hasPrefix(view + "[")
      if isWanted {
        if part.events.isEmpty { part.firstNumber = all.firstNumber &+ UInt64(index) }
        part.events.append(event)
      }
      guard !part.events.isEmpty, !isWanted || index == all.events.count - 1 else { continue }
      let bytes: [UInt8] = (try? part.serializedBytes()) ?? []
      try bytes.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
        try writer.write(message.head, to: channel, sequence: part.firstNumber, bytes)
      }
      part.events = []
    }
  }

  /// The channel of a message in the copy.
  private func declare(_ message: TraceArchiveMessage) throws(TraceError) -> TraceChannelID {
    let (owner, id) = (archive.files[message.file], message.head.channel)
    guard var channel = owner.channels[id] else {
      throw TraceError.undeclared(.channel, id: id.number, offset: 0).inFile(owner.path)
    }
    if groups.contains(where: { $0 != groups[0] }) {
      channel.metadata.merge(["file": "\(groups[message.file])"]) { own, _ in own }
    }
    return try writer.declare(channel, schema: channel.schema.flatMap { owner.schemas[$0] })
  }

  // MARK: - What stands once in a trace

  /// Finds which files have the same scene, and writes each scene once.
  private mutating func writeScenes() throws(TraceError) {
    groups = [Int](repeating: 0, count: archive.files.count)
    var known: [[UInt64]: Int] = [:]
    var scenes: [TraceMessageLocation] = []
    var isSeen = [Bool](repeating: false, count: archive.files.count)
    let messages = archive.messages(of: .scene)
    while let message = try messages.next() {
      guard !isSeen[message.file] else { continue }
      isSeen[message.file] = true
      let key = [UInt64(Checksum(message.bytes).value), UInt64(message.bytes.count)]
      if let group = known[key] {
        groups[message.file] = group
      } else {
        groups[message.file] = known.count
        known[key] = known.count
        scenes.append(message.location)
      }
    }
    guard selection.topics?.contains(where: { $0.hasPrefix(Topic.prefix) }) ?? true else { return }
    for scene in scenes {
      let message = try archive.message(at: scene)
      try writer.write(message.head, to: declare(message), message.bytes)
    }
  }

  /// Writes attachments and metadata of all files, and `parts`, once each.
  private func writeAttachments(_ parts: [TraceMetadata]) throws(TraceError) {
    var seen: Set<[UInt64]> = []
    for file in archive.files {
      for attachment in file.attachments {
        let data: [UInt8] = try file.data(of: attachment)
        let sum = data.withUnsafeBytes { Checksum($0).value }
        let name = Array(attachment.head.name.utf8).withUnsafeBytes { Checksum($0).value }
        guard seen.insert([UInt64(name), UInt64(sum), UInt64(data.count)]).inserted else {
          continue
        }
        try writer.add(attachment, data)
      }
    }
    var all = parts
    for file in archive.files { all += try file.metadata() }
    var records: [TraceMetadata] = []
    for record in all where !records.contains(record) {
      records.append(record)
      try writer.add(record)
    }
  }
}
