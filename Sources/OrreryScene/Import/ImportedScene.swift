// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// A scene that was made of another tool's file.
package struct ImportedScene: Sendable {
  /// The scene; its values are not checked yet.
  package let scene: Scene

  /// What the file has and the scene has not, or not as it was.
  package let leftOut: LeftOut
}

/// What an import left out: each kind of thing, and how often it was met.
package struct LeftOut: Equatable, Sendable {
  /// A kind of thing, in the order in which kinds were met.
  package struct Item: Equatable, Sendable {
    /// One of them: `mask`.
    package let name: String
    /// What was done instead: `drawn as at the start`; empty: nothing.
    package let instead: String
    /// How many.
    package fileprivate(set) var count: Int
  }

  package private(set) var items: [Item] = []

  /// Counts a thing.
  mutating func add(_ name: String, _ instead: String = "") {
    if let index = items.firstIndex(where: { $0.name == name }) {
      items[index].count += 1
    } else {
      items.append(Item(name: name, instead: instead, count: 1))
    }
  }

  package var isEmpty: Bool { items.isEmpty }

  /// `12 masks, 3 expressions`; empty if nothing was left out.
  package var text: String {
    items.map { item in
      "\(item.count) \(item.name)\(item.count == 1 ? "" : "s")"
        + (item.instead.isEmpty ? "" : " (\(item.instead))")
    }.joined(separator: ", ")
  }
}

/// Why a file cannot be imported, with the place in it.
struct ImportError: Error {
  let path: DocumentPath
  let reason: String
}

/// What all imports read in the same way.
enum ImportedText {
  /// A name without characters that move or hide others; nil if nothing is left.
  static func label(_ text: String?) -> String? {
    let scalars = (text ?? "").unicodeScalars.filter {
      ![
        .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned,
      ].contains(
        $0.properties.generalCategory)
    }
    let name = cut(String(String.UnicodeScalarView(scalars)), to: SceneLimits.nameBytesMax)
    return name.isEmpty ? nil : name
  }

  /// As many whole characters as there is room for.
  static func cut(_ text: String, to byteCount: Int) -> String {
    var text = text
    while text.utf8.count > byteCount { text.removeLast() }
    return text
  }

  /// Why a value is none of a property; nil: it is one.
  static func fault(of value: Double, for property: ViewProperty) -> String? {
    let limit = SceneLimits.of(property)
    guard !limit.range.contains(value) else { return nil }
    return "\(property.rawValue) \(SceneNumber.text(value)): from "
      + "\(SceneNumber.text(limit.range.lowerBound)) to "
      + "\(SceneNumber.text(limit.range.upperBound)) \(limit.unit)"
  }

  /// A number of a table.
  static func number(
    _ table: DocumentTable, _ key: String, at path: DocumentPath, _ range: ClosedRange<Double>,
    else missing: Double? = nil
  ) throws(ImportError) -> Double {
    guard let value = table[key] else {
      if let missing { return missing }
      throw ImportError(path: path.key(key), reason: "missing; a number is wanted")
    }
    guard let number = value.number, range.contains(number) else {
      throw ImportError(
        path: path.key(key),
        reason:
          "no number from \(SceneNumber.text(range.lowerBound)) to \(SceneNumber.text(range.upperBound))"
      )
    }
    return number
  }
}
