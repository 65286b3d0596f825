// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// A visible entity as a point of the scene.
///
/// The bytes are those of a point in a cloud: 4 each for x, y and z in points, 1 each for red, green, blue and
/// alpha, and 4 for the entity's number.
package struct ScenePoint: BitwiseCopyable, Sendable {
  /// Points from the left edge of the scene.
  package var x: Float

  /// Points from the top edge of the scene.
  package var y: Float

  /// 0: scenes are flat, but viewers want three coordinates.
  package var z: Float = 0

  /// Red, green, blue and alpha: the lowest byte is red.
  package var color: UInt32

  /// Number of the entity.
  package var entity: UInt32

  /// Bytes of a point.
  package static let byteCount = 20
}

/// Finds where a frame's entities are drawn: each `stride`th of them, as points.
///
/// It does for many entities what `SceneComposer` does for one; parents are composed once for each frame.
/// Entities that are invisible, or whose values are missing, are left out.
package final class PointComposer {
  private let batches: [DrawnBatch]
  private let firsts: [Int]

  /// Nil if no entity has a parent.
  private let ancestry: Ancestry?

  /// By sprite: the colour of its first part that has one.
  private let colors: [UInt32]

  /// One point for this many entities, by their numbers.
  package let stride: Int

  /// Entities of the scene.
  package let entityCount: Int

  /// Points of a frame, at most.
  package var pointsMax: Int { (entityCount + stride - 1) / stride }

  /// Creates a composer.
  ///
  /// - Parameters:
  ///   - layout: The layout from the publisher; nothing in it is trusted.
  ///   - pointsMax: Points wanted at most, 1 or more.
  /// - Throws: `RenderError`: a fault of the layout.
  package init(_ layout: Orrery_SceneLayout, pointsMax: Int) throws(RenderError) {
    precondition(pointsMax >= 1, "pointsMax \(pointsMax)")
    try LayoutCheck.check(layout)
    let ancestry = try Ancestry(layout)
    self.ancestry = ancestry
    firsts = layout.batches.map { Int($0.firstEntity) }
    batches = DrawnBatch.composed(layout, ancestry)
    colors = layout.sprites.map(Self.color)
    entityCount = batches.reduce(0) { $0 + $1.count }
    stride = max((entityCount + pointsMax - 1) / pointsMax, 1)
  }

  /// For each batch, the index of the first entity whose values are read; nil if parents' values are read as
  /// well.
  package var sampledFirsts: [Int]? {
    guard ancestry == nil else { return nil }
    var skipped = 0
    return batches.map { batch in
      defer { skipped = behind(batch, skipped) }
      return skipped
    }
  }

  /// The first wanted entity of the next batch, counted over all batches.
  private func behind(_ batch: DrawnBatch, _ skipped: Int) -> Int {
    let left = max(batch.count - skipped, 0)
    return skipped + (left + stride - 1) / stride * stride - batch.count
  }

  /// Composes a frame's points.
  ///
  /// - Parameters:
  ///   - points: Has room for `pointsMax` points.
  ///   - values: Returns the values of a batch's field, in the order of its entities, or nil if the field has
  ///     its default.
  /// - Returns: The count of points.
  package func compose(
    into points: UnsafeMutablePointer<ScenePoint>,
    values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?
  ) -> Int {
    var count = 0
    var columns: [Columns] = []
    for (index, batch) in batches.enumerated() {
      columns.append(Columns(count: batch.count) { values(index, $0) })
    }
    ancestry?.evaluate { batch, entity in
      columns[batch].values(of: entity, in: batches[batch]).map {
        ($0, columns[batch].rotatesOrScales)
      }
    }
    // The first entity of a batch that is wanted, counted over all batches.
    var skipped = 0
    for (index, batch) in batches.enumerated() {
      count += compose(
        index, columns[index], from: skipped, into: points + count, limit: pointsMax - count)
      skipped = behind(batch, skipped)
    }
    return count
  }

  /// One batch: 8 bytes read and 20 written for each point that only moves.
  private func compose(
    _ index: Int, _ columns: Columns, from start: Int,
    into points: UnsafeMutablePointer<ScenePoint>, limit: Int
  ) -> Int {
    let batch = batches[index]
    var count = 0
    var entity = start
    while entity < columns.count, count < limit {
      defer { entity += stride }
      guard var values = columns.values(of: entity, in: batch) else { continue }
      if batch.hasParents, let inherited = ancestry?.inherited(batch: index, entity: entity) {
        values.apply(inherited)
      }
      guard values.isDrawable else { continue }
      let color = colors[batch.sprite(of: entity)]
      let alpha = (Double(color >> 24) * min(values.opacity, 1)).rounded()
      points[count] = ScenePoint(
        x: Float(values.transform.x), y: Float(values.transform.y),
        color: color & 0xff_ffff | UInt32(alpha) << 24,
        entity: UInt32(truncatingIfNeeded: firsts[index] + entity))
      count += 1
    }
    return count
  }

  /// The colour of a sprite's first part that has one, in the order of `ScenePoint.color`; else white.
  private static func color(_ sprite: Orrery_Sprite) -> UInt32 {
    for element in sprite.elements {
      switch element.content {
      case .text(let text): return text.color.byteSwapped
      case .disc(let disc): return disc.color.byteSwapped
      case .box(let box): return box.color.byteSwapped
      case .gradient(let gradient):
        if let color = gradient.colors.first { return color.byteSwapped }
      case .image, nil: continue
      }
    }
    return .max
  }
}
