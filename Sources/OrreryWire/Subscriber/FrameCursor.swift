// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Where a subscriber stands in a run: which frame it wants next, and what it received and missed.
///
/// Nothing but the account: no waiting, no clock, no socket. The same code follows a ring in shared memory,
/// frames from another machine, and the rings of the deterministic simulator.
package struct FrameCursor: Equatable, Sendable {
  /// Which frames are wanted.
  package let reading: Reading

  /// What was received and missed so far.
  package private(set) var losses: Losses

  /// A cursor that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - joinedAfter: Sequence before the first frame that is wanted.
  ///   - reading: Which frames are wanted from there on.
  package init(joinedAfter: UInt64, reading: Reading) {
    self.reading = reading
    losses = Losses(joinedAfter: joinedAfter)
  }

  /// Looks for the frame that is wanted next.
  ///
  /// - Parameter ring: Where frames are.
  /// - Returns: The frame, which is to be settled once it was read, or the gap before it; nil if there is nothing new.
  package mutating func find(in ring: some FrameRing) -> Finding? {
    let following = losses.last + 1
    let wanted = reading == .every ? following : max(ring.published, following)
    switch ring.acquire(wanted) {
    case .notYet:
      return nil
    case .lapped(let oldest):
      // At least the one that was wanted: `oldest` is worked out a moment after the look at its slot.
      return .event(miss(through: max(oldest, wanted + 1) - 1))
    case .frame(let view):
      // Told by itself, before the frame: the gap is known to the program when it uses what follows.
      return wanted > following ? .event(miss(through: wanted - 1)) : .frame(view)
    }
  }

  /// Counts a frame that was found: a cursor that is not told goes on finding it.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - isWhole: What `FrameRing.isWhole` said once it had been read.
  /// - Returns: `.frame` or `.missed`.
  package mutating func settle(_ sequence: UInt64, isWhole: Bool) -> SubscriptionEvent {
    guard isWhole else { return miss(through: sequence) }
    losses.receive(sequence)
    return .frame(sequence: sequence)
  }

  private mutating func miss(through sequence: UInt64) -> SubscriptionEvent {
    let first = losses.last + 1
    losses.miss(through: sequence)
    return .missed(first...sequence)
  }
}
