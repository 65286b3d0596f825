// SPDX-License-Identifier: Apache-2.0

/// Something that an animation came to; see ``AnimationEngine/onEvent``.
public struct AnimationEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A leg of a repetition ended, counted from 0 and through nested repetitions; an animation
    /// without repetition has one leg.
    case legEnded(index: Int)

    /// A change is as good as done, though a spring may still settle.
    case logicallyComplete

    /// Nothing is animated any more: all animations of the property are over.
    case removed(Removal)
  }

  /// Why a property is not animated any more.
  public enum Removal: Hashable, Sendable {
    /// The last animation came to its end.
    case finished

    /// The property was destroyed, or set without animation.
    case cancelled
  }

  /// The exact time, in seconds; not that of the frame which noticed it.
  public let time: Double

  /// Name of the property.
  public let name: String

  /// What happened.
  public let kind: Kind
}
