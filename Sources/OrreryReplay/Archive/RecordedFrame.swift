// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryTrace

/// A frame that a trace has, and where.
package struct RecordedFrame: Equatable {
  /// What the trace keeps of a frame.
  package indirect enum Origin: Equatable {
    /// The whole frame.
    case frame(TraceMessageLocation)
    /// What changed since the frame `base`.
    case delta(TraceMessageLocation, base: UInt64)
    /// Its hash, in a message for several frames.
    case digest(TraceMessageLocation)
    /// Each shard's part, by the shards' indexes; nil: that shard's trace does not have the frame.
    case joined([RecordedFrame?])
  }

  /// Its number in its run, from 1.
  package let sequence: UInt64

  /// Tick, times and hash; of a digest the time in the scene is computed from the tick.
  package let stamp: FrameStamp

  /// When it was recorded, in nanoseconds since 1970; of a digest, when the message was.
  package let logTimeNs: UInt64

  /// Where it is.
  package let origin: Origin

  /// Ticks since the scene began.
  package var tick: UInt64 { stamp.tick }
}
