// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc
import OrreryBase

/// Counts connections and what comes over them, and ends those that take too much.
///
/// ZeroMQ bounds the length of a message and the number of messages that wait, but neither the parts of a
/// message that is never finished nor the number of connections. Its monitor tells the descriptor of each
/// connection; the kernel tells how many bytes came over it. A peer that has sent far more than the
/// messages that arrived is hung up on.
package final class ConnectionGuard {
  let monitor: Socket

  /// Connections that were refused or ended: handshakes that failed, too many, too much.
  package private(set) var refusedCount: UInt64 = 0

  private var connections: [CInt: Connection] = [:]

  private struct Connection {
    /// The kernel's name of the socket: a descriptor's number may mean another one by now.
    let cookie: UInt64
    let openedNs: UInt64
    /// Bytes of messages that have arrived.
    var delivered: UInt64 = 0
    /// When it is to be ended.
    var endNs: UInt64 = .max
  }

  /// Connections at one time.
  package static let connectionMax = 256

  /// Bytes that may have come and not be a message yet.
  private static let undeliveredMax: UInt64 = 8 << 20

  /// Heartbeats are no messages: one a second.
  private static let heartbeatBytes: UInt64 = 256

  /// Time between two looks: what a peer can send meanwhile is memory.
  static let intervalNs: UInt64 = 10_000_000

  private static let failures =
    ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
    | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH

  /// Watches a socket that has not been bound yet.
  init(_ socket: Socket) throws(WireError) {
    monitor = try socket.monitor(
      ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED | Self.failures,
      at: "inproc://orrery.connections")
  }

  /// Whether there is something to look at now and then.
  package var isWatching: Bool { !connections.isEmpty }

  /// Takes what the monitor says; true if there may be more.
  package func hear(nowNs: UInt64) -> Bool {
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

  /// A message of so many bytes arrived.
  package func deliver(_ bytes: Int, over descriptor: CInt) {
    connections[descriptor]?.delivered += UInt64(bytes)
  }

  /// Ends connections that have sent far more than arrived, and those that were dismissed.
  package func look(nowNs: UInt64) {
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

  /// Ends a connection soon: what was said last gets a second to leave.
  package func dismiss(_ descriptor: CInt, nowNs: UInt64) {
    connections[descriptor]?.endNs = nowNs + 1_000_000_000
  }

  /// Ends a connection; ZeroMQ notices and forgets it.
  private func hangUp(_ descriptor: CInt) {
    guard let connection = connections.removeValue(forKey: descriptor),
      linux_socket_cookie(descriptor) == connection.cookie
    else { return }
    shutdown(descriptor, CInt(SHUT_RDWR))
    refusedCount += 1
  }
}
