// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Sends `orrery.Events` messages to the subscribers of this machine.
///
/// On a socket of its own: a flood of events must not push announcements out of their queue. A subscriber that
/// does not take its messages is waited for, but for at most a second in ten; then it misses some and the
/// others do not.
package final class EventAnnouncer: @unchecked Sendable {
  /// A PUB.
  package let socket: Socket

  /// How long subscribers have been waited for, and from when on they may be again.
  package private(set) var waitedNs: UInt64 = 0
  package var patientFromNs: UInt64 = 0

  /// Topic of the messages: the first eight bytes.
  static let topic = Array("events".utf8) + [0, 0]

  /// Messages kept for one subscriber: with 32 KiB each, 4 MiB.
  private static let highWaterMark: CInt = 128

  /// Longer messages are not accepted.
  static let messageBytesMax: Int64 = 256 << 10

  /// How long the last messages may take to leave when the run ends, in milliseconds.
  private static let lingerMs: CInt = 1000

  private static let patienceNs: UInt64 = 1_000_000_000
  private static let patienceEveryNs: UInt64 = 10_000_000_000

  /// Binds the socket of events.
  ///
  /// - Throws: `WireError.zeroMQ`.
  package init(directory: RunDirectory) throws(WireError) {
    let socket = try Socket(
      type: ZMQ_PUB, endpoint: "ipc://" + directory.eventsPath,
      messageBytesMax: Self.messageBytesMax)
    try socket.set(ZMQ_SNDHWM, Self.highWaterMark)
    try socket.set(ZMQ_LINGER, Self.lingerMs)
    // A full queue is said instead of dropping the message.
    try socket.set(ZMQ_XPUB_NODROP, 1)
    try socket.bind()
    self.socket = socket
  }

  /// Lets ZeroMQ take notice of who came and went; to be called now and then, by the thread that sends.
  ///
  /// It does so only when it is asked something: otherwise each subscriber of a run in which nothing happens would
  /// leave 13 KiB behind.
  package func look() { _ = socket.hasInput }

  /// Sends a message, by one thread at a time.
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
    // Those who can take it get it.
    try? socket.set(ZMQ_XPUB_NODROP, 0)
    _ = zmq_send(socket.handle, parts, parts.count, ZMQ_DONTWAIT)
    try? socket.set(ZMQ_XPUB_NODROP, 1)
  }
}
