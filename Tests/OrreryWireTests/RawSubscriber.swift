// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Testing

/// A SUB socket that a test drives by hand.
final class RawSubscriber: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer
  private let socket: UnsafeMutableRawPointer

  /// Connects.
  ///
  /// - Parameters:
  ///   - endpoint: Of a PUB or XPUB.
  ///   - topics: Beginnings of messages that are wanted.
  ///   - highWaterMark: Messages that wait in this process.
  /// - Throws: Where ZeroMQ has no socket left.
  init(_ endpoint: String, topics: [[UInt8]], highWaterMark: CInt = 1000) throws {
    context = try #require(zmq_ctx_new())
    socket = try #require(zmq_socket(context, ZMQ_SUB))
    // Subscriptions wait in the queue of what is sent: no number of them is too large.
    let options = [(ZMQ_LINGER, 0), (ZMQ_RCVHWM, highWaterMark), (ZMQ_SNDHWM, 0)] as [(CInt, CInt)]
    for (option, value) in options {
      var value = value
      zmq_setsockopt(socket, option, &value, MemoryLayout<CInt>.size)
    }
    for topic in topics { subscribe(topic) }
    try #require(zmq_connect(socket, endpoint) == 0)
  }

  deinit {
    zmq_close(socket)
    zmq_ctx_term(context)
  }

  func subscribe(_ topic: [UInt8]) {
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic, topic.count)
  }

  func unsubscribe(_ topic: [UInt8]) {
    zmq_setsockopt(socket, ZMQ_UNSUBSCRIBE, topic, topic.count)
  }

  /// The next message; nil if none comes in time.
  func receive(waitMs: CInt = 0) -> [UInt8]? {
    var wait = waitMs
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &wait, MemoryLayout<CInt>.size)
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    defer { zmq_msg_close(&message) }
    guard zmq_msg_recv(&message, socket, 0) >= 0 else { return nil }
    return Array(
      UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
  }
}
