// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The tables of docs/reference/scene-file.md, made from the tables that read, write and check scenes.
package enum SceneGuide {
  /// One table of a scene file, whatever it describes.
  struct Entry: Sendable {
    /// Its heading in the guide.
    let heading: String

    /// The rows of the guide.
    let rows: [String]

    /// The words of its JSON Schema.
    let schema: DocumentTable

    fileprivate init<Root>(_ table: SceneTable<Root>, _ schema: DocumentTable? = nil) {
      (heading, rows) = (table.name, table.guideRows)
      self.schema = schema ?? table.schema()
    }
  }

  /// All tables, in the order of the page.
  static let entries = [
    Entry(Scene.table), Entry(SceneRepeat.table), Entry(Row.table),
    Entry(CellTable.table), Entry(RowMarquee.table),
    Entry(RowAnimation.table), Entry(RowTicker.table), Entry(RowTimer.table),
    Entry(OrbitSystem.table), Entry(Moon.table), Entry(Field.table), Entry(FieldMarquee.table),
    Entry(FieldOrbit.table), Entry(FieldTween.table), Entry(FieldSpring.table), Entry(Text.table),
    Entry(AnimatedView.table, AnimatedView.schema), Entry(ElementTable.table),
    Entry(KeyframeLoop.table), Entry(StepTable.table), Entry(ViewPhase.table),
    Entry(Command.table), Entry(Command.settingTable), Entry(Accordion.table),
    Entry(AccordionRow.table), Entry(FlowText.table), Entry(TimelineClock.table),
  ]

  /// The heading of each table and its rows, in the order of the page.
  package static let tables = entries.map { (heading: $0.heading, rows: $0.rows) }
}

extension AnimatedView {
  /// The schema of a view, which may have the keys of its only element.
  fileprivate static var schema: DocumentTable {
    let names = Set(table.names)
    let others = ElementTable.table.keySchemas.filter {
      $0.name != "at" && !names.contains($0.name)
    }
    let shapes = ElementTable.shapes.map(\.key)
    return table.schema(with: others, replacing: [.one(of: ["elements"] + shapes)])
  }
}
