// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// The frames of one shard, as they are joined with those of the others: a ring, or a queue of received frames.
///
/// Where nothing is overwritten (`overwrittenAfter` is nil), a frame that is `lapped` never came: the joined frame has
/// the other shards' parts. In a ring the frame was there, and the subscriber was too slow for it.
package protocol ShardFrames: FrameRing, FrameSource {
  /// Frames that the sim's ring holds.
  var slotCount: UInt64 { get }

  /// When a frame came, by this machine's monotonic clock.
  func cameNs(_ view: FrameView) -> UInt64

  /// A time of this machine's monotonic clock as stamps have it.
  func dateNs(monotonicNs: UInt64) -> UInt64
}

extension ShardFrames {
  /// Whether these frames can follow those of the same shard's former sim.
  func canFollow(_ former: any ShardFrames) -> Bool {
    layout == former.layout && delivery == former.delivery
  }
}

extension FrameReader: ShardFrames {
  /// When it was published.
  package func cameNs(_ view: FrameView) -> UInt64 {
    view.stamp().publishTimeNs &- UInt64(bitPattern: clockOffsetNs)
  }
}
