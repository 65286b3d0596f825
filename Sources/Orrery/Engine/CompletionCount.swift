// SPDX-License-Identifier: Apache-2.0

/// Number of members that a completion waits for.
///
/// The body of the transaction is the first member, so that the completion never comes before all
/// changes are made, and comes right after the body if nothing is animated. Each animated change is
/// one more member.
@usableFromInline package struct CompletionCount: BitwiseCopyable, Sendable {
  /// Members that have entered and not left.
  @usableFromInline package internal(set) var memberCount = 0

  /// No members.
  @inlinable package init() {}

  /// Adds a member.
  @inlinable package mutating func enter() {
    memberCount += 1
  }

  /// Removes a member.
  ///
  /// - Returns: Whether it was the last one, and the completion is due.
  @inlinable package mutating func leave() -> Bool {
    memberCount -= 1
    return memberCount == 0
  }
}
