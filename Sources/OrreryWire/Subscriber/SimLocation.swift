// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Where one sim of a run is.
package enum SimLocation: Sendable {
  /// On this machine: its ring can be read.
  case local(RunDirectory)
  /// Where its sim listens.
  case remote(WireAddress)

  /// Time between two polls of the directory where shards meet, which may be on a network file system.
  private static let pollNs: UInt64 = 100_000_000

  /// Finds the shards of a run by the notes that they leave where they meet.
  ///
  /// - Parameters:
  ///   - name: The run's name.
  ///   - directory: Where its shards meet.
  ///   - keys: For those on other machines.
  ///   - waitSeconds: How long to wait until all are there.
  ///   - isCancelled: Called after each look; true ends the wait.
  ///   - waiting: Called after each look.
  ///   - base: The directory of all runs of this machine.
  /// - Returns: One location for each shard, by its index.
  /// - Throws: `WireError`: `noRun`, `missingShards`, `shardNotServed` or `needsKeys`; `RendezvousError`.
  package static func shards(
    of name: String, in directory: String, keys: CurveKeys?, waitSeconds: Double,
    isCancelled: () -> Bool = { false }, waiting: () -> Void = {},
    base: String = RunDirectory.base()
  ) throws -> [SimLocation] {
    let deadlineNs = Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    while true {
      let notes = try Rendezvous.notes(in: directory, of: name)
      let counts = Set(notes.map(\.shard.count))
      let whole = counts.filter { count in notes.count { $0.shard.count == count } == count }
      if let count = whole.first {
        guard whole.count == 1 else {
          let all = whole.sorted().map(String.init).joined(separator: " and ")
          throw WireError.badMessage("run '\(name)' has shards of \(all) at the same time")
        }
        return try notes.filter { $0.shard.count == count }.map { shard, note in
          try location(of: shard.run(of: name), note, keys, base: base)
        }
      }
      let nowNs = Clock.monotonicNs()
      if nowNs >= deadlineNs || isCancelled() {
        guard let count = counts.max(), !isCancelled() else {
          throw WireError.noRun(name: name, waitedSeconds: waitSeconds)
        }
        let there = notes.filter { $0.shard.count == count }.map(\.shard.index)
        throw WireError.missingShards(
          name: name, count: count, missing: (0..<count).filter { !there.contains($0) })
      }
      waiting()
      Clock.sleep(untilMonotonicNs: min(nowNs + pollNs, deadlineNs))
    }
  }

  /// A shard that this user runs on this machine is followed in memory, any other by its address.
  private static func location(
    of run: String, _ note: ShardNote, _ keys: CurveKeys?, base: String
  ) throws -> SimLocation {
    if let directory = try? RunDirectory(name: run, base: base),
      let state = try? directory.state()
    {
      switch state {
      case .running(let owner), .stopped(let owner):
        if owner.processID == note.processID { return .local(directory) }
      case .missing, .starting, .dead: break
      }
    }
    guard let text = note.address, let endpoint = try? WireEndpoint(text), endpoint.port != 0,
      endpoint.address != [0, 0, 0, 0]
    else { throw WireError.shardNotServed(run: run, host: note.host) }
    let address = WireAddress.tcp(endpoint, keys: keys)
    try address.check()
    return .remote(address)
  }
}
