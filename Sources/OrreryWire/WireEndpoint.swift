// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A TCP address, `tcp://HOST:PORT`, resolved to numbers before ZeroMQ sees it.
///
/// ZeroMQ also accepts interface names, wildcards and source addresses. Whether keys are needed
/// must not depend on how ZeroMQ would read the text.
package struct WireEndpoint: Equatable, Sendable {
  /// Four bytes, most significant first.
  package let address: [UInt8]
  /// 0 lets the system choose.
  package let port: UInt16

  /// The address in ZeroMQ's notation.
  package var text: String { "tcp://\(address.map(String.init).joined(separator: ".")):\(port)" }

  /// Whether it is reachable from this machine only.
  package var isLoopback: Bool { address.first == 127 }

  /// Reads an address.
  ///
  /// - Parameter text: `tcp://HOST:PORT`, where HOST is an IPv4 address, a name that has one, the
  ///   name of a network interface, or `*` for all addresses of this machine; with port 0 the
  ///   system chooses.
  /// - Throws: `WireError.badEndpoint`.
  package init(_ text: String) throws(WireError) {
    guard text.hasPrefix("tcp://") else { throw .badEndpoint(text, reason: "use tcp://HOST:PORT") }
    let rest = text.dropFirst("tcp://".count)
    guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...])
    else { throw .badEndpoint(text, reason: "use tcp://HOST:PORT, the port 0 to 65535") }
    let host = rest[..<colon]
    guard !host.contains(":"), !host.contains("[") else {
      throw .badEndpoint(text, reason: "IPv6 is not served")
    }
    let isName = host.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 46 || byte == 95
    }
    guard host == "*" || isName, (1...253).contains(host.utf8.count) else {
      throw .badEndpoint(text, reason: "use tcp://HOST:PORT")
    }
    guard let address = Self.resolve(String(host)) else {
      throw .badEndpoint(text, reason: "'\(host)' has no IPv4 address")
    }
    self.address = address
    self.port = port
  }

  private static func resolve(_ host: String) -> [UInt8]? {
    if host == "*" { return [0, 0, 0, 0] }
    var address: UInt32 = 0
    guard linux_resolve(host, &address) == 0 else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
  }
}
