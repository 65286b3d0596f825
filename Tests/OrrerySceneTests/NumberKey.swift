// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import Testing

/// A key of a scene file that holds a number, and a file with a gap for it.
struct NumberKey: Sendable, CustomTestStringConvertible {
  /// The table that the key stands in, as docs/scene-file.md heads it.
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
  static let all: [NumberKey] = scenes + rows + systems + fields

  private static let scenes = [
    NumberKey(
      table: "scene", key: "size", limit: SceneLimits.side, file: scene("size = [<value>, 720]")),
    NumberKey(
      table: "scene", key: "size", limit: SceneLimits.side, file: scene("size = [1, <value>]")),
    NumberKey(table: "scene", key: "rate", limit: SceneLimits.rate, file: scene("rate = <value>")),
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
}
