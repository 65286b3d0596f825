// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// What happened next to a subscriber.
package enum SubscriptionEvent: Equatable, Sendable {
  /// A whole frame was used.
  case frame(sequence: UInt64)
  /// These frames cannot be had any more, or were skipped.
  case missed(ClosedRange<UInt64>)
  /// Nothing within the time given.
  case idle
  /// The sim has ended in order and every frame was read.
  case ended
  /// The sim died; every frame that it completed was read.
  case simDied
  /// The sim goes on without this subscriber.
  case dropped(DropReason)
}

/// What a subscriber finds when it looks for what happens next.
package enum Finding {
  /// A frame, to be read in place and then settled.
  case frame(FrameView)
  /// Something else.
  case event(SubscriptionEvent)
}
