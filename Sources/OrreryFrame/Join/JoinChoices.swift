// SPDX-License-Identifier: Apache-2.0

/// Which frames a subscriber wants; the numbers are those of a `join_request`.
package enum Reading: UInt32, CaseIterable, Sendable {
  /// Every frame; gaps only where it was overtaken.
  case every = 0
  /// Only the newest frame at each request; skipped frames count as missed. In lockstep delivery
  /// the same as `every`.
  case newest = 1

  /// The sequence before the first frame of a subscriber that joins and names none.
  ///
  /// Who wants the newest frame begins with the newest there is: a paused run has no next one.
  package func begins(after newest: UInt64) -> UInt64 {
    self == .newest && newest > 0 ? newest - 1 : newest
  }
}

/// How a subscriber learns of a new frame; the numbers are those of a `join_request`.
package enum Waiting: UInt32, CaseIterable, Sendable {
  /// It checks the ring without a pause: the fastest way, but it occupies a processor.
  case spin = 0
  /// It sleeps on the ring's `published` word.
  case futex = 1
  /// It waits for the announcement through ZeroMQ.
  case announcement = 2
}
