// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// What dead runs left behind, and the words for its removal.
package enum DeadRuns {
  /// Removes what dead runs of this user left behind, without a word; does nothing if it cannot.
  package static func remove() {
    _ = try? RunDirectory.reclaim()
    Rendezvous.reclaim()
    _ = try? CounterDirectory().reclaim()
  }

  /// A line for each run whose leftovers were removed, one for what its shards left where they met, and one for each
  /// dead process's counters.
  package static func text(
    _ removed: [Leftovers], _ shards: [ShardLeftovers] = [], counters: [String] = []
  ) -> String {
    let lines =
      removed.map(line)
      + shards.map { shards in
        "dead shards of run '\(shards.name)': removed " + shards.removed.joined(separator: ", ")
      } + counters.map { "counters of a dead process: removed \($0)" }
    return lines.isEmpty ? "nothing to clean" : lines.joined(separator: "\n")
  }

  private static func line(_ leftovers: Leftovers) -> String {
    let owner = leftovers.owner.processID.map { "pid \($0)" } ?? "never began"
    // Within a directory that is gone, all is gone.
    let outermost = leftovers.removed.filter { path in
      !leftovers.removed.contains { path.hasPrefix($0 + "/") }
    }
    let kept =
      leftovers.foreign.isEmpty
      ? "" : "; kept, since no sim made it: " + leftovers.foreign.joined(separator: ", ")
    return "dead run '\(leftovers.name)' (\(owner)): removed "
      + outermost.joined(separator: ", ") + kept
  }
}
