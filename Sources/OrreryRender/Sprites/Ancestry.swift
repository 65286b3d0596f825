// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// The values that an entity inherits from its parent; they include those of the parent's own parents.
struct InheritedValues {
  /// The identity if every ancestor is at rest.
  var transform = SimilarityTransform(xx: 1, yx: 0, x: 0, y: 0)

  /// 0 to 1; at 0 the children are not drawn.
  var opacity = 0.0

  /// Radius in points.
  var blur = 0.0

  /// Whether `transform` changes from frame to frame.
  var moves = false
}

extension InheritedValues {
  /// The values that the children of an entity inherit.
  ///
  /// - Parameters:
  ///   - parent: The entity.
  ///   - own: Its own values.
  ///   - whole: Its own values together with the inherited ones.
  ///   - outer: The values that it inherits; nil if it has no parent.
  ///   - rotatesOrScales: Whether its scale or rotation changes from frame to frame.
  init(
    from parent: Ancestry.Parent, own: EntityValues, whole: EntityValues, outer: InheritedValues?,
    rotatesOrScales: Bool
  ) {
    // Without rotation and scale, this is exactly the translation.
    let (xx, yx) = (own.transform.xx, own.transform.yx)
    let (x, y) = (parent.originX, parent.originY)
    let moved = SimilarityTransform(
      xx: xx, yx: yx, x: own.transform.x - x + (x - (xx * x - yx * y)),
      y: own.transform.y - y + (y - (yx * x + xx * y)))
    self.init(
      transform: outer?.transform.after(moved) ?? moved, opacity: min(whole.opacity, 1),
      blur: max(whole.blur, 0), moves: whole.movesX || whole.movesY || rotatesOrScales)
  }
}

/// The entities of a layout that are parents, and the values that children inherit in a frame.
///
/// The parent's values x, y, scale and rotation move a point q of a child about the parent's origin
/// P to
///
///     P + (x, y) + scale * rotation (q - P)
///
/// and then the parent's parent moves it. Opacities multiply, blurs add up.
final class Ancestry {
  /// Most ancestors that an entity may have.
  static let levelMax = 8

  /// An entity that is a parent.
  struct Parent {
    let batch: Int
    /// Index in the batch.
    let entity: Int
    let originX: Double
    let originY: Double
    /// The index of its own parent, plus 1; 0 if it has none.
    let parent: Int
  }

  /// Every parent comes after its own parent.
  let parents: [Parent]

  /// By batch: the index of each entity's parent plus 1, or 0; one value for all entities; or none.
  private let indexes: [[UInt32]]

  /// By parent, in the frame that was evaluated last.
  private var inheritedValues: [InheritedValues]

  /// Nil if no entity has a parent.
  ///
  /// - Parameter layout: As checked by `LayoutCheck`.
  /// - Throws: `entityNumbers`, `parentMissing`, `parentCycle`, `parentLevels`.
  init?(_ layout: Orrery_SceneLayout) throws(RenderError) {
    guard layout.batches.contains(where: { $0.entityCount > 0 && $0.parents.contains { $0 > 0 } })
    else { return nil }
    let family = try FamilyTree(layout)
    let order = try family.parentsByLevel()
    var parentIndexes: [Int: Int] = [:]
    for (index, number) in order.enumerated() { parentIndexes[number] = index + 1 }
    var parents: [Parent] = []
    for number in order {
      guard let (batch, entity) = family.find(number) else { continue }
      let origin = layout.batches[batch]
      let parent = family.parent(batch: batch, entity: entity).flatMap { parentIndexes[$0] } ?? 0
      parents.append(
        Parent(
          batch: batch, entity: entity,
          originX: Double(origin.originX[origin.originX.count == 1 ? 0 : entity]),
          originY: Double(origin.originY[origin.originY.count == 1 ? 0 : entity]), parent: parent))
    }
    self.parents = parents
    inheritedValues = Array(repeating: InheritedValues(), count: parents.count)
    indexes = layout.batches.map { batch in
      batch.entityCount == 0
        ? [] : batch.parents.map { UInt32($0 == 0 ? 0 : parentIndexes[Int($0) - 1] ?? 0) }
    }
  }

  /// Whether entities of a batch have parents.
  func hasParents(batch: Int) -> Bool { !indexes[batch].isEmpty }

