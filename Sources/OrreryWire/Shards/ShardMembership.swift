// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryFrame

/// What has become of a shard that is followed.
enum ShardState: Equatable {
  /// Its frames come.
  case following
  /// Its frames come again.
  case returned
  /// The connection is lost, and the sim may still be there.
  case missing
  /// Its sim died or cannot be heard; it may be started again.
  case gone
  /// Its sim has ended in order.
  case ended
  /// Its sim has dropped this subscriber.
  case dropped(DropReason)
}

/// A subscriber's membership in one of the runs that several shards make together.
///
/// One thread at a time uses it.
protocol ShardMembership: AnyObject {
  /// Its frames, of the sim that was joined last.
  var frames: any ShardFrames { get }

  /// The frame before the first one that is wanted of that sim.
  var joinedAfter: UInt64 { get }

  /// Whether no frame will follow; read it before frames are looked for.
  var hasEnded: Bool { get }

  /// Why it cannot go on, if its sim broke the protocol or refuses its keys.
  var failure: WireError? { get }

  /// What shows that a message has come; empty where none is sent, or there is no room for it.
  var polled: [zmq_pollitem_t] { get }

  /// The shard's events; call it before `begin`.
  func events() throws(WireError) -> any EventSource

  /// Joins, unless that is done; from here on the sim counts this subscriber.
  func begin(reading: Reading, from: UInt64) throws(WireError)

  /// Takes what has come.
  ///
  /// - Parameter sequence: Every frame up to this one was used or given up.
  func receive(after sequence: UInt64)

  /// Sleeps until the sim publishes.
  ///
  /// - Returns: False at once if that shows in `polled`.
  func sleep(ns: UInt64) -> Bool

  /// Finds out what has become of the shard, and joins it again if it has come back.
  ///
  /// - Parameters:
  ///   - hasEnded: As read before frames were looked for.
  ///   - isNeeded: Whether `frames` has some that were not used yet: they are kept until then.
  ///   - nowNs: The time.
  /// - Returns: Its state.
  func look(hasEnded: Bool, isNeeded: Bool, nowNs: UInt64) -> ShardState

  /// Reports this subscriber's progress.
  func report(sequence: UInt64, missed: UInt64, isLast: Bool)
}
