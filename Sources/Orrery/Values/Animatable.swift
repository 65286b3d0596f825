// SPDX-License-Identifier: Apache-2.0

/// A type with a part, `animatableData`, that is a vector and can be animated.
///
/// A change from one value to another is animated by setting `animatableData` to vectors between
/// the two; the last one is the new value's own, bit for bit.
///
///     struct Dot: Animatable {
///       var position: CGPoint
///       var radius: Double
///
///       var animatableData: AnimatablePair<CGPoint.AnimatableData, Double> {
///         get { AnimatablePair(position.animatableData, radius) }
///         set { (position.animatableData, radius) = (newValue.first, newValue.second) }
///       }
///     }
public protocol Animatable {
  /// Type of the vector that changes during an animation.
  associatedtype AnimatableData: VectorArithmetic

  /// The vector that changes during an animation, in the units of the type itself: points stay
  /// points, nothing is weighted.
  var animatableData: AnimatableData { get set }
}

extension Animatable where Self: VectorArithmetic {
  /// A vector is animated as a whole.
  public var animatableData: Self {
    get { self }
    set { self = newValue }
  }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
  /// Nothing is animated: a change happens at once.
  public var animatableData: EmptyAnimatableData {
    get { EmptyAnimatableData() }
    set {}
  }
}

extension Double: Animatable {}
extension Float: Animatable {}
