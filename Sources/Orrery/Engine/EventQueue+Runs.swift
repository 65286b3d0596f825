// SPDX-License-Identifier: Apache-2.0

/// What an event of an `EventQueue` carries.
@usableFromInline package protocol EventPayload: BitwiseCopyable, Equatable, SendableMetatype {
  /// Numbers of a run are a multiple of this apart; 0: there are no runs.
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

/// Runs: events of one time, whose numbers go up in equal steps, and whose payloads go up or down by one.
extension EventQueue.Event {
  /// Events of the run.
  @inlinable package var count: Int { 1 + Int(more.magnitude) }

  /// Whether payloads go down.
  @inlinable package var goesDown: Bool { more < 0 }

  /// From one number to the next.
  @inlinable var numberStep: UInt64 { UInt64(stride) &* Payload.runStep }

  /// The number of the run's last event.
  @inlinable var lastNumber: UInt64 { number &+ UInt64(more.magnitude) &* numberStep }

  /// One event of the run, 0 … `count` - 1; or the one that would continue it.
  @inlinable package func member(_ index: Int) -> Self {
    if index == 0 { return single }
    var member = single
    let places = Int32(truncatingIfNeeded: index)
    member.number &+= UInt64(index) &* numberStep
    member.payload = payload.moved(by: more < 0 ? -places : places)
    return member
  }

  /// The run's first event; as a run, it has the same steps.
  @inlinable var single: Self {
    var single = self
    single.more = 0
    return single
  }

  /// Leaves the run without its first events; there are others.
  @inlinable package mutating func removeFirst(_ removed: Int) {
    let places = more < 0 ? -removed : removed
    number &+= UInt64(removed) &* numberStep
    payload = payload.moved(by: Int32(truncatingIfNeeded: places))
    more -= Int16(truncatingIfNeeded: places)
  }

  /// Whether the run is before an event as a whole.
  @inlinable func endsBefore(_ other: Self) -> Bool {
    key != other.key ? key < other.key : lastNumber < other.number
  }

  /// Makes an event the run's last one, if it continues it.
  ///
  /// - Returns: Whether it does.
  @inlinable mutating func absorb(_ next: Self) -> Bool {
    guard next.key == key, next.more == 0, more.magnitude < Int16.max else { return false }
    let goesUp = more >= 0 && next.payload == payload.moved(by: Int32(more) + 1)
    guard goesUp || more <= 0 && next.payload == payload.moved(by: Int32(more) - 1) else {
      return false
    }
    let ahead = next.number &- lastNumber
    if more != 0 {
      guard ahead == numberStep else { return false }
    } else {
      // Of two events, any step makes a run.
      let steps = ahead / Payload.runStep
      guard steps > 0, steps <= UInt16.max, steps * Payload.runStep == ahead else { return false }
      stride = UInt16(truncatingIfNeeded: steps)
    }
    more += goesUp ? 1 : -1
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
