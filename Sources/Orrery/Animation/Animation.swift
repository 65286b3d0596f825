// SPDX-License-Identifier: Apache-2.0

/// How a value gets from the old to the new one.
///
/// Names, arguments and defaults are SwiftUI's:
///
///     Animation.easeInOut(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2)
///
/// An animation moves a share of the interval from the old to the new value, its *progress*. What
/// it is made of has a closed form, so a value at any time is computed directly, and repeated legs
/// are exactly as long as each other.
///
/// Modifiers nest: the last one written sees real time first.
///
/// Where descriptions of SwiftUI disagree, or say nothing, these are the choices:
///
/// - ``default`` is a spring with a response of 0.55 s and no overshoot, and equals only itself.
/// - At exactly its end an animation shows its end value; later it is over, and the value is the
///   new one.
/// - The border between two legs of a repetition belongs to the second one.
/// - ``repeatCount(_:autoreverses:)`` with a count below 1 plays once. An even count with
///   `autoreverses` ends at the old value, and then the value is the new one.
/// - A repetition of something that takes no time takes none.
/// - A duration that is not greater than 0 ends at once. A speed below 0 counts as 0, which stands
///   still for ever. A delay below 0 begins that far into the motion.
/// - Parameters that are NaN count as 0; what is no spring, such as one without stiffness, ends at
///   once.
///
/// ``description`` is the animation in Swift's words, without leading dots; each value has one
/// spelling.
public struct Animation: Hashable, Sendable {
  /// What moves.
  let source: AnimationSource

  /// What changes its time, in the order in which it was written.
  let modifiers: [AnimationModifier]

  init(_ source: AnimationSource, modifiers: [AnimationModifier] = []) {
    self.source = source
    self.modifiers = modifiers
  }

  /// An animation of one's own making.
  ///
  /// - Parameter base: What moves the value.
  public init(_ base: some CustomAnimation) {
    if let standard = base as? StandardAnimation {
      self = standard.animation
    } else {
      self.init(.custom(CustomAnimationBox(base)))
    }
  }

  /// What moves the value: the custom animation that this one was made from, if it has no
  /// modifiers.
  public var base: any CustomAnimation {
    if case .custom(let box) = source, modifiers.isEmpty { return box.base }
    return StandardAnimation(animation: self)
  }
}
