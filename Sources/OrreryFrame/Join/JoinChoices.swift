// SPDX-License-Identifier: Apache-2.0

/// Which frames a subscriber wants; the numbers are those of a `join_request`.
package enum Reading: UInt32, CaseIterable, Sendable {
  /// Every frame; gaps only where it was overtaken.
  case every = 0
  /// The newest frame whenever it asks; those it skips count as missed. In lockstep delivery the same
  /// as `every`.
  case newest = 1
}

/// How a subscriber learns that a frame is there; the numbers are those of a `join_request`.
package enum Waiting: UInt32, CaseIterable, Sendable {
  /// It looks again and again: the fastest, and it takes a processor.
  case spin = 0
  /// It sleeps on the ring's `published` word.
  case futex = 1
  /// It waits for ZeroMQ's message.
  case announcement = 2
}