  /// Evaluates all parents for a frame.
  ///
  /// - Parameter values: Returns an entity's own values, and whether its scale or rotation changes;
  ///   nil if it has no values.
  func evaluate(
    _ values: (_ batch: Int, _ entity: Int) -> (EntityValues, rotatesOrScales: Bool)?
  ) {
    for (index, parent) in parents.enumerated() {
      inheritedValues[index].opacity = 0
      let outer = parent.parent == 0 ? nil : inheritedValues[parent.parent - 1]
      if let outer, outer.opacity == 0 { continue }
      guard let (own, rotatesOrScales) = values(parent.batch, parent.entity) else { continue }
      var whole = own
      if let outer { whole.apply(outer) }
      guard whole.isDrawable else { continue }
      inheritedValues[index] = InheritedValues(
        from: parent, own: own, whole: whole, outer: outer, rotatesOrScales: rotatesOrScales)
    }
  }

  /// The ancestors of an entity, the outermost first.
  func ancestors(batch: Int, entity: Int) -> [Parent] {
    let own = indexes[batch]
    var ancestors: [Parent] = []
    var index = own.isEmpty ? 0 : Int(own[own.count == 1 ? 0 : entity])
    while index > 0 {
      ancestors.append(parents[index - 1])
      index = parents[index - 1].parent
    }
    return ancestors.reversed()
  }

  /// - Returns: The values that an entity inherits; nil if it has no parent.
  func inherited(batch: Int, entity: Int) -> InheritedValues? {
    let indexes = indexes[batch]
    let index = Int(indexes[indexes.count == 1 ? 0 : entity])
    return index == 0 ? nil : inheritedValues[index - 1]
  }
}

/// The parents in a layout, by the numbers of entities.
private struct FamilyTree {
  private struct Range {
    let first: Int
    let count: Int
    let batch: Int
  }

  private let batches: [Orrery_Batch]

  /// Batches that have entities, in the order of their first entities' numbers.
  private let ranges: [Range]

  init(_ layout: Orrery_SceneLayout) throws(RenderError) {
    batches = layout.batches
    ranges = batches.enumerated().filter { $0.element.entityCount > 0 }
      .map { Range(first: Int($1.firstEntity), count: Int($1.entityCount), batch: $0) }
      .sorted { ($0.first, $0.batch) < ($1.first, $1.batch) }
    for (range, next) in zip(ranges, ranges.dropFirst())
    where range.first + range.count > next.first {
      throw .entityNumbers(batch: next.batch, other: range.batch, number: next.first)
    }
  }

  /// The entity with a number.
  func find(_ number: Int) -> (batch: Int, entity: Int)? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].first + ranges[middle].count > number {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low < ranges.count, ranges[low].first <= number else { return nil }
    return (ranges[low].batch, number - ranges[low].first)
  }

  /// The number of an entity's parent.
  func parent(batch: Int, entity: Int) -> Int? {
    let parents = batches[batch].parents
    if parents.isEmpty { return nil }
    let parent = parents[parents.count == 1 ? 0 : entity]
    return parent == 0 ? nil : Int(parent) - 1
  }

  /// The numbers of all parents, each after its own parent.
  func parentsByLevel() throws(RenderError) -> [Int] {
    var levels: [Int: Int] = [:]
    for range in ranges {
      for (entity, value) in batches[range.batch].parents.enumerated() where value > 0 {
        let number = Int(value) - 1
        if levels[number] != nil { continue }
        guard let (batch, index) = find(number) else {
          throw .parentMissing(batch: range.batch, entity: entity, parent: number)
        }
        guard let level = try level(batch: batch, entity: index) else {
          throw .parentLevels(batch: range.batch, entity: entity, limit: Ancestry.levelMax)
        }
        levels[number] = level
      }
    }
    return levels.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  /// Number of a parent's ancestors: one fewer than its children have; nil if the children have too many.
  private func level(batch: Int, entity: Int) throws(RenderError) -> Int? {
    var level = 0
    var current = (batch: batch, entity: entity)
    while let number = parent(batch: current.batch, entity: current.entity) {
      guard let next = find(number) else {
        throw .parentMissing(batch: current.batch, entity: current.entity, parent: number)
      }
      level += 1
      current = next
      if level >= Ancestry.levelMax {
        guard let own = cycle(from: current) else { return nil }
        throw .parentCycle(batch: own.batch, entity: own.entity)
      }
    }
    return level
  }

  /// An entity that is its own ancestor; nil if the chain of parents ends.
  private func cycle(from first: (batch: Int, entity: Int)) -> (batch: Int, entity: Int)? {
    var current = first
    // There are no more parents than this: after that many steps, one of them has come a second time.
    for _ in 0...batches.reduce(0, { $0 + $1.parents.count }) {
      guard let number = parent(batch: current.batch, entity: current.entity),
        let next = find(number)
      else { return nil }
      current = next
    }
    return current
  }
}
