// SPDX-License-Identifier: Apache-2.0

/// What stands in a `[[content]]` table of a scene file.
extension TOMLLines {
  /// Writes the kind of a thing, and its keys.
  mutating func add(_ part: SceneContent) {
    switch part {
    case .row(let row): add(row)
    case .orbitSystem(let system): add(system)
    case .field(let field): add(field)
    case .text(let text): add(text)
    }
  }

  private mutating func add(_ row: Row) {
    let usual = Row(cells: [])
    add("kind", "row", TOMLText.string)
    add(row.cells)
    add("flag-width", row.flagWidth, unless: usual.flagWidth, TOMLText.number)
    add("spacing", row.spacing, unless: usual.spacing, TOMLText.number)
    add("font", row.font, unless: usual.font, TOMLText.font)
    add("color", row.color, unless: usual.color, TOMLText.color)
    add("width", ifSet: row.width, TOMLText.number)
    add("height", row.height, unless: usual.height, TOMLText.number)
    add("position", ifSet: row.position, TOMLText.point)
    add("clipped", row.isClipped, unless: usual.isClipped) { "\($0)" }
    for motion in row.motions { add(motion) }
  }

  private mutating func add(_ cells: [Cell]) {
    let currencies = cells.compactMap { if case .currency(let code) = $0 { code } else { nil } }
    if currencies.count == cells.count {
      addList("currencies", currencies.map(TOMLText.string))
      return
    }
    let tables = cells.map { cell in
      switch cell {
      case .currency(let code):
        TOMLText.table([("currency", TOMLText.string(code))])
      case .label(let label, let flag):
        TOMLText.table([("label", TOMLText.string(label)), ("flag", flag.map(TOMLText.string))])
      }
    }
    addColumn("cells", tables)
  }

  private mutating func add(_ motion: RowMotion) {
    switch motion {
    case .marquee(let speed, let direction):
      let word = direction == .left ? nil : TOMLText.string(direction.rawValue)
      addTable("marquee", [("speed", TOMLText.number(speed)), ("direction", word)])
    case .animation(let from, let to, let duration):
      addTable(
        "animation",
        [
          ("from", TOMLText.number(from)), ("to", TOMLText.number(to)),
          ("duration", TOMLText.number(duration)),
        ])
    case .timer(let start, let step, let interval, let resetAt):
      addTable(
        "timer",
        [
          ("start", TOMLText.number(start)), ("step", TOMLText.number(step)),
          ("interval", TOMLText.number(interval)), ("reset-at", TOMLText.number(resetAt)),
        ])
    }
  }

  private mutating func add(_ system: OrbitSystem) {
    let usual = OrbitSystem(height: system.height, moons: 0)
    add("kind", "orbit-system", TOMLText.string)
    add("height", system.height, TOMLText.number)
    switch system.moons {
    case .count(let count): add("moons", count) { "\($0)" }
    case .list(let moons): addList("moons", moons.map(table))
    }
    add("center", ifSet: system.center, TOMLText.point)
    add("duration", system.duration, unless: usual.duration, TOMLText.range)
    add("planet-color", system.planetColor, unless: usual.planetColor, TOMLText.color)
    add("moon-color", system.moonColor, unless: usual.moonColor, TOMLText.color)
  }

  private func table(_ moon: Moon) -> String {
    TOMLText.table([
      ("duration", moon.duration.map(TOMLText.number)), ("phase", moon.phase.map(TOMLText.number)),
      ("color", moon.color.map(TOMLText.color)),
    ])
  }

  private mutating func add(_ field: Field) {
    add("kind", "field", TOMLText.string)
    add("count", field.count) { "\($0)" }
    switch field.motion {
    case .marquee(let speed, let period):
      addTable("marquee", [("speed", TOMLText.range(speed)), ("period", TOMLText.range(period))])
    case .orbit(let radius, let duration):
      addTable(
        "orbit", [("radius", TOMLText.range(radius)), ("duration", TOMLText.range(duration))])
    }
    add("disc-radius", field.discRadius, unless: Field.defaultDiscRadius, TOMLText.number)
    if field.colors != Field.defaultColors {
      addList("colors", field.colors.map(TOMLText.color))
    }
  }

  private mutating func add(_ text: Text) {
    let usual = Text("")
    add("kind", "text", TOMLText.string)
    add("text", text.content, TOMLText.string)
    add("font", text.font, unless: usual.font, TOMLText.font)
    add("color", text.color, unless: usual.color, TOMLText.color)
    add("position", ifSet: text.position, TOMLText.point)
  }

  private mutating func addTable(_ key: String, _ values: [(key: String, value: String?)]) {
    add(key, values, TOMLText.table)
  }
}
