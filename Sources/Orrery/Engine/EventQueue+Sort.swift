// SPDX-License-Identifier: Apache-2.0

/// Sorts a batch of events by time and number.
///
/// A batch is spread over buckets of equal spans of the key, as many as a quarter of the events but
/// so few that the places written to stay in the cache; each bucket is then sorted in the same way.
/// Times that lie evenly are sorted in two rounds, and no times need more than 21, as each round
/// settles three bits or more.
extension EventQueue {
  @usableFromInline typealias Events = UnsafeMutableBufferPointer<Event>

  /// Events that an insertion sort orders faster than another round would.
  @inlinable static var fewMax: Int { 24 }

  /// log2 of the most buckets in a round: 4096 places to write to are 256 KiB of cache lines.
  @inlinable static var bucketBitsMax: Int { 12 }

  @inlinable static func sort(_ events: Events) {
    if events.count <= fewMax { return sortFew(events) }
    var (low, high) = (UInt64.max, UInt64.min)
    for event in events {
      low = min(low, event.key)
      high = max(high, event.key)
    }
    sort(events, low: low, high: high)
  }

  /// Sorts events whose least and greatest key are known.
  @inlinable static func sort(_ events: Events, low: UInt64, high: UInt64) {
    if events.count <= fewMax { return sortFew(events) }
    if low == high {
      var events = events
      if !isSorted(events) { events.sort { $0.number < $1.number } }
      return
    }
    let bits = min(bucketBitsMax, Int.bitWidth - (events.count / 4).leadingZeroBitCount)
    let shift = max(0, UInt64.bitWidth - (high - low).leadingZeroBitCount - bits)
    // Not temporary allocations: one in the other, they crash in optimised builds of Swift 6.3.1.
    let ends = UnsafeMutableBufferPointer<Int>.allocate(capacity: (1 << bits) + 1)
    let spread = Events.allocate(capacity: events.count)
    defer {
      ends.deallocate()
      spread.deallocate()
    }
    ends.initialize(repeating: 0)
    for event in events { ends[Int((event.key - low) >> shift) + 1] += 1 }
    for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
    for event in events {
      let bucket = Int((event.key - low) >> shift)
      spread.initializeElement(at: ends[bucket], to: event)
      ends[bucket] += 1
    }
    _ = events.update(fromContentsOf: spread)
    var start = 0
    for end in ends.dropLast() {
      if end - start > 1 { sort(Events(rebasing: events[start..<end])) }
      start = end
    }
  }

  @inlinable static func isSorted(_ events: Events) -> Bool {
    for index in events.indices.dropFirst() where events[index].isBefore(events[index - 1]) {
      return false
    }
    return true
  }

  /// An insertion sort.
  @inlinable static func sortFew(_ events: Events) {
    for position in events.indices.dropFirst() {
      let event = events[position]
      var index = position
      while index > 0, event.isBefore(events[index - 1]) {
        events[index] = events[index - 1]
        index -= 1
      }
      events[index] = event
    }
  }
}
