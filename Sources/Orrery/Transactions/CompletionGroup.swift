// SPDX-License-Identifier: Apache-2.0

/// A group of animations with a completion that runs when the last one is over.
///
/// Each body of a transaction and each animation that is created in it enters the group, and
/// leaves it when over. When the last one has left, the completion runs, once, and outside any
/// transaction.
final class CompletionGroup {
  /// When an animation leaves.
  let criteria: AnimationCompletionCriteria

  private var completion: (() -> Void)?

  /// Bodies and animations that have entered and not left.
  private var count = CompletionCount()

  init(criteria: AnimationCompletionCriteria, _ completion: @escaping () -> Void) {
    self.criteria = criteria
    self.completion = completion
  }

  /// Adds a member.
  func enter() {
    count.enter()
  }

  /// Removes a member; if it was the last one, the completion runs now.
  func leave() {
    guard count.leave(), let completion else { return }
    self.completion = nil
    TransactionScope.runOutside(completion)
  }
}
