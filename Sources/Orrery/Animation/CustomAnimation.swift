// SPDX-License-Identifier: Apache-2.0

/// An animation that a program defines itself.
///
///     struct Late: CustomAnimation {
///       func animate<V: VectorArithmetic>(
///         value: V, time: Double, context: inout AnimationContext<V>
///       ) -> V? {
///         time > 1 ? nil : value.scaled(by: time * time)
///       }
///     }
///
/// It is called at each time at which its value is needed. Unlike other animations it has no closed
/// form, so its end is known only when a call returns nil.
public protocol CustomAnimation: Hashable, Sendable {
  /// The part of the interval that has been moved.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: Seconds since the animation began.
  ///   - context: State that the animation keeps between calls.
  /// - Returns: The moved part; nil when the animation is over.
  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V?

  /// How fast the moved part changes.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: Seconds since the animation began.
  ///   - context: State that the animation has kept.
  /// - Returns: Per second; nil, which is the default, if the animation does not know it. Then a
  ///   spring that takes over begins at rest.
  func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V?

  /// Whether the animation takes over from the running one.
  ///
  /// If so, it moves the interval from the first old value to the newest one, and time continues
  /// from the start of the running animation. If not, which is the default, both run and add up.
  ///
  /// - Parameters:
  ///   - previous: The running animation.
  ///   - value: Its interval.
  ///   - time: Seconds since it began.
  ///   - context: Its state; changes of it are kept for this animation.
  /// - Returns: Whether it takes over.
  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool
}

extension CustomAnimation {
  /// Nil: a spring that takes over begins at rest.
  public func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? { nil }

  /// False: both run and add up.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool { false }
}
