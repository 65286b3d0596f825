// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace

/// A part of a `FlightRing` on its way into a file.
///
/// It holds its blocks until their messages are in the file, one block after the other.
package final class FlightCopy: @unchecked Sendable {
  /// A block that is held.
  struct Held: Hashable, Sendable {
    let id: ObjectIdentifier
    let byteCount: Int
  }

  private struct State {
    var blocks: [FlightBlock]
    var isDone = false
  }

  private let beginning: FlightBeginning
  private let fromNs: UInt64
  private let state: Monitor<State>

  init(beginning: FlightBeginning, blocks: [FlightBlock], fromNs: UInt64) {
    (self.beginning, self.fromNs) = (beginning, fromNs)
    state = Monitor(State(blocks: blocks))
  }

  /// Blocks that are held now.
  var heldBlocks: [Held] {
    state.read { state in
      state.blocks.map { Held(id: ObjectIdentifier($0), byteCount: $0.capacity) }
    }
  }

  /// Whether it holds nothing any more.
  var isDone: Bool { state.read(\.isDone) }

  /// Writes a whole trace.
  ///
  /// - Parameters:
  ///   - writer: The writer of an empty trace.
  ///   - facts: Entries for its summary, beside its own.
  /// - Returns: What is in it.
  /// - Throws: `TraceError` when it cannot be written.
  package func write(
    to writer: some TraceSink, facts: [String: String]
  ) throws(TraceError) -> FlightSummary {
    defer { state.change { ($0.blocks, $0.isDone) = ([], true) } }
    try writeBeginning(to: writer)
    var summary = FlightSummary()
    let blocks = state.read(\.blocks)
    let start = start(in: blocks)
    let frames = [beginning.channel(.frames), beginning.channel(.deltas)]
    let losses = beginning.channel(.loss)
    for (index, block) in blocks.enumerated() where index >= start.block {
      for entry in block.entries.dropFirst(index == start.block ? start.entry : 0) {
        let (head, bytes) = (entry.head, block.bytes(entry))
        if frames.contains(head.channel) { summary.receive(bytes, logTimeNs: head.logTimeNs) }
        if head.channel == losses { summary.miss(bytes) }
        // A frame that stands by itself may begin the next file of a set.
        if head.channel == frames[0] { _ = try writer.splitIfDue(adding: bytes.count) }
        try writer.write(head, parts: [bytes])
      }
      state.change { $0.blocks.removeAll { $0 === block } }
    }
    try writer.flush { _ in }
    try writer.addMetadata(
      name: "orrery.summary", summary.entries.merging(facts) { first, _ in first })
    try writer.finish()
    return summary
  }

  private func writeBeginning(to writer: some TraceSink) throws(TraceError) {
    for step in beginning.steps {
      switch step {
      case .schema(let schema): _ = try writer.addSchema(schema)
      case .channel(let channel): _ = try writer.addChannel(channel)
      case .attachment(let file, let data):
        try writer.addAttachment(file, data, isPreamble: true)
      case .metadata(let name, let values): try writer.addMetadata(name: name, values)
      case .message(let head, let bytes): try writer.write(head, bytes: bytes, isPreamble: true)
      }
    }
  }

  /// The first message to write: of that time, or with deltas the keyframe on which the first frame of that time stands.
  ///
  /// Without that keyframe, the next one: what is before it cannot be read.
  private func start(in blocks: [FlightBlock]) -> (block: Int, entry: Int) {
    let frames = beginning.channel(.frames)
    let deltas = beginning.channel(.deltas)
    var (first, keyframe): ((block: Int, entry: Int)?, (block: Int, entry: Int)?)
    var lacksKeyframe = false
    for (blockIndex, block) in blocks.enumerated() {
      for (entryIndex, entry) in block.entries.enumerated() {
        let here = (block: blockIndex, entry: entryIndex)
        let (channel, isLate) = (entry.head.channel, entry.head.logTimeNs >= fromNs)
        if isLate, first == nil { first = here }
        if let first, deltas == nil { return first }
        if channel == frames {
          if let first { return lacksKeyframe ? here : first }
          keyframe = here
        } else if isLate, channel == deltas {
          if let keyframe { return keyframe }
          lacksKeyframe = true
        }
      }
    }
    return lacksKeyframe ? (blocks.count, 0) : first ?? (blocks.count, 0)
  }
}

/// What a written part of a ring has of its run.
package struct FlightSummary: Equatable, Sendable {
  /// The first frame and the last; nil if there is none.
  package private(set) var sequences: ClosedRange<UInt64>?
  /// Frames.
  package private(set) var receivedCount: UInt64 = 0
  /// Frames that losses name.
  package private(set) var missedCount: UInt64 = 0
  /// Seconds between the first frame and the last.
  package var seconds: Double { Double(lastNs - min(firstNs, lastNs)) / 1e9 }

  private var (firstNs, lastNs): (UInt64, UInt64) = (0, 0)
  private var (lastTick, lastHash): (UInt64, UInt64) = (0, 0)

  /// Counts a frame, by the numbers that it begins with.
  fileprivate mutating func receive(_ bytes: UnsafeRawBufferPointer, logTimeNs: UInt64) {
    var fields = FieldReader(bytes)
    let numbers = (try? fields.leadingNumbers(to: 7)) ?? InlineArray(repeating: 0)
    let sequence = numbers[1]
    if receivedCount == 0 { firstNs = logTimeNs }
    sequences = min(sequences?.lowerBound ?? sequence, sequence)...sequence
    receivedCount += 1
    (lastNs, lastTick, lastHash) = (logTimeNs, numbers[2], numbers[5])
  }

  /// Counts a gap, unless it is of one shard.
  fileprivate mutating func miss(_ bytes: UnsafeRawBufferPointer) {
    guard let loss = try? Orrery_Loss(serializedBytes: Array(bytes)), !loss.hasShard,
      loss.lastSequence >= loss.firstSequence
    else { return }
    missedCount += loss.lastSequence - loss.firstSequence + 1
  }

  /// Entries of the summary.
  fileprivate var entries: [String: String] {
    [
      "published": "\(receivedCount + missedCount)", "received": "\(receivedCount)",
      "missed": "\(missedCount)", "joined_after": "\((sequences?.lowerBound ?? 1) - 1)",
      "last_tick": "\(lastTick)", "state_hash": hexadecimal(lastHash),
    ]
  }
}
