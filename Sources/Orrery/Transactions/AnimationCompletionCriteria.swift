// SPDX-License-Identifier: Apache-2.0

/// When an animation counts as complete.
public struct AnimationCompletionCriteria: Hashable, Sendable {
  private enum Kind: Sendable { case logicallyComplete, removed }
  private let kind: Kind

  /// When the animation is logically complete, though a spring may still settle.
  public static let logicallyComplete = AnimationCompletionCriteria(kind: .logicallyComplete)

  /// When the animation is over and removed.
  public static let removed = AnimationCompletionCriteria(kind: .removed)
}
