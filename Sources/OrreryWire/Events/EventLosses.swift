// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages

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
    var fields = FieldReader(bytes)
    do throws(FieldReader.Fault) {
      while let field = try fields.next() {
        switch field {
        case (1, .fixed64(let word)): generation = word
        case (2, .fixed64(let word)): firstNumber = word
        case (3, .fixed64(let word)): tick = word
        case (4, .bytes(let event)):
          count += 1
          if Self.asksToKeep(FieldReader(bytes, in: event)) { asksToKeep = true }
        case (5, .bytes(let range)): timings = range
        default: return nil
        }
      }
    } catch {
      return nil
    }
    (self.generation, self.firstNumber, self.tick) = (generation, firstNumber, tick)
    (self.count, self.timings, self.asksToKeep) = (count, timings, asksToKeep)
  }

  /// Whether an event's kind is KEEP: the field comes first or after the time.
  private static func asksToKeep(_ event: FieldReader) -> Bool {
    var event = event
    if event.nextTag?.number == 1 { _ = try? event.next() }
    guard let (number, value) = try? event.next() else { return false }
    return number == 2 && value == .varint(UInt64(Orrery_Event.Kind.keep.rawValue))
  }
}
