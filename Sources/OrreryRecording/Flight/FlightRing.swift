// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace

/// The last seconds of a recording, in memory.
///
/// Messages are copied into blocks, the newest block last. A block is used again once its messages are older than
/// what is to be kept, or when there is no memory for another one. `FlightCopy` takes the blocks as they are,
/// and keeps theirs while it writes them; the ring goes on with others.
///
///     oldest ──► [block][block][block][open block] ◄── messages
///                   └──────┴─── a copy that is being written holds these
///
/// What is recorded before `endBeginning` (the scene, schemas, channels, metadata) is kept for ever.
package final class FlightRing: TraceSink {
  /// Bytes of a block; a larger message has a block of its own.
  package static let blockBytes = 4 << 20

  /// What every file begins with.
  private(set) var beginning = FlightBeginning()

  private var hasBegun = false
  private var blocks: [FlightBlock] = []
  private var spare: [FlightBlock] = []
  private var copies: [FlightCopy] = []

  /// Nanoseconds that are kept at least, if memory lasts.
  private let keptNs: UInt64

  /// Bytes of all blocks, at most.
  private let bytesMax: Int

  /// Messages that were not taken because all memory was held.
  package private(set) var refusedCount: UInt64 = 0

  /// - Parameters:
  ///   - keptNs: Time that a copy can go back.
  ///   - bytesMax: Memory, at most; of it the ring itself uses two thirds, so that something is left while
  ///     a copy is written.
  package init(keptNs: UInt64, bytesMax: Int) {
    // A keyframe is at most a second before what is wanted; chunks of memory are given up whole.
    self.keptNs = keptNs + 2_000_000_000
    self.bytesMax = bytesMax
  }

  /// From now on messages are kept only for a time.
  package func endBeginning() { hasBegun = true }

  // MARK: - TraceSink

  /// Keeps a schema for every file.
  package func addSchema(_ schema: TraceSchema) throws(TraceError) -> TraceSchemaID {
    beginning.steps.append(.schema(schema))
    beginning.schemaCount += 1
    return TraceSchemaID(number: beginning.schemaCount)
  }

  /// Keeps a channel for every file.
  package func addChannel(_ channel: TraceChannel) throws(TraceError) -> TraceChannelID {
    beginning.steps.append(.channel(channel))
    beginning.topics.append(channel.topic)
    return TraceChannelID(number: UInt16(beginning.topics.count))
  }

  /// Keeps an attachment for every file.
  package func addAttachment(
    _ file: TraceAttachmentHead, _ data: [UInt8], isPreamble: Bool
  ) throws(TraceError) {
    beginning.steps.append(.attachment(file, data))
  }

  /// Keeps metadata of the beginning for every file; the account at the end is that of the whole run, and not kept.
  package func addMetadata(name: String, _ values: [String: String]) throws(TraceError) {
    if !hasBegun { beginning.steps.append(.metadata(name: name, values)) }
  }

  /// Copies a message into the open block; one of the beginning is kept for every file.
  ///
  /// - Returns: False if it was not intact, or if there was no memory for it.
  @discardableResult
  package func write(
    _ head: TraceMessageHead, parts: [UnsafeRawBufferPointer], isPreamble: Bool,
    isIntact: () -> Bool
  ) throws(TraceError) -> Bool {
    guard hasBegun, !isPreamble else {
      beginning.steps.append(.message(head, parts.flatMap { Array($0) }))
      return true
    }
    let byteCount = parts.reduce(0) { $0 + $1.count }
    guard let block = block(for: byteCount, nowNs: head.logTimeNs) else {
      refusedCount += 1
      return false
    }
    return block.append(head, parts: parts, isIntact: isIntact)
  }

  /// Never: each file is made of a copy.
  package func splitIfDue(adding byteCount: Int) -> Bool { false }
  /// None: files are made of copies.
  package var paths: [String] { [] }
  /// Does nothing: blocks go when they are old.
  package func flushIfDue() throws(TraceError) {}
  /// Does nothing.
  package func flush(progress: (Int) -> Void) throws(TraceError) {}
  /// Does nothing: what is wanted was copied.
  package func finish() throws(TraceError) {}

  package var sinkLoad: SinkLoad {
    SinkLoad(queuedBytes: UInt64(blocks.reduce(0) { $0 + $1.capacity - $1.room }))
  }

  // MARK: - Copies

  /// The messages from a time on, to be written by another thread.
  package func copy(fromNs: UInt64) -> FlightCopy {
    let copy = FlightCopy(beginning: beginning, blocks: blocks, fromNs: fromNs)
    copies.append(copy)
    // The open block is not filled any further: the copy reads it.
    isOpen = false
    return copy
  }

  private var isOpen = false

  // MARK: - Memory

  /// The open block if it has room, or another one; nil if there is no memory.
  private func block(for byteCount: Int, nowNs: UInt64) -> FlightBlock? {
    if isOpen, let last = blocks.last, last.room >= byteCount { return last }
    copies.removeAll(where: \.isDone)
    while let oldest = blocks.first, oldest.lastNs &+ keptNs < nowNs { giveUp(oldest) }
    let capacity = max(byteCount, Self.blockBytes)
    let held = Set(copies.flatMap(\.heldBlocks))
    /// Bytes of blocks that only copies hold.
    let own = Set(blocks.map(ObjectIdentifier.init))
    let foreign = held.filter { !own.contains($0.id) }.reduce(0) { $0 + $1.byteCount }
    let most = allowedBytes(ownBytes: byteTotal + foreign)
    let ringMax = min(most / 3 * 2, most - foreign)
    while let oldest = blocks.first, byteTotal + capacity > ringMax { giveUp(oldest) }
    guard byteTotal + capacity <= max(ringMax, 0) || (blocks.isEmpty && foreign == 0) else {
      return nil
    }
    let block: FlightBlock
    if let index = spare.firstIndex(where: { $0.capacity >= capacity && $0.capacity < 2 * capacity }
    ) {
      block = spare.remove(at: index)
      block.clear()
    } else {
      spare = []
      block = FlightBlock(capacity: capacity)
    }
    blocks.append(block)
    isOpen = true
    return block
  }

  /// Bytes that all blocks may have now: less than was asked for where the process has a limit on its memory.
  private func allowedBytes(ownBytes: Int) -> Int {
    guard let other = MemoryLimit.usedBytes(beside: ownBytes) else { return bytesMax }
    return min(bytesMax, Int(MemoryLimit.room(besides: other) ?? .max))
  }

  private var byteTotal: Int { blocks.reduce(0) { $0 + $1.capacity } }

  /// Lets the oldest block go; one that no copy holds is used again.
  private func giveUp(_ block: FlightBlock) {
    blocks.removeFirst()
    let isHeld = copies.contains { copy in copy.heldBlocks.contains { $0.id == .init(block) } }
    if !isHeld, spare.count < 2 { spare.append(block) }
  }
}

/// What every file of a ring begins with, in the order in which it was recorded.
struct FlightBeginning: Sendable {
  enum Step: Sendable {
    case schema(TraceSchema)
    case channel(TraceChannel)
    case attachment(TraceAttachmentHead, [UInt8])
    case metadata(name: String, [String: String])
    case message(TraceMessageHead, [UInt8])
  }

  var steps: [Step] = []
  var topics: [String] = []
  var schemaCount: UInt16 = 0

  /// The channel of a topic.
  func channel(_ topic: Topic) -> TraceChannelID? {
    topics.firstIndex(of: topic.rawValue).map { TraceChannelID(number: UInt16($0 + 1)) }
  }
}
