// SPDX-License-Identifier: Apache-2.0

/// How a subscriber learns that a frame is there; the numbers are those of a `join_request`.
package enum Waiting: UInt32, CaseIterable, Sendable {
  /// It looks again and again: the fastest, and it takes a processor.
  case spin = 0
  /// It sleeps on the ring's `published` word.
  case futex = 1
  /// It waits for ZeroMQ's message.
  case announcement = 2
}
