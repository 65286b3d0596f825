// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: views, modifiers and
// transitions.

struct Shake: AnimatableModifier {
  var shakes: CGFloat

  var animatableData: CGFloat {
    get { shakes }
    set { shakes = newValue }
  }

  func body(content: Content) -> some View {
    content.offset(x: sin(shakes * .pi * 2) * 5)
  }
}

struct Pop: ViewModifier {
  let isActive: Bool

  func body(content: Content) -> some View {
    content
      .scaleEffect(isActive ? 0.5 : 1)
      .opacity(isActive ? 0 : 1)
  }
}

/// A generic wrapper, as design systems have them.
struct Tilted<Inner: View>: View, Animatable {
  var angle: Angle
  let inner: Inner

  var animatableData: Angle.AnimatableData {
    get { angle.animatableData }
    set { angle.animatableData = newValue }
  }

  init(_ angle: Angle, @ViewBuilder inner: () -> Inner) {
    self.angle = angle
    self.inner = inner()
  }

  var body: some View { inner.rotationEffect(angle) }
}

struct Leaf: View {
  var body: some View { EmptyView() }
}

extension View {
  func shake(_ times: Int) -> some View { modifier(Shake(shakes: CGFloat(times))) }
}

extension AnyTransition {
  static var pop: AnyTransition {
    .modifier(active: Pop(isActive: true), identity: Pop(isActive: false))
  }
  static var shaking: AnyTransition {
    .modifier(active: Shake(shakes: 1.25), identity: Shake(shakes: 0))
  }
  static var flip: AnyTransition {
    .modifier(
      active: FlipEffect(angle: 90, axis: (0, 1)), identity: FlipEffect(angle: 0, axis: (0, 1)))
  }
}

struct Twirl: Transition {
  func body(content: Content, phase: TransitionPhase) -> some View {
    content
      .scaleEffect(phase.isIdentity ? 1 : 0.5)
      .opacity(phase.isIdentity ? 1 : 0)
      .blur(radius: phase.isIdentity ? 0 : 10)
      .rotationEffect(.degrees(phase == .willAppear ? 360 : phase == .didDisappear ? -360 : .zero))
      .brightness(phase == .willAppear ? 1 : 0)
  }
}

struct FlipIn: Transition {
  static var properties: TransitionProperties { TransitionProperties(hasMotion: true) }

  func body(content: Content, phase: TransitionPhase) -> some View {
    content.rotation3DEffect(.degrees(phase.value * 90), axis: (x: 0, y: 1, z: 0))
  }
}

struct Blink: Transition {
  func body(content: Content, phase: TransitionPhase) -> some View {
    if phase.isIdentity { content } else { content.hidden() }
  }
}

extension Transition where Self == Twirl {
  static var twirl: Twirl { Twirl() }
}

/// A modifier that is kept and handed on.
struct Dimmed<Inner: View> {
  let view: ModifiedContent<Inner, Pop>

  init(_ inner: Inner) { view = ModifiedContent(content: inner, modifier: Pop(isActive: true)) }

  func body(_ content: PlaceholderContentView<Pop>) -> some View { content.opacity(0.5) }
}

enum ViewVocabulary {
  /// A view with every modifier.
  static func everything(_ isOn: Bool) -> some View {
    animated(coloured(turned(scaled(moved(isOn)))), isOn)
  }

  static func moved(_ isOn: Bool) -> some View {
    Leaf()
      .opacity(isOn ? 1 : 0.5)
      .offset(CGSize(width: 1, height: 2))
      .offset(x: 1)
      .offset(x: 1, y: 1)
      .position(x: 10, y: 20)
      .position(CGPoint(x: 10, y: 20))
  }

  static func scaled(_ view: some View) -> some View {
    view
      .scaleEffect(2)
      .scaleEffect(0.5, anchor: .topLeading)
      .scaleEffect(CGSize(width: 2, height: 1), anchor: .bottom)
      .scaleEffect(x: 2, y: 1)
      .scaleEffect(x: 0.5, y: 1, anchor: .trailing)
      .transformEffect(CGAffineTransform(translationX: 1, y: 0))
      .projectionEffect(ProjectionTransform(CATransform3DMakeScale(2, 2, 1)))
  }

  static func turned(_ view: some View) -> some View {
    view
      .rotationEffect(.degrees(90))
      .rotationEffect(.radians(0.5), anchor: .topLeading)
      .rotation3DEffect(.degrees(45), axis: (x: 0, y: 1, z: 0))
      .rotation3DEffect(
        .degrees(45), axis: (x: 1, y: 0, z: 0), anchor: .top, anchorZ: 1, perspective: 0.5
      )
      .modifier(Shake(shakes: 0.25))
      .modifier(Pop(isActive: false).concat(EmptyModifier.identity))
      .modifier(FlipEffect(angle: 30, axis: (0, 1)).ignoredByLayout())
      .shake(2)
  }

  static func coloured(_ view: some View) -> some View {
    view
      .blur(radius: 2)
      .blur(radius: 2, opaque: true)
      .brightness(0.1)
      .contrast(1.5)
      .saturation(0.5)
      .grayscale(0.25)
      .hueRotation(.degrees(90))
      .compositingGroup()
      .drawingGroup()
      .drawingGroup(opaque: true, colorMode: mode)
  }

