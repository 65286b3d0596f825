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

  /// Groups by index; memory, not an array: each change of a burst would check twice who else has that.
  private var groups: UnsafeMutablePointer<Group>
  private var capacity = 64

  /// Largest number of groups at the same time so far.
  private var count = 0
  private var free = FreeIndexes()

  init() { groups = .allocate(capacity: capacity) }

  deinit { groups.deallocate() }

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
  mutating func reserve() -> Index { free.pop() ?? addIndex() }

  /// Makes a group that one member has entered, the transaction or its only animation.
  func make(_ index: Index, _ completion: Int, isRemoval: Bool) {
    var group = Group(completion: completion, isRemoval: isRemoval)
    group.count.enter()
    self.group(index).initialize(to: group)
  }

  private mutating func addIndex() -> Index {
    if count == capacity {
      let grown = UnsafeMutablePointer<Group>.allocate(capacity: 2 * capacity)
      grown.moveInitialize(from: groups, count: count)
      groups.deallocate()
      (groups, capacity) = (grown, 2 * capacity)
    }
    count += 1
    return Index(count - 1)
  }

  /// Number of members that each group waits for; 0 for a free index.
  var memberCounts: [Int] { (0..<count).map { groups[$0].count.memberCount } }

  /// Whether a group waits for removals.
  func isRemoval(_ index: Index) -> Bool { group(index).pointee.isRemoval }

  /// Adds an animation to wait for.
  func enter(_ index: Index) { group(index).pointee.count.enter() }

  /// Removes an animation, or the transaction itself, that a group waits for.
  ///
  /// - Returns: The completion if this was the last one; the index is then free for another group.
  mutating func leave(_ index: Index) -> Int? {
    guard group(index).pointee.count.leave() else { return nil }
    free.push(index)
    return group(index).pointee.completion
  }

  private func group(_ index: Index) -> UnsafeMutablePointer<Group> {
    assert(index >= 0 && index < count, "group \(index) of \(count)")
    return groups + Int(index)
  }
}
