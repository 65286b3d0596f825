// SPDX-License-Identifier: Apache-2.0

/// Contents of a `[[content]]` table of a scene file.
extension TOMLLines {
  /// Writes the kind of an item of content, and its keys.
  mutating func add(_ part: SceneContent) {
    switch part {
    case .row(let row): add(row)
    case .orbitSystem(let system): add(system)
    case .field(let field): add(field)
    case .text(let text): add(text)
    case .view(let view): add(view)
    case .accordion(let accordion): add(accordion)
    case .flowText(let text): add(text)
    case .clock(let clock): add(clock)
    }
  }

  private mutating func add(_ row: Row) {
    let defaults = Row(cells: [])
    add("kind", "row", TOMLText.string)
    add(row.cells)
    add("flag-width", row.flagWidth, unless: defaults.flagWidth, TOMLText.number)
    add("spacing", row.spacing, unless: defaults.spacing, TOMLText.number)
    add("font", row.font, unless: defaults.font, TOMLText.font)
    add("color", row.color, unless: defaults.color, TOMLText.color)
    add("width", ifSet: row.width, TOMLText.number)
    add("height", row.height, unless: defaults.height, TOMLText.number)
    add("position", ifSet: row.position, TOMLText.point)
    add("clipped", row.isClipped, unless: defaults.isClipped) { "\($0)" }
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
    case .repeating(let from, let to, let animation):
      addTable(
        "animation",
        [
          ("from", TOMLText.number(from)), ("to", TOMLText.number(to)),
          ("animation", TOMLText.animation(animation)),
        ])
    case .ticker(let speed, let gap, let variant):
      let word = variant == .seamless ? nil : TOMLText.string(variant.rawValue)
      addTable(
        "ticker",
        [
          ("speed", speed.map(TOMLText.number)), ("gap", gap.map(TOMLText.number)),
          ("variant", word),
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
    let defaults = OrbitSystem(height: system.height, moons: 0)
    add("kind", "orbit-system", TOMLText.string)
    add("height", system.height, TOMLText.number)
    switch system.moons {
    case .count(let count): add("moons", count) { "\($0)" }
    case .list(let moons): addList("moons", moons.map(TOMLText.moon))
    }
    add("center", ifSet: system.center, TOMLText.point)
    add("duration", system.duration, unless: defaults.duration, TOMLText.range)
    add("planet-color", system.planetColor, unless: defaults.planetColor, TOMLText.color)
    add("moon-color", system.moonColor, unless: defaults.moonColor, TOMLText.color)
    add("parent", ifSet: system.parent, TOMLText.string)
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
    case .tween(let tween): add("tween", tween, TOMLText.tween)
    case .spring(let spring): add("spring", spring, TOMLText.spring)
    }
    add("disc-radius", field.discRadius, unless: Field.defaultDiscRadius, TOMLText.number)
    if field.colors != Field.defaultColors {
      addList("colors", field.colors.map(TOMLText.color))
    }
  }

  private mutating func add(_ text: Text) {
    let defaults = Text("")
    add("kind", "text", TOMLText.string)
    add("text", text.content, TOMLText.string)
    add("font", text.font, unless: defaults.font, TOMLText.font)
    add("color", text.color, unless: defaults.color, TOMLText.color)
    add("position", ifSet: text.position, TOMLText.point)
    add("alignment", text.alignment, unless: defaults.alignment) { TOMLText.string($0.rawValue) }
  }

  private mutating func add(_ text: FlowText) {
    let defaults = FlowText("")
    add("kind", "flow-text", TOMLText.string)
    add("text", text.content, TOMLText.string)
    add("font", text.font, unless: defaults.font, TOMLText.font)
    add("color", text.color, unless: defaults.color, TOMLText.color)
    add("position", ifSet: text.position, TOMLText.point)
    switch text.fill {
    case .gradient(let colors, let angle):
      if colors != FlowText.spectrum { addList("colors", colors.map(TOMLText.color)) }
      add("angle", ifSet: angle, TOMLText.number)
    case .image(let name): add("image", name, TOMLText.string)
    }
    add("speed", ifSet: text.speed, TOMLText.number)
    add("direction", text.direction, unless: defaults.direction) { TOMLText.string($0.rawValue) }
    add("start", text.start, unless: defaults.start, TOMLText.number)
    add("variant", text.variant, unless: defaults.variant) { TOMLText.string($0.rawValue) }
  }

  private mutating func add(_ clock: TimelineClock) {
    let defaults = TimelineClock(.everyMinute)
    add("kind", "clock", TOMLText.string)
    add("schedule", clock.schedule, TOMLText.schedule)
    add("format", clock.format, unless: defaults.format, TOMLText.string)
    add("font", clock.font, unless: defaults.font, TOMLText.font)
    add("color", clock.color, unless: defaults.color, TOMLText.color)
    add("position", ifSet: clock.position, TOMLText.point)
  }

  private mutating func addTable(_ key: String, _ values: [(key: String, value: String?)]) {
    add(key, values, TOMLText.table)
  }
}
