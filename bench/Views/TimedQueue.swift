// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A queue of events in the order of their times; for equal times, of their pushes.
package protocol TimedQueue {
  /// An empty queue.
  init()

  /// Adds an event.
  mutating func push(_ payload: UInt32, at time: Double)

  /// Takes the first event, if it is due.
  mutating func pop(notAfter limit: Double) -> (payload: UInt32, time: Double)?
}

extension UInt32: EventPayload {}

extension EventQueue<UInt32>: TimedQueue {
  /// Adds an event; see `push(_:at:number:)`.
  package mutating func push(_ payload: UInt32, at time: Double) {
    push(payload, at: time, number: nil)
  }

  /// Takes the first event, if it is due.
  package mutating func pop(notAfter limit: Double) -> (payload: UInt32, time: Double)? {
    let event: Event? = pop(notAfter: limit)
    return event.map { ($0.payload, $0.time) }
  }
}

/// An event of a peer: 24 bytes, as one of `EventQueue`.
private struct PeerEvent {
  let time: Double
  let number: UInt64
  let payload: UInt32

  func isBefore(_ other: PeerEvent) -> Bool {
    time != other.time ? time < other.time : number < other.number
  }
}

/// A binary heap in an array.
package struct BinaryHeap: TimedQueue {
  private var events: [PeerEvent] = []
  private var pushCount: UInt64 = 0

  /// An empty heap.
  package init() {}

  /// Adds an event at the end, and moves it up.
  package mutating func push(_ payload: UInt32, at time: Double) {
    let event = PeerEvent(time: time, number: pushCount, payload: payload)
    pushCount += 1
    var index = events.count
    events.append(event)
    while index > 0, event.isBefore(events[(index - 1) / 2]) {
      events[index] = events[(index - 1) / 2]
      index = (index - 1) / 2
    }
    events[index] = event
  }

  /// Takes the first event, and moves the last one down from its index.
  package mutating func pop(notAfter limit: Double) -> (payload: UInt32, time: Double)? {
    guard let first = events.first, first.time <= limit else { return nil }
    let last = events.removeLast()
    if events.isEmpty { return (first.payload, first.time) }
    var index = 0
    while case var child = 2 * index + 1, child < events.count {
      if child + 1 < events.count, events[child + 1].isBefore(events[child]) { child += 1 }
      guard events[child].isBefore(last) else { break }
      events[index] = events[child]
      index = child
    }
    events[index] = last
    return (first.payload, first.time)
  }
}

/// An array that is sorted before the first pop, when all events are known.
package struct SortedList: TimedQueue {
  private var events: [PeerEvent] = []
  private var pushCount: UInt64 = 0
  private var firstIndex = 0
  private var isSorted = true

  /// An empty list.
  package init() {}

  /// Adds an event at the end.
  package mutating func push(_ payload: UInt32, at time: Double) {
    events.append(PeerEvent(time: time, number: pushCount, payload: payload))
    pushCount += 1
    isSorted = false
  }

  /// Takes the first event; sorts first if events were added.
  package mutating func pop(notAfter limit: Double) -> (payload: UInt32, time: Double)? {
    if !isSorted { events[firstIndex...].sort { $0.isBefore($1) } }
    isSorted = true
    guard firstIndex < events.count, events[firstIndex].time <= limit else { return nil }
    let first = events[firstIndex]
    firstIndex += 1
    if firstIndex == events.count {
      events.removeAll(keepingCapacity: true)
      firstIndex = 0
    }
    return (first.payload, first.time)
  }
}
