// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryWire

/// A TCP connection over which a test says what it likes.
final class RawPeer {
  private let socket: CInt

  /// Connects to a server on this machine.
  init(port: UInt16) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Takes the next connection to a listening socket.
  init(accepting listener: CInt) { socket = accept(listener, nil, nil) }

  deinit { close(socket) }

  /// Makes the end of the connection a reset: what was not read yet is lost, and the other side learns it at once.
  func breakOffAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// - Returns: False once the other side has hung up.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          socket, buffer.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Whether the other side hangs up within five seconds, whatever it says before.
  var isHungUpOn: Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
      if count < 0 { return false }
    }
  }

  /// Says what a DEALER without keys says first; what follows are messages.
  ///
  /// - Returns: Whether the other side went along.
  func shakeHands() -> Bool {
    guard send(Self.greeting), receive(64), send(Self.ready) else { return false }
    // The head of the other side's first command, and as many bytes as it says.
    var head = [UInt8](repeating: 0, count: 2)
    guard recv(socket, &head, 2, Int32(MSG_WAITALL)) == 2 else { return false }
    return receive(Int(head[1]))
  }

  private func receive(_ count: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count
  }

  /// ZeroMQ's greeting.
  static let greeting: [UInt8] = {
    let signature: [UInt8] = [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0]
    return signature + Array("NULL".utf8) + [UInt8](repeating: 0, count: 16 + 32)
  }()

  /// The first command.
  static let ready: [UInt8] = {
    let body: [UInt8] =
      [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
      + Array("DEALER".utf8)
    return [4, UInt8(body.count)] + body
  }()

  /// A heartbeat, after which the other side may be silent for ten seconds.
  static let ping: [UInt8] = [4, 7, 4] + Array("PING".utf8) + [0, 100]

  /// The head of a message part of any length.
  static func head(bytes: UInt64, hasMore: Bool) -> [UInt8] {
    [hasMore ? 3 : 2] + withUnsafeBytes(of: bytes.bigEndian) { Array($0) }
  }
}
