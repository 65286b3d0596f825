// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryTrace

/// What `orrery trace info --json` prints: docs/schemas/trace-info.schema.json.
package struct TraceInfo: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.trace-info.v1"

  /// One file.
  package struct File: Encodable {
    /// As given.
    package let path: String
    /// Size.
    package let bytes: UInt64
    /// Whole, unfinished or damaged; chunks' contents are not looked at.
    package let state: String
    /// What is missing or wrong; nil for a whole file.
    package let fault: String?
    /// Its offset.
    package let faultOffset: UInt64?
    /// Whether it was opened by its summary.
    package let summary: Bool
    /// The library that wrote it.
    package let library: String
    /// Chunks.
    package let chunks: Int
  }

  /// One topic.
  package struct Channel: Encodable {
    /// Its name.
    package let topic: String
    /// Name of its schema; empty without one.
    package let schemaName: String
    /// Encoding of its messages.
    package let encoding: String
    /// Messages.
    package let messages: UInt64
    /// Messages a second between the first and the last of the trace; 0 for a single moment.
    package let hz: Double
  }

  /// Chunks with one compression.
  package struct Storage: Encodable {
    /// `none`, `lz4` or `zstd`.
    package let compression: String
    /// Chunks.
    package let chunks: UInt64
    /// Bytes as stored.
    package let storedBytes: UInt64
    /// Bytes when decompressed.
    package let recordBytes: UInt64
  }

  /// One attachment.
  package struct Attachment: Encodable {
    /// Its name.
    package let name: String
    /// Its media type.
    package let mediaType: String
    /// Its size.
    package let bytes: UInt64
  }

  /// The files.
  package let files: [File]
  /// The runs, or shards of a run, that are recorded in them.
  package let runs: [TraceRunInfo]
  /// Messages of all files.
  package let messages: UInt64
  /// Earliest log time, in nanoseconds since 1970; 0 without messages.
  package let startNs: UInt64
  /// Latest log time.
  package let endNs: UInt64
  /// From the earliest to the latest.
  package let durationS: Double
  /// Topics by name.
  package let channels: [Channel]
  /// By compression.
  package let storage: [Storage]
  /// Attachments of all files.
  package let attachments: [Attachment]
  /// Metadata records by name; what a later file says under the same name and key counts.
  package let metadata: [String: [String: String]]

  /// Whether all files are whole.
  package var isWhole: Bool { files.allSatisfy { $0.state == "whole" } }

  /// Reads what an archive knows.
  ///
  /// - Parameters:
  ///   - archive: The files.
  ///   - runs: What is known of the runs in them.
  /// - Throws: `TraceError.inFile` if a metadata record cannot be read.
  package init(_ archive: TraceArchive, runs: [TraceRunInfo] = []) throws(TraceError) {
    self.runs = runs
    files = archive.files.map(Self.file)
    messages = archive.files.reduce(0) { $0 &+ $1.statistics.messageCount }
    (startNs, endNs) = (archive.startNs ?? 0, archive.endNs ?? 0)
    durationS = Double(endNs &- min(startNs, endNs)) / 1e9
    var topics: [String: Channel] = [:]
    for file in archive.files {
      for (id, channel) in file.channels {
        let count =
          (topics[channel.topic]?.messages ?? 0) &+ (file.statistics.messageCounts[id] ?? 0)
        topics[channel.topic] = Channel(
          topic: channel.topic,
          schemaName: channel.schema.flatMap { file.schemas[$0]?.name } ?? "",
          encoding: channel.messageEncoding, messages: count,
          hz: durationS > 0 ? Double(count) / durationS : 0)
      }
    }
    channels = topics.values.sorted { $0.topic < $1.topic }
    var totals: [TraceCompression: Storage] = [:]
    for (compression, total) in archive.files.flatMap(\.totals) {
      let before = totals[compression]
      totals[compression] = Storage(
        compression: compression.rawValue, chunks: (before?.chunks ?? 0) &+ total.chunkCount,
        storedBytes: (before?.storedBytes ?? 0) &+ total.storedBytes,
        recordBytes: (before?.recordBytes ?? 0) &+ total.recordBytes)
    }
    storage = totals.values.sorted { $0.compression < $1.compression }
    attachments = archive.files.flatMap(\.attachments).map {
      Attachment(name: $0.head.name, mediaType: $0.head.mediaType, bytes: $0.head.dataBytes)
    }
    var metadata: [String: [String: String]] = [:]
    for file in archive.files {
      for record in try file.metadata() {
        metadata[record.name, default: [:]].merge(record.values) { _, later in later }
      }
    }
    self.metadata = metadata
  }

  private static func file(_ file: TraceArchiveFile) -> File {
    // Messages outside of chunks have an entry too.
    let chunks = file.totals.values.reduce(0) { $0 &+ $1.chunkCount }
    return File(
      path: file.path, bytes: file.byteCount, state: file.state.word, fault: file.state.reason,
      faultOffset: file.state.offset, summary: file.hasSummary, library: file.library,
      chunks: Int(clamping: chunks))
  }
}

extension TraceInfo {
  /// Metadata of Orrery's own traces that lines of the run have, too.
  private static let shownAbove: Set = [
    "orrery.recording.command_line", "orrery.recording.mode", "orrery.recording.version",
    "orrery.summary.last_tick", "orrery.summary.missed", "orrery.summary.state_hash",
  ]

  /// For people: one line for each fact.
  package var text: String {
    var report = ReportText()
    for file in files {
      report.addLine("\(file.path): \(file.state), \(file.bytes) bytes, \(file.chunks) chunks")
      if let fault = file.fault { report.addLine("  " + fault) }
    }
    for run in runs { run.add(to: &report) }
    report.addWhole("duration", "\(durationS) s")
    report.addWhole("messages", "\(messages)")
    for total in storage {
      let isPlain = total.compression == TraceCompression.none.rawValue
      report.addWhole(
        "chunks",
        "\(total.chunks) \(isPlain ? "uncompressed" : total.compression), \(total.storedBytes) bytes"
          + " of \(total.recordBytes)")
    }
    for channel in channels {
      let rate = (channel.hz * 100).rounded() / 100
      report.addWhole(
        "topic",
        "\(channel.topic)  \(channel.messages) messages, \(rate) Hz, "
          + (channel.schemaName.isEmpty ? channel.encoding : channel.schemaName))
    }
    for file in attachments {
      report.addWhole("attachment", "\(file.name)  \(file.bytes) bytes, \(file.mediaType)")
    }
    for (name, values) in metadata.sorted(by: { $0.key < $1.key }) {
      let values = values.filter { !Self.shownAbove.contains("\(name).\($0.key)") }
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        report.addWhole("metadata", "\(name).\(key)  \(value)")
      }
    }
    return report.text + "\n"
  }
}
