// SPDX-License-Identifier: Apache-2.0

/// Contents of a table of the kind `accordion`.
extension TOMLLines {
  mutating func add(_ accordion: Accordion) {
    let defaults = Accordion()
    add("kind", "accordion", TOMLText.string)
    addColumn("rows", accordion.rows.map(TOMLText.row))
    add("width", accordion.width, unless: defaults.width, TOMLText.number)
    add("row-height", accordion.rowHeight, unless: defaults.rowHeight, TOMLText.number)
    add("panel-height", accordion.panelHeight, unless: defaults.panelHeight, TOMLText.number)
    add("spacing", accordion.spacing, unless: defaults.spacing, TOMLText.number)
    add("position", ifSet: accordion.position, TOMLText.point)
    add("transition", accordion.transition, unless: defaults.transition, TOMLText.transition)
    add("animation", accordion.animation, unless: defaults.animation, TOMLText.animation)
    add("font", accordion.font, unless: defaults.font, TOMLText.font)
    add("color", accordion.color, unless: defaults.color, TOMLText.color)
    add("header-color", accordion.headerColor, unless: defaults.headerColor, TOMLText.color)
    add("panel-color", accordion.panelColor, unless: defaults.panelColor, TOMLText.color)
    add("moon-color", accordion.moonColor, unless: defaults.moonColor, TOMLText.color)
    add("duration", accordion.duration, unless: defaults.duration, TOMLText.range)
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
