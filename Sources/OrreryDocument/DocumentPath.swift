// SPDX-License-Identifier: Apache-2.0

/// The path from a document to one of its values: `content`, 0, `flag-width`.
package struct DocumentPath: Hashable, Sendable {
  /// One step.
  package enum Element: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The steps, outermost first; an empty path is the document itself.
  package var elements: [Element]

  package init(_ elements: [Element] = []) {
    self.elements = elements
  }

  /// The path to a value of the table at this path.
  package func key(_ name: String) -> DocumentPath {
    DocumentPath(elements + [.key(name)])
  }

  /// The path to an element of the array at this path.
  package func index(_ index: Int) -> DocumentPath {
    DocumentPath(elements + [.index(index)])
  }

  /// This path and the paths to everything around it, from the inside out.
  package var prefixes: [DocumentPath] {
    (0...elements.count).reversed().map { DocumentPath(Array(elements.prefix($0))) }
  }

  /// The last key with the indexes after it, as a line of a scene file has it.
  package var lastKey: String {
    let first = elements.lastIndex { if case .key = $0 { true } else { false } }
    return DocumentPath(Array(elements[(first ?? 0)...])).text
  }

  /// The whole path as messages have it: `content[0].flag-width`.
  package var text: String { text { $0 } }

  /// The whole path with another spelling of its keys.
  package func text(_ spell: (String) -> String) -> String {
    elements.reduce(into: "") { text, element in
      switch element {
      case .key(let name): text += (text.isEmpty ? "" : ".") + spell(name)
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}
