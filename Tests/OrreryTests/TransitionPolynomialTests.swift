// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: what a batch evaluates is what a transition does.
///
/// Method: polynomials against values at random progresses, sizes and origins, for many
/// transitions.
@Suite struct TransitionPolynomialTests {
  private static let transitions: [AnyTransition] = [
    .identity, .opacity, .scale, .scale(scale: 0.2, anchor: .topTrailing), .move(edge: .leading),
    .slide, .push(from: .bottom), .offset(x: 12, y: -7), AnyTransition(.blurReplace),
    AnyTransition(.blurReplace(.upUp)),
    .asymmetric(
      insertion: .move(edge: .top).combined(with: .scale(scale: 0.2, anchor: .topTrailing))
        .combined(with: .opacity),
      removal: .move(edge: .top).combined(with: .opacity)),
    .scale(scale: 0.5, anchor: .leading).combined(with: .slide)
      .combined(with: .scale(scale: 2, anchor: .bottom)).combined(with: .push(from: .top)),
    .opacity.combined(with: .opacity).combined(with: .opacity).combined(with: .opacity),
  ]

  private static func value(_ identity: Double, _ coefficients: [Double], at away: Double) -> Double
  {
    coefficients.reversed().reduce(0) { ($0 + $1) * away } + identity
  }

  @Test(arguments: transitions, [TransitionPhase.willAppear, .didDisappear])
  func polynomialsEqualValues(transition: AnyTransition, phase: TransitionPhase) throws {
    for seed in UInt64(1)...100 {
      var random = SeededRandom(seed: seed)
      let size = CGSize(width: random.number(in: 1...500), height: random.number(in: 1...500))
      let origin = CGPoint(x: random.number(in: -50...500), y: random.number(in: -50...500))
      let direction = LayoutDirection.allCases[Int(random.number(in: 0...1.99))]
      let away = random.number(in: -0.5...1.5)
      let form = try transition.polynomials(
        phase: phase, size: size, origin: origin, layoutDirection: direction)
      let values = transition.values(
        phase: phase, progress: phase == .willAppear ? 1 - away : away, size: size,
        layoutDirection: direction)
      let image = origin.applying(values.transform)
      let pairs = [
        (Self.value(0, form.x, at: away), Double(image.x - origin.x)),
        (Self.value(0, form.y, at: away), Double(image.y - origin.y)),
        (Self.value(1, form.scale, at: away), Double(values.matrix.a)),
        (Self.value(1, form.scale, at: away), Double(values.matrix.d)),
        (Self.value(1, form.opacity, at: away), values.opacity),
        (Self.value(0, form.blur, at: away), values.blur),
      ]
      let isEqual = pairs.allSatisfy { abs($0 - $1) < 1e-9 }
      #expect(isEqual, "seed \(seed): \(pairs)")
      guard isEqual else { return }
    }
  }

  /// [S4-08] [S4-09] The accordion's own polynomials, about the top left corner of a panel of 240 x
  /// 160.
  @Test func accordionHasShortPolynomials() throws {
    let size = CGSize(width: 240, height: 160)
    let transition = Self.transitions[10]
    let insertion = try transition.polynomials(phase: .willAppear, size: size, origin: .zero)
    // s = 1 - 0.8 away; x = (1 - s)·240; y = -s·160 away.
    #expect(Self.isClose(insertion.scale, [-0.8]))
    #expect(Self.isClose(insertion.x, [192]))
    #expect(Self.isClose(insertion.y, [-160, 128]))
    #expect(insertion.opacity == [-1])
    #expect(insertion.blur == [])
    let removal = try transition.polynomials(phase: .didDisappear, size: size, origin: .zero)
    #expect(removal.y == [-160])
    #expect(removal.opacity == [-1])
    #expect(removal.x == [])
    #expect(removal.scale == [])
    let identity = try transition.polynomials(phase: .identity, size: size, origin: .zero)
    #expect(identity == TransitionPolynomials())
  }

  private static func isClose(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-12 }
  }

  private struct Wide: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      content.scaleEffect(CGSize(width: phase.isIdentity ? 1 : 2, height: 1))
    }
  }

  private struct Dim: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View { content.opacity(0.5) }
  }

  /// Gray while it is away, or always.
  private struct Fade: Transition {
    let identity: Double
    let away: Double

    func body(content: Content, phase: TransitionPhase) -> some View {
      content.grayscale(phase.isIdentity ? identity : away)
    }
  }

  /// A change of colours is no polynomial, on the way or all the time; no change of colours is one.
  @Test(arguments: [(0.0, 0.5), (0.5, 0), (0.5, 0.5)])
  func colorsAreRefused(identity: Double, away: Double) throws {
    let size = CGSize(width: 10, height: 10)
    #expect(throws: TransitionError.colorEffect) {
      try AnyTransition(Fade(identity: identity, away: away))
        .polynomials(phase: .willAppear, size: size, origin: .zero)
    }
    let none = try AnyTransition(Fade(identity: 0, away: 0))
      .polynomials(phase: .willAppear, size: size, origin: .zero)
    #expect(none == TransitionPolynomials())
  }

  @Test func whatIsNoPolynomialIsRefused() {
    func error(_ transition: AnyTransition) -> TransitionError? {
      do throws(TransitionError) {
        let size = CGSize(width: 10, height: 10)
        _ = try transition.polynomials(phase: .willAppear, size: size, origin: .zero)
        return nil
      } catch {
        return error
      }
    }
    let five = (0..<5).reduce(AnyTransition.identity) { sum, _ in sum.combined(with: .opacity) }
    #expect(error(five) == .degreeTooHigh(5))
    #expect(error(AnyTransition(Wide())) == .unevenScale)
    #expect(error(AnyTransition(Dim())) == .changedIdentity)
    #expect(error(.offset(x: .infinity)) == .notFinite)
    let lean = AnyTransition.modifier(
      active: OrbitEffect(angle: 1, radius: 5), identity: OrbitEffect(angle: 0, radius: 5))
    #expect(error(lean) == .geometryEffect)
  }

  /// The halves' own animations, for a batch that has one for each.
  @Test func ownAnimationsAreKnown() throws {
    let linear = Animation.linear(duration: 1)
    let plain = try AnyTransition.slide.ownAnimation(phase: .willAppear)
    #expect(plain == .none)
    let own = try AnyTransition.slide.animation(linear).ownAnimation(phase: .willAppear)
    #expect(own == .some(linear))
    let none = try AnyTransition.slide.animation(nil).ownAnimation(phase: .didDisappear)
    #expect(none == .some(nil))
    let halves = AnyTransition.asymmetric(insertion: .slide.animation(linear), removal: .opacity)
    let insertion = try halves.ownAnimation(phase: .willAppear)
    let removal = try halves.ownAnimation(phase: .didDisappear)
    #expect(insertion == .some(linear))
    #expect(removal == .none)
    #expect(throws: TransitionError.severalAnimations) {
      try AnyTransition.slide.combined(with: .opacity.animation(linear))
        .ownAnimation(phase: .willAppear)
    }
  }
}
