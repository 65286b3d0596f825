// SPDX-License-Identifier: Apache-2.0

/// A value of a scene as text of a scene file.
enum WrittenValue {
  case text(String)
  /// A list that fills lines.
  case list([String])
  /// A list with a line for each element.
  case column([String])

  /// The value in one line.
  var inline: String {
    switch self {
    case .text(let text): text
    case .list(let elements), .column(let elements): "[\(elements.joined(separator: ", "))]"
    }
  }
}

extension TOMLLines {
  /// Writes a thing as its table says.
  mutating func add<Root>(_ root: Root, _ table: SceneTable<Root>) {
    if table.isContent { add("kind", TOMLText.string(table.name)) }
    for (key, value) in table.written(root) {
      switch value {
      case .text(let text): add(key, text)
      case .list(let elements): addList(key, elements)
      case .column(let elements): addColumn(key, elements)
      }
    }
  }
}
