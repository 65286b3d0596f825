// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryDocument
import OrreryWire
import Testing

/// A client of a sim's ROUTER that says what a test likes and keeps the bytes that come.
final class RawDealer {
  private let context: UnsafeMutableRawPointer
  private let socket: UnsafeMutableRawPointer

  /// Connects; nothing that is waited for takes longer than twenty seconds.
  init(_ address: WireAddress) throws {
    context = try #require(zmq_ctx_new())
    socket = try #require(zmq_socket(context, ZMQ_DEALER))
    for (option, value) in [(ZMQ_LINGER, 0), (ZMQ_RCVTIMEO, 20_000)] as [(CInt, CInt)] {
      var value = value
      zmq_setsockopt(socket, option, &value, MemoryLayout<CInt>.size)
    }
    try #require(zmq_connect(socket, address.endpoint) == 0)
  }

  deinit {
    zmq_close(socket)
    zmq_ctx_term(context)
  }

  /// Sends parts as one message.
  func send(_ parts: [[UInt8]]) {
    for (index, part) in parts.enumerated() {
      let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
      #expect(zmq_send(socket, part, part.count, more) == CInt(part.count))
    }
  }

  func send(_ request: ControlRequest) { send([request.json]) }

  func send(json: String) { send([Array(json.utf8)]) }

  /// Says goodbye: a run that ends does not wait for who has left.
  func leave() { send(ControlRequest(verb: .leave, id: 2)) }

  /// The parts of the next message; empty if none comes.
  func receive() -> [[UInt8]] {
    var parts: [[UInt8]] = []
    while true {
      var message = zmq_msg_t()
      zmq_msg_init(&message)
      defer { zmq_msg_close(&message) }
      guard zmq_msg_recv(&message, socket, 0) >= 0 else { return parts }
      parts.append(
        Array(UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))))
      if zmq_msg_more(&message) == 0 { return parts }
    }
  }

  /// The next message of one part, which is a frame, or of this name.
  func receive(_ name: String?) throws -> [[UInt8]] {
    for _ in 0..<100 {
      let parts = receive()
      try #require(!parts.isEmpty, "no message '\(name ?? "frame")' came")
      let found = parts.count == 1 ? nil : String(decoding: parts[0], as: UTF8.self)
      if found == name { return parts }
    }
    Issue.record("no message '\(name ?? "frame")' among a hundred")
    return []
  }

  /// Asks, and the answer's fields.
  func ask(_ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]) throws
    -> [String: DocumentValue]
  {
    send(ControlRequest(verb: verb, id: 1, fields: fields))
    let parts = try receive("reply")
    try #require(parts.count >= 2)
    return try parts[1].withUnsafeBytes { try [String: DocumentValue](json: $0) }
  }
}
