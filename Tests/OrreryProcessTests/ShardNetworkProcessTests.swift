// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: shards on several machines are followed as one run, exactly, over a network that delays, loses and breaks.
///
/// Method: a namespace for each shard and one for the logger, with keys; needs root, iproute2 and /dev/net/tun.
@Suite(
  .serialized,
  .enabled(if: LossyNetwork.isPossible, "network namespaces need root, ip and /dev/net/tun"))
struct ShardNetworkProcessTests {
  private static let scene = ["stress", "--entities", "20000", "--rate", "20"]

  /// Three shards and a logger of all of them, each on a machine of its own.
  private final class Cluster {
    let home: Place
    let network: LossyNetwork
    private(set) var sims: [Program] = []
    let logger: Program
    private let machines: [Place]
    private let options: [String]

    init(ticks: Int, seed: UInt64, isRendezvous: Bool, leadMs: Int = 1000) throws {
      home = try Place()
      network = try LossyNetwork(4, seed: seed, in: home)
      machines = try (0..<3).map { _ in try Place() }
      #expect(try Program.run("orrery", ["keygen", "keys"], in: home).code == 0)
      let (keys, meeting) = (home.files + "/keys", home.files + "/meeting")
      try FileManager.default.createDirectory(
        atPath: meeting, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      options = [
        "--run", "demo", "--rendezvous", meeting, "--keys", keys, "--ticks", "\(ticks)",
        "--wait-for", "1", "--json",
      ]
      // Addresses in any order.
      let run =
        isRendezvous
        ? ["--run", "demo", "--rendezvous", meeting]
        : [2, 0, 1].flatMap { ["--connect", Self.address($0)] }
      logger = try network.start(
        "logger",
        run + [
          "--keys", keys, "--out", "out.mcap", "--json", "--wait", "300", "--lead", "\(leadMs)",
        ], on: 3, in: home)
      sims = try (0..<3).map(start)
    }

    private static func address(_ shard: Int) -> String {
      "tcp://\(LossyNetwork.address(shard)):5600"
    }

    /// Starts the sim of a shard.
    private func start(_ shard: Int) throws -> Program {
      try network.start(
        "sim",
        ShardNetworkProcessTests.scene + options + [
          "--shard", "\(shard)/3", "--listen", Self.address(shard),
        ], on: shard, in: machines[shard])
    }

    /// Kills a shard, and starts it again.
    func restart(_ shard: Int, afterSeconds seconds: UInt32) throws {
      sims[shard].signal(SIGKILL)
      #expect(sims[shard].wait() == 137)
      sleep(seconds)
      sims[shard] = try start(shard)
    }

    /// Waits until everything has ended in order; returns the logger's report.
    func end() throws -> [String: Any] {
      for program in sims + [logger] {
        #expect(program.wait() == 0, "\(program.errorText)")
      }
      return try report("orrery.subscriber.v2", in: logger.text)
    }

    /// The hashes of the frames that have all parts, by their ticks.
    func completeHashes() throws -> [(tick: Int, hash: String)] {
      let script = """
        import sys
        from mcap_protobuf.reader import read_protobuf_messages
        frames, lost = [], set()
        for message in read_protobuf_messages(sys.argv[1]):
            record = message.proto_msg
            if message.topic == '/orrery/frames':
                frames.append((record.sequence, record.tick, record.state_hash))
            elif message.topic == '/orrery/loss':
                lost.update(range(record.first_sequence, record.last_sequence + 1))
        for sequence, tick, hash in frames:
            if sequence not in lost:
                print(tick, '%016x' % hash)
        """
      let result = try Program.run(Program.python, ["-c", script, "out.mcap"], in: home)
      #expect(result.code == 0, "\(result.errorText)")
      return try result.text.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (try #require(Int(words[0])), String(words[1]))
      }
    }
  }

  /// What was published was received or missed: of the run, and of each shard.
  private static func checkAccount(_ report: [String: Any]) throws -> [[String: Any]] {
    let published = try #require(number("published", in: report))
    let received = try #require(number("received", in: report))
    let missed = try #require(number("missed", in: report))
    #expect(published == received + missed)
    let shards = try #require(report["shards"] as? [[String: Any]])
    #expect(shards.map { $0["shard"] as? String } == ["0/3", "1/3", "2/3"])
    for shard in shards {
      let sum = try #require(number("received", in: shard)) + #require(number("missed", in: shard))
      #expect(sum == received)
    }
    return shards
  }

  private static func hash(tick: Int, in place: Place) throws -> String {
    let outcome = try Program.run("orrery", ["hash"] + scene + ["--tick", "\(tick)"], in: place)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    return String(outcome.text.dropLast())
  }

  @Test(arguments: [true, false])
  func completeFramesOfThreeMachinesAreTheScenes(isRendezvous: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let ticks = 60 * testEffort
    // On a busy machine a part can come seconds after the first.
    let cluster = try Cluster(
      ticks: ticks, seed: seed, isRendezvous: isRendezvous, leadMs: 60_000)
    let report = try cluster.end()
    _ = try Self.checkAccount(report)
    #expect(number("published", in: report) == ticks, "seed \(seed)")
    let complete = try cluster.completeHashes()
    #expect(complete.count > ticks / 2, "seed \(seed)")
    for index in Set([0, complete.count / 2, complete.count - 1]) where index >= 0 {
      let (tick, hash) = complete[index]
      #expect(try Self.hash(tick: tick, in: cluster.home) == hash, "tick \(tick), seed \(seed)")
    }
  }

  /// What makes a shard silent for some seconds.
  enum Fault: CaseIterable {
    case cable
    case death
  }

  @Test(arguments: Fault.allCases)
  func fault37SilentShardIsMissingUntilItIsHeardAgain(fault: Fault) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let cluster = try Cluster(ticks: 320, seed: seed, isRendezvous: true)
    cluster.sims[0].waitForProgress()
    sleep(2)
    switch fault {
    case .cable:
      try cluster.network.set(1, isUp: false)
      sleep(5)
      try cluster.network.set(1, isUp: true)
    case .death:
      try cluster.restart(1, afterSeconds: 3)
    }
    let report = try cluster.end()
    let shards = try Self.checkAccount(report)
    #expect(number("published", in: report) == 320, "seed \(seed)")
    #expect(try #require(number("missed", in: shards[1])) > 0, "seed \(seed)")
    // Before it fell silent, and after it was heard again.
    let complete = try cluster.completeHashes()
    let gap = zip(complete, complete.dropFirst()).first { $1.tick > $0.tick + 20 }
    #expect(gap != nil, "seed \(seed)")
    let last = try #require(complete.last)
    #expect(try Self.hash(tick: last.tick, in: cluster.home) == last.hash, "seed \(seed)")
  }
}
