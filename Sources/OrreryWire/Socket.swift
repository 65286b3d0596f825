// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc

/// ZeroMQ's threads and in-process endpoints, shared by sockets.
package final class SocketContext: @unchecked Sendable {
  package let handle: UnsafeMutableRawPointer

  /// A context whose threads, if they are of the batch kind, give way to every other one that wakes.
  package init(endpoint: String, isBatch: Bool = false) throws(WireError) {
    guard let handle = zmq_ctx_new() else {
      throw .zeroMQ(call: "zmq_ctx_new", endpoint: endpoint, errno: zmq_errno())
    }
    // A real-time process has a priority that no batch thread may have, and ZeroMQ aborts over that.
    if isBatch, sched_getscheduler(0) == SCHED_OTHER {
      zmq_ctx_set(handle, ZMQ_THREAD_SCHED_POLICY, LINUX_BATCH_POLICY)
    }
    self.handle = handle
  }

  /// Waits for ZeroMQ's threads: nothing that they were to release is held afterwards.
  deinit { zmq_ctx_term(handle) }
}

/// A ZeroMQ socket, closed without waiting when its owner goes.
package final class Socket: @unchecked Sendable {
  /// ZeroMQ's own; used by one thread at a time.
  package let handle: UnsafeMutableRawPointer
  private let context: SocketContext
  private let endpoint: String

  /// Messages of more bytes are refused where nothing else is said: announcements are 64.
  private static let messageBytesMax: Int64 = 4096

  /// - Parameters:
  ///   - type: `ZMQ_PUB`, …
  ///   - endpoint: Where it will be bound or connected; for errors where it is neither.
  ///   - context: Nil makes one of its own.
  ///   - isBatch: Of a context of its own: whether its threads give way to every other one that wakes.
  ///   - messageBytesMax: What is longer ends the connection that sends it.
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

  /// Sets an option whose value is a text.
  func set(_ option: CInt, _ value: String) throws(WireError) {
    let bytes = Array(value.utf8)
    try check(zmq_setsockopt(handle, option, bytes, bytes.count), "zmq_setsockopt")
  }

  /// Bounds how long a peer may take to say who it is, and to say anything at all afterwards.
  func limitSilence() throws(WireError) {
    try set(ZMQ_HANDSHAKE_IVL, Self.handshakeMs)
    try set(ZMQ_HEARTBEAT_IVL, Self.heartbeatMs)
    try set(ZMQ_HEARTBEAT_TIMEOUT, Self.silenceMs)
    try set(ZMQ_HEARTBEAT_TTL, Self.silenceMs)
    try set(ZMQ_IPV6, 0)
  }

  private static let handshakeMs: CInt = 1000
  private static let heartbeatMs: CInt = 1000
  private static let silenceMs: CInt = 3000

  func subscribe(_ prefix: [UInt8]) throws(WireError) {
    try check(zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count), "zmq_setsockopt")
  }

  func bind() throws(WireError) { try bind(endpoint) }

  /// Binds one endpoint more, with the options that are set by now.
  func bind(_ endpoint: String) throws(WireError) {
    guard zmq_bind(handle, endpoint) == 0 else {
      throw .zeroMQ(call: "zmq_bind", endpoint: endpoint, errno: zmq_errno())
    }
  }

  func connect() throws(WireError) { try check(zmq_connect(handle, endpoint), "zmq_connect") }

  /// Where the last bind went: with the port that the system chose.
  func lastEndpoint() throws(WireError) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    var count = bytes.count
    try check(zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &bytes, &count), "zmq_getsockopt")
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Readable when something may have happened to the socket; edge-triggered, as ZeroMQ's manual says.
  var descriptor: CInt { option(ZMQ_FD) ?? -1 }

  /// Whether a message waits.
  var hasInput: Bool { (option(ZMQ_EVENTS) ?? 0) & ZMQ_POLLIN != 0 }

  private func option(_ option: CInt) -> CInt? {
    var value: CInt = 0
    var size = MemoryLayout<CInt>.size
    return zmq_getsockopt(handle, option, &value, &size) == 0 ? value : nil
  }

  /// Lets another socket of the same context hear what becomes of connections.
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
