// SPDX-License-Identifier: Apache-2.0

/// The path from a scene to one of its values, in the keys of a scene file: `content`, 0,
/// `flag-width`.
package struct ScenePath: Hashable, Sendable {
  /// One step.
  package enum Element: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The steps, outermost first; an empty path is the scene itself.
  package var elements: [Element]

  package init(_ elements: [Element] = []) {
    self.elements = elements
  }

  /// The path to a value of the table at this path.
  package func key(_ name: String) -> ScenePath {
    ScenePath(elements + [.key(name)])
  }

  /// The path to an element of the array at this path.
  package func index(_ index: Int) -> ScenePath {
    ScenePath(elements + [.index(index)])
  }

  /// This path and the paths to everything around it, from the inside out.
  package var prefixes: [ScenePath] {
    (0...elements.count).reversed().map { ScenePath(Array(elements.prefix($0))) }
  }

  /// The last key with the indexes after it, as a line of a scene file has it.
  package var lastKey: String {
    let first = elements.lastIndex { if case .key = $0 { true } else { false } }
    return Self.text(elements[(first ?? 0)...]) { $0 }
  }

  /// The whole path in the keys of a scene file: `content[0].flag-width`.
  package var text: String { Self.text(elements[...]) { $0 } }

  /// The whole path in Swift's spelling: `content[0].flagWidth`.
  package var swiftPath: String {
    Self.text(elements[...]) { key in
      let words = key.split(separator: "-")
      return words.dropFirst().reduce(words.first.map(String.init) ?? key) { name, word in
        name + word.prefix(1).uppercased() + word.dropFirst()
      }
    }
  }

  private static func text(
    _ elements: ArraySlice<Element>, _ spell: (String) -> String
  ) -> String {
    elements.reduce(into: "") { text, element in
      switch element {
      case .key(let name): text += (text.isEmpty ? "" : ".") + spell(name)
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}
