// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrrerySim

/// Encodes `orrery.Events` messages of bounded size, event by event.
///
/// It writes the bytes that the generated type would write, fields in the order of their numbers.
/// The generated type would take a microsecond and several allocations for each event.
package struct EventEncoder {
  /// Bytes after which a message is full: room for many events, but little to lose or to queue for
  /// a subscriber.
  package static let fullBytes = 32 << 10

  /// The message so far.
  package private(set) var bytes: [UInt8] = []

  private let generation: UInt64

  /// Creates an encoder for the messages of one run.
  package init(generation: UInt64) {
    self.init(generation: generation, reserving: 2 * Self.fullBytes)
  }

  private init(generation: UInt64, reserving byteCount: Int) {
    self.generation = generation
    bytes.reserveCapacity(byteCount)
  }

  /// Begins a message.
  ///
  /// - Parameters:
  ///   - firstNumber: Number of its first event.
  ///   - tick: The tick whose events it holds.
  package mutating func begin(firstNumber: UInt64, tick: UInt64) {
    bytes.removeAll(keepingCapacity: true)
    for (field, value) in [(1, generation), (2, firstNumber), (3, tick)] where value != 0 {
      bytes.append(UInt8(field << 3 | 1))
      append(word: value)
    }
  }

  /// Whether the message must be sent before more is added.
  package var isFull: Bool { bytes.count >= Self.fullBytes }

  /// Adds an event of a view, or a completion.
  ///
  /// - Parameters:
  ///   - event: The director's event.
  ///   - name: Name of its view or completion.
  ///   - firstEntity: Number of the entity that is view 0.
  package mutating func append(_ event: DirectorEvent, name: String, firstEntity: Int) {
    let start = beginEvent(time: event.time)
    switch event.kind {
    case .legEnded(let view, let channel, let leg):
      append(.legEnded, name, firstEntity + view, channel)
      append(field: 6, UInt64(leg))
    case .logicallyComplete(let view, let channel):
      append(.logicallyComplete, name, firstEntity + view, channel)
    case .removed(let view, let channel, let isFinished):
      append(.removed, name, firstEntity + view, channel)
      append(field: 7, isFinished ? 0 : 1)
    case .completed:
      append(field: 2, UInt64(Orrery_Event.Kind.completed.rawValue))
      append(field: 8, name)
    }
    endEvent(start)
  }

  /// Adds a command that was applied.
  package mutating func append(command: String, time: Double) {
    let start = beginEvent(time: time)
    append(field: 2, UInt64(Orrery_Event.Kind.command.rawValue))
    append(field: 9, command)
    endEvent(start)
  }

  /// Adds the event that recorders are asked to keep what they have.
  package mutating func appendKeep(time: Double) {
    let start = beginEvent(time: time)
    append(field: 2, UInt64(Orrery_Event.Kind.keep.rawValue))
    endEvent(start)
  }

  /// Adds the timings of frames, to a message without events.
  package mutating func append(
    _ frames: UnsafeBufferPointer<FrameTiming>, of head: TimingPages.Head
  ) {
    appendNested(field: 5) { encoder in
      encoder.bytes.append(1 << 3 | 1)
      encoder.append(word: encoder.generation)
      encoder.bytes.append(2 << 3 | 1)
      encoder.append(word: head.firstSequence)
      encoder.append(field: 3, packed: frames) { $0.waitNs }
      encoder.append(field: 4, packed: frames) { $0.computeNs }
      encoder.append(field: 5, packed: frames) { $0.publishNs }
      encoder.append(field: 6, head.lateTicks)
    }
  }
}

// MARK: - Fields

extension EventEncoder {
  /// Begins an event, with room for a length of one byte.
  private mutating func beginEvent(time: Double) -> Int {
    bytes.append(4 << 3 | 2)
    let start = bytes.count
    bytes.append(0)
    if time.bitPattern != 0 {
      bytes.append(1 << 3 | 1)
      append(word: time.bitPattern)
    }
    return start
  }

  /// Writes the length of the event that began at `start`.
  private mutating func endEvent(_ start: Int) {
    let count = bytes.count - start - 1
    if count < 0x80 {
      bytes[start] = UInt8(count)
      return
    }
    var length: [UInt8] = []
    var rest = count
    while rest >= 0x80 {
      length.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    length.append(UInt8(rest))
    bytes.replaceSubrange(start...start, with: length)
  }

  /// Writes one number of each frame.
  @inline(__always)
  private mutating func append(
    field: UInt8, packed frames: UnsafeBufferPointer<FrameTiming>, _ part: (FrameTiming) -> UInt32
  ) {
    appendNested(field: field) { encoder in
      for frame in frames { encoder.append(varint: UInt64(part(frame))) }
    }
  }

  /// Writes a field of any length, whose content `body` appends.
  private mutating func appendNested(field: UInt8, _ body: (inout EventEncoder) -> Void) {
    bytes.append(field << 3 | 2)
    let start = bytes.count
    body(&self)
    // The content moves back by the bytes of its length: a copy of what is in the cache.
    var length = EventEncoder(generation: 0, reserving: 0)
    length.append(varint: UInt64(bytes.count - start))
    bytes.insert(contentsOf: length.bytes, at: start)
  }

  private mutating func append(
    _ kind: Orrery_Event.Kind, _ view: String, _ entity: Int, _ channel: ViewChannel
  ) {
    append(field: 2, UInt64(kind.rawValue))
    append(field: 3, view)
    append(field: 4, UInt64(entity))
    append(field: 5, UInt64(channel.property?.fieldNumber ?? 0))
  }

  /// Writes a number; 0 is omitted, as it is the default.
  private mutating func append(field: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    bytes.append(field << 3)
    append(varint: value)
  }

  private mutating func append(field: UInt8, _ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    text.withUTF8 { utf8 in
      bytes.append(field << 3 | 2)
      append(varint: UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
