// SPDX-License-Identifier: Apache-2.0

/// One effect of a transition or a modifier on a view, in one state or between states.
///
/// Coordinates are the view's own, x from the leading side.
enum TransitionEffect: Hashable, Sendable {
  /// Factor.
  case opacity(Double)
  case offset(Offset)
  case scale(Scale)
  /// Radius in points.
  case blur(Double)
  case geometry(Geometry)
  case color(ColorEffect)
  /// A modifier or view that is evaluated for its animatable data.
  case animated(AnimatedEffect)
  /// Effects that depend on the view's size.
  case visual(SizedEffects)
  /// Several as one, from the innermost.
  case stack([TransitionEffect])

  /// A move by points and by shares of the view's size.
  struct Offset: Hashable, Sendable {
    /// Points.
    var x = 0.0
    var y = 0.0
    /// Widths of the view, added to x.
    var widths = 0.0
    /// Heights of the view, added to y.
    var heights = 0.0

    /// The move that takes a view out at one of its sides.
    static func out(by edge: Edge) -> Offset {
      switch edge {
      case .top: Offset(heights: -1)
      case .leading: Offset(widths: -1)
      case .bottom: Offset(heights: 1)
      case .trailing: Offset(widths: 1)
      }
    }
  }

  /// A scaling about an anchor.
  struct Scale: Hashable, Sendable {
    /// Factors.
    var x = 1.0
    var y = 1.0
    /// Shares of the size.
    var anchorX = 0.5
    var anchorY = 0.5

    /// A scaling in a phase, with factors that can be inverted.
    init(_ scale: CGSize, anchor: UnitPoint) {
      x = ScaleEffect.invertible(scale.width)
      y = ScaleEffect.invertible(scale.height)
      (anchorX, anchorY) = (anchor.x, anchor.y)
    }
  }

  /// The effect of the same kind that changes nothing.
  var neutral: TransitionEffect {
    switch self {
    case .opacity: return .opacity(1)
    case .offset: return .offset(Offset())
    case .scale(var scale):
      (scale.x, scale.y) = (1, 1)
      return .scale(scale)
    case .blur: return .blur(0)
    case .geometry(var geometry):
      geometry.weight = 0
      return .geometry(geometry)
    case .color(let color): return .color(color.neutral)
    case .visual(let effects): return .visual(effects.neutral)
    case .animated, .stack: return .stack(parts.map(\.neutral))
    }
  }

  /// The effects that this one consists of, from the innermost.
  private var parts: [TransitionEffect] {
    switch self {
    case .animated(let animated): animated.effects
    case .stack(let effects): effects
    default: [self]
    }
  }

  /// Effects without others in them, from the innermost.
  ///
  /// - Parameters:
  ///   - effects: From the innermost.
  ///   - size: Size of the view, in points.
  /// - Returns: From the innermost.
  static func simple(_ effects: [TransitionEffect], size: CGSize) -> [TransitionEffect] {
    effects.flatMap { effect in
      switch effect {
      case .animated, .stack: simple(effect.parts, size: size)
      case .visual(let effects): simple(effects.effects(size: size), size: size)
      default: [effect]
      }
    }
  }

  /// Whether nothing is drawn in another way by this effect.
  func changesNothing(size: CGSize) -> Bool {
    AnyTransition.values([self], size: size, layoutDirection: .leftToRight) == .identity
  }

  /// Whether numbers can be interpolated between this effect and another one.
  func hasKind(of other: TransitionEffect) -> Bool {
    switch (self, other) {
    case (.opacity, .opacity), (.offset, .offset), (.scale, .scale), (.blur, .blur): true
    case (.geometry(let own), .geometry(let others)): own.hasType(of: others)
    case (.color(let own), .color(let others)): own.kind == others.kind
    case (.animated(let own), .animated(let others)): own.hasType(of: others)
    case (.visual, .visual): true
    default: false
    }
  }

  /// The map of this effect for the coordinates of a view of a size in points.
  func transform(size: CGSize) -> ProjectionTransform {
    switch self {
    case .opacity, .blur, .color: ProjectionTransform()
    case .offset(let offset):
      ProjectionTransform(
        CGAffineTransform(
          translationX: offset.x + offset.widths * size.width,
          y: offset.y + offset.heights * size.height))
    case .scale(let scale): ProjectionTransform(scale.matrix(size: size))
    case .geometry(let geometry): geometry.transform(size: size)
    case .animated, .stack, .visual:
      Self.simple([self], size: size).reduce(ProjectionTransform()) {
        $0.concatenating($1.transform(size: size))
      }
    }
  }
}

