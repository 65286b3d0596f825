// SPDX-License-Identifier: Apache-2.0

/// An animation of one's own making.
///
///     struct Late: CustomAnimation {
///       func animate<V: VectorArithmetic>(
///         value: V, time: Double, context: inout AnimationContext<V>
///       ) -> V? {
///         time > 1 ? nil : value.scaled(by: time * time)
///       }
///     }
///
/// It is asked at the times at which somebody looks: unlike the others it has no closed form, so
/// its end is noticed and not foreseen.
public protocol CustomAnimation: Hashable, Sendable {
  /// The part of the interval that has been moved.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: s since the animation began.
  ///   - context: What the animation keeps between calls.
  /// - Returns: The moved part; nil when the animation is over.
  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V?

  /// How fast the moved part changes.
  ///
  /// - Parameters:
  ///   - value: The interval from the old to the new value.
  ///   - time: s since the animation began.
  ///   - context: What the animation has kept.
  /// - Returns: Per second; nil, which is the default, if the animation cannot say, and then what
  ///   follows begins at rest.
  func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V?

  /// Whether the animation goes on where the one before it is, in its stead.
  ///
  /// If so, it is asked for the interval from the first old value to the newest one, and time goes
  /// on from the beginning of the one before. If not, which is the default, both run and add.
  ///
  /// - Parameters:
  ///   - previous: The animation that runs.
  ///   - value: Its interval.
  ///   - time: s since it began.
  ///   - context: What it has kept; what is kept in it from here on is this animation's.
  /// - Returns: Whether it takes over.
  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool
}

extension CustomAnimation {
  /// Nil: what follows begins at rest.
  public func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? { nil }

  /// False: both run and add.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool { false }
}
