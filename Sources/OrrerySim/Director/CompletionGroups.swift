// SPDX-License-Identifier: Apache-2.0

/// Transactions that wait for their animations.
struct CompletionGroups: Sendable {
  /// Names a group while it waits.
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
  ///   - completion: What its end is called.
  ///   - isRemoval: Whether it waits until nothing is left of its animations, not for their logical end.
  /// - Returns: Its index. It waits for the transaction itself: `leave` once that is done.
  mutating func begin(_ completion: Int, isRemoval: Bool) -> Index {
    let group = Group(completion: completion, isRemoval: isRemoval, waitingCount: 1)
    if let index = free.popLast() {
      groups[Int(index)] = group
      return index
    }
    groups.append(group)
    return Index(groups.count - 1)
  }

  /// Whether a group waits for removals.
  func isRemoval(_ index: Index) -> Bool { groups[Int(index)].isRemoval }

  /// One more animation to wait for.
  mutating func enter(_ index: Index) { groups[Int(index)].waitingCount += 1 }

  /// One thing less to wait for: an animation, or the rest of the transaction itself.
  ///
  /// - Returns: What to call if it was the last; the group is gone then.
  mutating func leave(_ index: Index) -> Int? {
    groups[Int(index)].waitingCount -= 1
    guard groups[Int(index)].waitingCount == 0 else { return nil }
    free.append(index)
    return groups[Int(index)].completion
  }
}
