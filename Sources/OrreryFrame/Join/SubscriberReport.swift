// SPDX-License-Identifier: Apache-2.0

/// How a subscriber's connection ended.
package enum Departure: Equatable, Sendable, CustomStringConvertible {
  /// It reported that it was leaving.
  case left
  /// It hung up without a last report: it was killed, or it crashed.
  case died
  /// The connection over which it got messages broke without a last report.
  case lost
  /// It joined again over the same connection.
  case rejoined
  /// It was dropped: a run in lockstep waited for it for too long.
  case stalled
  /// It was dropped: it sent an impossible message.
  case brokeProtocol
  /// It was dropped for a reason that it was sent in these words.
  case dropped(String)
  /// It was still connected when the run ended.
  case stayed

  package var description: String {
    switch self {
    case .left: "left"
    case .died: "died"
    case .lost: "hung up, or was silent for three seconds"
    case .rejoined: "it joined again"
    case .stalled: "stalled"
    case .brokeProtocol: "broke the protocol"
    case .dropped(let reason): reason
    case .stayed: "stayed to the end"
    }
  }
}

/// A sim's account of one subscriber.
package struct SubscriberReport: Equatable, Sendable {
  /// Name that the subscriber chose.
  package let name: String
  /// Process id that it sent; 0 if it gets messages.
  package let processID: UInt32
  /// How it learns of frames; nil if they are sent to it.
  package internal(set) var waiting: Waiting?
  /// Which frames it wants; nil for none.
  package internal(set) var reading: Reading?
  /// Sequence before the first wanted frame.
  package internal(set) var joinedAfter: UInt64
  /// Whether it has the ring and prepares: it wants no frame yet.
  package internal(set) var isPreparing = false
  /// Every frame up to this one was read or given up, as far as it reported.
  package internal(set) var progress: UInt64
  /// Count of the frames given up.
  package internal(set) var missed: UInt64 = 0
  /// Count of the frames sent to it by message, brought up to date every second.
  package internal(set) var sent: UInt64 = 0
  /// Count of the frames not sent to it by message; with `sent`, all frames from its first one on.
  package internal(set) var skipped: UInt64 = 0
  /// Nil while it is connected.
  package internal(set) var departure: Departure?

  /// A subscriber that has read nothing yet.
  ///
  /// - Parameters:
  ///   - name: Name that it chose.
  ///   - processID: Process id that it sent; 0 if it gets messages.
  ///   - waiting: How it learns of frames; nil if they are sent to it.
  ///   - reading: Which frames it wants; nil for none.
  ///   - joinedAfter: Sequence before the first wanted frame.
  package init(
    name: String, processID: UInt32 = 0, waiting: Waiting? = nil, reading: Reading?,
    joinedAfter: UInt64
  ) {
    self.name = name
    self.processID = processID
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    progress = joinedAfter
  }

  /// A subscriber that has the ring of a run and prepares.
  ///
  /// - Parameters:
  ///   - name: Name that it chose.
  ///   - processID: Process id that it sent.
  ///   - newest: The newest frame.
  package init(preparing name: String, processID: UInt32, newest: UInt64) {
    self.init(name: name, processID: processID, reading: nil, joinedAfter: newest)
    isPreparing = true
  }

  /// Whether its connection is open.
  package var isConnected: Bool { departure == nil }

  /// Count of the frames read, as far as it reported.
  package var received: UInt64 { progress - joinedAfter - missed }

  /// Whether this is its last account, in a run whose last frame is `newest`.
  package func isFinal(newest: UInt64) -> Bool {
    departure == .left || (progress >= newest || reading == nil) && !isPreparing
  }
}

/// Counts of the subscribers that wait in each way.
package struct Audience: Equatable, Sendable {
  /// Subscribers that sleep on the ring's `published` word.
  package var futexCount = 0
  /// Subscribers that wait for announcements through ZeroMQ.
  package var announcementCount = 0

  /// No subscribers.
  package init() {}
}
