// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryScene
import Testing

/// Goal: docs/scene-file.md says what the code does.
///
/// Method: read the page; look up every key with its range, and decode every example.
@Suite struct SceneFileGuideTests {
  private let guide: String

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/scene-file.md").standardized
    guide = try String(contentsOf: file, encoding: .utf8)
  }

  /// The rows of the table under a heading, by key.
  private func rows(_ table: String) -> [String: String] {
    let sections = guide.components(separatedBy: "\n## ")
    let section = sections.first { $0.hasPrefix("`\(table)`") } ?? ""
    var rows: [String: String] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix("| `") {
      let key = line.dropFirst(3).prefix { $0 != "`" }
      rows[String(key)] = String(line)
    }
    return rows
  }

  @Test(arguments: NumberKey.all)
  func rangeIsInTheTable(key: NumberKey) throws {
    let row = try #require(rows(key.table)[key.key], "\(key.table) \(key.key)")
    #expect(row.contains("\(key.limit)".replacing("...6.283185307179586", with: "...2π")), "\(row)")
  }

  private static let elementKeys = [
    "text", "font", "alignment", "disc", "box", "corner-radius", "flag", "width", "color",
  ]

  @Test(arguments: [
    (
      "scene",
      [
        "name", "size", "background", "rate", "seed", "locale", "date", "time-zone", "content",
        "command",
      ]
    ),
    (
      "row",
      [
        "kind", "currencies", "cells", "flag-width", "spacing", "font", "color", "width", "height",
        "position", "clipped", "marquee", "animation", "ticker", "timer",
      ]
    ),
    ("row.cells", ["currency", "label", "flag"]),
    ("row.marquee", ["speed", "direction"]),
    ("row.animation", ["from", "to", "duration", "animation"]),
    ("row.ticker", ["speed", "gap", "variant"]),
    ("row.timer", ["start", "step", "interval", "reset-at"]),
    (
      "orbit-system",
      ["kind", "height", "moons", "center", "duration", "planet-color", "moon-color", "parent"]
    ),
    ("orbit-system.moons", ["duration", "phase", "color"]),
    ("field", ["kind", "count", "marquee", "orbit", "tween", "spring", "disc-radius", "colors"]),
    ("field.marquee", ["speed", "period"]),
    ("field.orbit", ["radius", "duration"]),
    (
      "field.tween",
      ["property", "from", "to", "distance", "duration", "curve", "autoreverses"]
    ),
    (
      "field.spring",
      [
        "property", "from", "to", "distance", "response", "duration", "damping-ratio", "bounce",
        "every",
      ]
    ),
    ("text", ["kind", "text", "font", "color", "position", "alignment"]),
    (
      "view",
      [
        "kind", "name", "elements", "position", "size", "x", "y", "opacity", "scale", "rotation",
        "blur", "hidden", "transition", "parent", "keyframes", "phases",
      ]
    ),
    ("view.elements", elementKeys + ["at"]),
    ("view.keyframes", ["property", "repeat", "track"]),
    (
      "view.keyframes.track",
      [
        "linear", "cubic", "spring-to", "move", "duration", "curve", "start-velocity",
        "end-velocity", "spring",
      ]
    ),
    ("view.phases", ["x", "y", "opacity", "scale", "rotation", "blur", "animation"]),
    (
      "accordion",
      [
        "kind", "rows", "width", "row-height", "panel-height", "spacing", "position", "transition",
        "animation", "font", "color", "header-color", "panel-color", "moon-color", "duration",
      ]
    ),
    ("accordion.rows", ["name", "title", "color", "moons"]),
    (
      "flow-text",
      [
        "kind", "text", "font", "color", "position", "image", "colors", "angle", "speed",
        "direction", "start", "variant",
      ]
    ),
    ("clock", ["kind", "schedule", "format", "font", "color", "position"]),
    (
      "command",
      [
        "at", "every", "after", "delay", "set", "show", "hide", "toggle", "destroy", "animation",
        "completion", "criteria",
      ]
    ),
    ("command.set", ["x", "y", "opacity", "scale", "rotation", "blur"]),
  ])
  func tableListsItsKeysAndNoOthers(table: String, keys: [String]) {
    #expect(rows(table).keys.sorted() == keys.sorted())
  }

  @Test func examplesAreScenes() {
    let examples = guide.components(separatedBy: "```toml\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    #expect(examples.count >= 5)
    for example in examples { #expect(problems(example).isEmpty, "\(example)") }
  }
}
