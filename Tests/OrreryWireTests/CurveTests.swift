// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: with keys, only clients on the list get anything; key files that others could read are not used.
///
/// Method: the loopback address with keys, which ZeroMQ treats like any other.
@Suite struct CurveTests {
  /// A directory of keys as `orrery keygen` makes it.
  private static func keys(_ base: TemporaryBase) throws -> String {
    let directory = base.path + "/keys"
    _ = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    return directory
  }

  @Test func clientOnTheListIsServed() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let client = try CurveKeys.client(directory: directory)
    let subscription = try run.join(keys: client)
    run.publish(5)
    for sequence in UInt64(1)...5 {
      #expect(subscription.nextEvent() == .frame(sequence: sequence))
    }
    // A known client may control the run, too.
    let control = try ControlClient(run.address(keys: client))
    #expect(try control.ask(.quit).fields["did"] == .string("quit"))
    // By the run's directory no key is needed.
    #expect(try ControlClient(run.local).ask(.stats).fields["did"] == .string("stats"))
  }

  /// Without keys only the loopback address is served; with them, whatever was asked for.
  @Test func keysOpenTheOtherAddressesOfThisMachine() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(listen: "tcp://*:0", keys: .server(directory: directory))
    let endpoint = try WireEndpoint(#require(run.server.endpoint))
    #expect(!endpoint.isLoopback)
    let near = try WireEndpoint("tcp://127.0.0.1:\(endpoint.port)")
    let keys = try CurveKeys.client(directory: directory)
    let client = try ControlClient(.tcp(near, keys: keys))
    #expect(try client.ask(.stats).fields["did"] == .string("stats"))
  }

  @Test func fault23ClientsThatAreNotOnTheListGetNothing() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    run.publish(3)
    let other = try TemporaryBase()
    let foreign = try Self.keys(other)

    // No keys at all: CURVE is not negotiated away.
    #expect(throws: WireError.self) { try run.join(waitSeconds: 1.5) }
    // Keys of another sim.
    #expect(throws: WireError.self) {
      try run.join(keys: .client(directory: foreign), waitSeconds: 1.5)
    }
    // The right sim's public key, and a client's key that is not on its list: told at once.
    try FileManager.default.removeItem(atPath: foreign + "/server.pub")
    try FileManager.default.copyItem(
      atPath: directory + "/server.pub", toPath: foreign + "/server.pub")
    let address = try run.address(keys: nil).text
    #expect(throws: WireError.notAllowed(endpoint: address)) {
      try run.join(keys: .client(directory: foreign), waitSeconds: 10)
    }
    try waitUntil("three refused connections") { run.server.counts.refusedConnections >= 3 }
    #expect(run.subscribers.reports.isEmpty)
    #expect(run.writer.pinnedPlaceCount == 0)
  }

  @Test func fault23RemovedKeyOpensNothingAnyMore() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let client = try CurveKeys.client(directory: directory)
    let subscription = try run.join(keys: client)
    run.publish(1)
    #expect(subscription.nextEvent() == .frame(sequence: 1))
    try FileManager.default.removeItem(atPath: directory + "/clients/client.pub")
    // Who is connected is shown out, and does not get in again.
    guard case .dropped(.remote(let reason)) = subscription.readToEnd() else {
      Issue.record("was not dropped")
      return
    }
    #expect(reason.contains("key was removed"))
    let address = try run.address(keys: nil).text
    #expect(throws: WireError.notAllowed(endpoint: address)) { try run.join(keys: client) }
    // A key that is added is taken without a restart.
    _ = try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    rename(directory + "/second.key", directory + "/client.key")
    #expect(try run.join(keys: .client(directory: directory)).losses.joinedAfter == 1)
  }

  /// A connection that never joined would otherwise keep its rights for as long as it is open.
  @Test func removedKeyCommandsNothingOverAnOpenConnection() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let client = try ControlClient(run.address(keys: CurveKeys.client(directory: directory)))
    _ = try client.ask(.resume)
    try FileManager.default.removeItem(atPath: directory + "/clients/client.pub")
    for verb in ControlVerb.allCases where ![.progress, .leave].contains(verb) {
      #expect(throws: WireError.refused(reason: "its key was removed"), "\(verb)") {
        try client.ask(verb, verb == .join ? ["frames": .string("none")] : [:])
      }
    }
    #expect(run.handler.requests.read { $0.map(\.verb) } == [.resume])
  }

  /// Another file's fault is no reason to show a client out, nor to keep one out.
  @Test func badFileOnTheListLocksNobodyElseOut() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let keys = try CurveKeys.client(directory: directory)
    let subscription = try run.join(keys: keys)
    let control = try ControlClient(run.address(keys: keys))
    #expect(mkdir(directory + "/clients/bad.pub", 0o700) == 0)
    // The sim looks each second.
    let endNs = Clock.monotonicNs() + 3_500_000_000
    while Clock.monotonicNs() < endNs {
      run.publish()
      guard case .frame = subscription.nextEvent() else {
        Issue.record("was shown out")
        return
      }
      _ = try control.ask(.resume)
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 100_000_000)
    }
    _ = try run.join(keys: keys)
  }

  /// For as long as a client's own file is written, or the directory exchanged, it stays; then it is shown out.
  @Test(arguments: [false, true])
  func clientWhoseFileIsExchangedHasUntilTheNextLook(ofDirectory: Bool) throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let subscription = try run.join(keys: CurveKeys.client(directory: directory))
    let path = directory + (ofDirectory ? "/clients" : "/clients/client.pub")
    // At most one look falls into less than a second.
    for _ in 0..<3 {
      #expect(rename(path, base.path + "/aside") == 0)
      #expect(symlink("/nowhere", path) == 0)
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 800_000_000)
      #expect(unlink(path) == 0)
      #expect(rename(base.path + "/aside", path) == 0)
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_500_000_000)
    }
    run.publish()
    #expect(subscription.nextEvent() == .frame(sequence: 1))
    #expect(rename(path, base.path + "/aside") == 0)
    #expect(symlink("/nowhere", path) == 0)
    guard case .dropped(.remote(let reason)) = subscription.readToEnd() else {
      Issue.record("was not dropped")
      return
    }
    #expect(
      reason
        == (ofDirectory
          ? "the sim cannot read its list of clients"
          : "a file of the sim's list of clients cannot be used, maybe its key's"))
  }

  /// Another key under the same name is another client's.
  @Test func replacedKeyCommandsNothingOverAnOpenConnection() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let run = try ServedRun(keys: .server(directory: directory))
    let keys = try CurveKeys.client(directory: directory)
    let client = try ControlClient(run.address(keys: keys))
    _ = try client.ask(.resume)
    let subscription = try run.join(keys: keys)
    let other = try CurveKeyPair().publicKey
    let path = directory + "/clients/client.pub"
    try other.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(chmod(path, 0o600) == 0)
    #expect(throws: WireError.refused(reason: "its key was removed")) { try client.ask(.resume) }
    #expect(subscription.readToEnd() == .dropped(.remote("its key was removed")))
  }

  @Test func filesThatOthersCouldReadOrChangeAreNotUsed() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    for (name, mode) in [
      ("server.key", 0o640), ("server.key", 0o604), ("server.key", 0o620), ("clients", 0o770),
    ] as [(String, mode_t)] {
      var status = stat()
      stat(directory + "/" + name, &status)
      chmod(directory + "/" + name, mode)
      do {
        _ = try CurveKeys.server(directory: directory)
        Issue.record("\(name) of mode \(String(mode, radix: 8)) was used")
      } catch {
        guard case .open(let path, _, _) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(path == directory + "/" + name)
      }
      chmod(directory + "/" + name, status.st_mode & 0o777)
    }
    chmod(directory + "/client.key", 0o644)
    #expect(throws: KeyError.self) { try CurveKeys.client(directory: directory) }
    // A link could lead to a file that somebody else exchanges.
    rename(directory + "/server.key", base.path + "/elsewhere")
    symlink(base.path + "/elsewhere", directory + "/server.key")
    #expect(throws: KeyError.self) { try CurveKeys.server(directory: directory) }
  }

  /// Public keys are for everybody to read.
  @Test func publicFilesMayBeReadByOthers() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    for (name, mode) in [
      ("", 0o755), ("clients", 0o755), ("clients/client.pub", 0o644), ("server.pub", 0o644),
    ] as [(String, mode_t)] {
      #expect(chmod(directory + "/" + name, mode) == 0)
    }
    let server = try CurveKeys.server(directory: directory)
    #expect(try CurveKeys.server(directory: directory) == server)
    #expect(throws: Never.self) { try CurveKeys.client(directory: directory) }
    // And a client more can be made there.
    #expect(throws: Never.self) {
      try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    }
  }

  @Test(arguments: [
    "", "short", String(repeating: "x", count: 41), String(repeating: "\"", count: 40),
    String(repeating: "x", count: 20) + "\n" + String(repeating: "x", count: 20),
  ])
  func whatIsNoKeyIsRefused(text: String) throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let path = directory + "/server.key"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: KeyError.malformed(path: path)) {
      try CurveKeys.server(directory: directory)
    }
  }

  @Test func keysAreNotReplacedUnasked() throws {
    let base = try TemporaryBase()
    let directory = try Self.keys(base)
    let before = try CurveKeys.server(directory: directory)
    #expect(throws: KeyError.exists(path: directory + "/server.key")) {
      try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    }
    #expect(try CurveKeys.server(directory: directory) == before)
    _ = try CurveKeys.generate(directory: directory, client: "second", overwrites: false)
    #expect(try CurveKeys.server(directory: directory) == before)
    let files = try CurveKeys.generate(directory: directory, client: "client", overwrites: true)
    #expect(try CurveKeys.server(directory: directory) != before)
    for file in files {
      var status = stat()
      #expect(stat(file, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }
}

extension WireAddress {
  var text: String { endpoint }
}
