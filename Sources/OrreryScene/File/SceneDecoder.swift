// SPDX-License-Identifier: Apache-2.0

import Orrery
import TOMLKit

/// Decodes a scene from a TOML document.
///
/// Where a value is missing or has the wrong type, the decoder records the fault and continues with
/// a valid placeholder at the same path. So it checks the rest too, and reports no fault that only
/// follows from another.
struct SceneDecoder {
  /// Receives the faults.
  let faults: FaultList

  /// Kinds of content.
  enum Kind: String, CaseIterable {
    case row
    case orbitSystem = "orbit-system"
    case field
    case text
    case view
    case accordion
    case flowText = "flow-text"
    case clock
  }

  /// The top-level keys of a scene.
  static let sceneKeys = [
    "name", "size", "background", "rate", "seed", "locale", "date", "time-zone", "content",
    "command",
  ]

  /// The keys of each kind of content, except `kind` itself.
  static let contentKeys: [Kind: [String]] = [
    .row: [
      "currencies", "cells", "flag-width", "spacing", "font", "color", "width", "height",
      "position", "clipped", "marquee", "animation", "ticker", "timer",
    ],
    .orbitSystem: [
      "height", "moons", "center", "duration", "planet-color", "moon-color", "parent",
    ],
    .field: ["count", "marquee", "orbit", "tween", "spring", "disc-radius", "colors"],
    .text: ["text", "font", "color", "position", "alignment"],
    .view: ["name", "elements", "position", "size"] + elementKeys
      + ViewProperty.allCases.map(\.rawValue)
      + ["hidden", "transition", "parent", "keyframes", "phases"],
    .accordion: [
      "rows", "width", "row-height", "panel-height", "spacing", "position", "transition",
      "animation", "font", "color", "header-color", "panel-color", "moon-color", "duration",
    ],
    .flowText: [
      "text", "font", "color", "position", "image", "colors", "angle", "speed", "direction",
      "start", "variant",
    ],
    .clock: ["schedule", "format", "font", "color", "position"],
  ]

  /// Placeholder for content that cannot be decoded.
  private static let placeholder = SceneContent.text(Text("-"))

  /// Placeholder for a command that cannot be decoded.
  private static let commandPlaceholder = Command(at: 0) {}

  /// Decodes a document.
  ///
  /// - Parameters:
  ///   - table: The document.
  ///   - name: The scene's name if the document has none.
  /// - Returns: The scene, with placeholders where there are faults; its ranges are not checked.
  func scene(_ table: TOMLTable, name: String) -> Scene {
    let reader = TableReader(table, at: ScenePath(), known: Self.sceneKeys, faults: faults)
    var scene = Scene(reader.string("name") ?? name) {}
    if let size = reader.size("size") { scene.size = size }
    if let background = reader.color("background") { scene.background = background }
    if let rate = reader.rate("rate") { scene.rate = rate }
    if let seed = reader.seed("seed") { scene.seed = seed }
    if let locale = reader.string("locale") { scene.locale = locale }
    if let date = reader.dateSeconds("date") { scene.dateSeconds = date }
    if let timeZone = reader.string("time-zone") { scene.timeZone = timeZone }
    reader.require("content", "at least one [[content]]")
    let tables = reader.tables("content", SceneLimits.content, known: nil)
    scene.content = (tables ?? [nil]).map { $0.map(content) ?? Self.placeholder }
    let commands = reader.tables("command", SceneLimits.commands, known: Self.commandKeys)
    scene.commands = (commands ?? []).map { $0.map(command) ?? Self.commandPlaceholder }
    return scene
  }

  private func content(_ reader: TableReader) -> SceneContent {
    reader.require("kind", "one of " + Kind.allCases.map(\.rawValue).joined(separator: ", "))
    guard let kind: Kind = reader.word("kind", kind: "kind") else { return Self.placeholder }
    reader.allowOnly(["kind"] + (Self.contentKeys[kind] ?? []))
    switch kind {
    case .row: return .row(row(reader))
    case .orbitSystem: return .orbitSystem(orbitSystem(reader))
    case .field: return .field(field(reader))
    case .text: return .text(text(reader))
    case .view: return .view(view(reader))
    case .accordion: return .accordion(accordion(reader))
    case .flowText: return .flowText(flowText(reader))
    case .clock: return .clock(clock(reader))
    }
  }

  private func text(_ reader: TableReader) -> Text {
    reader.require("text", "a string")
    var text = Text(reader.string("text") ?? "-")
    if let font = reader.font("font") { text.font = font }
    if let color = reader.color("color") { text.color = color }
    text.position = reader.point("position")
    if let alignment: TextAlignment = reader.word("alignment", kind: "alignment") {
      text.alignment = alignment
    }
    return text
  }
}
