// SPDX-License-Identifier: Apache-2.0

/// What a transition does to a view at one moment.
public struct TransitionValues: Hashable, Sendable {
  /// Where points of the view are drawn, in its own coordinates, x to the right.
  public var transform: ProjectionTransform

  /// Factor of the view's opacity; springs lead it beyond 0...1.
  public var opacity: Double

  /// Radius of a blur in points; springs lead it below 0.
  public var blur: Double

  /// Makes values.
  ///
  /// - Parameters:
  ///   - transform: Where points of the view are drawn.
  ///   - opacity: Factor of the view's opacity.
  ///   - blur: Radius of a blur in points.
  public init(
    transform: ProjectionTransform = ProjectionTransform(), opacity: Double = 1, blur: Double = 0
  ) {
    self.transform = transform
    self.opacity = opacity
    self.blur = blur
  }

  /// Those of a view without a transition.
  public static let identity = TransitionValues()

  /// The affine part of `transform`; all of it unless a ``GeometryEffect`` has perspective.
  public var matrix: CGAffineTransform {
    CGAffineTransform(
      a: transform.m11, b: transform.m12, c: transform.m21, d: transform.m22,
      tx: transform.m31, ty: transform.m32)
  }
}

extension AnyTransition {
  /// What the transition does to a view on its way.
  ///
  /// Each part is linear in progress, and extrapolates where a spring leads it outside 0...1.
  ///
  /// - Parameters:
  ///   - phase: `willAppear` for an insertion, which leads from there to identity; `didDisappear`
  ///     for a removal, which leads from identity to there; at `identity` nothing is changed.
  ///   - progress: Progress of the insertion or the removal; 0 at its start, 1 at its end.
  ///   - size: Size of the view, in points.
  ///   - layoutDirection: Which side is leading.
  /// - Returns: The values.
  public func values(
    phase: TransitionPhase, progress: Double, size: CGSize,
    layoutDirection: LayoutDirection = .leftToRight
  ) -> TransitionValues {
    let away =
      switch phase {
      case .willAppear: TransitionAway(1 - progress, 0)
      case .identity: TransitionAway.zero
      case .didDisappear: TransitionAway(0, progress)
      }
    return Self.values(
      parts.map { $0.effect(away) }, size: size, layoutDirection: layoutDirection)
  }

  /// What effects do together, the first innermost.
  static func values(
    _ effects: [TransitionEffect], size: CGSize, layoutDirection: LayoutDirection
  ) -> TransitionValues {
    var values = TransitionValues()
    for effect in effects {
      switch effect {
      case .opacity(let opacity): values.opacity *= opacity
      case .blur(let radius): values.blur += radius
      case .offset, .scale, .geometry:
        values.transform = values.transform.concatenating(effect.transform(size: size))
      }
    }
    if layoutDirection == .rightToLeft {
      let flip = ProjectionTransform(
        CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: size.width, ty: 0))
      values.transform = flip.concatenating(values.transform).concatenating(flip)
    }
    return values
  }
}
