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

  deinit { close(socket) }

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

  /// ZeroMQ's greeting and the first command of a DEALER without keys: what follows are messages.
  static let greeting: [UInt8] = {
    var bytes: [UInt8] = [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0]
    bytes += Array("NULL".utf8) + [UInt8](repeating: 0, count: 16)
    bytes += [UInt8](repeating: 0, count: 32)
    let body: [UInt8] =
      [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
      + Array("DEALER".utf8)
    return bytes + [4, UInt8(body.count)] + body
  }()

  /// The head of a message part of any length.
  static func head(bytes: UInt64, hasMore: Bool) -> [UInt8] {
    [hasMore ? 3 : 2] + withUnsafeBytes(of: bytes.bigEndian) { Array($0) }
  }
}
