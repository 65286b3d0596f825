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

  /// Lets `use` read the frame that is wanted next, if it is there.
  ///
  /// - Parameters:
  ///   - ring: Where frames are.
  ///   - use: Reads the frame in place, then asks `FrameRing.isWhole` and returns what it says.
  /// - Returns: `.frame` or `.missed`; nil if there is nothing new.
  /// - Throws: What `use` throws; the frame then counts as neither received nor missed.
  package mutating func next<Failure: Error>(
    from ring: some FrameRing, use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent? {
    let following = losses.last + 1
    let wanted = reading == .every ? following : max(ring.published, following)
    switch ring.acquire(wanted) {
    case .notYet:
      return nil
    case .lapped(let oldest):
      // At least the one that was wanted: `oldest` is worked out a moment after the look at its slot.
      return miss(through: max(oldest, wanted + 1) - 1)
    case .frame(let view):
      // Told by itself, before the frame: the gap is known to the program when it uses what follows.
      if wanted > following { return miss(through: wanted - 1) }
      guard try use(view) else { return miss(through: wanted) }
      losses.receive(wanted)
      return .frame(sequence: wanted)
    }
  }

  private mutating func miss(through sequence: UInt64) -> SubscriptionEvent {
    let first = losses.last + 1
    losses.miss(through: sequence)
    return .missed(first...sequence)
  }
}
