// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: a client hears everything that a sim says, and its own last words reach the sim, however slowly the one or the other reads.
///
/// Method: a ROUTER in the sim's place, and more messages at once than queues and the system's buffers hold.
@Suite struct WireConnectionTests {
  @Test func framesThatComeBeforeTheirSizeIsKnownDoNotStopTheConnection() throws {
    let router = try Router(receiveHighWaterMark: 16)
    let connection = try router.connect()
    try #require(zmq_send(connection.socket.handle, "join", 4, ZMQ_DONTWAIT) == 4)
    let peer = try #require(router.receive())
    let count = 40
    for _ in 0..<count { try #require(router.send(to: peer) >= 0) }
    // They wait for a client that knows the size of frames only after it has read the first.
    usleep(200_000)
    var timeoutMs: CInt = 5000
    let size = MemoryLayout<CInt>.size
    try #require(zmq_setsockopt(connection.socket.handle, ZMQ_RCVTIMEO, &timeoutMs, size) == 0)
    var buffer = [UInt8](repeating: 0, count: 64)
    for index in 0..<count {
      let length = zmq_recv(connection.socket.handle, &buffer, buffer.count, 0)
      try #require(length == 5, "message \(index)")
      if index == 0 { connection.expect(messageBytes: 64) }
    }
  }

  /// ZeroMQ does not read a connection whose queue is full, and aborts a process that has a heartbeat due after that
  /// connection broke.
  @Test func simThatBreaksOffEndsNoClientWhoseQueueIsFull() throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try #require(listen(listener, 8) == 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(listener, $0, &length)
      }
    }
    let endpoint = try WireEndpoint("tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
    let sim = try TestThread("the sim to break off") {
      let peer = RawPeer(accepting: listener)
      peer.breakOffAtEnd()
      try #require(peer.shakeHands())
      try #require(peer.send(Array([[UInt8]](repeating: [0, 1, 7], count: 20_000).joined())))
      usleep(100_000)
    }
    let connection = try RemoteSubscription.connect(
      to: .tcp(endpoint, keys: nil), waitSeconds: 20)
    try sim.join()
    // A heartbeat a second would be due by now.
    usleep(1_500_000)
    var buffer: UInt8 = 0
    var count = 0
    while zmq_recv(connection.socket.handle, &buffer, 1, ZMQ_DONTWAIT) == 1 { count += 1 }
    #expect(count >= 1000)
  }

  @Test func whatWasSentLeavesBeforeTheConnectionIsClosed() throws {
    // One message waits at most.
    let router = try Router(receiveHighWaterMark: 1)
    let holder = Holder()
    holder.connection = try router.connect()
    let message = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<20 {
      let socket = try #require(holder.connection).socket
      try #require(zmq_send(socket.handle, message, message.count, ZMQ_DONTWAIT) == message.count)
    }
    holder.connection?.finish()
    let closing = try TestThread("the connection to close") { holder.connection = nil }
    var received = 0
    while received < 20, router.receive() != nil { received += 1 }
    try closing.join()
    #expect(received == 20)
  }

  /// Lets another thread close a connection, which may take as long as the last words do.
  private final class Holder: @unchecked Sendable {
    var connection: WireConnection?
  }

  /// A ROUTER in the sim's place, which gives up after five seconds without a message.
  private final class Router {
    private let router: BareRouter
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    init(receiveHighWaterMark: CInt) throws {
      router = try BareRouter([
        (ZMQ_RCVHWM, receiveHighWaterMark), (ZMQ_RCVTIMEO, 5_000), (ZMQ_ROUTER_MANDATORY, 1),
      ])
    }

    deinit { router.close() }

    func connect() throws -> WireConnection {
      try RemoteSubscription.connect(to: router.address, waitSeconds: 20)
    }

    /// Receives a message whole; its sender, or nil if none came.
    func receive() -> [UInt8]? {
      let count = zmq_recv(router.socket, &buffer, buffer.count, 0)
      guard count >= 0 else { return nil }
      let peer = Array(buffer[..<Int(count)])
      return zmq_recv(router.socket, &buffer, buffer.count, 0) >= 0 ? peer : nil
    }

    func send(to peer: [UInt8]) -> CInt {
      guard zmq_send(router.socket, peer, peer.count, ZMQ_SNDMORE) >= 0 else { return -1 }
      return zmq_send(router.socket, "frame", 5, 0)
    }
  }
}
