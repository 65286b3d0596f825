// SPDX-License-Identifier: Apache-2.0

import Orrery

extension SceneDecoder {
  func accordion(_ reader: TableReader) -> Accordion {
    reader.require("rows", "an array of tables")
    let keys = ["name", "title", "color", "moons"]
    let tables = reader.tables("rows", SceneLimits.accordionRows, known: keys) ?? [nil]
    var accordion = Accordion(rows: tables.map { $0.map(accordionRow) ?? AccordionRow("-") })
    if let width = reader.number("width") { accordion.width = width }
    if let height = reader.number("row-height") { accordion.rowHeight = height }
    if let height = reader.number("panel-height") { accordion.panelHeight = height }
    if let spacing = reader.number("spacing") { accordion.spacing = spacing }
    accordion.position = reader.point("position")
    if let transition = reader.transition("transition") { accordion.transition = transition }
    if let animation = reader.animation("animation") { accordion.animation = animation }
    if let font = reader.font("font") { accordion.font = font }
    if let color = reader.color("color") { accordion.color = color }
    if let color = reader.color("header-color") { accordion.headerColor = color }
    if let color = reader.color("panel-color") { accordion.panelColor = color }
    if let color = reader.color("moon-color") { accordion.moonColor = color }
    if let duration = reader.range("duration") { accordion.duration = duration }
    return accordion
  }

  private func accordionRow(_ reader: TableReader) -> AccordionRow {
    reader.require("name", "a string")
    return AccordionRow(
      reader.string("name") ?? "-", title: reader.string("title"),
      color: reader.color("color") ?? .blue, moons: moons(reader) ?? .count(0))
  }
}
