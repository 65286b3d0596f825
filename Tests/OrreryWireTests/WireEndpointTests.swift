// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: what an address means is decided here and not by ZeroMQ, and nothing but the loopback address is
/// served without keys.
@Suite struct WireEndpointTests {
  @Test(arguments: [
    ("tcp://127.0.0.1:7400", "tcp://127.0.0.1:7400", true),
    ("tcp://127.9.9.9:0", "tcp://127.9.9.9:0", true),
    ("tcp://localhost:1", "tcp://127.0.0.1:1", true),
    ("tcp://lo:65535", "tcp://127.0.0.1:65535", true),
    ("tcp://0.0.0.0:7400", "tcp://0.0.0.0:7400", false),
    ("tcp://*:7400", "tcp://0.0.0.0:7400", false),
    ("tcp://0:7400", "tcp://0.0.0.0:7400", false),
    ("tcp://10.1.2.3:7400", "tcp://10.1.2.3:7400", false),
    // Not an address of four numbers, but what the resolver makes of it.
    ("tcp://127.1:7400", "tcp://127.0.0.1:7400", true),
  ])
  func addressesAreResolvedToNumbers(text: String, resolved: String, isLoopback: Bool) throws {
    let endpoint = try WireEndpoint(text)
    #expect(endpoint.text == resolved)
    #expect(endpoint.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://127.0.0.1:65536",
    "tcp://127.0.0.1:-1", "tcp://127.0.0.1:*", "tcp://:7400", "tcp://[::]:7400", "tcp://::1:7400",
    "ipc:///tmp/x", "udp://127.0.0.1:1", "tcp://127.0.0.1;10.0.0.1:7400", "tcp://a b:1",
    "tcp://no-such-host.invalid:1", "tcp://127.0.0.1:74 00", "tcp://ä:1",
  ])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(throws: WireError.self) { try WireEndpoint(text) }
  }

  @Test(arguments: ["tcp://0.0.0.0:0", "tcp://*:0", "tcp://0:0"])
  func fault23NothingBeyondLoopbackIsServedWithoutKeys(text: String) throws {
    #expect(throws: WireError.needsKeys(endpoint: "tcp://0.0.0.0:0")) {
      try ServedRun(listen: text)
    }
  }

  @Test func otherMachinesAreNotAskedWithoutKeys() throws {
    let address = WireAddress.tcp(try WireEndpoint("tcp://192.0.2.1:7400"), keys: nil)
    #expect(throws: WireError.needsKeys(endpoint: "tcp://192.0.2.1:7400")) {
      try RemoteSubscription.connect(to: address, waitSeconds: 0)
    }
    #expect(throws: WireError.needsKeys(endpoint: "tcp://192.0.2.1:7400")) {
      try ControlClient(address)
    }
  }

  private static func reason(_ text: String) -> String? {
    do throws(WireError) {
      _ = try WireEndpoint(text)
      return nil
    } catch {
      guard case .badEndpoint(text, let reason) = error else { return "\(error)" }
      return reason
    }
  }

  static let refused: [(text: String, reason: String)] = [
    ("127.0.0.1:7400", "use tcp://HOST:PORT"), ("ipc:///tmp/x:1", "use tcp://HOST:PORT"),
    ("TCP://127.0.0.1:1", "use tcp://HOST:PORT"),
    ("tcp://127.0.0.1", "use tcp://HOST:PORT, the port 0 to 65535"),
    ("tcp://127.0.0.1:65536", "use tcp://HOST:PORT, the port 0 to 65535"),
    ("tcp://127.0.0.1:", "use tcp://HOST:PORT, the port 0 to 65535"),
    ("tcp://::1:7400", "IPv6 is not served"), ("tcp://[::1]:7400", "IPv6 is not served"),
    ("tcp://[x:7400", "IPv6 is not served"), ("tcp://:7400", "use tcp://HOST:PORT"),
    ("tcp://**:7400", "use tcp://HOST:PORT"), ("tcp://*x:7400", "use tcp://HOST:PORT"),
  ]

  @Test(arguments: refused.indices) func whatIsWrongWithAnAddressIsSaid(index: Int) {
    let (text, reason) = Self.refused[index]
    #expect(Self.reason(text) == reason)
  }

  /// A name whose first word is too long for any resolver is looked up nowhere.
  private static let nobody = String(repeating: "n", count: 64)

  /// The first and the last of each kind that a name may have, and their neighbours.
  @Test func signsOfANameAreLettersDigitsDotsDashesAndUnderscores() {
    for sign in ["0", "9", "A", "Z", "a", "z", "-", ".", "_"] {
      let name = Self.nobody + sign + "n"
      #expect(Self.reason("tcp://\(name):1") == "'\(name)' has no IPv4 address")
    }
    for sign in ["/", ";", "@", "\\", "^", "`", "{", ",", "+", "*", " ", "]", "\u{e4}"] {
      #expect(Self.reason("tcp://\(Self.nobody)\(sign)n:1") == "use tcp://HOST:PORT", "\(sign)")
    }
  }

  @Test func nameIsNoLongerThanNamesAre() {
    let longest = String(repeating: "n", count: 253)
    #expect(Self.reason("tcp://\(longest):1") == "'\(longest)' has no IPv4 address")
    #expect(Self.reason("tcp://\(longest)n:1") == "use tcp://HOST:PORT")
  }

  @Test func addressIsNumbersMostSignificantFirst() throws {
    let endpoint = try WireEndpoint("tcp://1.2.3.4:513")
    #expect(endpoint.address == [1, 2, 3, 4])
    #expect(endpoint.port == 513)
    #expect(!endpoint.isLoopback)
    #expect(try WireEndpoint("tcp://126.255.255.255:1").isLoopback == false)
    #expect(try WireEndpoint("tcp://128.0.0.1:1").isLoopback == false)
  }

  // MARK: - Where a sim is

  @Test func addressLeadsToItsPlace() throws {
    let directory = try RunDirectory(name: "a", base: "/tmp/x")
    #expect(WireAddress.run(directory).endpoint == "ipc:///tmp/x/a/control")
    let near = try WireEndpoint("tcp://127.0.0.1:7400")
    #expect(WireAddress.tcp(near, keys: nil).endpoint == "tcp://127.0.0.1:7400")
  }

  @Test func addressesAreEqualWherePlaceAndKeysAre() throws {
    let base = try TemporaryBase()
    let directory = base.path + "/keys"
    _ = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    let keys = try CurveKeys.client(directory: directory)
    let (near, far) = (try WireEndpoint("tcp://127.0.0.1:1"), try WireEndpoint("tcp://10.0.0.1:1"))
    let run = WireAddress.run(try RunDirectory(name: "a", base: "/tmp/x"))
    let addresses: [WireAddress] = [
      run, .run(try RunDirectory(name: "b", base: "/tmp/x")), .tcp(near, keys: nil),
      .tcp(near, keys: keys), .tcp(far, keys: nil), .tcp(far, keys: keys),
    ]
    for (index, left) in addresses.enumerated() {
      for (other, right) in addresses.enumerated() {
        #expect((left == right) == (index == other), "\(index), \(other)")
      }
    }
    // Keys are needed where others could answer, and nowhere else.
    for address in addresses where address != .tcp(far, keys: nil) {
      #expect(throws: Never.self) { try address.check() }
    }
    #expect(throws: WireError.needsKeys(endpoint: "tcp://10.0.0.1:1")) {
      try WireAddress.tcp(far, keys: nil).check()
    }
    withExtendedLifetime(base) {}
  }

  @Test func locationsOfRunsAreCalledByTheirNames() throws {
    let location = RunLocation.run("demo")
    #expect("\(location)" == "run 'demo'")
    #expect(location.name == "demo")
    let far = RunLocation.remote(
      .tcp(try WireEndpoint("tcp://127.0.0.1:7400"), keys: nil), isCompressed: false)
    #expect("\(far)" == "tcp://127.0.0.1:7400")
    #expect(far.name == "tcp://127.0.0.1:7400")
  }
}
