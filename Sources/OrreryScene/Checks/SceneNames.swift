// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// The names in a scene: of views, rows of accordions and completions.
package struct SceneNames: Sendable {
  /// Index of each named view, in the order of entities; includes an accordion's views.
  package private(set) var views: [String: Int] = [:]

  /// Each row that can be tapped.
  package private(set) var rows: [String: AccordionRowLocation] = [:]

  /// Names of completions, in the order of their first command.
  package private(set) var completions: [String] = []

  /// The index of each completion.
  package private(set) var completionIndexes: [String: Int] = [:]

  /// The view names that a command can use.
  private(set) var known: [String] = []

  /// Names that are already taken, and the paths to their second use.
  private(set) var taken: [(path: DocumentPath, name: String)] = []

  /// Name of each view's parent view.
  private(set) var parents: [String: String] = [:]

  /// Total number of views.
  private var viewCount = 0

  private var accordionCount = 0

  /// A row of an accordion, by indexes.
  package struct AccordionRowLocation: Equatable, Sendable {
    /// Index of the accordion, from 0.
    package let accordion: Int

    /// Index of the row in it, from 0.
    package let row: Int
  }

  /// No names.
  init() {}

  /// Collects the names of a scene.
  package init(_ scene: Scene) {
    let content = DocumentPath().key("content")
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

  /// The names of a scene that is there several times; those of views and rows are for commands.
  func copied(_ count: Int) -> SceneNames {
    var names = self
    for copy in 1..<max(count, 1) {
      let suffix = ScenePlan.suffix(ofCopy: copy)
      for (name, view) in views { names.views[name + suffix] = view + copy * viewCount }
      for (name, row) in rows {
        names.rows[name + suffix] = AccordionRowLocation(
          accordion: row.accordion + copy * accordionCount, row: row.row)
      }
      for name in completions {
        names.completionIndexes[name + suffix] = names.completions.count
        names.completions.append(name + suffix)
      }
    }
    names.known = Array(names.views.keys)
    names.viewCount *= count
    names.accordionCount *= count
    return names
  }

  /// The name of a row's panel; commands may use the names of a row's views.
  package static func panel(ofRow name: String) -> String { name + ".panel" }

  /// The name of the planet in a row's panel.
  package static func planet(ofRow name: String) -> String { name + ".planet" }

  /// The name that the moons of a row or of a planet share; commands cannot use it.
  package static func moon(of name: String) -> String { name + ".moon" }

  /// The name of a row's header, which stays visible.
  package static func header(ofRow name: String) -> String { name + ".header" }

  /// Adds an accordion's rows and views.
  ///
  /// Panels are drawn below all headers, so that a panel moving in from above appears from behind
  /// them.
  private mutating func add(_ accordion: Accordion, at path: DocumentPath) {
    for (index, row) in accordion.rows.enumerated() {
      let path = path.key("rows").index(index).key("name")
      if rows[row.name] != nil || views[row.name] != nil { taken.append((path, row.name)) }
      rows[row.name] = AccordionRowLocation(accordion: accordionCount, row: index)
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

  private mutating func addView(_ name: String, at path: DocumentPath) {
    if rows[name] != nil || views[name] != nil {
      taken.append((path, name))
    } else {
      views[name] = viewCount
    }
    viewCount += 1
  }
}
