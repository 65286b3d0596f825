// SPDX-License-Identifier: Apache-2.0

import Orrery

extension SceneDecoder {
  func row(_ reader: TableReader) -> Row {
    var row = Row(cells: cells(reader))
    if let width = reader.number("flag-width") { row.flagWidth = width }
    if let spacing = reader.number("spacing") { row.spacing = spacing }
    if let font = reader.font("font") { row.font = font }
    if let color = reader.color("color") { row.color = color }
    row.width = reader.number("width")
    if let height = reader.number("height") { row.height = height }
    row.position = reader.point("position")
    row.isClipped = reader.bool("clipped") ?? false
    row.motions = [marquee(reader), animation(reader), ticker(reader), timer(reader)]
      .compactMap { $0 }
    return row
  }

  private func cells(_ reader: TableReader) -> [Cell] {
    if reader.has("currencies"), reader.has("cells") {
      faults.add(reader.path, .conflicting(["currencies", "cells"]))
    } else if !reader.has("currencies"), !reader.has("cells") {
      faults.add(reader.path.key("currencies"), .missing(expected: "currencies or cells"))
    }
    if let currencies = reader.strings("currencies", SceneLimits.cells) {
      return currencies.map { .currency($0 ?? "EUR") }
    }
    let keys = ["currency", "label", "flag"]
    return (reader.tables("cells", SceneLimits.cells, known: keys) ?? [nil]).map { table in
      table.map(cell) ?? .label("-")
    }
  }

  private func cell(_ reader: TableReader) -> Cell {
    if reader.has("currency") {
      let others = ["label", "flag"].filter(reader.has)
      if !others.isEmpty { faults.add(reader.path, .conflicting(["currency"] + others)) }
      return .currency(reader.string("currency") ?? "EUR")
    }
    reader.require("label", "a label or a currency")
    return .label(reader.string("label") ?? "-", flag: reader.string("flag"))
  }

  private func marquee(_ row: TableReader) -> RowMotion? {
    guard row.has("marquee") else { return nil }
    let reader = row.inner("marquee", known: ["speed", "direction"])
    reader?.require("speed", "a number")
    return .marquee(
      speed: reader?.number("speed") ?? 0,
      direction: reader?.word("direction", kind: "direction") ?? .left)
  }

  private func animation(_ row: TableReader) -> RowMotion? {
    guard row.has("animation") else { return nil }
    let reader = row.inner("animation", known: ["from", "to", "duration", "animation"])
    for key in ["from", "to"] { reader?.require(key, "a number") }
    let (from, to) = (reader?.number("from") ?? 0, reader?.number("to") ?? 0)
    if let reader, reader.has("animation") {
      if reader.has("duration") {
        faults.add(reader.path, .conflicting(["duration", "animation"]))
      }
      return .repeating(
        from: from, to: to,
        animation: reader.animation("animation") ?? .linear.repeatForever(autoreverses: false))
    }
    reader?.require("duration", "a number")
    return .animation(from: from, to: to, duration: reader?.number("duration") ?? 1)
  }

  private func ticker(_ row: TableReader) -> RowMotion? {
    guard row.has("ticker") else { return nil }
    let reader = row.inner("ticker", known: ["speed", "gap", "variant"])
    return .ticker(
      speed: reader?.number("speed"), gap: reader?.number("gap"),
      variant: reader?.word("variant", kind: "variant") ?? .seamless)
  }

  private func timer(_ row: TableReader) -> RowMotion? {
    guard row.has("timer") else { return nil }
    let keys = ["start", "step", "interval", "reset-at"]
    let reader = row.inner("timer", known: keys)
    for key in keys { reader?.require(key, "a number") }
    let start = reader?.number("start") ?? 0
    return .timer(
      start: start, step: reader?.number("step") ?? 1, interval: reader?.number("interval") ?? 1,
      resetAt: reader?.number("reset-at") ?? start + 1)
  }
}
