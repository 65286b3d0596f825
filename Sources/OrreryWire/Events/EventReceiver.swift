// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Receives `orrery.Events` messages of a run on this machine.
///
/// Create it before the run is joined, and let it wait until it is known: messages that are sent while ZeroMQ connects do
/// not arrive.
/// One thread at a time uses it.
package final class EventReceiver: EventSource, @unchecked Sendable {
  /// A ZeroMQ SUB.
  package let socket: Socket

  /// Messages queued for this process: with 32 KiB each, 16 MiB.
  private static let highWaterMark: CInt = 512

  /// Connects to a run's events.
  ///
  /// - Throws: `WireError.zeroMQ`.
  package init(directory: RunDirectory) throws(WireError) {
    let socket = try Socket(
      type: ZMQ_SUB, endpoint: "ipc://" + directory.eventsPath,
      messageBytesMax: EventAnnouncer.messageBytesMax)
    try socket.set(ZMQ_RCVHWM, Self.highWaterMark)
    try socket.subscribe(EventAnnouncer.topic)
    try socket.connect()
    self.socket = socket
  }

  /// Waits until the sim knows this receiver: all that it sends from then on arrives.
  ///
  /// - Parameter timeoutNs: How long: a sim that is stopped says nothing.
  /// - Returns: Whether the sim has said so, or has sent an event.
  @discardableResult
  package func waitUntilKnown(timeoutNs: UInt64 = 1_000_000_000) -> Bool {
    hasMessage(timeoutNs: timeoutNs)
  }

  private func hasMessage(timeoutNs: UInt64) -> Bool {
    var item = zmq_pollitem_t(
      socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    return zmq_poll(&item, 1, Int(max(timeoutNs / 1_000_000, 1))) > 0
  }

  /// See `EventSource.next`; a message without a body is taken and ignored.
  package func next<Failure: Error>(
    timeoutNs: UInt64, use: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    defer { zmq_msg_close(&message) }
    if zmq_msg_recv(&message, socket.handle, ZMQ_DONTWAIT) < 0 {
      guard timeoutNs > 0, hasMessage(timeoutNs: timeoutNs),
        zmq_msg_recv(&message, socket.handle, ZMQ_DONTWAIT) >= 0
      else { return false }
    }
    let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
    if bytes.count > EventAnnouncer.topic.count {
      try use(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(EventAnnouncer.topic.count)))
    }
    return true
  }
}
