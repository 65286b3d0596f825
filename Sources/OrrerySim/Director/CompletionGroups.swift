// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Transactions with a completion, each with the number of members that it waits for.
struct CompletionGroups: ~Copyable {
  /// Names a group as long as it waits.
  typealias Index = Int32

  /// No group.
  static let none: Index = -1

  private struct Group: BitwiseCopyable {
    let completion: Int
    var count = CompletionCount()
    let isRemoval: Bool
  }

  private var groups = IndexedPool<Group>(capacity: 64)

  /// Makes a group for a transaction.
  ///
  /// - Parameters:
  ///   - completion: Index of the completion, as in `ViewsPlan.completions`.
  ///   - isRemoval: Whether it waits for the removal of its animations, not for their logical ends.
  /// - Returns: Its index. The transaction itself has entered: call `leave` when it has run.
  mutating func begin(_ completion: Int, isRemoval: Bool) -> Index {
    let index = reserve()
    make(index, completion, isRemoval: isRemoval)
    return index
  }

  /// Adds a group that is to be made next.
  @inline(__always)
  mutating func reserve() -> Index { groups.reserve() }

  /// Makes a group that one member has entered, the transaction or its only animation.
  func make(_ index: Index, _ completion: Int, isRemoval: Bool) {
    var group = Group(completion: completion, isRemoval: isRemoval)
    group.count.enter()
    groups[index].initialize(to: group)
  }

  /// Number of members that each group waits for; 0 for a free index.
  var memberCounts: [Int] { (0..<groups.count).map { groups[Index($0)].pointee.count.memberCount } }

  /// Whether a group waits for removals.
  func isRemoval(_ index: Index) -> Bool { groups[index].pointee.isRemoval }

  /// Adds an animation to wait for.
  func enter(_ index: Index) { groups[index].pointee.count.enter() }

  /// Removes an animation, or the transaction itself, that a group waits for.
  ///
  /// - Returns: The completion if this was the last one; the index is then free for another group.
  mutating func leave(_ index: Index) -> Int? {
    guard groups[index].pointee.count.leave() else { return nil }
    groups.release(index)
    return groups[index].pointee.completion
  }
}
