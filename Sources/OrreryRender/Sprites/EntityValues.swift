// SPDX-License-Identifier: Apache-2.0

/// An entity's values in one frame.
struct EntityValues {
  /// Where the sprite's points land among the scene's.
  var placement: Placement

  /// Where they would land if the entity's own values were those of rest: there stand clip and mask.
  var stand: Placement

  /// Whether the origin moves from frame to frame.
  var movesX = false
  var movesY = false

  var opacity = 1.0

  /// Radius in points; below 0 is sharp.
  var blur = 0.0

  /// The part of `blur` that comes from parents, and so blurs a mask too.
  var inheritedBlur = 0.0

  /// Scales below are invisible, and their squares would not be numbers.
  private static let scaleLeast = 1e-9

  /// Whether it can be seen at all and every number is one.
  @inline(__always)
  var isDrawable: Bool {
    // A sum is finite only if every part is.
    let sum = placement.x + placement.y + placement.xx + placement.yx + stand.x + stand.y + blur
    return opacity > 0 && sum.isFinite && placement.square >= Self.scaleLeast * Self.scaleLeast
  }

  /// An entity at rest.
  ///
  /// - Parameters:
  ///   - originX: In points.
  ///   - originY: In points.
  init(originX: Double, originY: Double) {
    placement = Placement(xx: 1, yx: 0, x: originX, y: originY)
    stand = placement
  }

  /// Puts the entity into its parent's coordinates.
  mutating func place(on ground: Ground) {
    placement = ground.placement.after(placement)
    stand = ground.placement.after(stand)
    opacity = min(opacity, 1) * ground.opacity
    inheritedBlur = ground.blur
    blur = max(blur, 0) + ground.blur
    movesX = movesX || ground.moves
    movesY = movesY || ground.moves
  }
}
