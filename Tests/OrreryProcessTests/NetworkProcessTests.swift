// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Two network namespaces with a cable between them, removed with their owner.
private final class Cable {
  let simSide: String
  let clientSide: String
  let address: String
  private let place: Place

  /// Whether this process may make namespaces.
  static let isPossible = geteuid() == 0 && access("/usr/sbin/ip", X_OK) == 0

  init(_ place: Place) throws {
    self.place = place
    let mark = String(UUID().uuidString.prefix(6)).lowercased()
    (simSide, clientSide) = ("orrery-s-" + mark, "orrery-c-" + mark)
    address = "10.213.7.1"
    let (here, there) = ("vs" + mark, "vc" + mark)
    for words in [
      ["netns", "add", simSide], ["netns", "add", clientSide],
      [
        "link", "add", here, "netns", simSide, "type", "veth", "peer", "name", there, "netns",
        clientSide,
      ],
      ["-n", simSide, "addr", "add", address + "/24", "dev", here],
      ["-n", clientSide, "addr", "add", "10.213.7.2/24", "dev", there],
      ["-n", simSide, "link", "set", here, "up"], ["-n", clientSide, "link", "set", there, "up"],
      ["-n", simSide, "link", "set", "lo", "up"],
    ] {
      let outcome = try Program.run("/usr/sbin/ip", words, in: place)
      try #require(outcome.code == 0, "ip \(words): \(outcome.errorText)")
    }
    device = here
  }

  private let device: String

  /// Pulls the cable out, or puts it in again.
  func set(_ isUp: Bool) throws {
    let outcome = try Program.run(
      "/usr/sbin/ip", ["-n", simSide, "link", "set", device, isUp ? "up" : "down"], in: place)
    #expect(outcome.code == 0, "\(outcome.errorText)")
  }

  /// Starts a program on one side.
  func start(_ name: String, _ arguments: [String], on side: String) throws -> Program {
    let path = name.hasPrefix("/") ? name : Program.directory + "/" + name
    return try Program(
      "/usr/sbin/ip", ["netns", "exec", side, path] + arguments, in: place)
  }

  deinit {
    for side in [simSide, clientSide] {
      _ = try? Program.run("/usr/sbin/ip", ["netns", "del", side], in: place)
    }
  }
}

/// Goal: over a real network only known clients get frames, and a network that fails and heals costs frames
/// that are counted, not the run.
///
/// Method: two network namespaces; needs root and iproute2.
@Suite(
  .enabled(if: Cable.isPossible, "network namespaces need root and ip"))
struct NetworkProcessTests {
  private static let port = 7400

  private static func keys(_ place: Place) throws {
    for name in ["keys", "others"] {
      #expect(try Program.run("orrery", ["keygen", name], in: place).code == 0)
    }
    // Somebody who knows the sim's public key, and whom the sim does not know.
    try FileManager.default.removeItem(atPath: place.files + "/others/server.pub")
    try FileManager.default.copyItem(
      atPath: place.files + "/keys/server.pub", toPath: place.files + "/others/server.pub")
  }

  private static func sim(_ cable: Cable, _ arguments: [String]) throws -> Program {
    let sim = try cable.start(
      "sim",
      ["flags", "--run", "net", "--listen", "tcp://*:\(port)", "--keys", "keys", "--json"]
        + arguments, on: cable.simSide)
    sim.wait(for: "where it listens") {
      sim.errorText.contains("listens at ") || !sim.isRunning
    }
    return sim
  }

  @Test func fault23OnlyKnownClientsGetFrames() throws {
    let place = try Place()
    try Self.keys(place)
    let cable = try Cable(place)
    let sim = try Self.sim(cable, [])
    let address = "tcp://\(cable.address):\(Self.port)"
    let unarmed = try cable.start(
      "logger", ["--connect", address, "--out", "none.mcap"], on: cable.clientSide)
    #expect(unarmed.wait() == 77)
    let unknown = try cable.start(
      "logger", ["--connect", address, "--keys", "others", "--out", "others.mcap"],
      on: cable.clientSide)
    #expect(unknown.wait() == 77)
    #expect(unknown.errorText.contains("refused this client's key"))
    #expect(!place.has("none.mcap"))
    #expect(!place.has("others.mcap"))
    let known = try cable.start(
      "logger", ["--connect", address, "--keys", "keys", "--out", "keys.mcap", "--json"],
      on: cable.clientSide)
    known.wait(forFile: "keys.mcap", in: place)
    usleep(500_000)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    #expect(known.wait() == 0)
    let report = try report("orrery.subscriber.v2", in: known.text)
    #expect(try #require(number("received", in: report)) > 0)
    let simReport = try OrreryProcessTests.report("orrery.sim.v2", in: sim.text)
    #expect((simReport["subscribers"] as? [Any])?.count == 1)
  }

  @Test func fault28PulledCableCostsFramesThatAreCounted() throws {
    let place = try Place()
    try Self.keys(place)
    let cable = try Cable(place)
    let sim = try Self.sim(cable, ["--slots", "64"])
    let address = "tcp://\(cable.address):\(Self.port)"
    let logger = try cable.start(
      "logger",
      ["--connect", address, "--keys", "keys", "--out", "a.mcap", "--json", "--wait", "300"],
      on: cable.clientSide)
    logger.wait(forFile: "a.mcap", in: place)
    usleep(500_000)
    try cable.set(false)
    sleep(6)
    try cable.set(true)
    sleep(4)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(logger.errorText)")
    #expect(logger.wait() == 0, "\(logger.errorText)")
    let report = try report("orrery.subscriber.v2", in: logger.text)
    let published = try #require(number("published", in: report))
    let received = try #require(number("received", in: report))
    let missed = try #require(number("missed", in: report))
    #expect(published == received + missed)
    // The ring holds the last second of the six; what came before is lost, in one gap.
    #expect(missed > 0)
    #expect(received > 0)
    #expect((report["gaps"] as? [String])?.count == 1)
    let simReport = try OrreryProcessTests.report("orrery.sim.v2", in: sim.text)
    #expect(number("late_ticks", in: pace(of: simReport)) != nil)
    #expect(report["ended"] as? String == "run_ended")
  }
}
