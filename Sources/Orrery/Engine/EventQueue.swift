// SPDX-License-Identifier: Apache-2.0

/// What is due when: events in the order of their exact times, and of their numbers where times are
/// equal.
///
/// A timing wheel over the bits of the time, which order times of 0 and more as whole numbers do:
///
///     time  0x3ff4_cccc_cccc_cccd     level 7 6 5 4 3 2 1 0: one digit of 256 each
///              ^ first digit in which it differs from `base`: the level; that digit: the slot
///
/// Every waiting event lies in one slot, and no waiting event is before `base`. What lies in a
/// lower level comes first, and within a level the lower slot. A slot that comes due is spread over
/// the slots of a lower level until its part is small enough to be sorted at once, so an event
/// moves at most seven times, and a push is one append.
///
/// Events are not taken out again. Who cancels one marks it as stale by a generation counter in the
/// payload, and lets it pass when it comes.
@usableFromInline package struct EventQueue<Payload: BitwiseCopyable> {
  /// An event: when, the how manieth, and what.
  @usableFromInline package struct Event {
    /// The bits of the time; they order as times do.
    @usableFromInline let key: UInt64
    /// Orders events of the same time.
    @usableFromInline package let number: UInt64
    /// What the pusher gave.
    @usableFromInline package let payload: Payload

    /// Seconds, as pushed.
    @inlinable package var time: Double { Double(bitPattern: key) }

    @inlinable init(key: UInt64, number: UInt64, payload: Payload) {
      self.key = key
      self.number = number
      self.payload = payload
    }

    @inlinable func isBefore(_ other: Event) -> Bool {
      key != other.key ? key < other.key : number < other.number
    }
  }

  /// Events that are waiting.
  @usableFromInline package internal(set) var count = 0

  /// Number of the next event that is pushed without one.
  @usableFromInline var nextNumber: UInt64 = 0

  /// Bits of the time up to which everything is in `due` or `early`, and nothing in a slot.
  @usableFromInline var base: UInt64 = 0

  /// Events by level and digit: level l's slot d is `slots[256 * l + d]`.
  @usableFromInline var slots = [[Event]](repeating: [], count: 8 * 256)

  /// Which slots are not empty: level l's are the words from `4 * l` on.
  @usableFromInline var occupied = [UInt64](repeating: 0, count: 8 * 4)

  /// Levels with a slot that is not empty, one bit each.
  @usableFromInline var levels: UInt8 = 0

  /// Sorted events, of which those from `dueIndex` on are to be popped next.
  @usableFromInline var due: [Event] = []
  @usableFromInline var dueIndex = 0

  /// A binary heap of events that were pushed too late for `due`'s end: seldom more than a few.
  @usableFromInline var early: [Event] = []

  /// An empty queue.
  @inlinable package init() {}

  /// Whether nothing is waiting.
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Adds an event.
  ///
  /// An event that is earlier than one already popped is popped before all later ones.
  ///
  /// - Parameters:
  ///   - payload: What `pop` gives back.
  ///   - time: Seconds.
  ///   - number: Orders events of the same time; nil: in the order of pushes, after all numbers so
  ///     far.
  /// - Precondition: `time >= 0`; infinity is a time.
  /// - Complexity: O(1), amortised; O(log n) for one earlier than events that were already sorted.
  @inlinable package mutating func push(_ payload: Payload, at time: Double, number: UInt64? = nil)
  {
    precondition(time >= 0, "an event at \(time) s: times are 0 or more")
    let event = Event(
      key: (time + 0).bitPattern, number: number ?? nextNumber, payload: payload)
    nextNumber = max(nextNumber, event.number &+ 1)
    count += 1
    if event.key > base {
      place(event)
    } else if due.last.map({ $0.isBefore(event) }) ?? true {
      append(toDue: event)
    } else {
      pushEarly(event)
    }
  }

  /// Takes the first event, if it is due.
  ///
  /// - Parameter limit: Seconds; later events stay.
  /// - Returns: The event with the least time, and of those with the least number; nil if none is
  ///   due.
  /// - Complexity: O(1), amortised over the events of a queue's life.
  @inlinable package mutating func pop(notAfter limit: Double) -> Event? {
    guard limit >= 0, count > 0 else { return nil }
    let limitKey = (limit + 0).bitPattern
    if dueIndex == due.count, early.isEmpty, !fillDue(notAfter: limitKey) { return nil }
    if let first = early.first, dueIndex == due.count || first.isBefore(due[dueIndex]) {
      guard first.key <= limitKey else { return nil }
      count -= 1
      popEarly()
      return first
    }
    let first = due[dueIndex]
    guard first.key <= limitKey else { return nil }
    count -= 1
    dueIndex += 1
    if dueIndex == due.count { emptyDue() }
    return first
  }

  /// What is probably going to be popped, for those who want to have its memory in the cache by then.
  ///
  /// - Parameter distance: How many pops later; 0 is the next one.
  /// - Returns: Nil if so many are not sorted yet.
  @inlinable package func upcoming(_ distance: Int) -> Payload? {
    let index = dueIndex + distance
    return index < due.count ? due[index].payload : nil
  }

  /// Forgets all events; numbers go on.
  @inlinable package mutating func removeAll() {
    for index in slots.indices { slots[index].removeAll() }
    for index in occupied.indices { occupied[index] = 0 }
    (levels, base, count) = (0, 0, 0)
    early.removeAll()
    emptyDue()
  }
}

