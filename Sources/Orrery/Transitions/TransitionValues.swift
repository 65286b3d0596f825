// SPDX-License-Identifier: Apache-2.0

/// The effect of a transition on a view at one time.
public struct TransitionValues: Hashable, Sendable {
  /// Maps points of the view to their drawn positions, in its own coordinates, x to the right.
  public var transform: ProjectionTransform

  /// Factor of the view's opacity; springs may take it outside 0...1.
  public var opacity: Double

  /// Radius of a blur in points; springs may take it below 0.
  public var blur: Double

  /// The change of the view's colours.
  public var colors: ColorMatrix

  /// Makes values.
  ///
  /// - Parameters:
  ///   - transform: Maps points of the view to their drawn positions.
  ///   - opacity: Factor of the view's opacity.
  ///   - blur: Radius of a blur in points.
  ///   - colors: What happens to the view's colours.
  public init(
    transform: ProjectionTransform = ProjectionTransform(), opacity: Double = 1, blur: Double = 0,
    colors: ColorMatrix = ColorMatrix()
  ) {
    self.transform = transform
    self.opacity = opacity
    self.blur = blur
    self.colors = colors
  }

  /// The values of a view without a transition.
  public static let identity = TransitionValues()

  /// The affine part of `transform`; all of it unless a ``GeometryEffect`` has perspective.
  public var matrix: CGAffineTransform {
    CGAffineTransform(
      a: transform.m11, b: transform.m12, c: transform.m21, d: transform.m22,
      tx: transform.m31, ty: transform.m32)
  }
}

extension AnyTransition {
  /// The values of the transition at a progress.
  ///
  /// Each part is linear in progress, and extrapolates if a spring takes progress outside 0...1.
  ///
  /// - Parameters:
  ///   - phase: `willAppear` for an insertion, which moves from there to identity; `didDisappear`
  ///     for a removal, which moves from identity to there; at `identity` nothing is changed.
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

  /// The combined values of effects, the first one innermost.
  static func values(
    _ effects: [TransitionEffect], size: CGSize, layoutDirection: LayoutDirection
  ) -> TransitionValues {
    var values = TransitionValues()
    for effect in TransitionEffect.simple(effects, size: size) {
      switch effect {
      case .opacity(let opacity): values.opacity *= opacity
      case .blur(let radius): values.blur += radius
      case .color(let color): values.colors = values.colors.concatenating(color.matrix)
      case .offset, .scale, .geometry, .animated, .visual, .stack:
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
