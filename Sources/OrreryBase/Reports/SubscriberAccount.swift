// SPDX-License-Identifier: Apache-2.0

/// A sim's account of one subscriber.
package struct SubscriberAccount: Codable, Equatable, Sendable {
  /// The name that the subscriber chose.
  package var name: String
  /// 0 for a subscriber on another machine.
  package var processID: UInt32
  /// How it learned of frames: spin, futex or announcement; message if frames were sent to it.
  package var waiting: String
  /// Which frames it wanted: every or newest.
  package var reading: String
  /// Number of the frame before its first.
  package var joinedAfter: UInt64
  /// As far as it reported, like `missed`.
  package var received: UInt64
  /// Frames after `joinedAfter` that it did not receive.
  package var missed: UInt64
  /// How its connection ended.
  package var departure: String
  /// Whether this is its last account: `received` and `missed` did not change any more.
  package var isFinal: Bool

  package init(
    name: String, processID: UInt32, waiting: String, reading: String, joinedAfter: UInt64,
    received: UInt64, missed: UInt64, departure: String,
    isFinal: Bool = true
  ) {
    self.name = name
    self.processID = processID
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    self.received = received
    self.missed = missed
    self.departure = departure
    self.isFinal = isFinal
  }

  /// For people; zeros of what did not happen are left out.
  var text: String {
    let process = processID == 0 ? "" : " (pid \(processID))"
    return "\(name)\(process): received \(counted(received, "frame"))"
      + (missed == 0 ? "" : ", missed \(missed)")
      + "; reading \(reading), waiting \(waiting); \(departure)"
      + (isFinal ? "" : "; no last account")
  }
}
