// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame

/// How frames are joined if several shards make a run.
package struct ShardJoining: Sendable {
  /// Whether the slices of a batch become one batch, as in a run of one sim: for recording.
  ///
  /// If not, each slice is a batch of its own: for drawing.
  package var mergesBatches = false

  /// How long a frame's part may come after the first, in seconds.
  package var leadSeconds = 0.2

  package init(mergesBatches: Bool = false, leadSeconds: Double = 0.2) {
    (self.mergesBatches, self.leadSeconds) = (mergesBatches, leadSeconds)
  }
}

extension RunDirectory {
  /// The directories of the sims that make a run: its own, or that of each of its shards.
  ///
  /// - Parameters:
  ///   - name: The run's name.
  ///   - deadlineNs: When the wait for a first sim ends; 0 looks once.
  ///   - isCancelled: Called after each look; true ends the wait.
  ///   - waiting: Called after each look.
  ///   - base: The directory of all runs.
  /// - Returns: One directory, or one for each shard by its index, whether its sim is there or not.
  /// - Throws: `RunDirectoryError`; `WireError.badMessage` if there are shards of different counts.
  package static func shards(
    of name: String, deadlineNs: UInt64 = 0, isCancelled: () -> Bool = { false },
    waiting: () -> Void = {}, base: String = RunDirectory.base()
  ) throws -> [RunDirectory] {
    let own = try RunDirectory(name: name, base: base)
    while true {
      // A cleaner of directories may have removed the lock of a living sim.
      if own.holder != nil || access(own.joinPath, F_OK) == 0 { return [own] }
      let counts = shardCounts(of: name, base: base)
      if let count = counts.first {
        guard counts.count == 1 else {
          let all = counts.map(String.init).joined(separator: " and ")
          throw WireError.badMessage("run '\(name)' has shards of \(all) at the same time")
        }
        return try (0..<count).map {
          try RunDirectory(name: Shard($0, of: count).run(of: name), base: base)
        }
      }
      let nowNs = Clock.monotonicNs()
      if nowNs >= deadlineNs || isCancelled() { return [own] }
      waiting()
      Clock.sleep(untilMonotonicNs: min(nowNs + 20_000_000, deadlineNs))
    }
  }

  /// How many shards a run's living sims say that it has: one number, unless two runs have one name.
  private static func shardCounts(of name: String, base: String) -> [Int] {
    var counts: Set<Int> = []
    for directory in (try? names(in: base)) ?? [] {
      guard let parsed = Shard.parse(run: directory), parsed.name == name,
        let run = try? RunDirectory(name: directory, base: base), run.holder != nil
      else { continue }
      counts.insert(parsed.shard.count)
    }
    return counts.sorted()
  }
}
