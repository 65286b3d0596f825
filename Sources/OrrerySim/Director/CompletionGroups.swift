// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Transactions with a completion, each with the number of members that it waits for.
struct CompletionGroups: Sendable {
  /// Names a group as long as it waits.
  typealias Index = Int32

  /// No group.
  static let none: Index = -1

  private struct Group: Sendable {
    let completion: Int
    let isRemoval: Bool
    var count = CompletionCount()
  }

  private var groups: [Group] = []
  private var free: [Index] = []

  /// Makes a group for a transaction.
  ///
  /// - Parameters:
  ///   - completion: Index of the completion, as in `ViewsPlan.completions`.
  ///   - isRemoval: Whether it waits for the removal of its animations, not for their logical ends.
  /// - Returns: Its index. The transaction itself has entered: call `leave` when it has run.
  mutating func begin(_ completion: Int, isRemoval: Bool) -> Index {
    var group = Group(completion: completion, isRemoval: isRemoval)
    group.count.enter()
    if let index = free.popLast() {
      groups[Int(index)] = group
      return index
    }
    groups.append(group)
    return Index(groups.count - 1)
  }

  /// Number of members that each group waits for; 0 for a free index.
  var memberCounts: [Int] { groups.map(\.count.memberCount) }

  /// Whether a group waits for removals.
  func isRemoval(_ index: Index) -> Bool { groups[Int(index)].isRemoval }

  /// Adds an animation to wait for.
  mutating func enter(_ index: Index) { groups[Int(index)].count.enter() }

  /// Removes an animation, or the transaction itself, that a group waits for.
  ///
  /// - Returns: The completion if this was the last one; the index is then free for another group.
  mutating func leave(_ index: Index) -> Int? {
    guard groups[Int(index)].count.leave() else { return nil }
    free.append(index)
    return groups[Int(index)].completion
  }
}
