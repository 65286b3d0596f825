// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

extension SceneDecoder {
  func row(_ reader: TableReader) -> Row {
    if reader.has("currencies"), reader.has("cells") {
      faults.add(reader.path, .conflicting(["currencies", "cells"]))
    } else if !reader.has("currencies"), !reader.has("cells") {
      faults.add(reader.path.key("currencies"), .missing(expected: "currencies or cells"))
    }
    var row = Row.table.read(reader)
    if row.currencies == nil,
      let cells = reader.tables("cells", SceneLimits.cells, known: CellTable.table.names)
    {
      row.cells = cells.map { $0.map(cell) ?? CellTable.table.base.cell }
    }
    row.motions = RowMotion.keys.filter(reader.has).map { motion($0, reader) }
    return row
  }

  private func cell(_ reader: TableReader) -> Cell {
    if reader.has("currency") {
      let others = ["label", "flag"].filter(reader.has)
      if !others.isEmpty { faults.add(reader.path, .conflicting(["currency"] + others)) }
      let cell = CellTable.table.read(reader) { $0 == "currency" }.cell
      return if case .currency = cell { cell } else { .currency("EUR") }
    }
    reader.require("label", "a label or a currency")
    return CellTable.table.read(reader).cell
  }

  private func motion(_ key: String, _ row: TableReader) -> RowMotion {
    switch key {
    case "marquee": RowMarquee.table.read(key, in: row).motion
    case "ticker": RowTicker.table.read(key, in: row).motion
    case "timer": RowTimer.table.read(key, in: row).motion
    default: animation(row.inner(key, known: RowAnimation.table.names)).motion
    }
  }

  private func animation(_ reader: TableReader?) -> RowAnimation {
    guard let reader else { return RowAnimation.table.base }
    guard reader.has("animation") else {
      let animation = RowAnimation.table.read(reader)
      reader.require("duration", "a number")
      return animation
    }
    var animation = RowAnimation.table.read(reader) { $0 != "duration" }
    if animation.animation == nil {
      animation.animation = .linear.repeatForever(autoreverses: false)
    }
    if reader.has("duration") { faults.add(reader.path, .conflicting(["duration", "animation"])) }
    return animation
  }
}
