// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// What a subscriber finds when it looks for what happens next.
package enum Finding {
  /// A frame, to be read in place and then settled.
  case frame(FrameView)
  /// Something else.
  case event(SubscriptionEvent)
}
