// SPDX-License-Identifier: Apache-2.0

/// An event of an animation; see ``AnimationEngine/onEvent``.
public struct AnimationEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// A leg of a repetition ended. Legs are counted from 0, over all nested repetitions; an
    /// animation without repetition has one leg.
    case legEnded(index: Int)

    /// A change is logically complete, though a spring may still settle.
    case logicallyComplete

    /// All animations of the property are over.
    case removed(Removal)
  }

  /// Why the animations of a property are over.
  public enum Removal: Hashable, Sendable {
    /// The last animation came to its end.
    case finished

    /// The property was destroyed, or set without animation.
    case cancelled
  }

  /// The exact time, in seconds; not that of the frame that delivered the event.
  public let time: Double

  /// Name of the property.
  public let name: String

  /// What happened.
  public let kind: Kind
}
