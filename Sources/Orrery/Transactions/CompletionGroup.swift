// SPDX-License-Identifier: Apache-2.0

/// Animations of which somebody wants to know when the last one is over.
///
/// Each body of a transaction and each animation that is created in it enters, and leaves when it
/// is over; when the last one has left, the completion runs, once, and outside any transaction.
final class CompletionGroup {
  /// When an animation leaves.
  let criteria: AnimationCompletionCriteria

  private var completion: (() -> Void)?

  /// How many have entered and not left.
  private var memberCount = 0

  init(criteria: AnimationCompletionCriteria, _ completion: @escaping () -> Void) {
    self.criteria = criteria
    self.completion = completion
  }

  /// Adds one to wait for.
  func enter() {
    memberCount += 1
  }

  /// Ends the wait for one; if it was the last one, the completion runs now.
  func leave() {
    memberCount -= 1
    guard memberCount == 0, let completion else { return }
    self.completion = nil
    TransactionScope.runOutside(completion)
  }
}
