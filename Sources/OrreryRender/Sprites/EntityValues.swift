// SPDX-License-Identifier: Apache-2.0

/// An entity's values in one frame.
struct EntityValues {
  /// From the sprite's points to the scene's.
  var transform: SimilarityTransform

  /// The transform that the entity would have at rest: it applies to its clip and mask.
  var restTransform: SimilarityTransform

  /// Whether the origin moves from frame to frame.
  var movesX = false
  var movesY = false

  var opacity = 1.0

  /// Radius in points; 0 and below: sharp.
  var blur = 0.0

  /// The part of `blur` that comes from parents; it also blurs a mask.
  var inheritedBlur = 0.0

  /// Smaller scales are invisible, and their squares may underflow.
  private static let scaleMin = 1e-9

  /// Whether the entity is visible and all its values are finite.
  @inline(__always)
  var isDrawable: Bool {
    // A sum is finite only if every part is.
    let sum =
      transform.x + transform.y + transform.xx + transform.yx + restTransform.x + restTransform.y
      + blur
    return opacity > 0 && sum.isFinite && transform.square >= Self.scaleMin * Self.scaleMin
  }

  /// An entity at rest.
  ///
  /// - Parameters:
  ///   - originX: Points.
  ///   - originY: Points.
  init(originX: Double, originY: Double) {
    transform = SimilarityTransform(xx: 1, yx: 0, x: originX, y: originY)
    restTransform = transform
  }

  /// Applies the values inherited from the parent.
  mutating func apply(_ inherited: InheritedValues) {
    transform = inherited.transform.after(transform)
    restTransform = inherited.transform.after(restTransform)
    opacity = min(opacity, 1) * inherited.opacity
    inheritedBlur = inherited.blur
    blur = max(blur, 0) + inherited.blur
    movesX = movesX || inherited.moves
    movesY = movesY || inherited.moves
  }
}
