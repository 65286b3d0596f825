// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: a client learns that keys are why a sim hung up, even if the sim hangs up before it has said so.
///
/// Method: a listener that is always the first to hang up, sims with and without keys, and peers that are no sims.
@Suite struct PeerGreetingTests {
  /// ZeroMQ's greeting, with a mechanism of at most 20 letters.
  private static func greeting(_ mechanism: String) -> [UInt8] {
    let name = Array(mechanism.utf8)
    return [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1] + name
      + [UInt8](repeating: 0, count: 64 - 12 - name.count)
  }

  /// A peer that hangs up on who tells his mechanism, and greets who does not.
  private static func hasty(_ mechanism: String) throws -> RawListener {
    try RawListener { caller in
      let greeting = greeting(mechanism)
      RawListener.send(Array(greeting[..<11]), to: caller)
      guard RawListener.receive(64, from: caller).count == 11 else { return }
      RawListener.send(Array(greeting[11...]), to: caller)
      _ = RawListener.receive(1, from: caller)
    }
  }

  @Test func missingKeysAreNamedThoughTheSimHangsUpFirst() throws {
    let sim = try Self.hasty("CURVE")
    let endpoint = sim.endpoint.text
    #expect(
      try WireAddress.tcp(sim.endpoint, keys: nil).errorOfLongRequest("the word why it hung up")
        == .keysDiffer(endpoint: endpoint, hasKeys: false))
  }

  @Test func needlessKeysAreNamedThoughTheSimHangsUpFirst() throws {
    let base = try TemporaryBase()
    _ = try CurveKeys.generate(directory: base.path + "/keys", client: "client", overwrites: false)
    let sim = try Self.hasty("NULL")
    let keys = try CurveKeys.client(directory: base.path + "/keys")
    #expect(
      try WireAddress.tcp(sim.endpoint, keys: keys).errorOfLongRequest("the word why it hung up")
        == .keysDiffer(endpoint: sim.endpoint.text, hasKeys: true))
  }

  @Test func keyOfAnotherSimIsNamed() throws {
    let base = try TemporaryBase()
    for name in ["own", "other"] {
      _ = try CurveKeys.generate(
        directory: base.path + "/" + name, client: "client", overwrites: false)
    }
    let run = try ServedRun(keys: .server(directory: base.path + "/own"))
    let address = try run.address(keys: .client(directory: base.path + "/other"))
    let error = try address.errorOfLongRequest("the word why it hung up")
    #expect(error == .serverKeyDiffers(endpoint: address.endpoint))
    #expect(error.map { Failure($0).status } == .notPermitted)
  }

  /// A sim that ends hangs up, too, and the next one may listen at the same port.
  @Test func singleHangUpIsNoSignOfAnotherKey() throws {
    let base = try TemporaryBase()
    let directory = base.path + "/keys"
    _ = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    let hangUps = Monitor(0)
    let sim = try RawListener { caller in
      // The first two callers that say how they want to talk are shown out.
      RawListener.send(Self.greeting("CURVE"), to: caller)
      guard RawListener.receive(64, from: caller).count == 64 else { return }
      let count = hangUps.change { count in
        count += 1
        return count
      }
      if count > 2 { _ = RawListener.receive(1 << 20, from: caller, silenceMs: 5_000) }
    }
    let keys = try CurveKeys.client(directory: directory)
    let address = WireAddress.tcp(sim.endpoint, keys: keys)
    #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 2)) {
      try ControlClient(address).ask(.stats, timeoutSeconds: 2)
    }
    #expect(hangUps.read { $0 } > 2)
  }

  /// What somebody says who is asked for the greeting, and what is learned from it.
  static let answers: [(said: [UInt8], usesKeys: Bool?)] = [
    (greeting("CURVE"), true), (greeting("NULL"), false), (greeting("PLAIN"), nil),
    (greeting("CURVES"), nil), (greeting("CURV"), nil), ([], nil),
    (Array(greeting("CURVE")[..<63]), nil), ([0xfe] + greeting("CURVE")[1...], nil),
    (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) + [UInt8](repeating: 32, count: 64), nil),
  ]

  @Test(arguments: answers.indices) func greetingIsReadWholeOrNotAtAll(index: Int) throws {
    let (said, expected) = Self.answers[index]
    let peer = try RawListener { caller in
      _ = RawListener.receive(11, from: caller)
      RawListener.send(said, to: caller)
    }
    #expect(PeerGreeting.usesKeys(at: peer.endpoint) == expected)
  }

  /// Bytes that come one by one, each in time, would keep it for a minute.
  @Test func slowOrSilentPeerIsNotWaitedForLong() throws {
    for pauseMs: UInt32 in [100, 2_000] {
      let isOver = Flag()
      let peer = try RawListener { caller in
        for byte in Self.greeting("CURVE") where !isOver.isSet {
          RawListener.send([byte], to: caller)
          usleep(pauseMs * 1000)
        }
      }
      #expect(PeerGreeting.usesKeys(at: peer.endpoint) == nil)
      isOver.set()
    }
  }

  /// A machine that lets a caller wait at the door lets him wait for minutes.
  @Test func fullPeerIsNotWaitedForLong() throws {
    let (listener, endpoint) = try RawListener.listen()
    defer { close(listener) }
    // One caller that nobody takes is all that there is room for.
    #expect(listen(listener, 0) == 0)
    let first = RawPeer(port: endpoint.port)
    let usesKeys = try within("an answer of somebody else", seconds: 60) {
      PeerGreeting.usesKeys(at: endpoint)
    }
    #expect(usesKeys == nil)
    withExtendedLifetime(first) {}
  }

  /// A service may have no standard input: the first connection that it opens has the number 0.
  @Test func processWithoutStandardInputLearnsItToo() async {
    // Standard input is the process's.
    await #expect(processExitsWith: .success) {
      let peer = try RawListener { caller in
        _ = RawListener.receive(11, from: caller)
        RawListener.send(Self.greeting("CURVE"), to: caller)
      }
      close(0)
      precondition(PeerGreeting.usesKeys(at: peer.endpoint) == true)
    }
  }

  @Test func nobodyListensThere() throws {
    let endpoint = try RawListener { _ in }.endpoint
    #expect(PeerGreeting.usesKeys(at: endpoint) == nil)
  }
}
