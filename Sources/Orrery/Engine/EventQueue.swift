// SPDX-License-Identifier: Apache-2.0

/// A queue of events in the order of their exact times; for equal times, of their numbers.
///
/// A timing wheel over the bits of the time. For times of 0 and more, the bits as whole numbers
/// have the order of the times:
///
///     time  0x3ff4_cccc_cccc_cccd     level 7 6 5 4 3 2 1 0: one digit of 256 each
///              ^ first digit in which it differs from `base`: the level; that digit: the slot
///
/// Every event that is not in `due` or `early` is in one slot, and is not before `base`. Events of
/// a lower level come first, and within a level those of the lower slot. A slot that comes due is
/// distributed over the slots of a lower level until a part is small enough to be sorted at once.
/// So an event moves at most seven times, and a push is one append.
///
/// Events that are pushed one after the other for the same time, with numbers and payloads in steps, are kept as one: a
/// *run*. A million animations that begin together end together, and take the room of one event.
///
/// Events are not removed one by one. To cancel one, make it stale with a generation counter in the
/// payload, and ignore it when it is popped. `removeAll(where:)` removes many.
@usableFromInline package struct EventQueue<Payload: EventPayload> {
  /// An event: its time, its number, and its payload; or a run of such.
  @usableFromInline package struct Event {
    /// The bits of the time; they order as times do.
    @usableFromInline let key: UInt64
    /// Orders events of the same time.
    @usableFromInline package var number: UInt64
    /// The payload as pushed.
    @usableFromInline package var payload: Payload
    /// Further events of a run; negative where their payloads go down.
    @usableFromInline var more: Int16 = 0
    /// From one number of a run to the next, in steps of `Payload.runStep`.
    @usableFromInline package var stride: UInt16 = 1

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

  /// Whether payloads can make runs.
  @inlinable static var hasRuns: Bool { Payload.runStep > 0 }

  /// Events that are waiting.
  @usableFromInline package internal(set) var count = 0

  /// Number of the next event that is pushed without one.
  @usableFromInline var nextNumber: UInt64 = 0

  /// Bits of the time up to which all events are in `due` or `early`, and none in a slot.
  @usableFromInline var base: UInt64 = 0

  /// Events by level and digit: level l's slot d is `slots[256 * l + d]`.
  @usableFromInline var slots = [[Event]](repeating: [], count: 8 * 256)

  /// Which slots are not empty: level l's are the words from `4 * l` on.
  @usableFromInline var occupied = [UInt64](repeating: 0, count: 8 * 4)

  /// Levels with a slot that is not empty, one bit each.
  @usableFromInline var levels: UInt8 = 0

  /// The run that was pushed last, if it is not in its slot yet: the next event often continues it.
  ///
  /// It is after `base`.
  @usableFromInline var latest: Event?

  /// How often an event was pushed that is not after `base`: it may come before others that are due.
  @usableFromInline package internal(set) var pushedDueCount = 0

  /// Sorted events; those from `dueIndex` on are popped next.
  @usableFromInline var due: [Event] = []
  @usableFromInline var dueIndex = 0

  /// A binary heap of events that are before the last of `due`, so cannot be appended: seldom many.
  @usableFromInline var early: [Event] = []

  /// Number of events above which stale ones are searched.
  @usableFromInline var largeCount = EventQueue.largeCountMin

  /// An empty queue.
  @inlinable package init() {}

  /// Whether nothing is waiting.
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Adds an event.
  ///
  /// An event that is earlier than one already popped is popped before all later ones.
  ///
  /// - Parameters:
  ///   - payload: Returned by `pop`.
  ///   - time: Seconds.
  ///   - number: Orders events of the same time; nil: the next number after all numbers so far.
  /// - Precondition: `time >= 0`; infinity is a time.
  /// - Complexity: O(1), amortised; O(log n) for one earlier than events that were already sorted.
  @inlinable package mutating func push(_ payload: Payload, at time: Double, number: UInt64? = nil)
  {
    precondition(time >= 0, "an event at \(time) s: times are 0 or more")
    let event = Event(
      key: (time + 0).bitPattern, number: number ?? nextNumber, payload: payload)
    nextNumber = max(nextNumber, event.number &+ 1)
    push(event)
  }

  /// Adds events of one time, with numbers and payloads in steps.
  ///
  /// - Parameters:
  ///   - payload: Of the first one.
  ///   - runCount: How many there are; at least one, and fewer than 2^30.
  ///   - goesDown: Whether payloads go down, and not up.
  ///   - time: Seconds.
  ///   - number: Of the first one.
  ///   - stride: From one number to the next, in steps of the payload's `runStep`.
  /// - Complexity: O(1), amortised, for a time after those of all events already popped and not too many events.
  @inlinable package mutating func push(
    _ payload: Payload, runCount: Int, goesDown: Bool = false, at time: Double, number: UInt64,
    stride: UInt16 = 1
  ) {
    precondition(time >= 0, "events at \(time) s: times are 0 or more")
    precondition(runCount > 0 && runCount < 1 << 30, "a run of \(runCount) events")
    var (rest, run) = (
      runCount, Event(key: (time + 0).bitPattern, number: number, payload: payload)
    )
    run.stride = stride
    while rest > 0 {
      let more = min(rest - 1, Int(Int16.max))
      run.more = Int16(goesDown ? -more : more)
      nextNumber = max(nextNumber, run.lastNumber &+ 1)
      if run.key > base {
        count += run.count
        insert(run)
      } else {
        for index in 0..<run.count { push(run.member(index)) }
      }
      rest -= run.count
      if rest > 0 { run = run.member(run.count) }
    }
  }

  @inlinable mutating func push(_ event: Event) {
    count += 1
    if event.key > base {
      if Self.hasRuns { insertLater(event) } else { insert(event) }
      return
    }
    pushedDueCount += 1
    if due.last.map({ $0.endsBefore(event) }) ?? true {
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
    guard var run = popRun(notAfter: limit) else { return nil }
    let first = run.single
    if Self.hasRuns, run.more != 0 {
      run.removeFirst(1)
      putBack(run)
    }
    return first
  }

  /// Takes the first event, if it is due, with those that follow it in its run and come before all others.
  ///
  /// What is pushed afterwards may come before some of them: that is so if `pushedDueCount` has changed. Then give the
  /// rest back with `putBack`.
  ///
  /// - Parameter limit: Seconds; later events stay.
  /// - Returns: Nil if none is due.
  /// - Complexity: As of `pop`.
  @inlinable package mutating func popRun(notAfter limit: Double) -> Event? {
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
    if Self.hasRuns, first.more != 0, let other = early.first, !first.endsBefore(other) {
      count -= 1
      due[dueIndex].removeFirst(1)
      return first.single
    }
    count -= first.count
    dueIndex += 1
    if dueIndex == due.count { emptyDue() }
    return first
  }

  /// Gives back the last events of a run that `popRun` returned.
  @inlinable package mutating func putBack(_ rest: Event) {
    count += rest.count
    if dueIndex == due.count || due[due.count - 1].endsBefore(rest) {
      append(toDue: rest)
    } else if rest.endsBefore(due[dueIndex]) {
      if dueIndex > 0 {
        dueIndex -= 1
        due[dueIndex] = rest
      } else {
        due.insert(rest, at: 0)
      }
    } else {
      for index in 0..<rest.count { pushEarly(rest.member(index)) }
    }
  }

  /// Visits events that later pops will probably return, for prefetching their memory into the cache.
  ///
  /// - Parameters:
  ///   - distance: Number of pops before the first of them, if there are no runs; 0 is the next one.
  ///   - visitCount: How many; fewer if fewer are sorted, and none within a run, whose memory comes in order.
  ///   - body: Called with each.
  ///
  /// Always inlined: a call would get a copy of the queue where that is a property of an object.
  @inline(__always) @inlinable package func visitUpcoming(
    _ distance: Int, _ visitCount: Int, _ body: (Event) -> Void
  ) {
    let (first, end) = (dueIndex + distance, min(dueIndex + distance + visitCount, due.count))
    guard first < end, due[dueIndex].more == 0 else { return }
    due.withUnsafeBufferPointer { due in
      for index in first..<end { body(due[index]) }
    }
  }

  /// Removes all events; numbers continue.
  @inlinable package mutating func removeAll() {
    latest = nil
    for index in slots.indices { slots[index].removeAll() }
    for index in occupied.indices { occupied[index] = 0 }
    (levels, base, count) = (0, 0, 0)
    early.removeAll()
    emptyDue()
  }
}

/// The wheel.
extension EventQueue {
  /// Inserts an event after `base` into its slot when one comes that does not continue it.
  @inlinable mutating func insertLater(_ event: Event) {
    if latest?.absorb(event) == true { return }
    insertLatest()
    latest = event
  }

  /// Inserts the run that was pushed last into its slot.
  @inlinable mutating func insertLatest() {
    guard let run = latest else { return }
    latest = nil
    insert(run)
  }

  /// Inserts an event after `base` into its slot.
  @inlinable mutating func insert(_ event: Event) {
    let level = Self.level(event.key ^ base)
    put(event, level: level)
  }

  @inlinable mutating func put(_ event: Event, level: Int) {
    let digit = Int(truncatingIfNeeded: event.key >> (8 * level)) & 255
    let index = level << 8 | digit
    if Self.hasRuns, let last = slots[index].indices.last, slots[index][last].absorb(event) {
      return
    }
    slots[index].append(event)
    occupied[level << 2 | digit >> 6] |= 1 << UInt64(digit & 63)
    levels |= 1 << UInt8(level)
  }

  /// The highest digit that is not 0.
  @inlinable static func level(_ difference: UInt64) -> Int {
    (63 - (difference | 1).leadingZeroBitCount) >> 3
  }

  /// Fills `due`, which is empty, with the next events in order.
  ///
  /// - Returns: Whether one of them is not after the limit.
  @inlinable mutating func fillDue(notAfter limit: UInt64) -> Bool {
    insertLatest()
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

  /// Capacity that an empty slot keeps, so that a steady state allocates nothing and a burst leaves
  /// little unused memory.
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
  /// Lower levels are empty, so any of them can take the events. Events up to the limit go to
  /// `due`, or to a slot that is opened next. The others end in slots as the new `base` needs.
  @inlinable mutating func open(_ events: inout [Event], notAfter limit: UInt64) {
    let (low, high, isSorted) = events.withUnsafeBufferPointer(Self.survey)
    if low > limit {
      base = limit
      for event in events { insert(event) }
    } else if high <= limit {
      base = high
      if isSorted || events.count <= Self.fewMax {
        swap(&due, &events)
        if !isSorted { due.withUnsafeMutableBufferPointer { Self.sortFew($0) } }
      } else {
        due = events.withUnsafeBufferPointer { Self.sorted($0, low: low, high: high) }
      }
      if !isSorted { separateRuns() }
    } else if events.count > Self.fewMax {
      let level = Self.level(low ^ high)
      for event in events { put(event, level: level) }
    } else {
      base = limit
      for event in events {
        if event.key <= limit { due.append(event) } else { insert(event) }
      }
      due.withUnsafeMutableBufferPointer { Self.sortFew($0) }
      separateRuns()
    }
  }
}

/// Events that are due, and those that were pushed late.
extension EventQueue {
  /// Adds an event that is after all others of `due`.
  @inlinable mutating func append(toDue event: Event) {
    if dueIndex > 64, dueIndex > due.count / 2 {
      due.removeFirst(dueIndex)
      dueIndex = 0
    }
    if Self.hasRuns, let last = due.indices.last, last >= dueIndex, due[last].absorb(event) {
      return
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
