// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a scene's views, with the exact time and not that of a tick.
package struct DirectorEvent: Equatable, Sendable {
  /// Seconds since the scene began.
  package let time: Double

  package let kind: Kind

  /// What happened.
  package enum Kind: Equatable, Sendable {
    /// A leg of an animation ended; legs count from 0.
    case legEnded(view: Int, ViewChannel, index: Int)
    /// An animation is as good as over.
    case logicallyComplete(view: Int, ViewChannel)
    /// Nothing is left of an animation: it ended, or its view was destroyed or its value set without
    /// animation.
    case removed(view: Int, ViewChannel, isFinished: Bool)
    /// All animations of a transaction are complete; the index is one of `ViewsPlan.completions`.
    case completed(Int)
  }

  package init(time: Double, _ kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

/// Events that wait for somebody to take them: at most so many, of which the oldest are lost first.
struct EventLog: Sendable {
  /// Events that may wait; 40 bytes each.
  let countMax: Int

  /// Events lost because nobody took them.
  private(set) var lostCount: UInt64 = 0

  private var events: [DirectorEvent] = []

  /// Where the oldest event stands once the log is full: from there on it is a ring.
  private var first = 0

  init(countMax: Int) { self.countMax = max(countMax, 1) }

  mutating func append(_ event: DirectorEvent) {
    if events.count < countMax {
      events.append(event)
    } else {
      events[first] = event
      first = (first + 1) % countMax
      lostCount += 1
    }
  }

  /// Takes all events, the oldest first.
  mutating func takeAll() -> [DirectorEvent] {
    let taken = first == 0 ? events : Array(events[first...] + events[..<first])
    events = []
    first = 0
    return taken
  }
}
