// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A subscriber's progress in a run: which frame it wants next, and which it received and missed.
///
/// It only keeps account; it has no clock, waits for nothing and uses no socket. The same code
/// follows a ring in shared memory and the rings of the deterministic simulator.
package struct FrameCursor: Equatable, Sendable {
  /// Which frames are wanted.
  package let reading: Reading

  /// Frames received and missed so far.
  package private(set) var losses: Losses

  /// Creates a cursor that has seen no frame.
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
  /// - Parameter ring: The source of frames.
  /// - Returns: The frame, or the gap before it; nil if there is nothing new. The caller reads the
  ///   frame and then calls `record`.
  package mutating func find(in ring: some FrameRing) -> Finding? {
    let following = losses.last + 1
    let wanted = reading == .every ? following : max(ring.published, following)
    switch ring.acquire(wanted) {
    case .notYet:
      return nil
    case .lapped(let oldest):
      // At least the wanted frame is lost: `oldest` is computed a moment after the slot was read.
      return .event(miss(through: max(oldest, wanted + 1) - 1))
    case .frame(let view):
      // The gap is reported on its own, so that the program knows it before it uses the next frame.
      return wanted > following ? .event(miss(through: wanted - 1)) : .frame(view)
    }
  }

  /// Records a frame that was found as received or missed; until then `find` returns it again.
  ///
  /// - Parameters:
  ///   - sequence: The frame's number.
  ///   - isWhole: Result of `FrameRing.isWhole` after the frame was read.
  /// - Returns: `.frame` or `.missed`.
  package mutating func record(_ sequence: UInt64, isWhole: Bool) -> SubscriptionEvent {
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
