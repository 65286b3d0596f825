// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What a ZeroMQ peer says first, asked for over a connection of its own.
///
/// Where only one of two peers uses keys, both hang up: whoever is first to read the other's greeting does, often before
/// it has sent its own, and then the other does not learn why. Asked by somebody who does not say whether it uses keys,
/// the peer sends its greeting whole.
package enum PeerGreeting {
  /// Asks a peer whether it uses keys, which takes a second at most.
  ///
  /// - Returns: Nil if it does not answer as ZeroMQ does.
  package static func usesKeys(at endpoint: WireEndpoint) -> Bool? {
    let descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let socket = FileDescriptor(owning: descriptor)
    limit(socket.number, SO_SNDTIMEO, ns: waitNs)
    guard connect(socket.number, to: endpoint), send(socket.number, opening) else { return nil }
    guard let greeting = receive(from: socket.number, count: 64), greeting[0] == 0xff else {
      return nil
    }
    let mechanism = greeting[12..<32].prefix { $0 != 0 }
    return mechanism.elementsEqual("CURVE".utf8)
      ? true : mechanism.elementsEqual("NULL".utf8) ? false : nil
  }

  /// ZMTP's signature and major version (rfc.zeromq.org/spec/23), which do not tell the mechanism.
  private static let opening: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3]

  private static let waitNs: UInt64 = 500_000_000

  /// Limits the time of a call.
  private static func limit(_ socket: CInt, _ option: CInt, ns: UInt64) {
    var time = timeval(tv_sec: 0, tv_usec: Int(max(ns / 1000, 1)))
    setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func connect(_ socket: CInt, to endpoint: WireEndpoint) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = endpoint.port.bigEndian
    address.sin_addr.s_addr = endpoint.address.withUnsafeBytes {
      $0.loadUnaligned(as: UInt32.self)
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func send(_ socket: CInt, _ bytes: [UInt8]) -> Bool {
    Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// Receives exactly so many bytes; nil if they do not come in time.
  private static func receive(from socket: CInt, count: Int) -> [UInt8]? {
    let deadline = Clock.monotonicNs() + waitNs
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let now = Clock.monotonicNs()
      guard now < deadline else { return nil }
      limit(socket, SO_RCVTIMEO, ns: deadline - now)
      let more = bytes.withUnsafeMutableBytes { buffer in
        recv(socket, buffer.baseAddress.map { $0 + received }, count - received, 0)
      }
      guard more > 0 else { return nil }
      received += more
    }
    return bytes
  }
}
