// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Where the views of a scene stand before anything moves them.
struct RestingPlaces {
  private var places: [String: CGPoint] = [:]
  private var views: [String: AnimatedView] = [:]
  private let middle: CGPoint

  init(_ scene: Scene) {
    middle = CGPoint(x: scene.size.width / 2, y: scene.size.height / 2)
    for part in scene.content {
      switch part {
      case .view(let view): views[view.name] = view
      case .accordion(let accordion):
        let layout = AccordionLayout(accordion, sceneSize: scene.size)
        for (index, row) in accordion.rows.enumerated() {
          places[SceneNames.header(ofRow: row.name)] = layout.header(index)
          places[SceneNames.panel(ofRow: row.name)] = layout.panel(index)
          places[SceneNames.planet(ofRow: row.name)] = layout.panel(index)
        }
      case .row, .orbitSystem, .field, .text, .flowText, .clock: break
      }
    }
  }

  /// Where something stands: where it says, or with its parent, or in the middle of the scene.
  func place(_ own: CGPoint?, parent: String?) -> CGPoint {
    var (own, parent) = (own, parent)
    for _ in 0...SceneLimits.parentsMax {
      guard own == nil, let name = parent else { break }
      own = places[name] ?? views[name]?.position
      parent = views[name]?.parent
    }
    return own ?? middle
  }
}
