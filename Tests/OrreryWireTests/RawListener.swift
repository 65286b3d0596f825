// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// A TCP port of this machine, where each caller gets what a test says.
final class RawListener: Sendable {
  let endpoint: WireEndpoint
  private let isStopping = Flag()
  private let thread: TestThread

  /// Listens at a free port.
  ///
  /// - Parameter serve: Called with each connection, one after the other; it is closed afterwards.
  /// - Throws: When there is no port or no thread left.
  init(_ serve: @escaping @Sendable (CInt) -> Void) throws {
    let (listener, endpoint) = try Self.listen()
    self.endpoint = endpoint
    thread = try TestThread("the end of a listener") { [isStopping] in
      while !isStopping.isSet {
        var item = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, 5) > 0 else { continue }
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { continue }
        serve(caller)
        close(caller)
      }
      close(listener)
    }
  }

  deinit {
    isStopping.set()
    do { try thread.join() } catch { Issue.record("\(error)") }
  }

  /// A socket that listens at a free port of this machine.
  ///
  /// - Returns: The socket, which the caller closes, and where it listens.
  /// - Throws: When there is no port left.
  static func listen() throws -> (socket: CInt, endpoint: WireEndpoint) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(listener >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, size) == 0 && Glibc.listen(listener, 16) == 0
          && getsockname(listener, generic, &size) == 0
      }
    }
    try #require(isListening)
    return (listener, try WireEndpoint("tcp://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"))
  }

  /// Receives so many bytes, or fewer if the caller falls silent for this long.
  static func receive(_ count: Int, from caller: CInt, silenceMs: CInt = 200) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var item = pollfd(fd: caller, events: Int16(POLLIN), revents: 0)
      guard poll(&item, 1, silenceMs) > 0 else { break }
      var more = [UInt8](repeating: 0, count: count - bytes.count)
      let received = recv(caller, &more, more.count, 0)
      guard received > 0 else { break }
      bytes += more.prefix(received)
    }
    return bytes
  }

  static func send(_ bytes: [UInt8], to caller: CInt) {
    _ = Glibc.send(caller, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }
}