extension TransitionEffect.Scale {
  /// Moves the anchor to the origin, scales, and moves it back.
  ///
  /// Between two phases a factor may pass through 0; the map can be inverted there too.
  func matrix(size: CGSize) -> CGAffineTransform {
    let (left, top) = (anchorX * size.width, anchorY * size.height)
    let (x, y) = (ScaleEffect.invertible(x), ScaleEffect.invertible(y))
    return CGAffineTransform(a: x, b: 0, c: 0, d: y, tx: left - left * x, ty: top - top * y)
  }
}

extension TransitionEffect {
  /// This effect, the one at identity, interpolated toward the two others.
  ///
  /// - Parameters:
  ///   - willAppear: The effect before, of the same kind.
  ///   - didDisappear: The effect after, of the same kind.
  ///   - away: Share of the distance to each; any number.
  /// - Returns: Every number interpolated linearly; exact for shares of 0 and 1.
  func moved(
    towards willAppear: TransitionEffect, and didDisappear: TransitionEffect,
    by away: TransitionAway
  ) -> TransitionEffect {
    func between(_ identity: Double, _ before: Double, _ after: Double) -> Double {
      identity.moved(towards: before, and: after, by: away)
    }
    switch (self, willAppear, didDisappear) {
    case (.opacity(let identity), .opacity(let before), .opacity(let after)):
      return .opacity(between(identity, before, after))
    case (.blur(let identity), .blur(let before), .blur(let after)):
      return .blur(between(identity, before, after))
    case (.offset(let identity), .offset(let before), .offset(let after)):
      return .offset(
        Offset(
          x: between(identity.x, before.x, after.x), y: between(identity.y, before.y, after.y),
          widths: between(identity.widths, before.widths, after.widths),
          heights: between(identity.heights, before.heights, after.heights)))
    case (.scale(var identity), .scale(let before), .scale(let after)):
      identity.x = between(identity.x, before.x, after.x)
      identity.y = between(identity.y, before.y, after.y)
      identity.anchorX = between(identity.anchorX, before.anchorX, after.anchorX)
      identity.anchorY = between(identity.anchorY, before.anchorY, after.anchorY)
      return .scale(identity)
    case (.geometry(let identity), .geometry(let before), .geometry(let after)):
      return .geometry(
        identity.moved(
          towards: before, and: after, by: away,
          weight: between(identity.weight, before.weight, after.weight)))
    case (.color(let identity), .color(let before), .color(let after)):
      return .color(
        ColorEffect(identity.kind, between(identity.amount, before.amount, after.amount)))
    case (.animated(let identity), .animated(let before), .animated(let after)):
      // The data move, and with them all three states: the differences between them move, too.
      let data = identity.vector.moved(
        towards: before.vector, and: after.vector, by: away)
      return .stack(
        Self.moved(
          identity.with(data).effects, towards: before.with(data).effects,
          and: after.with(data).effects, by: away))
    case (.visual(let identity), .visual(let before), .visual(let after)):
      return .visual(
        identity.with(identity.vector.moved(towards: before.vector, and: after.vector, by: away)))
    case (.animated, _, _), (.stack, _, _):
      return .stack(
        Self.moved(parts, towards: willAppear.parts, and: didDisappear.parts, by: away))
    default: return self
    }
  }

  /// Effects of identity, interpolated toward those of two others.
  ///
  /// If they differ in kind, those of each are interpolated from and to neutral effects.
  private static func moved(
    _ identity: [TransitionEffect], towards willAppear: [TransitionEffect],
    and didDisappear: [TransitionEffect], by away: TransitionAway
  ) -> [TransitionEffect] {
    if areAlike(identity, willAppear), areAlike(identity, didDisappear) {
      return identity.indices.map {
        identity[$0].moved(towards: willAppear[$0], and: didDisappear[$0], by: away)
      }
    }
    return willAppear.map { $0.neutral.moved(towards: $0, and: $0.neutral, by: away) }
      + identity.map { $0.moved(towards: $0.neutral, and: $0.neutral, by: away) }
      + didDisappear.map { $0.neutral.moved(towards: $0.neutral, and: $0, by: away) }
  }

  /// Whether numbers can be interpolated between two lists of effects.
  static func areAlike(_ left: [TransitionEffect], _ right: [TransitionEffect]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.hasKind(of: $1) }
  }
}

extension VectorArithmetic {
  /// This vector, interpolated toward two others; exact for shares of 0 and 1.
  func moved(towards before: Self, and after: Self, by away: TransitionAway) -> Self {
    if away.second == 0 { return interpolated(towards: before, amount: away.first) }
    if away.first == 0 { return interpolated(towards: after, amount: away.second) }
    return self + (before - self).scaled(by: away.first) + (after - self).scaled(by: away.second)
  }
}

/// How far a view is away from identity: the share of the distance to `willAppear`, and of that to
/// `didDisappear`.
typealias TransitionAway = AnimatablePair<Double, Double>
