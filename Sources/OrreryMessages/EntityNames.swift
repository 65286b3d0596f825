// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What entities are called, by number and by name.
///
/// A view has a name of its own, such as `Mars.panel`. Entities that share a name are numbered from
/// 0: `Mars.moon[0]`. Names that begin alike and go on with a dot make a group: `Mars` is every
/// entity whose name begins with `Mars.`.
package struct EntityNames: Sendable {
  /// By rising numbers of entities; no two overlap.
  private let names: [Orrery_EntityName]

  /// Indexes into `names`.
  private var indexes: [Substring: [Int]] = [:]

  /// The same, of each group's members.
  private var groups: [Substring: [Int]] = [:]

  /// Words, with spaces between them, of the name that has the most; 0 without names.
  package private(set) var wordsMax = 0

  /// Creates the names of a scene.
  ///
  /// - Parameter layout: The scene's static part.
  package init(_ layout: Orrery_SceneLayout) {
    names = layout.names
    for (index, name) in names.map(\.name).enumerated() {
      indexes[name[...], default: []].append(index)
      for dot in name.indices where name[dot] == "." {
        groups[name[..<dot], default: []].append(index)
      }
      wordsMax = max(wordsMax, 1 + name.count { $0 == " " })
    }
  }

  /// Whether no entity has a name.
  package var isEmpty: Bool { names.isEmpty }

  /// The name of an entity.
  ///
  /// - Parameter entity: Its number.
  /// - Returns: Nil if it has none.
  /// - Complexity: O(log n) in the count of names.
  package func name(of entity: Int) -> String? {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(names[middle].firstEntity) <= entity { low = middle + 1 } else { high = middle }
    }
    guard low > 0, Self.entities(names[low - 1]).contains(entity) else { return nil }
    let name = names[low - 1]
    return name.entityCount == 0 ? name.name : "\(name.name)[\(entity - Int(name.firstEntity))]"
  }

  /// The entities that a name means: an entity, one or all of those that share a name, or a group.
  ///
  /// - Parameter name: As written: `Mars.panel`, `Mars.moon[0]`, `Mars.moon`, `Mars`.
  /// - Returns: Their numbers, by rising numbers; empty if the name is unknown.
  package func entities(named name: String) -> [Range<Int>] {
    if let found = indexes[name[...]] ?? groups[name[...]] {
      return found.map { Self.entities(names[$0]) }
    }
    guard name.last == "]", let bracket = name.lastIndex(of: "["),
      let index = Int(name[name.index(after: bracket)...].dropLast()), index >= 0
    else { return [] }
    return (indexes[name[..<bracket]] ?? []).compactMap { found in
      let first = Int(names[found].firstEntity) + index
      return index < names[found].entityCount ? first..<first + 1 : nil
    }
  }

  /// The known name that is nearest to an unknown one.
  ///
  /// - Parameter name: As written.
  /// - Returns: Nil if none is near, or if the scene has too many names to compare.
  package func nearest(to name: String) -> String? {
    guard names.count <= Self.comparedMax else { return nil }
    return NearestName.find(name, among: (Array(indexes.keys) + groups.keys).map { String($0) })
  }

  /// Names that are compared in an instant.
  private static let comparedMax = 5_000

  private static func entities(_ name: Orrery_EntityName) -> Range<Int> {
    let first = Int(name.firstEntity)
    return first..<first + max(Int(name.entityCount), 1)
  }
}
