// SPDX-License-Identifier: Apache-2.0

import Orrery
import TOMLKit

/// Makes a scene of a TOML document.
///
/// Where a value is missing or of another type, the fault is noted and a good value stands in, in
/// the same place, so that the rest is looked at too and nothing is reported that only follows from
/// the fault.
struct SceneDecoder {
  /// Where faults are noted.
  let faults: FaultList

  /// What a thing in a scene can be.
  enum Kind: String, CaseIterable {
    case row
    case orbitSystem = "orbit-system"
    case field
    case text
  }

  /// The keys of a whole scene.
  static let sceneKeys = ["name", "size", "background", "rate", "seed", "locale", "content"]

  /// The keys of each kind of content, `kind` itself apart.
  static let contentKeys: [Kind: [String]] = [
    .row: [
      "currencies", "cells", "flag-width", "spacing", "font", "color", "width", "height",
      "position", "clipped", "marquee", "animation", "timer",
    ],
    .orbitSystem: ["height", "moons", "center", "duration", "planet-color", "moon-color"],
    .field: ["count", "marquee", "orbit", "disc-radius", "colors"],
    .text: ["text", "font", "color", "position"],
  ]

  /// What stands in for content that cannot be decoded.
  private static let standIn = SceneContent.text(Text("-"))

  /// Decodes a document.
  ///
  /// - Parameters:
  ///   - table: The document.
  ///   - name: The scene's name if the document has none.
  /// - Returns: The scene, with stand-ins where `faults` says so; its ranges are not checked.
  func scene(_ table: TOMLTable, name: String) -> Scene {
    let reader = TableReader(table, at: ScenePath(), known: Self.sceneKeys, faults: faults)
    var scene = Scene(reader.string("name") ?? name) {}
    if let size = reader.size("size") { scene.size = size }
    if let background = reader.color("background") { scene.background = background }
    if let rate = reader.rate("rate") { scene.rate = rate }
    if let seed = reader.seed("seed") { scene.seed = seed }
    if let locale = reader.string("locale") { scene.locale = locale }
    reader.require("content", "at least one [[content]]")
    let tables = reader.tables("content", SceneLimits.content, known: nil)
    scene.content = (tables ?? [nil]).map { $0.map(content) ?? Self.standIn }
    return scene
  }

  private func content(_ reader: TableReader) -> SceneContent {
    reader.require("kind", "one of " + Kind.allCases.map(\.rawValue).joined(separator: ", "))
    guard let kind: Kind = reader.word("kind", kind: "kind") else { return Self.standIn }
    reader.allowOnly(["kind"] + (Self.contentKeys[kind] ?? []))
    switch kind {
    case .row: return .row(row(reader))
    case .orbitSystem: return .orbitSystem(orbitSystem(reader))
    case .field: return .field(field(reader))
    case .text: return .text(text(reader))
    }
  }

  private func text(_ reader: TableReader) -> Text {
    reader.require("text", "a string")
    var text = Text(reader.string("text") ?? "-")
    if let font = reader.font("font") { text.font = font }
    if let color = reader.color("color") { text.color = color }
    text.position = reader.point("position")
    return text
  }

  private func field(_ reader: TableReader) -> Field {
    reader.require("count", "a whole number")
    var motions: [Field.Motion] = []
    if reader.has("marquee") { motions.append(marquee(reader)) }
    if reader.has("orbit") { motions.append(orbit(reader)) }
    if motions.count > 1 { faults.add(reader.path, .conflicting(["marquee", "orbit"])) }
    if motions.isEmpty { faults.add(reader.path, .missing(expected: "one of marquee, orbit")) }
    var field = Field(
      count: reader.integer("count") ?? 1,
      motion: motions.first ?? .orbit(radius: one, duration: one),
      discRadius: reader.number("disc-radius") ?? Field.defaultDiscRadius,
      colors: Field.defaultColors)
    if let colors = reader.colors("colors") { field.colors = colors }
    return field
  }

  private func marquee(_ field: TableReader) -> Field.Motion {
    let keys = ["speed", "period"]
    let reader = field.inner("marquee", known: keys)
    for key in keys { reader?.require(key, "a number or [lower, upper]") }
    return .marquee(
      speed: reader?.range("speed") ?? one, period: reader?.range("period") ?? one)
  }

  private func orbit(_ field: TableReader) -> Field.Motion {
    let keys = ["radius", "duration"]
    let reader = field.inner("orbit", known: keys)
    for key in keys { reader?.require(key, "a number or [lower, upper]") }
    return .orbit(
      radius: reader?.range("radius") ?? one, duration: reader?.range("duration") ?? one)
  }

  /// A range that is good for everything.
  private var one: ValueRange { ValueRange(1...1) }
}
