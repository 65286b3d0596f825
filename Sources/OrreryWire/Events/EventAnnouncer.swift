// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Sends `orrery.Events` messages to the subscribers of this machine.
///
/// It has a socket of its own, so that a flood of events cannot push announcements out of their
/// queue. It waits for a subscriber that does not take its messages, but at most one second in ten;
/// after that this subscriber misses messages and the others do not.
package final class EventAnnouncer: @unchecked Sendable {
  /// A ZeroMQ XPUB.
  package let socket: Socket

  /// Time spent waiting for subscribers in the current period.
  package private(set) var waitedNs: UInt64 = 0

  /// When the next period begins, and waiting is allowed again.
  package var patientFromNs: UInt64 = 0

  /// Topic of the messages: the first eight bytes.
  static let topic = Array("events".utf8) + [0, 0]

  /// Messages queued for one subscriber: with 32 KiB each, 4 MiB.
  private static let highWaterMark: CInt = 128

  /// Longer messages are not accepted.
  static let messageBytesMax: Int64 = 256 << 10

  /// Time for the last messages to be sent when the run ends.
  private static let lingerMs: CInt = 1000

  private static let patienceNs: UInt64 = 1_000_000_000
  private static let patienceEveryNs: UInt64 = 10_000_000_000

  /// Binds the socket of events.
  ///
  /// - Throws: `WireError.zeroMQ`.
  package init(directory: RunDirectory) throws(WireError) {
    let socket = try Socket(
      type: ZMQ_XPUB, endpoint: "ipc://" + directory.eventsPath,
      messageBytesMax: Self.messageBytesMax)
    try socket.set(ZMQ_SNDHWM, Self.highWaterMark)
    try socket.limitHandshake()
    try socket.set(ZMQ_LINGER, Self.lingerMs)
    // If a queue is full, sending fails instead of dropping the message.
    try socket.set(ZMQ_XPUB_NODROP, 1)
    // Each subscription is reported, and not only the first one to the topic.
    try socket.set(ZMQ_XPUB_VERBOSE, 1)
    try socket.bind()
    self.socket = socket
  }

  /// Takes account of subscribers that came and left; called from time to time by the sending thread.
  ///
  /// Those that came get a message without a body: what is sent after it reaches them, which nothing else says. The
  /// others ignore it. Without these calls each subscriber of a run without events would leak 13 KiB.
  package func takeSubscriptions() {
    var hasNew = false
    socket.takeSubscriptions { isSubscribed, _ in hasNew = hasNew || isSubscribed }
    if hasNew { send([]) }
  }

  /// Sends a message; called by one thread at a time.
  package func send(_ message: [UInt8]) {
    let parts = Self.topic + message
    if zmq_send(socket.handle, parts, parts.count, ZMQ_DONTWAIT) >= 0 { return }
    let beganNs = Clock.monotonicNs()
    if beganNs >= patientFromNs { (waitedNs, patientFromNs) = (0, beganNs + Self.patienceEveryNs) }
    while waitedNs < Self.patienceNs {
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 500_000)
      waitedNs += 500_000
      if zmq_send(socket.handle, parts, parts.count, ZMQ_DONTWAIT) >= 0 { return }
    }
    // Subscribers with room in their queue get it.
    try? socket.set(ZMQ_XPUB_NODROP, 0)
    _ = zmq_send(socket.handle, parts, parts.count, ZMQ_DONTWAIT)
    try? socket.set(ZMQ_XPUB_NODROP, 1)
  }
}
