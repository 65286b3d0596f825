// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// A subscriber's side of a run, on the sim's machine or another one.
package protocol RunSubscription: AnyObject {
  /// The source of frames.
  var source: any FrameSource { get }

  /// Which frames are wanted.
  var reading: Reading { get }

  /// How it waits for frames; nil on another machine.
  var localWaiting: Waiting? { get }

  /// Frames received and missed so far.
  var losses: Losses { get }

  /// How old frames were when they were read.
  var ages: FrameAges { get }

  /// The error behind an event that ended the subscription; nil if there was none.
  var failure: WireError? { get }

  /// Frames received and missed of each shard; empty for a run of one sim.
  var shards: [ShardAccount] { get }

  /// Waits for the next frame or event.
  ///
  /// - Parameter timeoutNs: How long to wait.
  /// - Returns: A frame, which the caller reads and then records, or an event.
  func find(timeoutNs: UInt64) -> Finding

  /// Records a frame that was found as received or missed; until then `find` returns it again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: Result of `FrameSource.isWhole` after the frame was read.
  /// - Returns: `.frame` or `.missed`.
  func record(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent

  /// Reports this subscriber's progress to the sim from time to time; call it after each frame.
  func report()
}

extension RunSubscription {
  /// None: one sim makes the run.
  package var shards: [ShardAccount] { [] }

  /// Waits for the next frame and lets `use` read it.
  ///
  /// - Parameters:
  ///   - timeoutNs: How long to wait.
  ///   - use: Reads the frame in place, then returns the result of `FrameSource.isWhole`: in live
  ///     delivery the frame may be overwritten meanwhile, and then the event is `.missed`.
  /// - Returns: The event.
  /// - Throws: What `use` throws; the frame then counts as neither received nor missed.
  @inlinable package func next<Failure: Error>(
    timeoutNs: UInt64, use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent {
    switch find(timeoutNs: timeoutNs) {
    case .frame(let view): return record(view, isWhole: try use(view))
    case .event(let event): return event
    }
  }
}

extension Subscription: RunSubscription {
  package var source: any FrameSource { reader }
  package var localWaiting: Waiting? { waiting }
  package var failure: WireError? { nil }
}
