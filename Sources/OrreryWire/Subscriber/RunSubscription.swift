// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// A subscriber's end of a run, on the sim's machine or another.
package protocol RunSubscription: AnyObject {
  /// Where frames come from.
  var source: any FrameSource { get }

  /// Which frames it gets.
  var reading: Reading { get }

  /// How it learns of frames; nil on another machine.
  var localWaiting: Waiting? { get }

  /// What was received and missed so far.
  var losses: Losses { get }

  /// Nanoseconds from publishing to the start of reading, of every frame read.
  var latency: Histogram { get }

  /// What went wrong, where an event says that it did.
  var failure: WireError? { get }

  /// Waits for what happens next.
  ///
  /// - Parameter timeoutNs: How long.
  /// - Returns: A frame that is to be read and settled, or what else happened.
  func find(timeoutNs: UInt64) -> Finding

  /// Counts a frame that was found; until then it is found again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: What `FrameSource.isWhole` said once it had been read.
  /// - Returns: `.frame` or `.missed`.
  func settle(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent

  /// Tells the sim now and then how far this subscriber is; to be called after each frame.
  func report()
}

extension RunSubscription {
  /// Waits for the next frame and lets `use` read it.
  ///
  /// - Parameters:
  ///   - timeoutNs: How long to wait.
  ///   - use: Reads the frame in place, then asks `FrameSource.isWhole` and returns what it says: in live delivery
  ///     it may be overwritten meanwhile, and then the event is `.missed`.
  /// - Returns: What happened.
  /// - Throws: What `use` throws; the frame then counts as neither received nor missed.
  @inlinable package func next<Failure: Error>(
    timeoutNs: UInt64, use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent {
    switch find(timeoutNs: timeoutNs) {
    case .frame(let view): return settle(view, isWhole: try use(view))
    case .event(let event): return event
    }
  }
}

extension Subscription: RunSubscription {
  package var source: any FrameSource { reader }
  package var localWaiting: Waiting? { waiting }
  package var failure: WireError? { nil }
}
