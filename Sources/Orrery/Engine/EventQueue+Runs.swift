// SPDX-License-Identifier: Apache-2.0

/// What an event of an `EventQueue` carries.
@usableFromInline package protocol EventPayload: BitwiseCopyable, Equatable, SendableMetatype {
  /// From one number of a run to the next; 0: there are no runs.
  static var runStep: UInt64 { get }

  /// The payload that stands some places after this one in a run.
  ///
  /// - Parameter places: Negative where payloads go down.
  /// - Returns: The payload.
  func moved(by places: Int32) -> Self
}

extension EventPayload {
  /// There are no runs.
  @inlinable package static var runStep: UInt64 { 0 }

  /// Itself.
  @inlinable package func moved(by places: Int32) -> Self { self }
}

/// Runs: events of one time, whose numbers go up by `runStep`, and whose payloads go up or down by one.
extension EventQueue.Event {
  /// Events of the run.
  @inlinable package var count: Int { 1 + Int(more.magnitude) }

  /// Whether payloads go down.
  @inlinable package var goesDown: Bool { more < 0 }

  /// The number of the run's last event.
  @inlinable var lastNumber: UInt64 { number &+ UInt64(more.magnitude) &* Payload.runStep }

  /// One event of the run, 0 … `count` - 1.
  @inlinable package func member(_ index: Int) -> Self {
    if index == 0 { return single }
    var member = single
    let places = Int32(truncatingIfNeeded: index)
    member.number &+= UInt64(index) &* Payload.runStep
    member.payload = payload.moved(by: more < 0 ? -places : places)
    return member
  }

  /// The run's first event.
  @inlinable var single: Self {
    var single = self
    single.more = 0
    return single
  }

  /// Leaves the run without its first events; there are others.
  @inlinable package mutating func removeFirst(_ removed: Int) {
    let places = Int32(truncatingIfNeeded: more < 0 ? -removed : removed)
    number &+= UInt64(removed) &* Payload.runStep
    payload = payload.moved(by: places)
    more -= places
  }

  /// Whether the run is before an event as a whole.
  @inlinable func endsBefore(_ other: Self) -> Bool {
    key != other.key ? key < other.key : lastNumber < other.number
  }

  /// Makes an event the run's last one, if it continues it.
  ///
  /// - Returns: Whether it does.
  @inlinable mutating func absorb(_ next: Self) -> Bool {
    guard next.key == key, next.more == 0, next.number == lastNumber &+ Payload.runStep,
      more.magnitude < 1 << 30
    else { return false }
    if more >= 0, next.payload == payload.moved(by: more + 1) {
      more += 1
      return true
    }
    guard more <= 0, next.payload == payload.moved(by: more - 1) else { return false }
    more -= 1
    return true
  }
}

extension EventQueue {
  /// Puts the events of `due` in order, one by one, where others lie within a run.
  ///
  /// Runs are ordered by their first events, so that is the case only where other events of the same time were pushed
  /// before or after the run.
  @inlinable mutating func separateRuns() {
    guard Self.hasRuns, !due.withUnsafeBufferPointer(Self.survey).isSorted else { return }
    due = due.flatMap { run in (0..<run.count).map(run.member) }
    due.sort { $0.isBefore($1) }
  }

  /// Those events that are not stale, in their order, as runs where they can be.
  @inlinable func kept(_ events: some Sequence<Event>, _ isStale: (Event) -> Bool) -> [Event] {
    var kept: [Event] = []
    for run in events {
      for index in 0..<run.count {
        let event = run.member(index)
        guard !isStale(event) else { continue }
        if Self.hasRuns, let last = kept.indices.last, kept[last].absorb(event) { continue }
        kept.append(event)
      }
    }
    return kept
  }
}
