// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// What a run has published, and how long that took: all that its report and its replies count.
///
/// The loop hands in the times that it has read anyway; recording compares and adds.
struct RunFigures {
  /// The newest frame; zeros before the first.
  var newest = FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0)

  /// When the first frame was about to be published, by the monotonic clock: nobody has seen it before; nil before it.
  private(set) var firstFrameNs: UInt64?

  /// When the last frame was published; nil before the first.
  private(set) var lastPublishedNs: UInt64?

  /// Times to compute a frame, and to publish it.
  private(set) var work = Histogram()
  private(set) var publish = Histogram()

  /// What took too long, what stood still and why.
  var pace = PaceFigures(startNs: 0)

  /// Changes of views applied so far.
  var changeCount = 0

  /// Bytes of memory that the run needs, as estimated before they were allocated.
  let estimatedBytes: UInt64

  /// Whether the world's stores bypass the caches.
  let streams: Bool

  /// Figures of a run without frames.
  init(estimatedBytes: UInt64, streams: Bool) {
    (self.estimatedBytes, self.streams) = (estimatedBytes, streams)
  }

  /// Counts a frame that was published.
  ///
  /// - Parameters:
  ///   - beginNs: When its computation began.
  ///   - earlyNs: Time that it was computed before.
  ///   - computedNs: When it was computed; a clock that was set back counts as standing still.
  ///   - publishedNs: When readers could see it; not before `computedNs`.
  ///   - tickNs: Length of a tick at the run's speed.
  ///   - isPaced: Whether ticks are due at times.
  /// - Returns: How long it took.
  mutating func record(
    beginNs: UInt64, earlyNs: UInt64, computedNs: UInt64, publishedNs: UInt64, tickNs: UInt64,
    isPaced: Bool
  ) -> FrameTiming {
    let workNs = max(computedNs, beginNs) - beginNs + earlyNs
    let publishNs = publishedNs - computedNs
    work.record(workNs)
    publish.record(publishNs)
    pace.record(beginNs: beginNs, publishedNs: publishedNs, tickNs: tickNs, isPaced: isPaced)
    let waitNs = lastPublishedNs.map { beginNs - min($0, beginNs) } ?? 0
    lastPublishedNs = publishedNs
    if firstFrameNs == nil { firstFrameNs = computedNs }
    return FrameTiming(waitNs: waitNs, computeNs: workNs, publishNs: publishNs)
  }
}
