// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The names in a scene: its views in the order of their entities, rows of accordions, completions.
package struct SceneNames: Sendable {
  /// Index of each view that has a name, those that an accordion makes among them.
  package private(set) var views: [String: Int] = [:]

  /// Each row that can be tapped.
  package private(set) var rows: [String: AccordionRowPlace] = [:]

  /// Names of completions, in the order in which commands first give them.
  package private(set) var completions: [String] = []

  /// The index of each completion.
  package private(set) var completionIndexes: [String: Int] = [:]

  /// The names that a command can use for a view.
  private(set) var known: [String] = []

  /// Ways to names that another thing has already.
  private(set) var taken: [(path: ScenePath, name: String)] = []

  /// The view that each view moves with.
  private(set) var parents: [String: String] = [:]

  /// Views in all.
  private var viewCount = 0

  private var accordionCount = 0

  /// Where a row stands.
  package struct AccordionRowPlace: Equatable, Sendable {
    /// Number of the accordion, from 0.
    package let accordion: Int

    /// Number of the row in it, from 0.
    package let row: Int
  }

  /// Collects the names of a scene.
  package init(_ scene: Scene) {
    let content = ScenePath().key("content")
    for (index, part) in scene.content.enumerated() {
      let path = content.index(index)
      switch part {
      case .view(let view):
        addView(view.name, at: path.key("name"))
        parents[view.name] = view.parent
      case .accordion(let accordion): add(accordion, at: path)
      case .orbitSystem(let system): if system.parent != nil { viewCount += 1 }
      case .row, .field, .text, .flowText, .clock: break
      }
    }
    for command in scene.commands {
      if let name = command.completion, completionIndexes[name] == nil {
        completionIndexes[name] = completions.count
        completions.append(name)
      }
    }
    known = Array(views.keys)
  }

  /// What a row's views are called; commands may use these names too.
  package static func panel(ofRow name: String) -> String { name + ".panel" }

  /// The planet in a row's panel.
  package static func planet(ofRow name: String) -> String { name + ".planet" }

  /// What a row shows whether it is open or not.
  package static func header(ofRow name: String) -> String { name + ".header" }

  /// Panels are drawn below all headers, so that one that comes from above comes from behind them.
  private mutating func add(_ accordion: Accordion, at path: ScenePath) {
    for (index, row) in accordion.rows.enumerated() {
      let path = path.key("rows").index(index).key("name")
      if rows[row.name] != nil || views[row.name] != nil { taken.append((path, row.name)) }
      rows[row.name] = AccordionRowPlace(accordion: accordionCount, row: index)
    }
    for name in [Self.panel, Self.planet, Self.header] {
      for (index, row) in accordion.rows.enumerated() {
        addView(name(row.name), at: path.key("rows").index(index).key("name"))
      }
    }
    for row in accordion.rows {
      parents[Self.planet(ofRow: row.name)] = Self.panel(ofRow: row.name)
    }
    accordionCount += 1
  }

  private mutating func addView(_ name: String, at path: ScenePath) {
    if rows[name] != nil || views[name] != nil {
      taken.append((path, name))
    } else {
      views[name] = viewCount
    }
    viewCount += 1
  }
}