/// The wheel.
extension EventQueue {
  /// Puts an event after `base` into its slot.
  @inlinable mutating func place(_ event: Event) {
    let level = Self.level(event.key ^ base)
    put(event, level: level)
  }

  @inlinable mutating func put(_ event: Event, level: Int) {
    let digit = Int(truncatingIfNeeded: event.key >> (8 * level)) & 255
    slots[level << 8 | digit].append(event)
    occupied[level << 2 | digit >> 6] |= 1 << UInt64(digit & 63)
    levels |= 1 << UInt8(level)
  }

  /// The highest digit that is not 0.
  @inlinable static func level(_ difference: UInt64) -> Int {
    (63 - (difference | 1).leadingZeroBitCount) >> 3
  }

  /// Fills `due`, which is empty, with the next events in order.
  ///
  /// - Returns: Whether there is one that is not after the limit.
  @inlinable mutating func fillDue(notAfter limit: UInt64) -> Bool {
    while levels != 0 {
      let level = levels.trailingZeroBitCount
      let digit = firstSlot(of: level)
      let index = level << 8 | digit
      if slots[index][0].key >> (8 * level) > limit >> (8 * level) { break }
      var events: [Event] = []
      swap(&events, &slots[index])
      vacate(level: level, digit: digit)
      open(&events, notAfter: limit)
      if events.capacity <= Self.keptCapacity {
        events.removeAll(keepingCapacity: true)
        if slots[index].isEmpty { swap(&events, &slots[index]) }
      }
      if !due.isEmpty { return true }
    }
    base = max(base, limit)
    return false
  }

  /// Room that an empty slot keeps, so that a steady state allocates nothing and a burst leaves
  /// little.
  @inlinable static var keptCapacity: Int { 64 }

  @inlinable func firstSlot(of level: Int) -> Int {
    var word = level << 2
    while occupied[word] == 0 { word += 1 }
    return (word & 3) << 6 | occupied[word].trailingZeroBitCount
  }

  @inlinable mutating func vacate(level: Int, digit: Int) {
    occupied[level << 2 | digit >> 6] &= ~(1 << UInt64(digit & 63))
    let word = level << 2
    if occupied[word] | occupied[word + 1] | occupied[word + 2] | occupied[word + 3] == 0 {
      levels &= ~(1 << UInt8(level))
    }
  }

  /// Distributes the events of the first slot, whose range begins at or before the limit.
  ///
  /// Nothing lies in lower levels, so any of them can take the events; what is before the limit
  /// ends in `due` or in a slot that is opened next, and `base` is then what the rest was placed
  /// for.
  @inlinable mutating func open(_ events: inout [Event], notAfter limit: UInt64) {
    let (low, high, isSorted) = events.withUnsafeBufferPointer(Self.survey)
    if low > limit {
      base = limit
      for event in events { place(event) }
    } else if high <= limit {
      base = high
      if isSorted || events.count <= Self.fewMax {
        swap(&due, &events)
        if !isSorted { due.withUnsafeMutableBufferPointer { Self.sortFew($0) } }
      } else {
        due = events.withUnsafeBufferPointer { Self.sorted($0, low: low, high: high) }
      }
    } else if events.count > Self.fewMax {
      let level = Self.level(low ^ high)
      for event in events { put(event, level: level) }
    } else {
      base = limit
      for event in events {
        if event.key <= limit { due.append(event) } else { place(event) }
      }
      due.withUnsafeMutableBufferPointer { Self.sortFew($0) }
    }
  }
}

/// What is due, and what came late.
extension EventQueue {
  /// Adds an event that is after all others of `due`.
  @inlinable mutating func append(toDue event: Event) {
    if dueIndex > 64, dueIndex > due.count / 2 {
      due.removeFirst(dueIndex)
      dueIndex = 0
    }
    due.append(event)
  }

  @inlinable mutating func emptyDue() {
    due.removeAll(keepingCapacity: due.capacity <= Self.keptCapacity)
    dueIndex = 0
  }

  @inlinable mutating func pushEarly(_ event: Event) {
    var index = early.count
    early.append(event)
    while index > 0, event.isBefore(early[(index - 1) / 2]) {
      early[index] = early[(index - 1) / 2]
      index = (index - 1) / 2
    }
    early[index] = event
  }

  @inlinable mutating func popEarly() {
    let last = early.removeLast()
    if early.isEmpty { return }
    var index = 0
    while case var child = 2 * index + 1, child < early.count {
      if child + 1 < early.count, early[child + 1].isBefore(early[child]) { child += 1 }
      guard early[child].isBefore(last) else { break }
      early[index] = early[child]
      index = child
    }
    early[index] = last
  }
}
