// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: a client's last words reach the sim, however slowly it reads and however soon the client closes.
///
/// Method: a ROUTER that reads nothing while more is sent to it than the system's buffers hold.
@Suite(.timeLimit(.minutes(10))) struct WireConnectionTests {
  /// Lets another thread close a connection, which may take as long as the last words do.
  private final class Holder: @unchecked Sendable {
    var connection: WireConnection?
  }

  @Test func whatWasSentLeavesBeforeTheConnectionIsClosed() throws {
    let context = try #require(zmq_ctx_new())
    defer { zmq_ctx_term(context) }
    let router = try #require(zmq_socket(context, ZMQ_ROUTER))
    defer { zmq_close(router) }
    // One message waits at most, and a loss is noticed in the end.
    for (option, value) in [(ZMQ_RCVHWM, 1), (ZMQ_RCVTIMEO, 5_000), (ZMQ_LINGER, 0)] {
      var value = CInt(value)
      zmq_setsockopt(router, CInt(option), &value, MemoryLayout<CInt>.size)
    }
    try #require(zmq_bind(router, "tcp://127.0.0.1:*") == 0)
    var (name, count) = ([CChar](repeating: 0, count: 64), 64)
    zmq_getsockopt(router, ZMQ_LAST_ENDPOINT, &name, &count)
    let endpoint = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let holder = Holder()
    holder.connection = try RemoteSubscription.connect(
      to: .tcp(WireEndpoint(endpoint), keys: nil), waitSeconds: 20)
    let message = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<20 {
      let socket = try #require(holder.connection).socket
      try #require(zmq_send(socket.handle, message, message.count, ZMQ_DONTWAIT) == message.count)
    }
    holder.connection?.finish()
    let closing = try TestThread("the connection to close") { holder.connection = nil }
    var received = 0
    var buffer = [UInt8](repeating: 0, count: message.count)
    while received < 20, zmq_recv(router, &buffer, buffer.count, 0) >= 0 {
      guard zmq_recv(router, &buffer, buffer.count, 0) == message.count else { break }
      received += 1
    }
    try closing.join()
    #expect(received == 20)
  }
}
