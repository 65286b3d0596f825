// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// What happened to a subscriber.
package enum SubscriptionEvent: Equatable, Sendable {
  /// A whole frame was used.
  case frame(sequence: UInt64)
  /// These frames were overwritten before they were read, or were skipped.
  case missed(ClosedRange<UInt64>)
  /// Nothing happened within the timeout.
  case idle
  /// The sim has ended in order, and every frame was read or missed.
  case ended
  /// The sim died; every frame that it completed was read or missed.
  case simDied
  /// The sim dropped this subscriber and goes on.
  case dropped(DropReason)
}

/// What a subscriber finds next: a frame or an event.
package enum Finding {
  /// A frame, to be read in place and then recorded.
  case frame(FrameView)
  /// Anything but a frame.
  case event(SubscriptionEvent)
}
