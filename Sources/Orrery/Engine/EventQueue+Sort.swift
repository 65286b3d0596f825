// SPDX-License-Identifier: Apache-2.0

/// Sorts a batch of events by time and number.
///
/// The sort moves words of eight bytes, a third of an event, instead of events. A word holds the
/// upper bits of a time and the event's index in the batch:
///
///     | time - least time, as many bits as fit | index |
///
/// Words are distributed over buckets of equal spans. There are up to a quarter as many buckets as
/// words, but few enough that their write positions stay in the cache. Each bucket is then sorted
/// in the same way. Evenly spread times are sorted in two rounds, and no times need more than 21,
/// as each round resolves three bits or more. Then every event is copied once. Events whose words
/// have equal time bits are compared directly; this is rare except for equal times.
extension EventQueue {
  @usableFromInline typealias Events = UnsafeMutableBufferPointer<Event>
  @usableFromInline typealias Words = UnsafeMutableBufferPointer<UInt64>

  /// Up to this count, an insertion sort is faster than another round.
  @inlinable static var fewMax: Int { 24 }

  /// log2 of the most buckets in a round: 4096 write positions are 256 KiB of cache lines.
  @inlinable static var bucketBitsMax: Int { 12 }

  /// The least and the greatest key, and whether the events are already in order, each run after the one before.
  @inlinable static func survey(
    _ events: UnsafeBufferPointer<Event>
  ) -> (low: UInt64, high: UInt64, isSorted: Bool) {
    var (low, high, isSorted) = (UInt64.max, UInt64.min, true)
    var previous = (key: UInt64.min, number: UInt64.min)
    for event in events {
      low = min(low, event.key)
      high = max(high, event.key)
      let isAfter =
        event.key > previous.key || event.key == previous.key && event.number >= previous.number
      isSorted = isSorted && isAfter
      previous = (event.key, event.lastNumber)
    }
    return (low, high, isSorted)
  }

  /// Events in order.
  ///
  /// - Parameters:
  ///   - events: More than one.
  ///   - low: The least key.
  ///   - high: The greatest key.
  /// - Returns: The same events by time, and by number where times are equal.
  @inlinable static func sorted(
    _ events: UnsafeBufferPointer<Event>, low: UInt64, high: UInt64
  ) -> [Event] {
    let count = events.count
    let indexBits = UInt64.bitWidth - UInt64(count).leadingZeroBitCount
    let keyBits = UInt64.bitWidth - (high - low).leadingZeroBitCount
    let dropped = max(0, keyBits + indexBits - UInt64.bitWidth)
    // Not temporary allocations: nested ones crash in optimised builds of Swift 6.3.1.
    let memory = Words.allocate(capacity: 2 * count)
    defer { memory.deallocate() }
    let words = Words(rebasing: memory[..<count])
    for index in 0..<count {
      words[index] = ((events[index].key - low) >> dropped) << indexBits | UInt64(index)
    }
    if low < high { sort(words, spare: Words(rebasing: memory[count...])) }
    return [Event](unsafeUninitializedCapacity: count) { sorted, initializedCount in
      let mask = UInt64(1) << indexBits - 1
      var start = 0
      for index in 0..<count {
        sorted.initializeElement(at: index, to: events[Int(words[index] & mask)])
        if words[index] >> indexBits != words[start] >> indexBits {
          sortAlike(Events(rebasing: sorted[start..<index]))
          start = index
        }
      }
      sortAlike(Events(rebasing: sorted[start...].prefix(count - start)))
      initializedCount = count
    }
  }

  /// Sorts events whose words have equal time bits.
  @inlinable static func sortAlike(_ events: Events) {
    if events.count < 2 { return }
    if events.count <= fewMax { return sortFew(events) }
    var events = events
    if !survey(UnsafeBufferPointer(events)).isSorted { events.sort { $0.isBefore($1) } }
  }

  /// Sorts words.
  ///
  /// - Parameters:
  ///   - words: All different.
  ///   - spare: Scratch memory for at least as many words.
  @inlinable static func sort(_ words: Words, spare: Words) {
    if words.count <= fewMax { return sortFew(words) }
    var (low, high) = (UInt64.max, UInt64.min)
    for word in words {
      low = min(low, word)
      high = max(high, word)
    }
    let bits = min(bucketBitsMax, Int.bitWidth - (words.count / 4).leadingZeroBitCount)
    let shift = max(0, UInt64.bitWidth - (high - low).leadingZeroBitCount - bits)
    let ends = UnsafeMutableBufferPointer<Int>.allocate(capacity: (1 << bits) + 1)
    defer { ends.deallocate() }
    ends.initialize(repeating: 0)
    for word in words { ends[Int((word - low) >> shift) + 1] += 1 }
    for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
    for word in words {
      let bucket = Int((word - low) >> shift)
      spare[ends[bucket]] = word
      ends[bucket] += 1
    }
    _ = words.update(fromContentsOf: spare[..<words.count])
    var start = 0
    for end in ends.dropLast() {
      if end - start > 1 {
        sort(Words(rebasing: words[start..<end]), spare: spare)
      }
      start = end
    }
  }

  /// An insertion sort.
  @inlinable static func sortFew(_ words: Words) {
    for position in words.indices.dropFirst() {
      let word = words[position]
      var index = position
      while index > 0, word < words[index - 1] {
        words[index] = words[index - 1]
        index -= 1
      }
      words[index] = word
    }
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
