// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc

/// A ZeroMQ context: I/O threads and in-process endpoints, shared by sockets.
package final class SocketContext: @unchecked Sendable {
  /// ZeroMQ's own pointer.
  package let handle: UnsafeMutableRawPointer

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - endpoint: Named in errors.
  ///   - isBatch: Whether its threads are batch threads, which preempt no other when they wake.
  /// - Throws: `WireError.zeroMQ`.
  package init(endpoint: String, isBatch: Bool = false) throws(WireError) {
    guard let handle = zmq_ctx_new() else {
      throw .zeroMQ(call: "zmq_ctx_new", endpoint: endpoint, errno: zmq_errno())
    }
    // A batch thread may not have a real-time process's priority; ZeroMQ would abort.
    if isBatch, sched_getscheduler(0) == SCHED_OTHER {
      zmq_ctx_set(handle, ZMQ_THREAD_SCHED_POLICY, LINUX_BATCH_POLICY)
    }
    self.handle = handle
  }

  /// Waits for ZeroMQ's threads, which release all memory that they send from.
  deinit { zmq_ctx_term(handle) }
}

/// A ZeroMQ socket, closed by `deinit`; unsent messages are dropped unless ZMQ_LINGER is set.
package final class Socket: @unchecked Sendable {
  /// ZeroMQ's socket; used by one thread at a time.
  package let handle: UnsafeMutableRawPointer
  private let context: SocketContext
  private let endpoint: String

  /// Default for the longest message that is accepted; announcements have 64 bytes.
  private static let messageBytesMax: Int64 = 4096

  /// Creates a socket that is neither bound nor connected.
  ///
  /// - Parameters:
  ///   - type: `ZMQ_PUB`, …
  ///   - endpoint: Where it will be bound or connected; named in errors.
  ///   - context: The socket's context; nil makes a new one.
  ///   - isBatch: For a new context, whether its threads are batch threads.
  ///   - messageBytesMax: A longer message ends the connection that sends it.
  /// - Throws: `WireError.zeroMQ` when the process has too many sockets or no memory.
  init(
    type: CInt, endpoint: String, context: SocketContext? = nil, isBatch: Bool = false,
    messageBytesMax: Int64 = Socket.messageBytesMax
  ) throws(WireError) {
    let context =
      if let context { context } else {
        try SocketContext(endpoint: endpoint, isBatch: isBatch)
      }
    guard let handle = zmq_socket(context.handle, type) else {
      throw .zeroMQ(call: "zmq_socket", endpoint: endpoint, errno: zmq_errno())
    }
    self.context = context
    self.handle = handle
    self.endpoint = endpoint
    try set(ZMQ_LINGER, 0)
    try set(ZMQ_IPV6, 0)
    var limit = messageBytesMax
    try check(
      zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &limit, MemoryLayout<Int64>.size), "MAXMSGSIZE")
  }

  deinit { zmq_close(handle) }

  /// Sets an option whose value is a C int.
  func set(_ option: CInt, _ value: CInt) throws(WireError) {
    var value = value
    try check(
      zmq_setsockopt(handle, option, &value, MemoryLayout<CInt>.size), "zmq_setsockopt")
  }

  /// Sets an option whose value is a string.
  func set(_ option: CInt, _ value: String) throws(WireError) {
    let bytes = Array(value.utf8)
    try check(zmq_setsockopt(handle, option, bytes, bytes.count), "zmq_setsockopt")
  }

  /// Limits the time for a handshake.
  func limitHandshake() throws(WireError) { try set(ZMQ_HANDSHAKE_IVL, Self.handshakeMs) }

  /// Limits the time for a handshake, and the time without an answer to a heartbeat afterwards.
  ///
  /// Heartbeats give the peer no time (`ZMQ_HEARTBEAT_TTL`): ZeroMQ counts whole messages only, and would hang up on a
  /// peer to which one takes longer.
  ///
  /// Only for a socket without a limit of received messages. ZeroMQ stops reading a connection whose queue is
  /// full; if the peer breaks it then, ZeroMQ 4.3 aborts the process when the next heartbeat is due.
  func limitSilence() throws(WireError) {
    try limitHandshake()
    try set(ZMQ_HEARTBEAT_IVL, Self.heartbeatMs)
    try set(ZMQ_HEARTBEAT_TIMEOUT, Self.silenceMs)
  }

  private static let handshakeMs: CInt = 1000
  private static let heartbeatMs: CInt = 1000
  private static let silenceMs: CInt = 3000

  func subscribe(_ prefix: [UInt8]) throws(WireError) {
    try check(zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count), "zmq_setsockopt")
  }

  /// Takes the subscriptions and unsubscriptions that an XPUB has received since the last call, at most 1000.
  ///
  /// ZeroMQ looks for them only inside a call.
  func takeSubscriptions(_ body: (_ isSubscribed: Bool, _ topic: [UInt8]) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64)
    for _ in 0..<1000 {
      let count = Int(zmq_recv(handle, &bytes, bytes.count, ZMQ_DONTWAIT))
      guard count >= 0 else { break }
      guard (1...bytes.count).contains(count) else { continue }
      body(bytes[0] == 1, Array(bytes[1..<count]))
    }
  }

  func bind() throws(WireError) { try bind(endpoint) }

  /// Binds one more endpoint, with the options set so far.
  func bind(_ endpoint: String) throws(WireError) {
    guard zmq_bind(handle, endpoint) == 0 else {
      throw .zeroMQ(call: "zmq_bind", endpoint: endpoint, errno: zmq_errno())
    }
    // A socket's mode follows the umask, which may shut out this user, too.
    let local = "ipc://"
    if endpoint.hasPrefix(local) { chmod(String(endpoint.dropFirst(local.count)), 0o600) }
  }

  func connect() throws(WireError) { try check(zmq_connect(handle, endpoint), "zmq_connect") }

  /// The endpoint of the last bind, with the port that the system chose.
  func lastEndpoint() throws(WireError) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    var count = bytes.count
    try check(zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &bytes, &count), "zmq_getsockopt")
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Becomes readable when the socket may have events; edge-triggered, see ZeroMQ's manual.
  var descriptor: CInt { option(ZMQ_FD) ?? -1 }

  /// Whether a message can be received.
  var hasInput: Bool { (option(ZMQ_EVENTS) ?? 0) & ZMQ_POLLIN != 0 }

  private func option(_ option: CInt) -> CInt? {
    var value: CInt = 0
    var size = MemoryLayout<CInt>.size
    return zmq_getsockopt(handle, option, &value, &size) == 0 ? value : nil
  }

  /// Makes a socket of the same context that receives events of this socket's connections.
  func monitor(_ events: CInt, at endpoint: String) throws(WireError) -> Socket {
    try check(zmq_socket_monitor(handle, endpoint, events), "zmq_socket_monitor")
    let listener = try Socket(type: ZMQ_PAIR, endpoint: endpoint, context: context)
    try listener.connect()
    return listener
  }

  private func check(_ result: CInt, _ call: String) throws(WireError) {
    guard result == 0 else {
      throw .zeroMQ(call: call, endpoint: endpoint, errno: zmq_errno())
    }
  }
}
