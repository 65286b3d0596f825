// SPDX-License-Identifier: Apache-2.0

/// The values of one half of a transition, as polynomials in the view's distance from identity.
///
/// For `away` from 0, at identity, to 1, absent, and beyond if springs overshoot:
///
///     value = identity + c[0]·away + c[1]·away² + …
///
/// where the identity is 1 for opacity and scale and 0 for the others. Trailing coefficients of 0
/// are left out.
package struct TransitionPolynomials: Hashable, Sendable {
  /// Points that the view's origin moves to the right.
  package var x: [Double] = []
  /// Points that the view's origin moves downward.
  package var y: [Double] = []
  /// Factor of the opacity.
  package var opacity: [Double] = []
  /// Factor of the size about the origin.
  package var scale: [Double] = []
  /// Radius in points.
  package var blur: [Double] = []

  /// Most coefficients of a polynomial.
  package static let degreeMax = 4

  /// Makes polynomials that change nothing.
  package init() {}
}

/// Why a transition has no polynomials.
package enum TransitionError: Error, Hashable, Sendable {
  /// A product of this degree; `TransitionPolynomials.degreeMax` is the limit.
  case degreeTooHigh(Int)
  /// A half scales width and height differently.
  case unevenScale
  /// It has a geometry effect, which may be any map.
  case geometryEffect
  /// A custom transition changes the view at identity too.
  case changedIdentity
  /// A number is infinite or not a number.
  case notFinite
  /// It changes colours.
  case colorEffect
  /// It has an animatable modifier, whose body may be any function of its data.
  case animatableModifier
  /// Parts of one half have different animations of their own.
  case severalAnimations
  /// A modifier changes the transaction by a closure.
  case transaction
}

extension AnyTransition {
  /// One half of the transition as polynomials.
  ///
  /// - Parameters:
  ///   - phase: `willAppear` for the insertion, `didDisappear` for the removal; `identity` for
  ///     nothing.
  ///   - size: Size of the view's frame, in points.
  ///   - origin: The point that the batch moves and scales about, in points from the frame's top
  ///     left corner.
  ///   - layoutDirection: Which side is leading.
  /// - Returns: Polynomials that equal ``values(phase:progress:size:layoutDirection:)`` at every
  ///   progress.
  /// - Throws: `TransitionError`.
  package func polynomials(
    phase: TransitionPhase, size: CGSize, origin: CGPoint,
    layoutDirection: LayoutDirection = .leftToRight
  ) throws(TransitionError) -> TransitionPolynomials {
    // Computed from the leading side, and mirrored at the end.
    let isMirrored = layoutDirection == .rightToLeft
    let anchor = CGPoint(x: isMirrored ? size.width - origin.x : origin.x, y: origin.y)
    var builder = PolynomialBuilder()
    for part in parts {
      let goal: TransitionEffect
      switch phase {
      case .willAppear: goal = part.willAppear
      case .identity: goal = part.identity
      case .didDisappear: goal = part.didDisappear
      }
      try builder.apply(part.identity, goal, size: size)
    }
    return try builder.polynomials(origin: anchor, isMirrored: isMirrored)
  }

  /// The attached animation of one half.
  ///
  /// - Parameter phase: `willAppear` for the insertion, `didDisappear` for the removal.
  /// - Returns: Nil if the transaction's animation moves it; otherwise the animation of the
  ///   transition, which may be nil.
  /// - Throws: `TransitionError.severalAnimations` if parts of the half have different ones.
  package func ownAnimation(phase: TransitionPhase) throws(TransitionError) -> Animation?? {
    let moving = parts.filter { phase == .willAppear ? $0.hasInsertion : $0.hasRemoval }
      .map { phase == .willAppear ? $0.animation : $0.removalAnimation }
    guard let first = moving.first else { return nil }
    guard moving.allSatisfy({ $0 == first }) else { throw .severalAnimations }
    guard let first else { return nil }
    guard let animation = first.animation else { throw .transaction }
    return animation
  }
}

/// Builds the polynomials of the map p ↦ scale·p + (x, y), with constant terms.
private struct PolynomialBuilder {
  private var x = Polynomial(0)
  private var y = Polynomial(0)
  private var scale = Polynomial(1)
  private var opacity = Polynomial(1)
  private var blur = Polynomial(0)

