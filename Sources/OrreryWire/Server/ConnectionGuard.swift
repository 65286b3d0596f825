// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc
import OrreryBase

/// Limits the number of connections and the bytes that each may send without a complete message.
///
/// ZeroMQ limits the length of a message and the number of queued messages. It limits neither the
/// parts of a message that is never finished nor the number of connections. Its monitor reports the
/// descriptor of each connection, and the kernel reports the bytes received over it. A connection
/// that has sent far more bytes than its complete messages hold is closed.
package final class ConnectionGuard {
  let monitor: Socket

  /// Connections refused or closed: failed handshakes, too many connections, too many bytes.
  package private(set) var refusedCount: UInt64 = 0

  private var connections: [CInt: Connection] = [:]

  private struct Connection {
    /// The kernel's ID of the socket: the descriptor's number may belong to another socket by now.
    let cookie: UInt64
    let openedNs: UInt64
    /// Bytes of complete messages.
    var delivered: UInt64 = 0
    /// When it is to be closed.
    var endNs: UInt64 = .max
  }

  /// Open connections, at most.
  package static let connectionMax = 256

  /// Bytes received that may not yet belong to a complete message.
  private static let undeliveredMax: UInt64 = 8 << 20

  /// Bytes allowed per second for heartbeats, which are not messages and come once a second.
  private static let heartbeatBytes: UInt64 = 256

  /// Time between two checks; what a peer sends meanwhile takes memory.
  static let intervalNs: UInt64 = 10_000_000

  private static let failures =
    ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
    | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH

  /// Monitors a socket that has not been bound yet.
  init(_ socket: Socket) throws(WireError) {
    monitor = try socket.monitor(
      ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED | Self.failures,
      at: "inproc://orrery.connections")
  }

  /// Whether there are connections to check.
  package var isWatching: Bool { !connections.isEmpty }

  /// Reads events of the monitor; true if there may be more.
  package func readEvents(nowNs: UInt64) -> Bool {
    for _ in 0..<64 {
      guard let parts = monitor.receiveParts(limit: 2) else { return false }
      guard let head = parts.first, head.count == 6 else { continue }
      let event = CInt(head[0]) | CInt(head[1]) << 8
      let value = head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: CInt.self) }
      switch event {
      case ZMQ_EVENT_ACCEPTED:
        accept(value, nowNs: nowNs)
      case ZMQ_EVENT_DISCONNECTED, ZMQ_EVENT_CLOSED:
        connections[value] = nil
      default:
        refusedCount += 1
      }
    }
    return true
  }

  private func accept(_ descriptor: CInt, nowNs: UInt64) {
    let cookie = linux_socket_cookie(descriptor)
    guard cookie != 0 else { return }
    connections[descriptor] = Connection(cookie: cookie, openedNs: nowNs)
    if connections.count > Self.connectionMax { hangUp(descriptor) }
  }

  /// Counts the bytes of a complete message.
  package func deliver(_ bytes: Int, over descriptor: CInt) {
    connections[descriptor]?.delivered += UInt64(bytes)
  }

  /// Closes connections that have sent too much without a complete message, and dismissed ones.
  package func enforceLimits(nowNs: UInt64) {
    for (descriptor, connection) in connections {
      guard linux_socket_cookie(descriptor) == connection.cookie else {
        connections[descriptor] = nil
        continue
      }
      if nowNs >= connection.endNs {
        hangUp(descriptor)
        continue
      }
      let seconds = (nowNs - connection.openedNs) / 1_000_000_000 + 1
      // Encryption and framing add less than a third to requests that are not tiny.
      let expected = connection.delivered * 2 + seconds * Self.heartbeatBytes
      if linux_tcp_received(descriptor) > expected + Self.undeliveredMax { hangUp(descriptor) }
    }
  }

  /// Closes a connection after a second, which the last message gets to be sent.
  package func dismiss(_ descriptor: CInt, nowNs: UInt64) {
    connections[descriptor]?.endNs = nowNs + 1_000_000_000
  }

  /// Closes a connection; ZeroMQ notices and removes it.
  private func hangUp(_ descriptor: CInt) {
    guard let connection = connections.removeValue(forKey: descriptor),
      linux_socket_cookie(descriptor) == connection.cookie
    else { return }
    shutdown(descriptor, CInt(SHUT_RDWR))
    refusedCount += 1
  }
}
