// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: what can be animated behaves as a vector, and geometry as pairs of its numbers.
///
/// Method: the numbers of the checklist, then the laws of a vector space on random values. A failure
/// prints its seed.
@Suite struct AnimatableTests {
  private typealias Pair = AnimatablePair<Double, Double>

  /// A dot of which the colour is not animated, as a user would write it.
  private struct Dot: Animatable {
    var position: CGPoint
    var radius: Double
    var name = "dot"

    var animatableData: AnimatablePair<CGPoint.AnimatableData, Double> {
      get { AnimatablePair(position.animatableData, radius) }
      set { (position.animatableData, radius) = (newValue.first, newValue.second) }
    }
  }

  private struct Still: Animatable {}

  /// [S2-01] (3, -4): magnitudeSquared 25; scaled by 0.5 -> (1.5, -2).
  @Test func pairIsAVector() {
    let pair = Pair(3, -4)
    #expect(pair.magnitudeSquared == 25)
    #expect(pair.scaled(by: 0.5) == Pair(1.5, -2))
    var scaled = pair
    scaled.scale(by: -2)
    #expect(scaled == Pair(-6, 8))
    #expect(pair + Pair(1, 2) == Pair(4, -2))
    #expect(pair - Pair(1, 2) == Pair(2, -6))
    var sum = pair
    sum += Pair(1, 2)
    #expect(sum == Pair(4, -2))
    sum -= Pair(4, 0)
    #expect(sum == Pair(0, -2))
    #expect(Pair.zero == Pair(0, 0))
  }

  /// [S2-02] Double, Float and CGFloat are vectors.
  @Test func numbersAreVectors() {
    #expect(3.0.scaled(by: 0.5) == 1.5)
    #expect(Float(3).scaled(by: 0.5) == 1.5)
    #expect(CGFloat(3).scaled(by: 0.5) == 1.5)
    #expect((-3.0).magnitudeSquared == 9)
    #expect(Float(1e30).magnitudeSquared == Double(Float(1e30)) * Double(Float(1e30)))
    #expect(CGFloat(-3).magnitudeSquared == 9)
    var number = 2.0
    number.animatableData += 1
    #expect(number == 3)
  }

  /// [S2-02] CGRect(1, 2, 3, 4) is ((1, 2), (3, 4)), magnitudeSquared 30.
  @Test func geometryIsPairs() {
    let data = CGRect(x: 1, y: 2, width: 3, height: 4).animatableData
    #expect(data.magnitudeSquared == 30)
    #expect(data == AnimatablePair(AnimatablePair(1, 2), AnimatablePair(3, 4)))
    #expect(CGPoint(x: 1, y: 2).animatableData == AnimatablePair(1, 2))
    #expect(CGSize(width: 3, height: 4).animatableData == AnimatablePair(3, 4))
    #expect(UnitPoint.bottom.animatableData == AnimatablePair(0.5, 1))
    var point = UnitPoint.bottom
    point.animatableData = AnimatablePair(2, 3)
    #expect(point == UnitPoint(x: 2, y: 3))

    var rectangle = CGRect(x: 1, y: 2, width: -3, height: 4)
    rectangle.animatableData.scale(by: 2)
    #expect(rectangle.origin == CGPoint(x: 2, y: 4))
    #expect(rectangle.size == CGSize(width: -6, height: 8))
  }

  /// Points and rectangles are not vectors themselves [S2-02].
  @Test func geometryIsNoVector() {
    for value in [CGPoint.zero, CGSize.zero, CGRect.zero] as [any Animatable] {
      #expect(!(value is any VectorArithmetic))
    }
    #expect(CGFloat.zero as Any is any VectorArithmetic)
  }

  /// [A-20] (0, 0) -> (10, 20) half way is (5, 10): one amount for all components.
  @Test func compoundsMoveAsAWhole() {
    let from = CGPoint.zero.animatableData
    let to = CGPoint(x: 10, y: 20).animatableData
    #expect(from.interpolated(towards: to, amount: 0.5) == AnimatablePair(5, 10))
    var dot = Dot(position: .zero, radius: 1)
    let target = Dot(position: CGPoint(x: 10, y: 20), radius: 3)
    dot.animatableData.interpolate(towards: target.animatableData, amount: 0.5)
    #expect(dot.position == CGPoint(x: 5, y: 10))
    #expect(dot.radius == 2)
    #expect(dot.name == "dot")
  }

  @Test func nothingIsAnimatedWithoutData() {
    var still = Still()
    still.animatableData.interpolate(towards: .zero, amount: 0.5)
    #expect(still.animatableData == .zero)
    #expect(still.animatableData.magnitudeSquared == 0)
    #expect(Still.AnimatableData.self == EmptyAnimatableData.self)
  }

  /// [S2-03] The last write of an animation is its target, bit for bit, and the first its start.
  @Test func endsOfAWayAreExact() {
    #expect(0.7 + (0.1 - 0.7) * 1.0 != 0.1, "the formula alone is exact here: choose other numbers")
    #expect(0.7.interpolated(towards: 0.1, amount: 1) == 0.1)
    #expect(1e300.interpolated(towards: -1e-300, amount: 1) == -1e-300)
    #expect((-0.0).interpolated(towards: 1, amount: 0).sign == .minus)
    forAll { numbers in
      let from = Self.nested(&numbers)
      let to = Self.nested(&numbers)
      return from.interpolated(towards: to, amount: 0) == from
        && from.interpolated(towards: to, amount: 1) == to
    }
  }

  @Test func scalingDistributesOverAddition() {
    forAll { numbers in
      let (a, b) = (Self.nested(&numbers), Self.nested(&numbers))
      let factor = numbers.number(in: -8...8)
      let difference = (a + b).scaled(by: factor) - (a.scaled(by: factor) + b.scaled(by: factor))
      return difference.magnitudeSquared <= 1e-28 * (a.magnitudeSquared + b.magnitudeSquared) * 64
    }
  }

  @Test func vectorsFormAGroup() {
    forAll { numbers in
      let (a, b) = (Self.nested(&numbers), Self.nested(&numbers))
      return a + .zero == a && a - a == .zero && a + b == b + a && a.scaled(by: 1) == a
        && a.scaled(by: 0) == .zero && a - b == a + b.scaled(by: -1)
    }
  }

  @Test func lengthScalesByTheSquare() {
    forAll { numbers in
      let vector = Self.nested(&numbers)
      let factor = numbers.number(in: -8...8)
      let expected = vector.magnitudeSquared * factor * factor
      return abs(vector.scaled(by: factor).magnitudeSquared - expected) <= 1e-14 * expected
    }
  }

  private typealias Nested = AnimatablePair<Pair, AnimatablePair<CGFloat, Double>>

  private static func nested(_ numbers: inout SeededRandom) -> Nested {
    var next: Double { numbers.number(in: -1e3...1e3) }
    return Nested(Pair(next, next), AnimatablePair(CGFloat(next), next))
  }

  /// Stops at the first seed for which `law` is broken.
  private func forAll(_ law: (inout SeededRandom) -> Bool) {
    for seed in UInt64(1)...1_000 {
      var numbers = SeededRandom(seed: seed)
      guard law(&numbers) else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }
}
