// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A scaling about an anchor, as SwiftUI's `scaleEffect`.
public struct ScaleEffect: GeometryEffect, Hashable, Sendable {
  /// Factors of width and height; one closer to 0 than ``scaleMin`` counts as that, so that the map can be
  /// inverted at every time of an animation.
  public var scale: CGSize

  /// The point that does not move, as shares of the size.
  public var anchor: UnitPoint

  /// The least size of a factor, on either side of 0: too small to be seen, large enough to divide by its
  /// square.
  ///
  /// SwiftUI's scale transition starts from this factor; what `scaleEffect` uses is not documented.
  public static let scaleMin: CGFloat = 1e-5

  /// Makes a scaling.
  ///
  /// - Parameters:
  ///   - scale: Factors of width and height; negative ones mirror.
  ///   - anchor: The point that does not move, as shares of the size.
  public init(scale: CGSize, anchor: UnitPoint = .center) {
    self.scale = scale
    self.anchor = anchor
  }

  /// Makes a scaling by one factor.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height.
  ///   - anchor: The point that does not move, as shares of the size.
  public init(scale: CGFloat, anchor: UnitPoint = .center) {
    self.init(scale: CGSize(width: scale, height: scale), anchor: anchor)
  }

  /// The factors, and the anchor.
  public var animatableData: AnimatablePair<CGSize.AnimatableData, UnitPoint.AnimatableData> {
    get { AnimatablePair(scale.animatableData, anchor.animatableData) }
    set { (scale.animatableData, anchor.animatableData) = (newValue.first, newValue.second) }
  }

  /// Moves the anchor to the origin, scales, and moves it back.
  public func effectValue(size: CGSize) -> ProjectionTransform {
    let (x, y) = (anchor.x * size.width, anchor.y * size.height)
    let (width, height) = (Self.invertible(scale.width), Self.invertible(scale.height))
    return ProjectionTransform(
      CGAffineTransform(
        a: width, b: 0, c: 0, d: height, tx: x - x * width, ty: y - y * height))
  }

  /// A factor that can be inverted.
  ///
  /// - Parameter factor: Any number.
  /// - Returns: `scaleMin` with the factor's sign if it is closer to 0, which is positive.
  package static func invertible(_ factor: CGFloat) -> CGFloat {
    abs(factor) < scaleMin ? (factor < 0 ? -scaleMin : scaleMin) : factor
  }
}
