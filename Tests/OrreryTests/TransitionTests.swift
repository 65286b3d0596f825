// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: every transition does to a view what the checklist says, in both halves and between them.
///
/// Method: the matrices, opacities and blurs of the checklist; then laws for all transitions.
@Suite struct TransitionTests {
  private static let size = CGSize(width: 90, height: 50)
  private static let panel = CGSize(width: 240, height: 160)

  /// The transition of article S4 of docs/explained/semantics.md.
  private static let custom = AnyTransition.asymmetric(
    insertion: .move(edge: .top).combined(with: .scale(scale: 0.2, anchor: .topTrailing))
      .combined(with: .opacity),
    removal: .move(edge: .top).combined(with: .opacity))

  private func isClose(_ values: TransitionValues, _ matrix: [Double], opacity: Double) -> Bool {
    let m = values.matrix
    let found = [m.a, m.b, m.c, m.d, m.tx, m.ty].map { Double($0) }
    return zip(found, matrix).allSatisfy { abs($0 - $1) < 1e-12 }
      && abs(values.opacity - opacity) < 1e-12
  }

  private func offset(
    _ transition: AnyTransition, _ phase: TransitionPhase, _ progress: Double,
    size: CGSize = size, _ direction: LayoutDirection = .leftToRight
  ) -> [Double] {
    let values = transition.values(
      phase: phase, progress: progress, size: size, layoutDirection: direction)
    return [values.matrix.tx, values.matrix.ty]
  }

  /// The phases are -1, 0 and 1; only the middle one is identity.
  @Test func phasesHaveValues() {
    let phases: [TransitionPhase] = [.willAppear, .identity, .didDisappear]
    #expect(phases.map(\.value) == [-1, 0, 1])
    #expect(phases.map(\.isIdentity) == [false, true, false])
  }

  /// 90 x 50: move(bottom) hidden (0, 50); move(leading) hidden (-90, 0); slide half removed
  /// (45, 0); push(from: top) inserted to p = 0.2: (0, -40), opacity 0.2.
  @Test func movesByTheWholeSize() {
    #expect(offset(.move(edge: .bottom), .willAppear, 0) == [0, 50])
    #expect(offset(.move(edge: .bottom), .didDisappear, 1) == [0, 50])
    #expect(offset(.move(edge: .leading), .willAppear, 0) == [-90, 0])
    #expect(offset(.slide, .didDisappear, 0.5) == [45, 0])
    #expect(offset(.slide, .willAppear, 0) == [-90, 0])
    let push = AnyTransition.push(from: .top)
      .values(phase: .willAppear, progress: 0.2, size: Self.size)
    #expect(isClose(push, [1, 0, 0, 1, 0, -40], opacity: 0.2))
    #expect(offset(.push(from: .top), .didDisappear, 1) == [0, 50])
    #expect(offset(.push(from: .trailing), .didDisappear, 1) == [-90, 0])
    #expect(offset(.offset(x: 7, y: -3), .didDisappear, 0.5) == [3.5, -1.5])
  }

  /// opacity 0/1; scale about an anchor, by default to 1e-5; blurReplace: opacity, blur 7,
  /// scale 0.9, and 1.1 for upUp after removal; identity.
  @Test func fadesScalesAndBlurs() {
    let size = Self.size
    #expect(AnyTransition.opacity.values(phase: .willAppear, progress: 0, size: size).opacity == 0)
    #expect(AnyTransition.opacity.values(phase: .willAppear, progress: 1, size: size).opacity == 1)
    let scale = AnyTransition.scale.values(phase: .willAppear, progress: 0, size: size)
    #expect(isClose(scale, [1e-5, 0, 0, 1e-5, 45 - 45e-5, 25 - 25e-5], opacity: 1))
    let gone = AnyTransition(.blurReplace).values(phase: .didDisappear, progress: 1, size: size)
    #expect(isClose(gone, [0.9, 0, 0, 0.9, 4.5, 2.5], opacity: 0))
    #expect(gone.blur == 7)
    let up = AnyTransition(.blurReplace(.upUp))
    #expect(up.values(phase: .willAppear, progress: 0, size: size).matrix.a == 0.9)
    #expect(up.values(phase: .didDisappear, progress: 1, size: size).matrix.a == 1.1)
    #expect(up.values(phase: .didDisappear, progress: 0.5, size: size).blur == 3.5)
    let none = AnyTransition.identity.values(phase: .didDisappear, progress: 0.7, size: size)
    #expect(none == .identity)
  }

