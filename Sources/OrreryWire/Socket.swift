// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc

/// A ZeroMQ socket in a context of its own, closed without waiting when its owner goes.
final class Socket: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer
  private let context: UnsafeMutableRawPointer
  private let endpoint: String

  /// Messages of more bytes are refused: announcements are 64.
  private static let messageBytesLimit: Int64 = 4096

  /// - Parameters:
  ///   - type: One of ZeroMQ's.
  ///   - endpoint: Where to bind or connect.
  ///   - isBatch: Whether ZeroMQ's threads give way to every other one that wakes.
  /// - Throws: `WireError.zeroMQ` when the process has too many sockets or no memory.
  init(type: CInt, endpoint: String, isBatch: Bool = false) throws(WireError) {
    guard let context = zmq_ctx_new() else {
      throw .zeroMQ(call: "zmq_ctx_new", endpoint: endpoint, errno: zmq_errno())
    }
    if isBatch { zmq_ctx_set(context, ZMQ_THREAD_SCHED_POLICY, LINUX_BATCH_POLICY) }
    guard let handle = zmq_socket(context, type) else {
      let number = zmq_errno()
      zmq_ctx_term(context)
      throw .zeroMQ(call: "zmq_socket", endpoint: endpoint, errno: number)
    }
    self.context = context
    self.handle = handle
    self.endpoint = endpoint
    try set(ZMQ_LINGER, 0)
    var limit = Self.messageBytesLimit
    try check(
      zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &limit, MemoryLayout<Int64>.size), "MAXMSGSIZE")
  }

  deinit {
    zmq_close(handle)
    zmq_ctx_term(context)
  }

  /// Sets an option whose value is a C int.
  func set(_ option: CInt, _ value: CInt) throws(WireError) {
    var value = value
    try check(
      zmq_setsockopt(handle, option, &value, MemoryLayout<CInt>.size), "zmq_setsockopt")
  }

  func subscribe(_ prefix: [UInt8]) throws(WireError) {
    try check(zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count), "zmq_setsockopt")
  }

  func bind() throws(WireError) { try check(zmq_bind(handle, endpoint), "zmq_bind") }

  func connect() throws(WireError) { try check(zmq_connect(handle, endpoint), "zmq_connect") }

  private func check(_ result: CInt, _ call: String) throws(WireError) {
    guard result == 0 else {
      throw .zeroMQ(call: call, endpoint: endpoint, errno: zmq_errno())
    }
  }
}
