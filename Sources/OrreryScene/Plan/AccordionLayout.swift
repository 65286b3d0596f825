// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Positions of an accordion's headers and panels while all rows are closed.
///
///     header 0
///     header 1      panel 1 is below its own header, where header 2 is
///     header 2      until row 1 is open and pushes it down
package struct AccordionLayout {
  /// The middle of the first header's top edge.
  private let top: CGPoint

  private let rowHeight: Double
  private let panelHeight: Double
  private let spacing: Double

  /// Points from the scene's top to an accordion without a position.
  private static let topSpacing = 30.0

  package init(_ accordion: Accordion, sceneSize: CGSize) {
    top = accordion.position ?? CGPoint(x: sceneSize.width / 2, y: Self.topSpacing)
    rowHeight = accordion.rowHeight
    panelHeight = accordion.panelHeight
    spacing = accordion.spacing
  }

  /// Points by which an open panel moves the rows below it down.
  package var pushDistance: Double { panelHeight + spacing }

  /// Middle of a row's header.
  package func header(_ row: Int) -> CGPoint {
    CGPoint(x: top.x, y: top.y + Double(row) * (rowHeight + spacing) + rowHeight / 2)
  }

  /// Middle of a row's panel.
  package func panel(_ row: Int) -> CGPoint {
    CGPoint(x: top.x, y: header(row).y + rowHeight / 2 + spacing + panelHeight / 2)
  }
}
