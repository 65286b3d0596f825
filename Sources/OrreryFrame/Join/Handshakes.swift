// SPDX-License-Identifier: Apache-2.0

/// The connections to the join socket that have not asked to join yet.
///
/// Only state and rules: the join server's thread carries out the decisions.
package struct Handshakes {
  /// In the order in which they were accepted.
  private var connections: [(socket: CInt, acceptedNs: UInt64)] = []

  /// Connections at one time.
  ///
  /// One more evicts the oldest of them, so that silent connections keep no subscriber out.
  package static let countMax = 64

  /// How long a connection may stay silent.
  package static let silenceNs: UInt64 = 1_000_000_000

  /// No connections.
  package init() {}

  /// The descriptors of all connections.
  package var sockets: [CInt] { connections.map(\.socket) }

  /// Adds a new connection.
  ///
  /// - Returns: The connection that must be closed for it; it is already removed here.
  package mutating func accept(_ socket: CInt, nowNs: UInt64) -> CInt? {
    let evicted = connections.count >= Self.countMax ? evict() : nil
    connections.append((socket, nowNs))
    return evicted
  }

  /// Removes the connection that has been silent for longest.
  package mutating func evict() -> CInt? {
    connections.isEmpty ? nil : connections.removeFirst().socket
  }

  /// Removes a connection that is not silent any more.
  ///
  /// - Returns: False if there is no such connection.
  package mutating func remove(_ socket: CInt) -> Bool {
    guard let index = connections.firstIndex(where: { $0.socket == socket }) else { return false }
    connections.remove(at: index)
    return true
  }

  /// Removes the connections that have been silent for too long.
  package mutating func removeSilent(nowNs: UInt64) -> [CInt] {
    let count = connections.prefix { $0.acceptedNs + Self.silenceNs <= nowNs }.count
    defer { connections.removeFirst(count) }
    return connections.prefix(count).map(\.socket)
  }

  /// When the next connection runs out of time; nil if there is none.
  package var nextSilentNs: UInt64? { connections.first.map { $0.acceptedNs + Self.silenceNs } }
}
