// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryTrace

/// What `orrery trace cat` prints: a line for each message, by rising log time.
package struct TraceListing {
  /// How a line is written.
  package enum Format: String, CaseIterable, Sendable {
    /// A JSON object.
    case ndjson
    /// Comma-separated values, after a line of names.
    case csv
  }

  private let archive: TraceArchive
  private let selection: TraceFilter
  private let format: Format
  private let isWhole: Bool

  /// By schema, as texts of descriptors are long to read.
  private final class Decoders {
    var known: [Int: [TraceSchemaID: ProtobufText?]] = [:]
  }
  private let decoders = Decoders()

  /// - Parameters:
  ///   - archive: The trace.
  ///   - selection: The messages that are wanted.
  ///   - format: How they are written.
  ///   - isWhole: Whether lists of more than sixteen values are written in full.
  package init(
    _ archive: TraceArchive, _ selection: TraceFilter, format: Format, isWhole: Bool
  ) {
    self.archive = archive
    self.selection = selection
    self.format = format
    self.isWhole = isWhole
  }

  /// Writes the lines.
  ///
  /// - Parameter write: Takes a line, and returns false if no more is wanted.
  /// - Throws: `Failure` for a file that cannot be read to its end.
  package func write(_ write: (String) -> Bool) throws(Failure) {
    do throws(TraceError) {
      if format == .csv,
        !write(
          "time_s,tick,scene_time_s,log_time_ns,publish_time_ns,topic,sequence,schema,message")
      {
        return
      }
      let times = selection.timeline?.logTimes ?? 0...UInt64.max
      let start = archive.startNs ?? 0
      var met: [String: Int] = [:]
      let messages = archive.messages(
        topics: selection.topics, fromNs: times.lowerBound, toNs: times.upperBound)
      while let message = try messages.next() {
        if selection.timeline?.part(of: message) == TraceMessagePart.none { continue }
        if selection.every > 1 {
          let count = met[message.topic, default: 0]
          met[message.topic] = count + 1
          if count % selection.every != 0 { continue }
        }
        guard write(line(message, start: start)) else { return }
      }
    } catch {
      throw Failure(error)
    }
  }

  private func line(_ message: TraceArchiveMessage, start: UInt64) -> String {
    let file = archive.files[message.file]
    let channel = file.channels[message.head.channel]
    let schema = channel?.schema.flatMap { file.schemas[$0] }
    let content = content(message, channel, schema)
    let seconds = Double(message.head.logTimeNs &- start) / 1e9
    let scene = selection.timeline?.sceneTime(of: message)
    switch format {
    case .ndjson:
      let sceneText = scene.map { "\"tick\":\($0.tick),\"scene_time_s\":\($0.seconds)," } ?? ""
      return "{\"time_s\":\(seconds),\(sceneText)\"log_time_ns\":\(message.head.logTimeNs),"
        + "\"publish_time_ns\":\(message.head.publishTimeNs),"
        + "\"topic\":\(JSONWriter.string(message.topic, .answer)),"
        + "\"sequence\":\(message.head.sequence),"
        + "\"schema\":\(JSONWriter.string(schema?.name ?? "", .answer)),\"message\":\(content)}"
    case .csv:
      let fields = [
        "\(seconds)", scene.map { "\($0.tick)" } ?? "", scene.map { "\($0.seconds)" } ?? "",
        "\(message.head.logTimeNs)", "\(message.head.publishTimeNs)", message.topic,
        "\(message.head.sequence)", schema?.name ?? "", content,
      ]
      return fields.map(CSVText.cell).joined(separator: ",")
    }
  }

  /// The message as JSON; base64 of what cannot be decoded.
  private func content(
    _ message: TraceArchiveMessage, _ channel: TraceChannel?, _ schema: TraceSchema?
  ) -> String {
    if channel?.messageEncoding == "json",
      let text = String(validating: message.bytes, as: UTF8.self),
      !text.contains(where: \.isNewline)
    {
      return text
    }
    if channel?.messageEncoding == Topic.encoding, let schema,
      let decoder = decoder(message.file, channel?.schema, schema),
      let text = decoder.json(message.bytes, name: schema.name)
    {
      return text
    }
    return "\"\(Data(message.bytes).base64EncodedString())\""
  }

  private func decoder(
    _ file: Int, _ id: TraceSchemaID?, _ schema: TraceSchema
  ) -> ProtobufText? {
    guard let id, schema.encoding == Topic.encoding else { return nil }
    if let known = decoders.known[file]?[id] { return known }
    let decoder = ProtobufText(schema.data, isWhole: isWhole)
    decoders.known[file, default: [:]][id] = .some(decoder)
    return decoder
  }
}
