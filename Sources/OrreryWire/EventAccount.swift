// SPDX-License-Identifier: Apache-2.0

/// Exact account of the events that a subscriber received and missed.
///
/// Every event of a run has a number. Who is there from the first frame on has missed what it did not receive;
/// who comes later counts from the first message on that reaches it.
package struct EventAccount: Equatable, Sendable {
  /// Events received.
  package private(set) var receivedCount: UInt64 = 0

  /// Events that were numbered and did not come.
  package private(set) var missedCount: UInt64 = 0

  /// The number that comes next; nil before the first message of a subscriber that came later.
  package private(set) var next: UInt64?

  /// Begins an account.
  ///
  /// - Parameter isFromStart: Whether the subscriber was there before the first frame.
  package init(isFromStart: Bool) { next = isFromStart ? 1 : nil }

  /// Counts a message.
  ///
  /// - Parameters:
  ///   - firstNumber: The number of its first event, or of the next one if it has none.
  ///   - count: Its events.
  package mutating func receive(firstNumber: UInt64, count: UInt64) {
    let expected = next ?? firstNumber
    guard firstNumber >= expected, count <= UInt64.max - firstNumber else { return }
    missedCount += firstNumber - expected
    receivedCount += count
    next = firstNumber + count
  }
}
