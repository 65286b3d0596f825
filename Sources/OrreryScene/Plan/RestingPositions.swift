// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Positions of a scene's views before any motion.
struct RestingPositions {
  private var accordionPositions: [String: CGPoint] = [:]
  private var views: [String: AnimatedView] = [:]
  private let middle: CGPoint
  private let mirror: SceneMirror

  init(_ scene: Scene, mirror: SceneMirror) {
    self.mirror = mirror
    middle = CGPoint(x: scene.size.width / 2, y: scene.size.height / 2)
    for part in scene.content {
      switch part {
      case .view(let view): views[view.name] = view
      case .accordion(let accordion):
        let layout = AccordionLayout(accordion, sceneSize: scene.size)
        for (index, row) in accordion.rows.enumerated() {
          accordionPositions[SceneNames.header(ofRow: row.name)] = layout.header(index)
          accordionPositions[SceneNames.panel(ofRow: row.name)] = layout.panel(index)
          accordionPositions[SceneNames.planet(ofRow: row.name)] = layout.panel(index)
        }
      case .row, .orbitSystem, .field, .text, .flowText, .clock: break
      }
    }
  }

  /// A position on screen: its own, or that of the nearest parent with one, or the middle of the scene.
  func position(_ own: CGPoint?, parent: String?) -> CGPoint {
    var (own, parent) = (own, parent)
    for _ in 0...SceneLimits.parentsMax {
      guard own == nil, let name = parent else { break }
      own = accordionPositions[name] ?? views[name]?.position
      parent = views[name]?.parent
    }
    return mirror.point(own ?? middle)
  }
}