  static let mode: ColorRenderingMode = .extendedLinear

  @Sendable static func fade(
    _ effect: EmptyVisualEffect, _ proxy: GeometryProxy
  ) -> some VisualEffect {
    effect.opacity(proxy.size.width / 200)
  }

  /// Effects that depend on the size.
  static func faded(_ view: some View) -> some View { view.visualEffect(fade) }

  static func sized(_ view: some View, _ isOn: Bool) -> some View {
    view.visualEffect { content, proxy in
      content
        .offset(x: isOn ? proxy.size.width : 0)
        .opacity(isOn ? 1 : 0)
    }
  }

  static func everyVisualEffect(_ view: some View) -> some View {
    view.visualEffect { effect, proxy in
      effect
        .offset(CGSize(width: 1, height: 2))
        .scaleEffect(2)
        .scaleEffect(CGSize(width: 0.5, height: 1), anchor: .top)
        .scaleEffect(x: 2, y: 1, anchor: .leading)
        .rotationEffect(.degrees(90), anchor: .center)
        .rotation3DEffect(.degrees(0), axis: (x: 0, y: 1, z: 0))
        .transformEffect(CGAffineTransform(translationX: proxy.size.height, y: 0))
        .transformEffect(ProjectionTransform(CGAffineTransform(scaleX: 1, y: 1)))
        .blur(radius: 2)
        .brightness(0.1)
        .contrast(1.5)
        .saturation(0.5)
        .grayscale(0.25)
        .hueRotation(.degrees(90))
        .opacity(proxy.safeAreaInsets == EdgeInsets() ? 0.5 : 1)
    }
  }

  /// Modifiers with animations of their own.
  static func scoped(_ view: some View, _ isOn: Bool) -> some View {
    view
      .offset(x: isOn ? 8 : 0)
      .modifier(Pop(isActive: isOn).animation(.linear(duration: 4)))
      .modifier(
        Shake(shakes: isOn ? 0.25 : 0).concat(EmptyModifier())
          .transaction { $0.animation = .linear(duration: 2) }
      )
      .modifier(FlipEffect(angle: isOn ? 180 : 0, axis: (0, 1)).animation(nil))
  }

  static func animated(_ view: some View, _ isOn: Bool) -> some View {
    view
      .animation(.bouncy, value: isOn)
      .animation(.linear(duration: 1))
      .animation(.easeIn) { $0.opacity(isOn ? 1 : 0) }
      .transaction { $0.animation = $0.animation?.speed(2) }
      .transaction(value: isOn) { $0.disablesAnimations = true }
      .transaction {
        $0.animation = nil
      } body: {
        $0.offset(y: isOn ? 1 : 0)
      }
      .contentTransition(.numericText(value: 3))
      .transition(.pop)
      .transition(.twirl)
  }

  @ViewBuilder static func branches(_ number: Int?) -> some View {
    if let number {
      switch number {
      case 0: EmptyView()
      case 1: Group { Leaf().opacity(0.5) }
      default: AnyView(Leaf())
      }
    } else if number == nil {
      Tilted(.degrees(90)) { Leaf() }
    }
  }

  static let transitions: [AnyTransition] = [
    .identity, .opacity, .scale, .scale(scale: 0.5), .scale(scale: 0.5, anchor: .topTrailing),
    .move(edge: .bottom), .slide, .push(from: .top), .offset(CGSize(width: 3, height: 4)),
    .offset(x: 3), .offset(x: 3, y: 4), .pop, .shaking, .flip, AnyTransition(.blurReplace),
    AnyTransition(.twirl), AnyTransition(FlipIn()), AnyTransition(Blink()),
    .move(edge: .top).combined(with: .opacity).animation(.linear(duration: 1)),
    .asymmetric(insertion: .slide, removal: .opacity.animation(nil)),
    AnyTransition(
      AsymmetricTransition(
        insertion: .move(edge: .leading).combined(with: .opacity),
        removal: .scale(0.5, anchor: .top).animation(.bouncy))),
    AnyTransition(BlurReplaceTransition(configuration: .upUp)),
    AnyTransition(.blurReplace(.downUp)), AnyTransition(IdentityTransition()),
    AnyTransition(OpacityTransition()), AnyTransition(MoveTransition(edge: .top)),
    AnyTransition(OffsetTransition(.zero)), AnyTransition(PushTransition(edge: .top)),
    AnyTransition(ScaleTransition(0.5, anchor: .center)), AnyTransition(SlideTransition()),
    AnyTransition(.identity), AnyTransition(.scale), AnyTransition(.slide),
    AnyTransition(.push(from: .leading)), AnyTransition(.offset(x: 1)), AnyTransition(.opacity),
  ]

  static let contentTransitions: [ContentTransition] = [
    .identity, .opacity, .interpolate, .numericText(), .numericText(countsDown: true),
    .numericText(value: 3),
  ]

  static func applied(_ phase: TransitionPhase) -> some View {
    Twirl().apply(content: Leaf(), phase: phase)
  }
}
