// SPDX-License-Identifier: Apache-2.0

/// The exact counts of the events that a subscriber received and missed; every event of a run has a
/// number.
package struct EventLosses: Equatable, Sendable {
  /// Events received.
  package private(set) var receivedCount: UInt64 = 0

  /// Whether the run's last message arrived; from then on the counts are final.
  package private(set) var isFinal = false

  /// The first number received; nil before the first message.
  private var first: UInt64?

  /// The number expected next.
  private var next: UInt64 = 1

  /// Events missing between received messages.
  private var gapCount: UInt64 = 0

  /// Counts of nothing.
  package init() {}

  /// Counts a message; a message older than the last one is ignored, and so are timings.
  package mutating func receive(_ head: EventsHead) {
    if head.timings != nil { return }
    let expected = first == nil ? head.firstNumber : next
    guard head.firstNumber >= expected, head.count <= UInt64.max - head.firstNumber else { return }
    if first == nil { first = head.firstNumber }
    gapCount += head.firstNumber - expected
    receivedCount += head.count
    next = head.firstNumber + head.count
    isFinal = head.count == 0
  }

  /// Events that were numbered and not received.
  ///
  /// - Parameter isFromStart: Whether the subscriber joined before the first frame. If it joined
  ///   later, events before its first message do not count as missed.
  /// - Returns: Their count.
  package func missedCount(isFromStart: Bool) -> UInt64 {
    gapCount + (isFromStart ? max(first ?? 1, 1) - 1 : 0)
  }
}

/// The header of an `orrery.Events` message, read without decoding its events.
package struct EventsHead: Equatable, Sendable {
  /// Generation of the run.
  package let generation: UInt64
  /// Number of its first event.
  package let firstNumber: UInt64
  /// The tick that was computed when the events came about.
  package let tick: UInt64
  /// Events in the message.
  package let count: UInt64
  /// Where its `orrery.Timings` lie; nil: it has none.
  package let timings: Range<Int>?
  /// Whether recorders are asked to keep what they have.
  package let asksToKeep: Bool

  /// Reads a message.
  ///
  /// - Parameter bytes: Untrusted bytes; the result is nil if they have fields that such a message
  ///   does not have.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    var (generation, firstNumber, tick): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var count: UInt64 = 0
    var timings: Range<Int>?
    var asksToKeep = false
    var offset = 0
    while offset < bytes.count {
      let tag = bytes[offset]
      switch tag {
      case 0x09, 0x11, 0x19:
        guard bytes.count - offset >= 9 else { return nil }
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self))
        switch tag {
        case 0x09: generation = word
        case 0x11: firstNumber = word
        default: tick = word
        }
        offset += 9
      case 0x22, 0x2a:
        guard let part = Self.length(bytes, at: offset + 1),
          part.length <= bytes.count - part.end
        else { return nil }
        offset = part.end + part.length
        if tag == 0x2a {
          timings = part.end..<offset
        } else {
          count += 1
          if Self.asksToKeep(bytes, part.end..<offset) { asksToKeep = true }
        }
      default: return nil
      }
    }
    (self.generation, self.firstNumber, self.tick) = (generation, firstNumber, tick)
    (self.count, self.timings, self.asksToKeep) = (count, timings, asksToKeep)
  }

  /// Whether an event's kind is KEEP: the field comes first or after the time.
  private static func asksToKeep(_ bytes: UnsafeRawBufferPointer, _ event: Range<Int>) -> Bool {
    guard let first = event.first else { return false }
    let kind = bytes[first] == 0x09 ? first + 9 : first
    return kind + 1 < event.upperBound && bytes[kind] == 0x10 && bytes[kind + 1] == 6
  }

  /// A length of up to four bytes, and the offset after it.
  private static func length(
    _ bytes: UnsafeRawBufferPointer, at start: Int
  ) -> (length: Int, end: Int)? {
    var length = 0
    for index in 0..<4 where start + index < bytes.count {
      let byte = bytes[start + index]
      length |= Int(byte & 0x7f) << (7 * index)
      if byte < 0x80 { return (length, start + index + 1) }
    }
    return nil
  }
}
