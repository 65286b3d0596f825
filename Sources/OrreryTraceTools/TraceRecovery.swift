// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryTrace

/// What `orrery trace recover --json` prints: docs/schemas/trace-recover.schema.json.
package struct TraceRecovery: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.trace-recover.v1"

  /// A part of the input that was lost.
  package struct Loss: Encodable, Equatable {
    /// In bytes from the start of the file.
    package let offset: UInt64
    /// Bytes.
    package let bytes: UInt64
    /// Name of the record, or `unreadable`, or `unknown` if only the checksum of the whole differs.
    package let kind: String
    /// What is wrong.
    package let fault: String
  }

  /// The file that was read.
  package let input: String
  /// The file that was written.
  package let output: String
  /// Messages written.
  package let messages: UInt64
  /// Attachments written.
  package let attachments: UInt64
  /// Metadata records written.
  package let metadata: UInt64
  /// Whether content of the file was lost.
  package let isLossy: Bool
  /// Whether the file has the end of its data.
  ///
  /// Without it a writer was stopped, and what it had not
  /// written is unknown.
  package let hasEnd: Bool
  /// Whole, unfinished or damaged: the input.
  package let state: String
  /// What is missing in the input or wrong with it; nil for a whole one.
  package let fault: String?
  /// Messages of whole chunks whose channel was declared in a lost one.
  package let undeclaredMessages: UInt64
  /// Messages of whole chunks that cannot have been written so; they are not in the copy.
  package let impossibleMessages: UInt64
  /// Bytes lost, by kind.
  package let lostBytes: [String: UInt64]
  /// What was lost, in the order of the file.
  package let losses: [Loss]

  /// Copies everything that is whole into a new file, and verifies that.
  ///
  /// - Parameters:
  ///   - input: The damaged file.
  ///   - output: The new file.
  ///   - overwrite: Whether a file that is there is replaced.
  ///   - isPossible: Whether a message's content is one that may have been written; messages come in the order of
  ///     the file.
  /// - Throws: `Failure`: `badData` if nothing is whole, and no file is then left; `inputOutput`.
  package init(
    input: String, output: String, overwrite: Bool,
    isPossible: (TraceMessage) -> Bool = { _ in true }
  ) throws(Failure) {
    let salvage = try Failure.of { try TraceSalvage(path: input) }
    try checkOutput(output, isNoneOf: [input])
    let file: TraceArchiveFile?
    var state: TraceState
    do throws(TraceError) {
      let opened = try TraceArchiveFile(path: input)
      (file, state) = (opened, opened.state)
    } catch {
      (file, state) = (nil, .damaged(error))
    }
    let copy: TraceCopyWriter
    do throws(TraceError) {
      copy = try TraceCopyWriter(
        path: output, compression: Self.compression(file), overwrite: overwrite)
    } catch {
      throw Failure(writing: output, error)
    }
    var impossible: UInt64 = 0
    let hasContent: Bool
    do throws(TraceError) {
      try salvage.run { (item) throws(TraceError) in
        switch item {
        case .message(let message):
          guard let channel = salvage.channels[message.head.channel] else { return }
          guard isPossible(message) else {
            impossible += 1
            return
          }
          let own = try copy.declare(
            channel, schema: channel.schema.flatMap { salvage.schemas[$0] })
          try copy.write(message.head, to: own, message.bytes)
        case .attachment(let attachment, let data): try copy.add(attachment, Array(data))
        case .metadata(let metadata): try copy.add(metadata)
        }
      }
      isLossy =
        impossible > 0 || salvage.undeclaredMessages > 0
        || salvage.losses.contains(where: \.isOfContent)
      let damage = salvage.losses.first { loss in
        loss.kind != "doubtful" && file?.state(strictly: loss.fault, at: loss.offset) != state
      }
      if salvage.isDamaged, state.word != "damaged", let damage { state = .damaged(damage.fault) }
      // A file without content may be whole.
      hasContent = !copy.isEmpty || state == .whole && !isLossy
      // Channels without messages.
      for channel in salvage.channels.sorted(by: { $0.key.number < $1.key.number }).map(\.value) {
        try copy.declare(channel, schema: channel.schema.flatMap { salvage.schemas[$0] })
      }
      if isLossy || state.word == "unfinished" {
        try copy.add(TraceMetadata(part: state.reason ?? "\(impossible) messages were left out"))
      }
      if hasContent { try copy.finish() } else { copy.discard() }
    } catch {
      // A part of it would look like all that is whole.
      copy.discard()
      throw Failure(writing: output, error)
    }
    (self.input, self.output) = (input, output)
    (self.state, fault, impossibleMessages) = (state.word, state.reason, impossible)
    (messages, attachments, metadata) = (copy.messages, copy.attachments, copy.metadata)
    hasEnd = salvage.hasEnd
    undeclaredMessages = salvage.undeclaredMessages
    var bytes: [String: UInt64] = [:]
    for loss in salvage.losses { bytes[loss.kind, default: 0] += loss.byteCount }
    lostBytes = bytes
    losses = salvage.losses.map {
      Loss(offset: $0.offset, bytes: $0.byteCount, kind: $0.kind, fault: "\($0.fault)")
    }
    guard hasContent else {
      throw Failure(.badData, "\(input): \(state.text); nothing in it is whole")
    }
    try verify(output)
  }

  /// The compression that the copy gets: that of most chunks.
  private static func compression(_ file: TraceArchiveFile?) -> TraceCompression {
    file?.totals.max { $0.value.chunkCount < $1.value.chunkCount }?.key ?? .none
  }

  /// For people.
  package var text: String {
    var lines = losses.prefix(20).map { loss in
      // What nothing proves was copied all the same.
      (loss.kind == "doubtful" ? "" : "lost: ")
        + "offset \(loss.offset), \(loss.bytes) bytes, \(loss.kind): \(loss.fault)"
    }
    if losses.count > 20 { lines.append("lost: \(losses.count - 20) more parts") }
    if undeclaredMessages > 0 {
      lines.append("lost: \(undeclaredMessages) messages whose channel is unknown")
    }
    if impossibleMessages > 0 {
      lines.append("lost: \(impossibleMessages) messages that no run makes")
    }
    if let fault { lines.append("\(input): \(state): \(fault)") }
    lines.append(
      "\(output): \(messages) messages, \(attachments) attachments, \(metadata) metadata records, "
        + "verified; "
        + (isLossy
          ? "with losses"
          : state == "unfinished" ? "all that the file has" : "nothing in the file was lost"))
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Refuses to write over an input.
func checkOutput(_ output: String, isNoneOf inputs: [String]) throws(Failure) {
  if let clash = OutputPaths.clash([("--out", output)], inputs: inputs) {
    throw Failure(.usage, clash)
  }
}

/// Checks a file that was just written as if it were anybody's.
///
/// - Returns: Its state in one word: whole or unfinished.
@discardableResult
func verify(_ path: String) throws(Failure) -> String {
  let check = try Failure.of(.inputOutput) { try TraceCheck(paths: [path]) }
  if check.isDamaged, let fault = check.files.first?.fault {
    throw Failure(.inputOutput, "\(path): what was written does not pass verify: \(fault)")
  }
  return check.files.first?.state ?? ""
}

extension Failure {
  /// The failure of a file that cannot be written, or of an input that it is made of.
  init(writing path: String, _ error: TraceError) {
    if case .inFile = error {
      self.init(.badData, error)
      return
    }
    if case .writeFailed(let failure) = error {
      self.init(.inputOutput, "\(failure.cause); nothing is left of the copy")
      return
    }
    let text = "\(error)"
    self.init(.inputOutput, text.contains(path) ? text : "\(path): \(text)")
  }
}
