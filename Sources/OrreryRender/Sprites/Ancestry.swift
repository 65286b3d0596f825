// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// What a parent does to the entities that stand in its coordinates, its own parents included.
struct Ground {
  /// Where points land that would land elsewhere if no ancestor had moved.
  var placement = Placement(xx: 1, yx: 0, x: 0, y: 0)

  /// 0 to 1; 0: the entities are not drawn.
  var opacity = 0.0

  /// Radius in points.
  var blur = 0.0

  /// Whether `placement` changes from frame to frame.
  var moves = false
}

/// The entities of a layout that are parents of others, and what they do to them in a frame.
///
/// A point q of a child lands where the parent's values x, y, scale and rotation take it, about the
/// parent's origin P:
///
///     P + (x, y) + scale * rotation (q - P)
///
/// and from there where the parent's parent takes it. Opacities multiply, blurs add up.
final class Ancestry {
  /// Ancestors that an entity may have.
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

  /// Every parent stands behind its own.
  let parents: [Parent]

  /// By batch: the index of each entity's parent, plus 1, or 0; one for all entities; or none.
  private let indexes: [[UInt32]]

  /// By parent, in the frame that was placed last.
  private var grounds: [Ground]

  /// Nil if no entity has a parent.
  ///
  /// - Parameter layout: As checked by `LayoutCheck`.
  /// - Throws: `entityNumbers`, `parentMissing`, `parentCycle`, `parentLevels`.
  init?(_ layout: Orrery_SceneLayout) throws(RenderError) {
    guard layout.batches.contains(where: { $0.entityCount > 0 && $0.parents.contains { $0 > 0 } })
    else { return nil }
    let family = try FamilyTree(layout)
    let order = try family.parentsByLevel()
    var places: [Int: Int] = [:]
    for (place, number) in order.enumerated() { places[number] = place + 1 }
    var parents: [Parent] = []
    for number in order {
      guard let (batch, entity) = family.find(number) else { continue }
      let origin = layout.batches[batch]
      let parent = family.parent(batch: batch, entity: entity).flatMap { places[$0] } ?? 0
      parents.append(
        Parent(
          batch: batch, entity: entity,
          originX: Double(origin.originX[origin.originX.count == 1 ? 0 : entity]),
          originY: Double(origin.originY[origin.originY.count == 1 ? 0 : entity]), parent: parent))
    }
    self.parents = parents
    grounds = Array(repeating: Ground(), count: parents.count)
    indexes = layout.batches.map { batch in
      batch.entityCount == 0
        ? [] : batch.parents.map { UInt32($0 == 0 ? 0 : places[Int($0) - 1] ?? 0) }
    }
  }

  /// Whether entities of a batch have parents.
  func hasParents(batch: Int) -> Bool { !indexes[batch].isEmpty }

  /// Places all parents for a frame.
  ///
  /// - Parameter values: An entity's own values and whether it turns or grows; nil if it has none.
  func place(_ values: (_ batch: Int, _ entity: Int) -> (EntityValues, turns: Bool)?) {
    for (index, parent) in parents.enumerated() {
      grounds[index].opacity = 0
      let below = parent.parent == 0 ? nil : grounds[parent.parent - 1]
      if let below, below.opacity == 0 { continue }
      guard let (values, turns) = values(parent.batch, parent.entity) else { continue }
      var own = values
      // The translation, exactly as it was, if nothing is turned or scaled.
      let (xx, yx) = (own.placement.xx, own.placement.yx)
      let (x, y) = (parent.originX, parent.originY)
      let moved = Placement(
        xx: xx, yx: yx, x: own.placement.x - x + (x - (xx * x - yx * y)),
        y: own.placement.y - y + (y - (yx * x + xx * y)))
      if let below { own.place(on: below) }
      guard own.isDrawable else { continue }
      grounds[index] = Ground(
        placement: below?.placement.after(moved) ?? moved, opacity: min(own.opacity, 1),
        blur: max(own.blur, 0), moves: own.movesX || own.movesY || turns)
    }
  }

  /// - Returns: What an entity's parent does to it; nil if it has none.
  func ground(batch: Int, entity: Int) -> Ground? {
    let indexes = indexes[batch]
    let index = Int(indexes[indexes.count == 1 ? 0 : entity])
    return index == 0 ? nil : grounds[index - 1]
  }
}

/// Who is whose parent in a layout, by the numbers of entities.
private struct FamilyTree {
  private struct Range {
    let first: Int
    let count: Int
    let batch: Int
  }

  private let batches: [Orrery_Batch]

  /// Batches that have entities, by the number of their first.
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

  /// The entity of a number.
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

  /// The numbers of all parents, each behind its own.
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

  /// How many ancestors a parent has: one fewer than its children, or nil if they have too many.
  private func level(batch: Int, entity: Int) throws(RenderError) -> Int? {
    var level = 0
    var place = (batch: batch, entity: entity)
    while let number = parent(batch: place.batch, entity: place.entity) {
      guard let next = find(number) else {
        throw .parentMissing(batch: place.batch, entity: place.entity, parent: number)
      }
      level += 1
      place = next
      if level >= Ancestry.levelMax {
        guard let own = cycle(from: place) else { return nil }
        throw .parentCycle(batch: own.batch, entity: own.entity)
      }
    }
    return level
  }

  /// An entity that is its own ancestor, if the way from parent to parent does not end.
  private func cycle(from first: (batch: Int, entity: Int)) -> (batch: Int, entity: Int)? {
    var place = first
    // There are not more parents than this, so then one of them comes again.
    for _ in 0...batches.reduce(0, { $0 + $1.parents.count }) {
      guard let number = parent(batch: place.batch, entity: place.entity),
        let next = find(number)
      else { return nil }
      place = next
    }
    return place
  }
}