  /// Adds one effect outside of the effects so far.
  mutating func apply(
    _ identity: TransitionEffect, _ goal: TransitionEffect, size: CGSize
  ) throws(TransitionError) {
    switch (identity, goal) {
    case (.opacity(let near), .opacity(let far)):
      opacity = try opacity.times(Polynomial(near, far))
    case (.blur(let near), .blur(let far)):
      blur = blur.plus(Polynomial(near, far))
    case (.offset(let near), .offset(let far)):
      x = x.plus(
        Polynomial(near.x + near.widths * size.width, far.x + far.widths * size.width))
      y = y.plus(
        Polynomial(near.y + near.heights * size.height, far.y + far.heights * size.height))
    case (.scale(let near), .scale(let far)):
      guard near.x == near.y, far.x == far.y else { throw .unevenScale }
      let factor = Polynomial(near.x, far.x)
      let complement = Polynomial(1).plus(factor.times(-1))
      let left = Polynomial(near.anchorX * size.width, far.anchorX * size.width)
      let top = Polynomial(near.anchorY * size.height, far.anchorY * size.height)
      scale = try scale.times(factor)
      x = try x.times(factor).plus(complement.times(left))
      y = try y.times(factor).plus(complement.times(top))
    case (.color(let near), .color(let far)):
      if near != far || near != near.neutral { throw .colorEffect }
    case (.animated, _), (.visual, _), (.stack, _):
      if identity != goal || !identity.changesNothing(size: size) { throw .animatableModifier }
    default:
      if identity != goal || !identity.transform(size: size).isIdentity { throw .geometryEffect }
    }
  }

  /// The map of `origin`, without the constant terms, which must be the identity's.
  func polynomials(
    origin: CGPoint, isMirrored: Bool
  ) throws(TransitionError) -> TransitionPolynomials {
    let change = scale.plus(Polynomial(-1))
    var result = TransitionPolynomials()
    result.x = try x.plus(change.times(origin.x)).times(isMirrored ? -1 : 1).tail(constant: 0)
    result.y = try y.plus(change.times(origin.y)).tail(constant: 0)
    result.scale = try scale.tail(constant: 1)
    result.opacity = try opacity.tail(constant: 1)
    result.blur = try blur.tail(constant: 0)
    return result
  }
}

/// A polynomial: terms from the constant one on, without trailing zeros.
private struct Polynomial {
  private var terms: [Double]

  init(_ constant: Double) { self.init(terms: [constant]) }

  /// The linear polynomial with one value at 0 and another at 1.
  init(_ near: Double, _ far: Double) { self.init(terms: [near, far - near]) }

  private init(terms: [Double]) {
    self.terms = Array(terms.prefix((terms.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  func plus(_ other: Polynomial) -> Polynomial {
    let (longer, shorter) = terms.count < other.terms.count ? (other, self) : (self, other)
    var sum = longer.terms
    for (index, term) in shorter.terms.enumerated() { sum[index] += term }
    return Polynomial(terms: sum)
  }

  func times(_ factor: Double) -> Polynomial { Polynomial(terms: terms.map { $0 * factor }) }

  func times(_ other: Polynomial) throws(TransitionError) -> Polynomial {
    guard !terms.isEmpty, !other.terms.isEmpty else { return Polynomial(0) }
    let degree = terms.count + other.terms.count - 2
    guard degree <= TransitionPolynomials.degreeMax else { throw .degreeTooHigh(degree) }
    var product = [Double](repeating: 0, count: degree + 1)
    for (left, leftTerm) in terms.enumerated() {
      for (right, rightTerm) in other.terms.enumerated() {
        product[left + right] += leftTerm * rightTerm
      }
    }
    return Polynomial(terms: product)
  }

  /// All terms except the constant one.
  func tail(constant: Double) throws(TransitionError) -> [Double] {
    guard terms.allSatisfy(\.isFinite) else { throw .notFinite }
    guard (terms.first ?? 0) == constant else { throw .changedIdentity }
    return Array(terms.dropFirst())
  }
}
