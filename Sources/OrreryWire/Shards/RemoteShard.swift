// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// A subscriber's membership in a shard that is followed by message.
///
/// Its sim's account counts a frame as received when its message was taken, before it is joined with the other shards'.
final class RemoteShard: ShardMembership {
  private let subscription: RemoteSubscription
  private let queue: ReceivedFrames
  private let waitNs: UInt64

  /// Whether the oldest frames give way to new ones; if not, messages stay in the connection while the queue is full.
  private var dropsOldest = false

  /// Whether the connection was lost the last time that it was looked at.
  private var wasLost = false

  /// What ended the subscription; nil while it goes on.
  private var end: SubscriptionEvent?

  /// Messages that are taken in a row: then it is the other shards' turn.
  private static let turnMax = 64

  /// Makes a queue for the frames of a subscription.
  ///
  /// - Parameters:
  ///   - subscription: It has joined, and wants every frame.
  ///   - waitSeconds: How long a sim that is not heard is taken to be there.
  init(_ subscription: RemoteSubscription, waitSeconds: Double) {
    self.subscription = subscription
    queue = ReceivedFrames(subscription.run, joinedAfter: subscription.losses.joinedAfter)
    waitNs = UInt64(waitSeconds * 1e9)
  }

  var frames: any ShardFrames { queue }
  var joinedAfter: UInt64 { subscription.losses.joinedAfter }
  var hasEnded: Bool { end == .ended }
  var failure: WireError? { subscription.failure }

  /// Nothing while there is no room for what would come.
  var polled: [zmq_pollitem_t] {
    end != nil || (queue.isFull && !dropsOldest) ? [] : subscription.polled
  }

  func events() -> any EventSource { subscription.events() }

  func begin(reading: Reading, from: UInt64) { dropsOldest = reading == .newest }

  func receive(after sequence: UInt64) {
    queue.release(through: sequence)
    for _ in 0..<Self.turnMax {
      guard end == nil, dropsOldest || !queue.isFull else { return }
      switch subscription.find(timeoutNs: 0) {
      case .frame:
        queue.add(subscription.take(), nowNs: Clock.monotonicNs())
        subscription.report()
      case .event(.missed(let gap)): queue.skip(through: gap.upperBound)
      case .event(.idle): return
      case .event(let event): end = event
      }
    }
  }

  func sleep(ns: UInt64) -> Bool { false }

  func look(hasEnded: Bool, isNeeded: Bool, nowNs: UInt64) -> ShardState {
    switch end {
    case .ended?: return .ended
    case .dropped(let reason)?: return .dropped(reason)
    case .some: return .gone
    case nil: break
    }
    guard let lostNs = subscription.lostNs else {
      defer { wasLost = false }
      return wasLost ? .returned : .following
    }
    wasLost = true
    return nowNs > lostNs + waitNs ? .gone : .missing
  }

  /// Without effect: the subscription keeps and reports its own account.
  func report(sequence: UInt64, missed: UInt64, isLast: Bool) {}
}
