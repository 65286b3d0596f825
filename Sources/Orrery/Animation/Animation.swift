// SPDX-License-Identifier: Apache-2.0

/// How a value changes from the old to the new one.
///
/// Names, arguments and defaults are SwiftUI's:
///
///     Animation.easeInOut(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2)
///
/// An animation moves a share of the interval from the old to the new value: its *progress*. All
/// but custom animations have a closed form, so the value at any time is computed directly, and
/// all legs of a repetition have exactly the same length.
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
/// - A repetition of an animation without duration has no duration.
/// - A duration that is not greater than 0 ends at once, and so does any animation that takes less than a
///   picosecond: the new value shows, and whatever ran on the property is over. A speed below 0 counts as 0,
///   which stands still for ever. A delay below 0 begins that far into the motion.
/// - An animation that never ends by itself ends with a change that is made after it.
/// - Parameters that are NaN count as 0. An invalid spring, such as one without stiffness, ends at
///   once.
///
/// ``description`` is the animation in Swift syntax, without leading dots; each value has one
/// spelling.
public struct Animation: Hashable, Sendable {
  /// The animation without its modifiers.
  let source: AnimationSource

  /// Modifiers, in the order in which they were written.
  let modifiers: [AnimationModifier]

  init(_ source: AnimationSource, modifiers: [AnimationModifier] = []) {
    self.source = source
    self.modifiers = modifiers
  }

  /// Makes an animation from a custom one.
  ///
  /// - Parameter base: The custom animation.
  public init(_ base: some CustomAnimation) {
    if let standard = base as? StandardAnimation {
      self = standard.animation
    } else {
      self.init(.custom(CustomAnimationBox(base)))
    }
  }

  /// The custom animation that this one was made from, if it has no modifiers; otherwise this
  /// animation, wrapped.
  public var base: any CustomAnimation {
    if case .custom(let box) = source, modifiers.isEmpty { return box.base }
    return StandardAnimation(animation: self)
  }
}