  /// asymmetric(opacity, move(top)) removed to p = 0.5: opacity 1, offset (0, -h/2);
  /// inserted, it only fades.
  @Test func asymmetricKeepsItsHalvesApart() {
    let transition = AnyTransition.asymmetric(insertion: .opacity, removal: .move(edge: .top))
    let removed = transition.values(phase: .didDisappear, progress: 0.5, size: Self.size)
    #expect(isClose(removed, [1, 0, 0, 1, 0, -25], opacity: 1))
    let inserted = transition.values(phase: .willAppear, progress: 0.5, size: Self.size)
    #expect(isClose(inserted, [1, 0, 0, 1, 0, 0], opacity: 0.5))
  }

  /// With reduced motion move(top) behaves like opacity; opacity and identity stay.
  @Test func reducedMotionFades() {
    #expect(AnyTransition.move(edge: .top).reducingMotion() == .opacity)
    #expect(AnyTransition.opacity.reducingMotion() == .opacity)
    #expect(AnyTransition.identity.reducingMotion() == .identity)
    #expect(AnyTransition(Shrink()).reducingMotion() == .opacity)
    #expect(Self.custom.reducingMotion() == .opacity)
    let half = AnyTransition.asymmetric(insertion: .slide, removal: .identity)
    #expect(
      half.reducingMotion() == .asymmetric(insertion: .opacity, removal: .identity))
    var player = TransitionPlayer(.move(edge: .top), reduceMotion: true)
    player.insert(animation: .linear(duration: 1), at: 0)
    let values = player.values(at: 0.25, size: Self.size)
    #expect(isClose(values, [1, 0, 0, 1, 0, 0], opacity: 0.25))
  }

  /// [S4-06] Three parts come, two go; no scale on removal.
  @Test func accordionIsAsymmetric() {
    #expect(
      Self.custom.insertionSteps.map(\.description) == [
        "move(edge: top)", "scale(0.2, anchor: topTrailing)", "opacity",
      ])
    #expect(Self.custom.removalSteps.map(\.description) == ["move(edge: top)", "opacity"])
    for progress in [0, 0.5, 1] {
      let values = Self.custom.values(phase: .didDisappear, progress: progress, size: Self.panel)
      #expect(values.matrix.a == 1)
    }
  }

  /// [S4-07] 240 x 160, p = 0: the origin is mapped to (192, -32), as the move is innermost.
  @Test func firstPartIsInnermost() {
    let values = Self.custom.values(phase: .willAppear, progress: 0, size: Self.panel)
    let origin = CGPoint.zero.applying(values.transform)
    #expect(abs(origin.x - 192) < 1e-12)
    #expect(abs(origin.y + 32) < 1e-12)
    let other = AnyTransition.scale(scale: 0.2, anchor: .topTrailing)
      .combined(with: .move(edge: .top))
    #expect(abs(offset(other, .willAppear, 0, size: Self.panel)[1] + 160) < 1e-12)
  }

  /// [S4-08] p = 0.4: s 0.52, tx 115.2, ty -49.92, opacity 0.4.
  @Test func accordionComesIn() {
    let values = Self.custom.values(phase: .willAppear, progress: 0.4, size: Self.panel)
    #expect(isClose(values, [0.52, 0, 0, 0.52, 115.2, -49.92], opacity: 0.4))
  }

  /// [S4-09] p = 0.4: ty -64, opacity 0.6.
  @Test func accordionGoesOut() {
    let values = Self.custom.values(phase: .didDisappear, progress: 0.4, size: Self.panel)
    #expect(isClose(values, [1, 0, 0, 1, 0, -64], opacity: 0.6))
  }

  /// Springs lead beyond 0...1: each part goes on along its straight line.
  @Test func partsExtrapolate() {
    let values = Self.custom.values(phase: .willAppear, progress: 1.25, size: Self.panel)
    #expect(isClose(values, [1.2, 0, 0, 1.2, -48, 48], opacity: 1.25))
    #expect(offset(.slide, .didDisappear, -0.5) == [-45, 0])
  }

  /// Right to left, the leading side is the right one: the map is mirrored.
  @Test func rightToLeftMirrorsTransitions() {
    #expect(offset(.move(edge: .leading), .willAppear, 0, .rightToLeft) == [90, 0])
    #expect(offset(.slide, .didDisappear, 0.5, .rightToLeft) == [-45, 0])
    #expect(offset(.offset(x: 10), .didDisappear, 1, .rightToLeft) == [-10, 0])
    let scale = AnyTransition.scale(scale: 0.5, anchor: .leading)
      .values(
        phase: .willAppear, progress: 0, size: Self.size, layoutDirection: .rightToLeft)
    #expect(CGPoint(x: 90, y: 25).applying(scale.transform) == CGPoint(x: 90, y: 25))
  }

  private struct Shrink: Transition, Hashable {
    func body(content: Content, phase: TransitionPhase) -> some View {
      content.scaleEffect(phase.isIdentity ? 1 : 0.5).offset(y: 10 * phase.value)
        .opacity(phase.isIdentity ? 1 : 0).blur(radius: phase.isIdentity ? 0 : 2)
    }
  }

  @Test func customTransitionsMoveBetweenTheirPhases() {
    let transition = AnyTransition(Shrink())
    let values = transition.values(phase: .didDisappear, progress: 0.5, size: Self.size)
    #expect(isClose(values, [0.75, 0, 0, 0.75, 45 * 0.25, 25 * 0.25 + 5], opacity: 0.5))
    #expect(values.blur == 1)
    #expect(transition == AnyTransition(Shrink()))
    #expect(transition.description == "Shrink")
  }

  private struct Branching: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      if phase.isIdentity {
        content
      } else {
        content.opacity(0).offset(x: 8)
      }
    }
  }

  @Test func phasesOfDifferentEffectsFadeFromAndToNothing() {
    let transition = AnyTransition(Branching())
    #expect(transition.values(phase: .identity, progress: 0, size: Self.size) == .identity)
    let values = transition.values(phase: .willAppear, progress: 0.75, size: Self.size)
    #expect(isClose(values, [1, 0, 0, 1, 2, 0], opacity: 0.75))
  }

  private struct Lean: GeometryEffect {
    var share: Double
    var animatableData: Double {
      get { share }
      set { share = newValue }
    }
    func effectValue(size: CGSize) -> ProjectionTransform {
      ProjectionTransform(
        CGAffineTransform(a: 1, b: 0, c: share * share, d: 1, tx: 0, ty: 0))
    }
  }

  @Test func modifiersMoveTheirAnimatableData() {
    let transition = AnyTransition.modifier(active: Lean(share: 4), identity: Lean(share: 0))
    let values = transition.values(phase: .willAppear, progress: 0.5, size: Self.size)
    #expect(values.matrix.c == 4)
    let copy = transition
    #expect(copy == transition)
    #expect(
      transition != .modifier(active: Lean(share: 4), identity: Lean(share: 0)))
    let scale = AnyTransition.modifier(
      active: ScaleEffect(scale: 0.5), identity: ScaleEffect(scale: 1))
    let same = AnyTransition.modifier(
      active: ScaleEffect(scale: 0.5), identity: ScaleEffect(scale: 1))
    #expect(scale == same)
    #expect(scale.hashValue == same.hashValue)
  }

  /// Transitions of equal effects are equal, wherever they were made.
  @Test func equalEffectsMakeEqualTransitions() {
    func orbit(_ angle: Double) -> AnyTransition {
      .modifier(active: OrbitEffect(angle: angle, radius: 5), identity: OrbitEffect(radius: 5))
    }
    #expect(orbit(1) == orbit(1))
    #expect(orbit(1).hashValue == orbit(1).hashValue)
    #expect(orbit(1) != orbit(2))
  }

  @Test func typesAndNamesGiveTheSame() {
    #expect(AnyTransition(.move(edge: .top)) == .move(edge: .top))
    #expect(AnyTransition(.scale(0.2, anchor: .top)) == .scale(scale: 0.2, anchor: .top))
    #expect(AnyTransition(.offset(x: 3)) == .offset(CGSize(width: 3, height: 0)))
    #expect(AnyTransition(.push(from: .top)) == .push(from: .top))
    #expect(AnyTransition(.slide) == .slide)
    #expect(AnyTransition(.scale) == .scale)
    #expect(AnyTransition(.identity) == .identity)
    let typed = AsymmetricTransition(
      insertion: MoveTransition(edge: .top).combined(
        with: ScaleTransition(0.2, anchor: .topTrailing)
      )
      .combined(with: OpacityTransition()),
      removal: MoveTransition(edge: .top).combined(with: .opacity))
    #expect(AnyTransition(typed) == Self.custom)
    let animated = OpacityTransition().animation(.linear(duration: 1))
    #expect(AnyTransition(animated) == .opacity.animation(.linear(duration: 1)))
  }

  @Test func bodiesOfCompoundsAreThoseOfTheirParts() {
    struct Wrapper: Transition {
      var inner: AsymmetricTransition<PushTransition, SlideTransition> {
        AsymmetricTransition(insertion: .push(from: .top), removal: .slide)
      }
      func body(content: Content, phase: TransitionPhase) -> some View {
        inner.apply(content: content, phase: phase)
      }
    }
    for phase in [TransitionPhase.willAppear, .didDisappear] {
      let wrapped = AnyTransition(Wrapper()).values(phase: phase, progress: 0.3, size: Self.size)
      let plain = AnyTransition(Wrapper().inner)
        .values(phase: phase, progress: 0.3, size: Self.size)
      #expect(wrapped == plain)
      #expect(plain != .identity)
    }
  }

  @Test func nestingThatMeansTheSameIsEqual() {
    let move = AnyTransition.move(edge: .top)
    #expect(
      move.combined(with: .opacity.combined(with: .slide))
        == move.combined(with: .opacity).combined(with: .slide))
    #expect(move.combined(with: .opacity) != .opacity.combined(with: move))
    #expect(
      AnyTransition.asymmetric(insertion: Self.custom, removal: .slide)
        == .asymmetric(
          insertion: move.combined(with: .scale(scale: 0.2, anchor: .topTrailing))
            .combined(with: .opacity), removal: .slide))
    let own = move.animation(.linear(duration: 1))
    #expect(own.animation(.easeIn) == own)
    #expect(own != move)
  }

  /// A tower of transitions neither overflows the stack nor changes the result.
  @Test func towersAreFlat() {
    var tower = AnyTransition.move(edge: .top)
    for _ in 0..<10_000 {
      tower = .asymmetric(insertion: tower.animation(nil), removal: .identity)
    }
    #expect(offset(tower, .willAppear, 0) == [0, -50])
    #expect(
      tower == .asymmetric(insertion: .move(edge: .top).animation(nil), removal: .identity))
  }

  @Test func descriptionsAreAsOneWouldTypeThem() {
    #expect(
      Self.custom.description
        == "asymmetric(insertion: move(edge: top).combined(with: scale(0.2, anchor: topTrailing))"
        + ".combined(with: opacity), removal: move(edge: top).combined(with: opacity))")
    let others: [(AnyTransition, String)] = [
      (.identity, "identity"), (.slide, "slide"), (.scale, "scale"),
      (.scale(scale: 2), "scale(2)"), (.push(from: .leading), "push(from: leading)"),
      (
        .scale(scale: 0.5, anchor: UnitPoint(x: 0.25, y: 1)),
        "scale(0.5, anchor: UnitPoint(x: 0.25, y: 1))"
      ),
      (.offset(x: 1.5, y: -20), "offset(x: 1.5, y: -20)"),
      (AnyTransition(.blurReplace), "blurReplace"),
      (AnyTransition(.blurReplace(.upUp)), "blurReplace(upUp)"),
      (.opacity.animation(nil), "opacity.animation(nil)"),
      (
        .opacity.animation(.linear(duration: 1).delay(0.5)),
        "opacity.animation(linear(duration: 1).delay(0.5))"
      ),
      (
        .asymmetric(insertion: .identity, removal: .slide),
        "asymmetric(insertion: identity, removal: slide)"
      ),
    ]
    for (transition, text) in others { #expect(transition.description == text) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    let size = CGSize(width: number, height: number)
    let transition = Self.custom.combined(with: .offset(x: number, y: number))
      .combined(with: .scale(scale: number))
    _ = transition.values(phase: .willAppear, progress: number, size: size)
    _ = transition.description
    #expect(throws: TransitionError.self) {
      try transition.polynomials(phase: .willAppear, size: size, origin: .zero)
    }
  }

  /// Each edge has its side, going in and out; a push leaves at the opposite one.
  @Test(
    arguments: [
      (.top, 0, -50), (.leading, -90, 0), (.bottom, 0, 50), (.trailing, 90, 0),
    ] as [(Edge, Double, Double)])
  func edgesAreTheirSides(edge: Edge, x: Double, y: Double) {
    #expect(offset(.move(edge: edge), .willAppear, 0) == [x, y])
    #expect(offset(.move(edge: edge), .didDisappear, 1) == [x, y])
    #expect(offset(.move(edge: edge), .identity, 0.5) == [0, 0])
    #expect(offset(.push(from: edge), .willAppear, 0) == [x, y])
    #expect(offset(.push(from: edge), .didDisappear, 1) == [0 - x, 0 - y])
    #expect(AnyTransition.move(edge: edge).description == "move(edge: \(edge))")
    let push = AnyTransition.push(from: edge)
    #expect(push.values(phase: .didDisappear, progress: 1, size: Self.size).opacity == 0)
    #expect(push.values(phase: .identity, progress: 1, size: Self.size) == .identity)
  }

  @Test func anchorsHaveTheirNames() {
    let anchors: [(UnitPoint, String)] = [
      (.leading, "leading"), (.trailing, "trailing"), (.top, "top"), (.bottom, "bottom"),
      (.topLeading, "topLeading"), (.topTrailing, "topTrailing"),
      (.bottomLeading, "bottomLeading"), (.bottomTrailing, "bottomTrailing"),
    ]
    for (anchor, name) in anchors {
      let scale = AnyTransition.scale(scale: 0.5, anchor: anchor)
      #expect(scale.description == "scale(0.5, anchor: \(name))")
    }
    #expect(AnyTransition.scale(scale: 0.5, anchor: .center).description == "scale(0.5)")
    #expect(AnyTransition.scale(scale: 1e-5).description == "scale")
    #expect(
      AnyTransition.scale(scale: 1e-5, anchor: .top).description == "scale(1e-05, anchor: top)")
  }

  /// A factor of 0 could not be undone: it counts as one that is almost 0.
  @Test func scalesToNothingAreAlmostNothing() {
    let values = AnyTransition.scale(scale: 0, anchor: .topLeading)
      .values(phase: .willAppear, progress: 0, size: Self.size)
    #expect(values.matrix.a == ScaleEffect.scaleMin)
    #expect(values.matrix.d == ScaleEffect.scaleMin)
    #expect(ScaleEffect.scaleMin == 1e-5)
    #expect(ScaleEffect(scale: 2).anchor == .center)
    #expect(ScaleEffect(scale: CGSize(width: 2, height: 3)).anchor == .center)
  }

  /// Which transitions move, for those who asked for less motion.
  @Test func motionIsKnown() {
    #expect(MoveTransition.properties.hasMotion)
    #expect(BlurReplaceTransition.properties.hasMotion)
    #expect(!OpacityTransition.properties.hasMotion)
    #expect(!IdentityTransition.properties.hasMotion)
    #expect(AsymmetricTransition<OpacityTransition, SlideTransition>.properties.hasMotion)
    #expect(AsymmetricTransition<SlideTransition, OpacityTransition>.properties.hasMotion)
    #expect(!AsymmetricTransition<OpacityTransition, IdentityTransition>.properties.hasMotion)
    #expect(TransitionProperties().hasMotion)
    #expect(!TransitionProperties(hasMotion: false).hasMotion)
    // Where it stays without motion, so does its animation.
    let own = AnyTransition.slide.animation(.linear(duration: 1))
    #expect(own.reducingMotion() == .opacity.animation(.linear(duration: 1)))
    let twice = AnyTransition.slide.combined(with: .scale).reducingMotion()
    #expect(twice == .opacity)
  }

  @Test func valuesHaveTheirParts() {
    let plain = TransitionValues()
    #expect(plain.transform.isIdentity)
    #expect((plain.opacity, plain.blur) == (1, 0))
    var transform = ProjectionTransform()
    (transform.m11, transform.m12, transform.m21) = (1, 2, 3)
    (transform.m22, transform.m31, transform.m32) = (4, 5, 6)
    #expect(
      TransitionValues(transform: transform).matrix
        == CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6))
    // Effects of one kind in a row multiply, add up and follow each other.
    struct Twice: Transition {
      func body(content: Content, phase: TransitionPhase) -> some View {
        content.opacity(0.5).opacity(0.5).blur(radius: 1).blur(radius: 2)
          .offset(CGSize(width: 3, height: 4)).scaleEffect(CGSize(width: 2, height: 3))
          .offset(x: 10)
      }
    }
    let values = AnyTransition(Twice())
      .values(phase: .identity, progress: 0, size: CGSize(width: 8, height: 4))
    #expect((values.opacity, values.blur) == (0.25, 3))
    // x: (x + 3 - 4)·2 + 4 + 10; y: (y + 4 - 2)·3 + 2.
    #expect(
      values.matrix == CGAffineTransform(a: 2, b: 0, c: 0, d: 3, tx: 12, ty: 8))
  }
}
