// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Effects on how a view is drawn, which may depend on its size; see ``View/visualEffect(_:)``.
///
/// The library's functions make them, from ``EmptyVisualEffect``; no type of a program is one.
public protocol VisualEffect: Sendable, Animatable {}

/// The visual effect that changes nothing, to which others are added.
public struct EmptyVisualEffect: VisualEffect {
  /// Makes the effect.
  public init() {}

  /// Nothing moves.
  public typealias AnimatableData = EmptyAnimatableData
}

/// The part of a view's geometry that is known without layout: its size.
public struct GeometryProxy: Sendable {
  /// The size of the view, in points.
  public let size: CGSize

  /// Nothing covers the view: no insets.
  public var safeAreaInsets: EdgeInsets { EdgeInsets() }

  /// Where the view is.
  @available(*, unavailable, message: "layout is left out: a view knows its size, not its place")
  public func frame(in coordinateSpace: LeftOutArgument) -> CGRect { .zero }
}

/// Effects of the library's own, from the innermost.
struct VisualEffects: VisualEffect {
  let effects: [TransitionEffect]

  typealias AnimatableData = EmptyAnimatableData
}

extension VisualEffect {
  /// The effects, from the innermost.
  var effects: [TransitionEffect] { (self as? VisualEffects)?.effects ?? [] }

  private func adding(_ effect: TransitionEffect) -> VisualEffects {
    VisualEffects(effects: effects + [effect])
  }

  private func adding(_ effect: some GeometryEffect) -> VisualEffects {
    adding(.geometry(TransitionEffect.Geometry(effect)))
  }

  /// Multiplies the opacity; see ``View/opacity(_:)``.
  public func opacity(_ opacity: Double) -> some VisualEffect { adding(.opacity(opacity)) }

  /// Blurs; see ``View/blur(radius:opaque:)``.
  public func blur(radius: CGFloat, opaque: Bool = false) -> some VisualEffect {
    adding(.blur(radius))
  }

  /// Adds to the colours; see ``View/brightness(_:)``.
  public func brightness(_ amount: Double) -> some VisualEffect {
    adding(.color(ColorEffect(.brightness, amount)))
  }

  /// Moves colours away from their middle; see ``View/contrast(_:)``.
  public func contrast(_ amount: Double) -> some VisualEffect {
    adding(.color(ColorEffect(.contrast, amount)))
  }

  /// Moves colours away from grey; see ``View/saturation(_:)``.
  public func saturation(_ amount: Double) -> some VisualEffect {
    adding(.color(ColorEffect(.saturation, amount)))
  }

  /// Moves colours toward grey; see ``View/grayscale(_:)``.
  public func grayscale(_ amount: Double) -> some VisualEffect {
    adding(.color(ColorEffect(.grayscale, amount)))
  }

  /// Turns the hue of colours; see ``View/hueRotation(_:)``.
  public func hueRotation(_ angle: Angle) -> some VisualEffect {
    adding(.color(ColorEffect(.hueRotation, angle.radians)))
  }

  /// Moves; see ``View/offset(_:)``.
  public func offset(_ offset: CGSize) -> some VisualEffect {
    self.offset(x: offset.width, y: offset.height)
  }

  /// Moves; see ``View/offset(x:y:)``.
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect {
    adding(.offset(TransitionEffect.Offset(x: x, y: y)))
  }

  /// Scales about an anchor; as `scaleEffect` of ``View`` does.
  public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some VisualEffect {
    adding(.scale(TransitionEffect.Scale(scale, anchor: anchor)))
  }

  /// Scales about an anchor; as `scaleEffect` of ``View`` does.
  public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect {
    scaleEffect(CGSize(width: s, height: s), anchor: anchor)
  }

  /// Scales about an anchor; see ``View/scaleEffect(x:y:anchor:)``.
  public func scaleEffect(
    x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center
  ) -> some VisualEffect {
    scaleEffect(CGSize(width: x, height: y), anchor: anchor)
  }

  /// Rotates about an anchor; see ``View/rotationEffect(_:anchor:)``.
  public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect {
    adding(RotationEffect(angle: angle, anchor: anchor))
  }

  /// Rotates in space; see ``View/rotation3DEffect(_:axis:anchor:anchorZ:perspective:)``.
  public func rotation3DEffect(
    _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center,
    anchorZ: CGFloat = 0, perspective: CGFloat = 1
  ) -> some VisualEffect {
    adding(
      Rotation3DEffect(
        angle: angle, x: axis.x, y: axis.y, z: axis.z, anchor: anchor, anchorZ: anchorZ,
        perspective: perspective))
  }

  /// Maps by an affine map, which is not animated; see ``View/transformEffect(_:)``.
  public func transformEffect(_ transform: CGAffineTransform) -> some VisualEffect {
    adding(FixedEffect(transform: ProjectionTransform(transform)))
  }

  /// Maps by a projective map, which is not animated; see ``View/projectionEffect(_:)``.
  public func transformEffect(_ transform: ProjectionTransform) -> some VisualEffect {
    adding(FixedEffect(transform: transform))
  }
}

extension View {
  /// Adds effects that may depend on the view's size.
  ///
  /// In an animation each effect moves from its numbers in the old state to those in the new one.
  ///
  /// - Parameter effect: The effects, added to the empty one.
  /// - Returns: The view with the effects.
  public func visualEffect(
    _ effect: @escaping @Sendable (EmptyVisualEffect, GeometryProxy) -> some VisualEffect
  ) -> some View {
    self.effect(
      .visual(
        SizedEffects { size in effect(EmptyVisualEffect(), GeometryProxy(size: size)).effects }))
  }
}
