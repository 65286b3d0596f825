// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// An entity's values in the scene's coordinates: with those of its parents, as it is drawn.
package struct ComposedValues: Equatable, Sendable {
  /// Where its origin is drawn, in points from the left edge of the scene.
  package var x: Double

  /// Where its origin is drawn, in points from the top edge of the scene.
  package var y: Double

  /// 0 to 1, multiplied by those of its parents.
  package var opacity: Double

  /// Multiplied by those of its parents.
  package var scale: Double

  /// Radians, clockwise, added to those of its parents.
  package var rotation: Double

  /// Radius in points, added to those of its parents.
  package var blur: Double

  package init(
    x: Double, y: Double, opacity: Double, scale: Double, rotation: Double, blur: Double
  ) {
    (self.x, self.y, self.opacity) = (x, y, opacity)
    (self.scale, self.rotation, self.blur) = (scale, rotation, blur)
  }
}

/// Composes entities' values with those of their parents, as `ScenePainter` does before it draws.
///
/// It also composes entities that are not drawn, because they or their parents are invisible.
package struct SceneComposer {
  private let batches: [DrawnBatch]

  /// Nil if no entity has a parent.
  private let ancestry: Ancestry?

  /// Each batch's first entity.
  private let firsts: [Int]

  /// Creates a composer.
  ///
  /// - Parameter layout: The layout from the publisher; nothing in it is trusted.
  /// - Throws: `RenderError`: a fault of the layout.
  package init(_ layout: Orrery_SceneLayout) throws(RenderError) {
    try LayoutCheck.check(layout)
    let ancestry = try Ancestry(layout)
    self.ancestry = ancestry
    firsts = layout.batches.map { Int($0.firstEntity) }
    batches = DrawnBatch.composed(layout, ancestry)
  }

  /// Composes the values of one entity.
  ///
  /// - Parameters:
  ///   - number: Number of the entity.
  ///   - values: Returns the values of a batch's field, in the order of its entities, or nil if
  ///     the field has its default.
  /// - Returns: Nil if there is no such entity, or if a column has no value for it or for one of
  ///   its parents.
  package func compose(
    _ number: Int,
    values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?
  ) -> ComposedValues? {
    guard
      let batch = batches.indices.first(where: {
        number >= firsts[$0] && number - firsts[$0] < batches[$0].count
      })
    else { return nil }
    let entity = number - firsts[batch]
    var (scale, rotation, opacity) = (1.0, 0.0, 1.0)

    /// An entity's own values; nil if it has none.
    func own(_ batch: Int, _ entity: Int) -> EntityValues? {
      let columns = Columns(count: batches[batch].count) { values(batch, $0) }
      guard entity < columns.count else { return nil }
      scale *= columns.scale.map { Double($0[entity]) } ?? 1
      rotation += columns.rotation.map { Double($0[entity]) } ?? 0
      opacity *= min(max(columns.opacity.map { Double($0[entity]) } ?? 1, 0), 1)
      return columns.anyValues(of: entity, in: batches[batch])
    }

    var inherited: InheritedValues?
    for parent in ancestry?.ancestors(batch: batch, entity: entity) ?? [] {
      guard let own = own(parent.batch, parent.entity) else { return nil }
      var whole = own
      if let inherited { whole.apply(inherited) }
      inherited = InheritedValues(
        from: parent, own: own, whole: whole, outer: inherited, rotatesOrScales: true)
    }
    guard var whole = own(batch, entity) else { return nil }
    if let inherited { whole.apply(inherited) }
    return ComposedValues(
      x: whole.transform.x, y: whole.transform.y, opacity: opacity, scale: scale,
      rotation: rotation, blur: max(whole.blur, 0))
  }
}
