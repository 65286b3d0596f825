// SPDX-License-Identifier: Apache-2.0

/// Transactions with a completion, each with the number of animations that it waits for.
struct CompletionGroups: Sendable {
  /// Names a group as long as it waits.
  typealias Index = Int32

  /// No group.
  static let none: Index = -1

  private struct Group: Sendable {
    var completion: Int
    var isRemoval: Bool
    var waitingCount: Int
  }

  private var groups: [Group] = []
  private var free: [Index] = []

  /// Makes a group for a transaction.
  ///
  /// - Parameters:
  ///   - completion: Index of the completion, as in `ViewsPlan.completions`.
  ///   - isRemoval: Whether it waits for the removal of its animations, not for their logical ends.
  /// - Returns: Its index. It also waits for the transaction itself: call `leave` when that has run.
  mutating func begin(_ completion: Int, isRemoval: Bool) -> Index {
    let group = Group(completion: completion, isRemoval: isRemoval, waitingCount: 1)
    if let index = free.popLast() {
      groups[Int(index)] = group
      return index
    }
    groups.append(group)
    return Index(groups.count - 1)
  }

  /// Number of animations that each group waits for; 0 for a free index.
  var waitingCounts: [Int] { groups.map(\.waitingCount) }

  /// Whether a group waits for removals.
  func isRemoval(_ index: Index) -> Bool { groups[Int(index)].isRemoval }

  /// Adds an animation to wait for.
  mutating func enter(_ index: Index) { groups[Int(index)].waitingCount += 1 }

  /// Removes an animation, or the transaction itself, that a group waits for.
  ///
  /// - Returns: The completion if this was the last one; the index is then free for another group.
  mutating func leave(_ index: Index) -> Int? {
    groups[Int(index)].waitingCount -= 1
    guard groups[Int(index)].waitingCount == 0 else { return nil }
    free.append(index)
    return groups[Int(index)].completion
  }
}
