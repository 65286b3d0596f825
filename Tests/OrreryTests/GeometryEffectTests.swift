// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: effects map points as the checklist says, and their maps compose and invert as maps do.
///
/// Method: points written out, then laws on random maps. A failure prints its seed.
@Suite struct GeometryEffectTests {
  private static let size = CGSize(width: 100, height: 60)

  /// An effect that is the map it was given.
  private struct Fixed: GeometryEffect {
    var transform: ProjectionTransform

    func effectValue(size: CGSize) -> ProjectionTransform { transform }
  }

  private func distance(_ a: CGPoint, _ b: CGPoint) -> Double {
    hypot(Double(a.x - b.x), Double(a.y - b.y))
  }

  /// 100 x 60, anchor bottom, s = 0.5: (0, 0) -> (25, 30); the anchor stays.
  @Test func scaleKeepsItsAnchor() {
    let transform = ScaleEffect(scale: 0.5, anchor: .bottom).drawnTransform(size: Self.size)
    #expect(CGPoint.zero.applying(transform) == CGPoint(x: 25, y: 30))
    #expect(CGPoint(x: 50, y: 60).applying(transform) == CGPoint(x: 50, y: 60))
    let wide = ScaleEffect(scale: CGSize(width: 2, height: 1), anchor: .topLeading)
    #expect(
      CGPoint(x: 3, y: 4).applying(wide.effectValue(size: Self.size)) == CGPoint(x: 6, y: 4))
  }

  /// s = 0: finite, invertible; nothing is larger than a thousandth of a point.
  @Test func zeroScaleCanBeInverted() throws {
    let transform = ScaleEffect(scale: 0, anchor: .bottom).effectValue(size: Self.size)
    let inverse = try #require(transform.inverse)
    let corner = CGPoint(x: 100, y: 0).applying(transform)
    #expect(distance(corner, CGPoint(x: 50, y: 60)) < 1e-3)
    #expect(distance(corner.applying(inverse), CGPoint(x: 100, y: 0)) < 1e-6)
  }

  /// Factors that pass through 0, and those next to it, on their own side.
  @Test(arguments: [0, -0.0, 1e-5, -1e-5, 9e-6, -9e-6, 1e-12, -1e-12, 1e-300, -1e-300])
  func scalesNextToZeroCanBeInverted(factor: Double) throws {
    let transform = ScaleEffect(scale: factor).effectValue(size: Self.size)
    #expect(transform.m11 == (factor < 0 ? -1e-5 : 1e-5))
    #expect(transform.m22 == transform.m11)
    let back = try #require(transform.inverse).concatenating(transform)
    #expect(distance(CGPoint(x: 7, y: 5).applying(back), CGPoint(x: 7, y: 5)) < 1e-9)
  }

  /// At every time of a move through 0: of the effect's own data, of a modifier, of a transition.
  @Test func movesThroughZeroCanBeInverted() {
    for share in [0, 0.25, 0.499_999, 0.499_999_999, 0.5, 0.500_001, 0.75, 1] {
      var effect = ScaleEffect(scale: CGSize(width: 1, height: 2), anchor: .topLeading)
      effect.animatableData.interpolate(
        towards: ScaleEffect(scale: CGSize(width: -1, height: -2), anchor: .bottom).animatableData,
        amount: share)
      #expect(effect.effectValue(size: Self.size).inverse != nil, "\(share)")
      let transitions: [AnyTransition] = [
        .scale(scale: -1), .scale(scale: -1, anchor: .top).combined(with: .move(edge: .leading)),
        .modifier(active: ScaleEffect(scale: -1), identity: ScaleEffect(scale: 1)),
        AnyTransition(Flip()), AnyTransition(FlipIn()),
      ]
      for transition in transitions {
        for phase in [TransitionPhase.willAppear, .didDisappear] {
          let transform = transition.values(phase: phase, progress: share, size: Self.size)
            .transform
          #expect(transform.inverse != nil, "\(transition), \(phase), \(share)")
        }
      }
    }
    // An overshooting spring passes through 0 twice.
    for progress in [1.0, -1e-5, -1.001e-5, -2] {
      let values = AnyTransition.scale.values(
        phase: .willAppear, progress: progress, size: Self.size)
      #expect(values.transform.inverse != nil, "\(progress)")
    }
  }

  private struct Flip: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      content.scaleEffect(x: phase.isIdentity ? 1 : -1, y: phase.isIdentity ? 1 : 0)
    }
  }

  /// The scaling is there in one phase only.
  private struct FlipIn: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      if phase == .willAppear { content.modifier(ScaleEffect(scale: -1)) } else { content }
    }
  }

  /// A view whose scale is animated through 0, with a linear animation and with a spring.
  @Test(arguments: [Animation.linear(duration: 1), .bouncy(duration: 0.5, extraBounce: 0.3)])
  func viewsThroughZeroCanBeInverted(animation: Animation) {
    func view(_ scale: Double) -> some View {
      EmptyView().scaleEffect(scale).modifier(ScaleEffect(scale: -scale))
    }
    var player = ViewPlayer(view(1))
    withAnimation(animation) { player.update(view(-1), at: 0) }
    for tick in 0...120 {
      let transform = player.values(at: Double(tick) / 60, size: Self.size).transform
      #expect(transform.inverse != nil, "tick \(tick)")
    }
    withAnimation(animation) { player.update(view(0), at: 2) }
    for tick in 120...240 {
      let transform = player.values(at: Double(tick) / 60, size: Self.size).transform
      #expect(transform.inverse != nil, "tick \(tick)")
    }
  }

  /// Factors and anchor are animated.
  @Test func scaleIsAnimated() {
    var effect = ScaleEffect(scale: 1, anchor: .top)
    let to = ScaleEffect(scale: CGSize(width: 2, height: 3), anchor: .bottom).animatableData
    effect.animatableData.interpolate(towards: to, amount: 0.5)
    #expect(effect == ScaleEffect(scale: CGSize(width: 1.5, height: 2), anchor: .center))
  }

  /// Translation (10, 0) in right-to-left -> (-10, 0); y is left alone.
  @Test func rightToLeftMirrors() {
    let move = Fixed(transform: ProjectionTransform(CGAffineTransform(translationX: 10, y: 7)))
    let mirrored = move.drawnTransform(size: Self.size, isRightToLeft: true)
    #expect(mirrored == ProjectionTransform(CGAffineTransform(translationX: -10, y: 7)))
    #expect(move.drawnTransform(size: Self.size) == move.transform)
    let scale = ScaleEffect(scale: 0.5, anchor: .leading)
      .drawnTransform(size: Self.size, isRightToLeft: true)
    #expect(CGPoint(x: 100, y: 30).applying(scale) == CGPoint(x: 100, y: 30))
  }

  /// A singular matrix is ignored, and so is one that is not finite.
  @Test(arguments: [0, .nan, .infinity] as [Double])
  func mapsWithoutInverseAreIgnored(scale: Double) {
    let flat = Fixed(transform: ProjectionTransform(CGAffineTransform(scaleX: scale, y: 1)))
    #expect(flat.drawnTransform(size: Self.size).isIdentity)
    #expect(flat.drawnTransform(size: Self.size, isRightToLeft: true).isIdentity)
    var transform = flat.transform
    let isInverted = transform.invert()
    #expect(!isInverted)
  }

  @Test func affineMapsAreThoseOfCoreGraphics() {
    let point = CGPoint(x: 3, y: 4)
    #expect(point.applying(CGAffineTransform(translationX: 1, y: 2)) == CGPoint(x: 4, y: 6))
    #expect(point.applying(CGAffineTransform(scaleX: 2, y: 3)) == CGPoint(x: 6, y: 12))
    let quarter = point.applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(distance(quarter, CGPoint(x: -4, y: 3)) < 1e-15)
    // The move comes first: it is scaled.
    let moved = CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 1, y: 1)
    #expect(point.applying(moved) == CGPoint(x: 8, y: 15))
    let turned = CGAffineTransform(translationX: 1, y: 0).rotated(by: .pi).scaledBy(x: 2, y: 2)
    #expect(distance(point.applying(turned), CGPoint(x: -5, y: -8)) < 1e-14)
    #expect(CGAffineTransform().isIdentity)
    #expect(CGAffineTransform(scaleX: 0, y: 1).inverted() == CGAffineTransform(scaleX: 0, y: 1))
  }

  @Test func mapsComposeAndInvert() {
    for seed in UInt64(1)...1_000 {
      var numbers = SeededRandom(seed: seed)
      let (first, second) = (Self.affine(&numbers), Self.affine(&numbers))
      var (tilted, other) = (ProjectionTransform(first), ProjectionTransform(second))
      (tilted.m13, tilted.m23) = (numbers.number(in: 0...1e-3), numbers.number(in: 0...1e-3))
      (other.m13, other.m23) = (numbers.number(in: 0...1e-3), numbers.number(in: 0...1e-3))
      other.m33 = 2
      let point = CGPoint(x: numbers.number(in: 0...100), y: numbers.number(in: 0...100))
      let affineImage = point.applying(first).applying(second)
      let image = point.applying(tilted)
      let both = point.applying(tilted.concatenating(other))
      let isGood =
        distance(point.applying(first.concatenating(second)), affineImage) < 1e-9
        && distance(affineImage.applying(second.inverted()).applying(first.inverted()), point)
          < 1e-9
        && distance(both, image.applying(other)) < 1e-9
        && distance(image.applying(tilted.inverted()), point) < 1e-9
        && !tilted.isAffine && ProjectionTransform(first).isAffine
      #expect(isGood, "seed \(seed)")
      guard isGood else { return }
    }
  }

  /// A map with a determinant of 1 or more.
  private static func affine(_ numbers: inout SeededRandom) -> CGAffineTransform {
    CGAffineTransform(
      a: numbers.number(in: 1...2), b: numbers.number(in: 0...1), c: numbers.number(in: -1...0),
      d: numbers.number(in: 1...2), tx: numbers.number(in: 0...9), ty: numbers.number(in: 0...9))
  }
}
