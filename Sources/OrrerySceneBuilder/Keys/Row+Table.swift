// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Row {
  /// `kind = "row"` in a scene file.
  package static let table = SceneTable(
    .row, base: Row(cells: [.label("-")]),
    choices: [.one(of: ["currencies", "cells"]), .one(of: RowMotion.keys)],
    [
      .optional(
        "currencies", \.currencies, .currencies,
        "ISO 4217 codes; each becomes the flag of its first two letters and its name in the "
          + "scene's language. A code without a flag, such as `XAU`, is refused: write it as a cell"
      ),
      .shown(
        "cells", \.cellTables, .tables(CellTable.table, SceneLimits.cells),
        "in place of `currencies`: see `row.cells`",
        check: { .list($1.count, SceneLimits.cells, $1.checked { CellTable.table.checked($0) }) }
      ).byHand,
      .key(
        "flag-width", \.flagWidth, .number(SceneLimits.flagWidth),
        "width of each flag; its aspect is kept"),
      .optional(
        "flag-height", \.flagHeight, .number(SceneLimits.flagWidth),
        "flags are no higher; a narrower one is in the middle of its width", default: "none"),
      .key(
        "spacing", \.spacing, .number(SceneLimits.spacing),
        "after each flag and each label, the last one too"),
      .key("font", \.font, .font, "of the labels"),
      .key("color", \.color, .color, "of the labels"),
      .optional(
        "width", \.width, .number(SceneLimits.frameSide), "of the frame",
        default: "0.95 of the scene's width"),
      .key("height", \.height, .number(SceneLimits.frameSide), "of the frame"),
      .optional(
        "position", \.position, .position,
        "the frame's centre. Without it: in the middle of the width, 30 points below the row "
          + "before, the first one at the top"),
      .key("clipped", \.isClipped, .bool, "hides what is outside the frame"),
      .other(
        "marquee", "table", "see `row.marquee`", schema: .definition("row.marquee")
      ) { row in
        row.motions.map(\.table).map { ($0.key, .text($0.text)) }
      },
      .other(
        "animation", "table", "see `row.animation`", schema: .definition("row.animation")),
      .other(
        "ticker", "table", "see `row.ticker`", schema: .definition("row.ticker")),
      .other(
        "timer", "table", "see `row.timer`", schema: .definition("row.timer")),
    ])

  /// The codes of a row of only currencies.
  package var currencies: [String]? {
    get {
      let codes = cells.compactMap { if case .currency(let code) = $0 { code } else { nil } }
      return codes.count == cells.count ? codes : nil
    }
    set { if let newValue { cells = newValue.map(Cell.currency) } }
  }

  /// The cells of any other row.
  fileprivate var cellTables: [CellTable]? {
    currencies == nil ? cells.map(CellTable.init) : nil
  }
}

/// A cell by the keys of `row.cells`.
package struct CellTable: Hashable, Sendable {
  var currency: String?
  var label: String?
  var flag: String?

  /// A cell's keys in a scene file.
  package static let table = SceneTable(
    "row.cells", base: CellTable(.label("-")), choices: [.one(of: ["currency", "label"])],
    [
      .optional(
        "currency", \.currency, .text("an ISO 4217 code") { .currency($0) },
        "a cell as `currencies` makes it; then neither of the others"),
      .optional(
        "label", \.label, .text(bytesMax: SceneLimits.textBytesMax), "the text of the cell"),
      .optional(
        "flag", \.flag,
        .text("an ISO 3166 code of a region with a flag, such as `\"EU\"`") { .flag($0) },
        "before the label", default: "none"),
    ])

  init(_ cell: Cell) {
    switch cell {
    case .currency(let code): currency = code
    case .label(let label, let flag): (self.label, self.flag) = (label, flag)
    }
  }

  /// The cell.
  package var cell: Cell { currency.map(Cell.currency) ?? .label(label ?? "-", flag: flag) }
}

extension SceneValueType where Value == [String] {
  fileprivate static let currencies = SceneValueType(
    "array of texts", range: "\(SceneLimits.cells)", expected: "an array",
    schema: .list(of: .text, SceneLimits.cells),
    read: { reader, key in reader.strings(key, SceneLimits.cells)?.map { $0 ?? "EUR" } },
    write: { .list($0.map(TOMLText.string)) },
    check: { .list($0.count, SceneLimits.cells, $0.checked { .currency($0) }) })
}

extension Array {
  /// The checked values of a row's cells, unless there are too many.
  fileprivate func checked(_ check: (Element) -> CheckedValue) -> [CheckedValue] {
    SceneLimits.cells.range.contains(Double(count)) ? map(check) : []
  }
}
