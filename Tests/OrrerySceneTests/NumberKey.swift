// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import Testing

/// A key of a scene file that holds a number, and a file with a gap for it.
struct NumberKey: Sendable, CustomTestStringConvertible {
  /// The table that the key stands in, as docs/reference/scene-file.md heads it.
  let table: String
  let key: String
  let limit: SceneLimit

  /// A good file but for `<value>`.
  let file: String

  /// Whether the value must be whole.
  var isWhole = false

  var testDescription: String { "\(table).\(key)" }

  /// The file with a value in its gap.
  func file(with value: String) -> String {
    file.replacing("<value>", with: value)
  }

  /// Where the gap is, as messages show it.
  var place: String {
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if let range = line.range(of: "<value>") {
        return "\(index + 1):\(line.distance(from: line.startIndex, to: range.lowerBound) + 1)"
      }
    }
    return ""
  }

  private static let textTable = "[[content]]\nkind = \"text\"\ntext = \"t\"\n"

  private static func scene(_ line: String) -> String { line + "\n" + textTable }

  private static func row(_ lines: String) -> String {
    "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\n" + lines + "\n"
  }

  private static func system(_ lines: String) -> String {
    "[[content]]\nkind = \"orbit-system\"\n" + lines + "\n"
  }

  private static func field(_ lines: String) -> String {
    "[[content]]\nkind = \"field\"\n" + lines + "\n"
  }

  private static let still = "marquee = { speed = 1 }\n"

  /// Every key that holds a number.
  static let all: [NumberKey] =
    scenes + rows + systems + fields + moves + views + commands + accordions + timelines

  /// Other places of the same numbers, some of which the guide describes by a word.
  static let others: [NumberKey] = otherPlaces + otherMoves + otherSteps

  private static let otherPlaces = [
    NumberKey(
      table: "text", key: "position", limit: SceneLimits.position,
      file: textTable + "position = [0, <value>]"),
    NumberKey(
      table: "flow-text", key: "position", limit: SceneLimits.position,
      file: "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\nposition = [<value>, 0]\n"),
    NumberKey(
      table: "row", key: "position", limit: SceneLimits.position,
      file: row(still + "position = [<value>, 0]")),
    NumberKey(
      table: "row.animation", key: "to", limit: SceneLimits.position,
      file: row("animation = { from = 0, to = <value>, animation = \"linear.repeatForever()\" }")),
    NumberKey(
      table: "orbit-system", key: "center", limit: SceneLimits.position,
      file: system("height = 1\nmoons = 1\ncenter = [1, <value>]")),
    NumberKey(
      table: "orbit-system", key: "duration", limit: SceneLimits.duration,
      file: system("height = 1\nmoons = 1\nduration = [<value>, 1000000]")),
    NumberKey(
      table: "view", key: "size", limit: SceneLimits.frameSide,
      file: view(disc + "size = [<value>, 1]")),
    NumberKey(
      table: "view.elements", key: "box", limit: SceneLimits.elementSide,
      file: view("box = [<value>, 3]")),
    NumberKey(
      table: "view.elements", key: "at", limit: SceneLimits.position,
      file: view("elements = [{ disc = 1 }, { disc = 1, at = [<value>, 0] }]")),
    NumberKey(
      table: "accordion", key: "position", limit: SceneLimits.position,
      file: accordion(oneRow + "position = [<value>, 1]")),
    NumberKey(
      table: "accordion.rows.moons", key: "duration", limit: SceneLimits.duration,
      file: accordion("rows = [{ name = \"r\", moons = [{}, { duration = <value> }] }]")),
    NumberKey(
      table: "accordion.rows.moons", key: "phase", limit: SceneLimits.phase,
      file: accordion("rows = [{ name = \"r\", moons = [{ phase = <value> }] }]")),
  ]

  private static let otherMoves = [
    NumberKey(
      table: "field.marquee", key: "speed", limit: SceneLimits.speed,
      file: field("count = 1\nmarquee = { speed = [<value>, 100000], period = 1 }")),
    NumberKey(
      table: "field.tween", key: "from", limit: SceneLimits.position,
      file: field("count = 1\ntween = { from = [<value>, 1000000], to = 1, duration = 1 }")),
    NumberKey(
      table: "field.spring", key: "from", limit: SceneLimits.position,
      file: field("count = 1\nspring = { \(spring), distance = 1, from = <value> }")),
    NumberKey(
      table: "field.spring", key: "to", limit: SceneLimits.blur,
      file: field("count = 1\nspring = { \(spring), property = \"blur\", to = <value> }")),
    NumberKey(
      table: "field.spring", key: "distance", limit: SceneLimits.distance,
      file: field("count = 1\nspring = { \(spring), distance = <value> }")),
  ]

  private static let spring = "every = 1, bounce = 0, response = 1"

  private static let otherSteps = [
    NumberKey(
      table: "view.keyframes.track", key: "cubic", limit: SceneLimits.scale,
      file: view(track("scale", "cubic = <value>, duration = 1"))),
    NumberKey(
      table: "view.keyframes.track", key: "duration", limit: SceneLimits.duration,
      file: view(track("x", "cubic = 1, duration = <value>"))),
    NumberKey(
      table: "view.keyframes.track", key: "move", limit: SceneLimits.opacity,
      file: view(track("opacity", "linear = 1, duration = 1 }, { move = <value>"))),
    NumberKey(
      table: "view.phases", key: "opacity", limit: SceneLimits.opacity,
      file: view(disc + "phases = [{ opacity = <value> }]")),
  ]

  private static let scenes = [
    NumberKey(
      table: "scene", key: "size", limit: SceneLimits.side, file: scene("size = [<value>, 720]")),
    NumberKey(
      table: "scene", key: "size", limit: SceneLimits.side, file: scene("size = [1, <value>]")),
    NumberKey(table: "scene", key: "rate", limit: SceneLimits.rate, file: scene("rate = <value>")),
    NumberKey(table: "scene", key: "date", limit: SceneLimits.date, file: scene("date = <value>")),
    NumberKey(
      table: "text", key: "font", limit: SceneLimits.fontSize, file: textTable + "font = <value>"),
    NumberKey(
      table: "text", key: "position", limit: SceneLimits.position,
      file: textTable + "position = [<value>, 0]"),
  ]

  private static let rows = [
    NumberKey(
      table: "row", key: "flag-width", limit: SceneLimits.flagWidth,
      file: row(still + "flag-width = <value>")),
    NumberKey(
      table: "row", key: "flag-height", limit: SceneLimits.flagWidth,
      file: row(still + "flag-height = <value>")),
    NumberKey(
      table: "row", key: "spacing", limit: SceneLimits.spacing,
      file: row(still + "spacing = <value>")),
    NumberKey(
      table: "row", key: "font", limit: SceneLimits.fontSize, file: row(still + "font = <value>")),
    NumberKey(
      table: "row", key: "width", limit: SceneLimits.frameSide,
      file: row(still + "width = <value>")),
    NumberKey(
      table: "row", key: "height", limit: SceneLimits.frameSide,
      file: row(still + "height = <value>")),
    NumberKey(
      table: "row", key: "position", limit: SceneLimits.position,
      file: row(still + "position = [0, <value>]")),
    NumberKey(
      table: "row.marquee", key: "speed", limit: SceneLimits.speed,
      file: row("marquee = { direction = \"left\", speed = <value> }")),
    NumberKey(
      table: "row.animation", key: "from", limit: SceneLimits.position,
      file: row("animation = { from = <value>, to = 0, duration = 1 }")),
    NumberKey(
      table: "row.animation", key: "to", limit: SceneLimits.position,
      file: row("[content.animation]\nfrom = 0\nto = <value>\nduration = 1")),
    NumberKey(
      table: "row.animation", key: "duration", limit: SceneLimits.duration,
      file: row("animation.from = 0\nanimation.to = 1\nanimation.duration = <value>")),
    NumberKey(
      table: "row.animation", key: "from", limit: SceneLimits.position,
      file: row("animation = { from = <value>, to = 0, animation = \"linear.repeatForever()\" }")),
    NumberKey(
      table: "row.ticker", key: "speed", limit: SceneLimits.speed,
      file: row("ticker = { speed = <value> }")),
    NumberKey(
      table: "row.ticker", key: "gap", limit: SceneLimits.gap,
      file: row("ticker = { gap = <value> }")),
    NumberKey(
      table: "row.timer", key: "start", limit: SceneLimits.position,
      file: row("timer = { start = <value>, step = 1, interval = 1, reset-at = 1000000.5 }")
        .replacing("1000000.5", with: "1000000")),
    NumberKey(
      table: "row.timer", key: "step", limit: SceneLimits.step,
      file: row("timer = { start = 0, step = <value>, interval = 1, reset-at = 1 }")),
    NumberKey(
      table: "row.timer", key: "interval", limit: SceneLimits.interval,
      file: row("timer = { start = 0, step = 1, interval = <value>, reset-at = 1 }")),
    NumberKey(
      table: "row.timer", key: "reset-at", limit: SceneLimits.position,
      file: row("timer = { start = -1000000, step = 1, interval = 1, reset-at = <value> }")),
  ]

  private static let systems = [
    NumberKey(
      table: "orbit-system", key: "height", limit: SceneLimits.frameSide,
      file: system("moons = 1\nheight = <value>")),
    NumberKey(
      table: "orbit-system", key: "moons", limit: SceneLimits.moons,
      file: system("height = 1\nmoons = <value>"), isWhole: true),
    NumberKey(
      table: "orbit-system", key: "center", limit: SceneLimits.position,
      file: system("height = 1\nmoons = 1\ncenter = [<value>, 1]")),
    NumberKey(
      table: "orbit-system", key: "duration", limit: SceneLimits.duration,
      file: system("height = 1\nmoons = 1\nduration = <value>")),
    NumberKey(
      table: "orbit-system", key: "duration", limit: SceneLimits.duration,
      file: system("height = 1\nmoons = 1\nduration = [0.001, <value>]")),
    NumberKey(
      table: "orbit-system.moons", key: "duration", limit: SceneLimits.duration,
      file: system("height = 1\nmoons = [{}, { duration = <value> }]")),
    NumberKey(
      table: "orbit-system.moons", key: "phase", limit: SceneLimits.phase,
      file: system("height = 1\n[[content.moons]]\n[[content.moons]]\nphase = <value>")),
  ]

  private static let fields = [
    NumberKey(
      table: "field", key: "count", limit: SceneLimits.count,
      file: field("count = <value>\norbit = { radius = 1, duration = 1 }"), isWhole: true),
    NumberKey(
      table: "field", key: "disc-radius", limit: SceneLimits.discRadius,
      file: field("count = 1\norbit = { radius = 1, duration = 1 }\ndisc-radius = <value>")),
    NumberKey(
      table: "field.marquee", key: "speed", limit: SceneLimits.speed,
      file: field("count = 1\nmarquee = { speed = <value>, period = 1 }")),
    NumberKey(
      table: "field.marquee", key: "period", limit: SceneLimits.period,
      file: field("count = 1\nmarquee = { speed = [1, 2], period = [<value>, 100000] }")),
    NumberKey(
      table: "field.orbit", key: "radius", limit: SceneLimits.radius,
      file: field("count = 1\n[content.orbit]\nduration = 1\nradius = <value>")),
    NumberKey(
      table: "field.orbit", key: "duration", limit: SceneLimits.duration,
      file: field("count = 1\norbit = { radius = 1, duration = <value> }")),
  ]

  private static let moves = [
    NumberKey(
      table: "field.tween", key: "from", limit: SceneLimits.opacity,
      file: field(
        "count = 1\ntween = { property = \"opacity\", from = <value>, to = 1, duration = 1 }")),
    NumberKey(
      table: "field.tween", key: "to", limit: SceneLimits.scale,
      file: field("count = 1\ntween = { property = \"scale\", to = <value>, duration = 1 }")),
    NumberKey(
      table: "field.tween", key: "distance", limit: SceneLimits.distance,
      file: field("count = 1\ntween = { distance = <value>, duration = 1 }")),
    NumberKey(
      table: "field.tween", key: "duration", limit: SceneLimits.duration,
      file: field("count = 1\ntween = { distance = 1, duration = <value> }")),
    NumberKey(
      table: "field.spring", key: "response", limit: SceneLimits.duration,
      file: field("count = 1\nspring = { distance = 1, every = 1, bounce = 0, response = <value> }")
    ),
    NumberKey(
      table: "field.spring", key: "duration", limit: SceneLimits.duration,
      file: field("count = 1\nspring = { distance = 1, every = 1, bounce = 0, duration = <value> }")
    ),
    NumberKey(
      table: "field.spring", key: "damping-ratio", limit: SceneLimits.dampingRatio,
      file: field(
        "count = 1\nspring = { distance = 1, every = 1, response = 1, damping-ratio = <value> }")),
    NumberKey(
      table: "field.spring", key: "bounce", limit: SceneLimits.bounce,
      file: field("count = 1\nspring = { distance = 1, every = 1, response = 1, bounce = <value> }")
    ),
    NumberKey(
      table: "field.spring", key: "every", limit: SceneLimits.duration,
      file: field("count = 1\nspring = { distance = 1, bounce = 0, response = 1, every = <value> }")
    ),
  ]

  private static func view(_ lines: String) -> String {
    "[[content]]\nkind = \"view\"\nname = \"v\"\n" + lines + "\n"
  }

  private static let disc = "disc = 1\n"

  private static let views =
    ViewProperty.allCases.map { property in
      NumberKey(
        table: "view", key: property.rawValue, limit: SceneLimits.of(property),
        file: view(disc + property.rawValue + " = <value>"))
    } + [
      NumberKey(
        table: "view.elements", key: "disc", limit: SceneLimits.elementRadius,
        file: view("disc = <value>")),
      NumberKey(
        table: "view.elements", key: "box", limit: SceneLimits.elementSide,
        file: view("box = [3, <value>]")),
      NumberKey(
        table: "view.elements", key: "corner-radius", limit: SceneLimits.cornerRadius,
        file: view("elements = [{ box = [1, 1], corner-radius = <value> }]")),
      NumberKey(
        table: "view.elements", key: "width", limit: SceneLimits.flagWidth,
        file: view("flag = \"EU\"\nwidth = <value>")),
      NumberKey(
        table: "view.elements", key: "font", limit: SceneLimits.fontSize,
        file: view("text = \"t\"\nfont = <value>")),
      NumberKey(
        table: "view.elements", key: "at", limit: SceneLimits.position,
        file: view("elements = [{ disc = 1 }, { disc = 1, at = [0, <value>] }]")),
      NumberKey(
        table: "view", key: "position", limit: SceneLimits.position,
        file: view(disc + "position = [<value>, 0]")),
      NumberKey(
        table: "view", key: "size", limit: SceneLimits.frameSide,
        file: view(disc + "size = [1, <value>]")),
      NumberKey(
        table: "view.keyframes.track", key: "linear", limit: SceneLimits.opacity,
        file: view(track("opacity", "linear = <value>, duration = 1"))),
      NumberKey(
        table: "view.keyframes.track", key: "duration", limit: SceneLimits.duration,
        file: view(track("x", "linear = 1, duration = <value>"))),
      NumberKey(
        table: "view.keyframes.track", key: "start-velocity", limit: SceneLimits.velocity,
        file: view(track("x", "cubic = 1, duration = 1, start-velocity = <value>"))),
      NumberKey(
        table: "view.keyframes.track", key: "end-velocity", limit: SceneLimits.velocity,
        file: view(track("x", "cubic = 1, duration = 1, end-velocity = <value>"))),
      NumberKey(
        table: "view.keyframes.track", key: "spring-to", limit: SceneLimits.blur,
        file: view(track("blur", "spring-to = <value>"))),
      NumberKey(
        table: "view.phases", key: "rotation", limit: SceneLimits.rotation,
        file: view(disc + "phases = [{}, { rotation = <value> }]")),
    ]

  private static func track(_ property: String, _ step: String) -> String {
    disc + "keyframes = [{ property = \"\(property)\", track = [{ \(step) }] }]"
  }

  private static func command(_ lines: String) -> String {
    view(disc) + "[[command]]\n" + lines + "\n"
  }

  private static let commands = [
    NumberKey(
      table: "command", key: "at", limit: SceneLimits.time,
      file: command("at = <value>\nshow = \"v\"")),
    NumberKey(
      table: "command", key: "every", limit: SceneLimits.duration,
      file: command("at = 1\nevery = <value>\nshow = \"v\"")),
    NumberKey(
      table: "command", key: "delay", limit: SceneLimits.time,
      file: command(
        "completion = \"c\"\nat = 1\nshow = \"v\"\n[[command]]\nafter = \"c\"\nhide = \"v\"\n"
          + "delay = <value>")),
    NumberKey(
      table: "command.set", key: "opacity", limit: SceneLimits.opacity,
      file: command("at = 1\nset = { v = { opacity = <value> } }")),
  ]

  private static func accordion(_ lines: String) -> String {
    "[[content]]\nkind = \"accordion\"\n" + lines + "\n"
  }

  private static let oneRow = "rows = [{ name = \"r\" }]\n"

  private static let accordions =
    [
      ("width", SceneLimits.frameSide), ("row-height", SceneLimits.frameSide),
      ("panel-height", SceneLimits.frameSide), ("spacing", SceneLimits.spacing),
      ("font", SceneLimits.fontSize), ("duration", SceneLimits.duration),
    ].map { key, limit in
      NumberKey(
        table: "accordion", key: key, limit: limit, file: accordion(oneRow + key + " = <value>"))
    } + [
      NumberKey(
        table: "accordion", key: "position", limit: SceneLimits.position,
        file: accordion(oneRow + "position = [1, <value>]")),
      NumberKey(
        table: "accordion.rows", key: "moons", limit: SceneLimits.moons,
        file: accordion("rows = [{ name = \"r\", moons = <value> }]"), isWhole: true),
    ]

  private static let timelines =
    [
      ("font", SceneLimits.fontSize), ("angle", SceneLimits.angle), ("speed", SceneLimits.speed),
      ("start", SceneLimits.time),
    ].map { key, limit in
      NumberKey(
        table: "flow-text", key: key, limit: limit,
        file: "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\n\(key) = <value>\n")
    } + [
      NumberKey(
        table: "clock", key: "font", limit: SceneLimits.fontSize,
        file: "[[content]]\nkind = \"clock\"\nschedule = \"everyMinute\"\nfont = <value>\n"),
      NumberKey(
        table: "clock", key: "position", limit: SceneLimits.position,
        file:
          "[[content]]\nkind = \"clock\"\nschedule = \"everyMinute\"\nposition = [<value>, 1]\n"),
    ]
}
