// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Logging

/// Admits clients whose public key is on the list: ZeroMQ's authentication protocol (ZAP 1.0).
///
/// Before ZeroMQ asks, the client has proved that it has the secret key and knows the sim's public
/// key. The list is read for each question, so a key is refused as soon as its file is removed. What
/// is wrong with the list is logged once, when it is first seen.
package final class KeyAuthenticator {
  let socket: Socket
  private let clients: AllowList

  /// What is wrong with the list, as it was logged.
  package private(set) var faults: Set<String> = []
  private let log = Logger(label: "wire")

  /// Clients that were refused.
  package private(set) var refusedCount: UInt64 = 0

  /// The only ZAP domain; any other is refused.
  static let domain = "orrery"

  /// Binds the endpoint at which ZeroMQ asks; call it before any socket of the context is bound.
  package init(context: SocketContext, clients: AllowList) throws(WireError) {
    self.clients = clients
    socket = try Socket(
      type: ZMQ_ROUTER, endpoint: "inproc://zeromq.zap.01", context: context)
    try socket.bind()
    _ = read()
  }

  /// Reads the list of clients, and logs what is newly wrong with it.
  ///
  /// - Returns: The list, or why it cannot be read: no key is known then.
  func read() -> Result<AllowList.Content, KeyError> {
    do throws(KeyError) {
      let content = try clients.content()
      var found = content.skipped.map { "\($0.description); this file is skipped" }
      if content.isCut {
        found.append("\(clients.directory): has too many files; some are not read")
      }
      note(found)
      return .success(content)
    } catch {
      note(["\(error.description); no client can connect"])
      return .failure(error)
    }
  }

  private func note(_ found: [String]) {
    for fault in found where !faults.contains(fault) { log.warning("\(fault)") }
    faults = Set(found)
  }

  /// Answers one pending question of ZeroMQ.
  ///
  /// - Returns: False if there was none, or it was malformed.
  package func answerOne() -> Bool {
    guard let parts = socket.receiveParts(limit: 16), parts.count >= 7 else { return false }
    let (peer, version, id) = (parts[0], parts[2], parts[3])
    // A peer is known by its key: a file of the same name may get another.
    var user = ""
    if parts.count == 9, parts[4] == Array(Self.domain.utf8), parts[7] == Array("CURVE".utf8),
      case .success(let list) = read(), list.keys.contains(Z85.text(parts[8]))
    {
      user = Z85.text(parts[8])
    } else {
      refusedCount += 1
    }
    let verdict = user.isEmpty ? ("400", "this key is not allowed") : ("200", "OK")
    let answer: [[UInt8]] = [
      peer, [], version, id, Array(verdict.0.utf8), Array(verdict.1.utf8), Array(user.utf8), [],
    ]
    socket.sendParts(answer)
    return true
  }
}

/// ZeroMQ's text format of keys.
enum Z85 {
  /// Forty characters for the 32 bytes of a key; empty for any other number of bytes.
  static func text(_ bytes: [UInt8]) -> String {
    guard bytes.count == 32 else { return "" }
    var text = [CChar](repeating: 0, count: 41)
    guard zmq_z85_encode(&text, bytes, bytes.count) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Socket {
  /// Receives one pending message of short parts.
  ///
  /// - Parameter limit: Parts that are kept; further ones are discarded.
  /// - Returns: The parts; nil if there is no message.
  package func receiveParts(limit: Int) -> [[UInt8]]? {
    var parts: [[UInt8]] = []
    while true {
      var message = zmq_msg_t()
      zmq_msg_init(&message)
      defer { zmq_msg_close(&message) }
      guard zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) >= 0 else {
        return parts.isEmpty ? nil : parts
      }
      if parts.count < limit {
        parts.append(
          Array(
            UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
        )
      }
      if zmq_msg_more(&message) == 0 { return parts }
    }
  }

  /// Sends one message of short parts; it is dropped if the queue is full.
  func sendParts(_ parts: [[UInt8]]) {
    for (index, part) in parts.enumerated() {
      let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
      guard zmq_send(handle, part, part.count, ZMQ_DONTWAIT | more) >= 0 else { return }
    }
  }
}
