// SPDX-License-Identifier: Apache-2.0

/// What stands in a table of the kind `accordion`.
extension TOMLLines {
  mutating func add(_ accordion: Accordion) {
    let usual = Accordion()
    add("kind", "accordion", TOMLText.string)
    addColumn("rows", accordion.rows.map(TOMLText.row))
    add("width", accordion.width, unless: usual.width, TOMLText.number)
    add("row-height", accordion.rowHeight, unless: usual.rowHeight, TOMLText.number)
    add("panel-height", accordion.panelHeight, unless: usual.panelHeight, TOMLText.number)
    add("spacing", accordion.spacing, unless: usual.spacing, TOMLText.number)
    add("position", ifSet: accordion.position, TOMLText.point)
    add("transition", accordion.transition, unless: usual.transition, TOMLText.transition)
    add("animation", accordion.animation, unless: usual.animation, TOMLText.animation)
    add("font", accordion.font, unless: usual.font, TOMLText.font)
    add("color", accordion.color, unless: usual.color, TOMLText.color)
    add("header-color", accordion.headerColor, unless: usual.headerColor, TOMLText.color)
    add("panel-color", accordion.panelColor, unless: usual.panelColor, TOMLText.color)
    add("moon-color", accordion.moonColor, unless: usual.moonColor, TOMLText.color)
    add("duration", accordion.duration, unless: usual.duration, TOMLText.range)
  }
}

extension TOMLText {
  static func moon(_ moon: Moon) -> String {
    table([
      ("duration", moon.duration.map(number)), ("phase", moon.phase.map(number)),
      ("color", moon.color.map(color)),
    ])
  }

  fileprivate static func row(_ row: AccordionRow) -> String {
    let moons: String? =
      switch row.moons {
      case .count(0): nil
      case .count(let count): "\(count)"
      case .list(let moons): "[\(moons.map(moon).joined(separator: ", "))]"
      }
    return table([
      ("name", string(row.name)), ("title", row.title.map(string)),
      ("color", row.color == .blue ? nil : color(row.color)), ("moons", moons),
    ])
  }
}
