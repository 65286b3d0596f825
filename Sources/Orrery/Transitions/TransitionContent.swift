// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A view in a transition: not the view itself, but its modifiers.
///
/// The first modifier is the innermost: later ones apply to its result.
public struct TransitionContent: Sendable {
  /// From the innermost.
  var effects: [TransitionEffect] = []

  /// Multiplies the opacity.
  ///
  /// - Parameter opacity: 0 is invisible, 1 changes nothing.
  /// - Returns: The content, modified.
  public func opacity(_ opacity: Double) -> Self {
    appending(.opacity(opacity))
  }

  /// Scales about an anchor.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height; 0 counts as ``ScaleEffect/scaleMin``.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The content, modified.
  public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> Self {
    scaleEffect(CGSize(width: scale, height: scale), anchor: anchor)
  }

  /// Scales width and height about an anchor.
  ///
  /// - Parameters:
  ///   - scale: Factors; 0 counts as ``ScaleEffect/scaleMin``.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The content, modified.
  public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> Self {
    appending(.scale(TransitionEffect.Scale(scale, anchor: anchor)))
  }

  /// Moves.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  /// - Returns: The content, modified.
  public func offset(_ offset: CGSize) -> Self {
    self.offset(x: offset.width, y: offset.height)
  }

  /// Moves.
  ///
  /// - Parameters:
  ///   - x: Points toward the trailing side.
  ///   - y: Points downward.
  /// - Returns: The content, modified.
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> Self {
    appending(.offset(TransitionEffect.Offset(x: x, y: y)))
  }

  /// Blurs.
  ///
  /// - Parameter radius: Points; 0 is sharp. Several blurs add up.
  /// - Returns: The content, modified.
  public func blur(radius: CGFloat) -> Self {
    appending(.blur(radius))
  }

  /// Transforms.
  ///
  /// - Parameter effect: Its `animatableData` is interpolated between phases.
  /// - Returns: The content, modified.
  public func modifier(_ effect: some GeometryEffect & Sendable) -> Self {
    appending(.geometry(TransitionEffect.Geometry(effect)))
  }

  func appending(_ effect: TransitionEffect) -> Self {
    var content = self
    content.effects.append(effect)
    return content
  }
}
