// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A rotation about an anchor, as SwiftUI's `rotationEffect`.
struct RotationEffect: GeometryEffect, Hashable {
  var angle: Angle

  /// The point that does not move, as shares of the size.
  var anchor: UnitPoint

  var animatableData: AnimatablePair<Angle.AnimatableData, UnitPoint.AnimatableData> {
    get { AnimatablePair(angle.animatableData, anchor.animatableData) }
    set { (angle.animatableData, anchor.animatableData) = (newValue.first, newValue.second) }
  }

  /// Moves the anchor to the origin, rotates, and moves it back.
  func effectValue(size: CGSize) -> ProjectionTransform {
    let (x, y) = (anchor.x * size.width, anchor.y * size.height)
    return ProjectionTransform(
      CGAffineTransform(translationX: x, y: y).rotated(by: CGFloat(angle.radians))
        .translatedBy(x: -x, y: -y))
  }
}

/// A rotation in space, seen in perspective, as SwiftUI's `rotation3DEffect`.
///
/// The eye is at the larger side of the view, divided by `perspective`, in front of the anchor.
struct Rotation3DEffect: GeometryEffect, Hashable {
  var angle: Angle
  var x: CGFloat
  var y: CGFloat
  var z: CGFloat

  /// The point that does not move, as shares of the size.
  var anchor: UnitPoint

  /// Its distance behind the plane of the view, in points.
  var anchorZ: CGFloat

  /// 0 for none.
  var perspective: CGFloat

  typealias AxisData = AnimatablePair<CGFloat, AnimatablePair<CGFloat, CGFloat>>
  typealias EyeData = AnimatablePair<UnitPoint.AnimatableData, AnimatablePair<CGFloat, CGFloat>>

  var animatableData: AnimatablePair<Angle.AnimatableData, AnimatablePair<AxisData, EyeData>> {
    get {
      AnimatablePair(
        angle.animatableData,
        AnimatablePair(
          AnimatablePair(x, AnimatablePair(y, z)),
          AnimatablePair(anchor.animatableData, AnimatablePair(anchorZ, perspective))))
    }
    set {
      angle.animatableData = newValue.first
      let (axis, eye) = (newValue.second.first, newValue.second.second)
      (x, y, z) = (axis.first, axis.second.first, axis.second.second)
      anchor.animatableData = eye.first
      (anchorZ, perspective) = (eye.second.first, eye.second.second)
    }
  }

  /// Moves the anchor to the origin, rotates, projects, and moves it back.
  func effectValue(size: CGSize) -> ProjectionTransform {
    let (left, top) = (anchor.x * size.width, anchor.y * size.height)
    var eye = CATransform3DIdentity
    let side = max(size.width, size.height)
    eye.m34 = side > 0 ? -perspective / side : 0
    let back = CATransform3DConcat(eye, CATransform3DMakeTranslation(left, top, anchorZ))
    let turned = CATransform3DRotate(back, CGFloat(angle.radians), x, y, z)
    return ProjectionTransform(CATransform3DTranslate(turned, -left, -top, -anchorZ))
  }
}

/// A map that is given, as SwiftUI's `transformEffect` and `projectionEffect`: not animatable.
struct FixedEffect: GeometryEffect, Hashable {
  var transform: ProjectionTransform

  typealias AnimatableData = EmptyAnimatableData

  func effectValue(size: CGSize) -> ProjectionTransform { transform }
}
