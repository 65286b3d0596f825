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
}
