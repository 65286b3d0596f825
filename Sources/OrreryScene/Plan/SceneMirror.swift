// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Turns a scene's positions, measured from the leading side, into positions from the left.
///
/// This is the only place where a scene's layout direction is decided. Left to right it returns
/// every value as it is; right to left it mirrors the scene, as SwiftUI does:
///
///     left to right   |flag name   …|     x to the right, alignment `leading` is left
///     right to left   |…   name flag|     x to the left, alignment `leading` is right
///
/// Planned values, frames and traces always count x from the left. Orbits, fields, clocks and flowing
/// pictures have no leading side: only their positions are mirrored.
struct SceneMirror: Sendable {
  /// Which side is leading.
  let layoutDirection: LayoutDirection

  /// Width of the scene in points.
  private let width: Double

  /// The mirror of a scene: its own direction, or else its language's.
  init(_ scene: Scene, locale: SceneLocale) {
    layoutDirection = scene.layoutDirection ?? locale.layoutDirection
    width = scene.size.width
  }

  /// A mirror that changes nothing.
  init() { (layoutDirection, width) = (.leftToRight, 0) }

  /// Whether leading is right.
  var isMirrored: Bool { layoutDirection == .rightToLeft }

  // MARK: Positions

  /// A point of the scene.
  func point(_ point: CGPoint) -> CGPoint {
    isMirrored ? CGPoint(x: width - point.x, y: point.y) : point
  }

  /// A distance toward the trailing side, as a distance to the right.
  func distance(_ x: Double) -> Double { isMirrored ? 0 - x : x }

  /// A rectangle in a view, whose x counts from the view's position.
  func rectangle(_ box: CGRect) -> CGRect {
    isMirrored ? CGRect(x: 0 - box.maxX, y: box.minY, width: box.width, height: box.height) : box
  }

  /// Left edge of something at the leading edge of a frame, from the frame's left edge.
  func leadingX(ofWidth width: Double, in frameWidth: Double) -> Double {
    isMirrored ? frameWidth - width : 0
  }

  // MARK: Motions

  /// The direction on screen.
  func direction(_ direction: MarqueeDirection) -> MarqueeSpec.Direction {
    switch direction {
    case .leading: isMirrored ? .right : .left
    case .trailing: isMirrored ? .left : .right
    case .left: .left
    case .right: .right
    }
  }

  /// A view property's value on screen: x and clockwise turns change their sign, as SwiftUI flips
  /// the effects of `offset` and `rotationEffect`.
  func value(_ value: Double, of property: ViewProperty) -> Double {
    switch property {
    case .x, .rotation: distance(value)
    case .y, .opacity, .scale, .blur: value
    }
  }

  /// The same changes on screen.
  func transaction(_ transaction: TransactionPlan) -> TransactionPlan {
    guard isMirrored else { return transaction }
    var mirrored = transaction
    mirrored.actions = transaction.actions.map { action in
      if case .set(let view, let property, let value) = action {
        .set(view: view, property, self.value(value, of: property))
      } else {
        action
      }
    }
    return mirrored
  }
}
