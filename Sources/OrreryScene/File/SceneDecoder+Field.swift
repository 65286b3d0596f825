// SPDX-License-Identifier: Apache-2.0

import Orrery

extension SceneDecoder {
  /// The keys of a field's motions.
  private static let fieldMotions = ["marquee", "orbit", "tween", "spring"]

  func field(_ reader: TableReader) -> Field {
    reader.require("count", "a whole number")
    let keys = Self.fieldMotions.filter(reader.has)
    if keys.count > 1 { faults.add(reader.path, .conflicting(keys)) }
    if keys.isEmpty {
      let expected = "one of " + Self.fieldMotions.joined(separator: ", ")
      faults.add(reader.path, .missing(expected: expected))
    }
    let motions = keys.map { motion($0, reader) }
    var field = Field(
      count: reader.integer("count") ?? 1,
      motion: motions.first ?? .orbit(radius: one, duration: one),
      discRadius: reader.number("disc-radius") ?? Field.defaultDiscRadius,
      colors: Field.defaultColors)
    if let colors = reader.colors("colors") { field.colors = colors }
    return field
  }

  private func motion(_ key: String, _ field: TableReader) -> Field.Motion {
    switch key {
    case "marquee":
      let reader = field.inner(key, known: ["speed", "period"])
      return .marquee(speed: range("speed", reader), period: range("period", reader))
    case "orbit":
      let reader = field.inner(key, known: ["radius", "duration"])
      return .orbit(radius: range("radius", reader), duration: range("duration", reader))
    case "tween":
      let keys = ["property", "from", "to", "distance", "duration", "curve", "autoreverses"]
      let reader = field.inner(key, known: keys)
      return .tween(
        FieldTween(
          reader?.word("property", kind: "property") ?? .x, from: reader?.range("from"),
          end: end(reader), duration: range("duration", reader),
          curve: reader?.curve("curve") ?? .easeInOut,
          autoreverses: reader?.bool("autoreverses") ?? true))
    default:
      let keys = [
        "property", "from", "to", "distance", "response", "duration", "damping-ratio", "bounce",
        "every",
      ]
      let reader = field.inner(key, known: keys)
      return .spring(
        FieldSpring(
          reader?.word("property", kind: "property") ?? .x, from: reader?.range("from"),
          end: end(reader), response: either("response", or: "duration", reader),
          dampingRatio: dampingRatio(reader), every: range("every", reader)))
    }
  }

  /// A required range.
  private func range(_ key: String, _ reader: TableReader?) -> ValueRange {
    reader?.require(key, "a number or [lower, upper]")
    return reader?.range(key) ?? one
  }

  /// A range under one of two names.
  private func either(_ key: String, or other: String, _ reader: TableReader?) -> ValueRange {
    if let reader, reader.has(key), reader.has(other) {
      faults.add(reader.path, .conflicting([key, other]))
    }
    return reader?.has(other) == true ? range(other, reader) : range(key, reader)
  }

  private func end(_ reader: TableReader?) -> FieldMoveEnd {
    guard let reader else { return .distance(one) }
    if reader.has("to"), reader.has("distance") {
      faults.add(reader.path, .conflicting(["to", "distance"]))
    }
    if !reader.has("to"), !reader.has("distance") {
      faults.add(reader.path.key("distance"), .missing(expected: "to or distance"))
    }
    if let to = reader.range("to") { return .to(to) }
    return .distance(reader.range("distance") ?? one)
  }

  /// A bounce b is a ratio of 1 - b, or of 1/(1 + b) if b < 0; so the ends of a range are swapped.
  private func dampingRatio(_ reader: TableReader?) -> ValueRange {
    guard let reader, reader.has("bounce") else {
      return either("damping-ratio", or: "bounce", reader)
    }
    if reader.has("damping-ratio") {
      faults.add(reader.path, .conflicting(["damping-ratio", "bounce"]))
    }
    guard let bounce = reader.range("bounce") else { return one }
    let limit = SceneLimits.bounce
    SceneChecker(faults: faults).check(bounce, limit, at: reader.path.key("bounce"))
    guard limit.range.contains(bounce.lower), limit.range.contains(bounce.upper),
      bounce.lower <= bounce.upper
    else { return one }
    func ratio(_ bounce: Double) -> Double { Spring(duration: 1, bounce: bounce).dampingRatio }
    return ValueRange(lower: ratio(bounce.upper), upper: ratio(bounce.lower))
  }

  /// A range that every check accepts.
  private var one: ValueRange { ValueRange(1...1) }
}
