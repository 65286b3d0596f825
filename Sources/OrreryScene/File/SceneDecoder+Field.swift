// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

extension SceneDecoder {
  func field(_ reader: TableReader) -> Field {
    var field = Field.table.read(reader)
    let keys = Field.motionKeys.filter(reader.has)
    if keys.count > 1 { faults.add(reader.path, .conflicting(keys)) }
    if keys.isEmpty {
      let expected = "one of " + Field.motionKeys.joined(separator: ", ")
      faults.add(reader.path, .missing(expected: expected))
    }
    if let motion = keys.map({ motion($0, reader) }).first { field.motion = motion }
    return field
  }

  private func motion(_ key: String, _ field: TableReader) -> Field.Motion {
    switch key {
    case "marquee": FieldMarquee.table.read(key, in: field).motion
    case "orbit": FieldOrbit.table.read(key, in: field).motion
    case "tween": .tween(tween(field))
    default: .spring(spring(field))
    }
  }

  private func tween(_ field: TableReader) -> FieldTween {
    let table = FieldTween.table
    guard let reader = field.inner("tween", known: table.names) else { return table.base }
    let end = end(reader)
    var tween = table.read(reader)
    tween.end = end
    return tween
  }

  private func spring(_ field: TableReader) -> FieldSpring {
    let table = FieldSpring.table
    guard let reader = field.inner("spring", known: table.names) else { return table.base }
    let end = end(reader)
    let response = either("response", or: "duration", reader)
    let dampingRatio = dampingRatio(reader)
    var spring = table.read(reader)
    (spring.end, spring.response, spring.dampingRatio) = (end, response, dampingRatio)
    return spring
  }

  /// A required range under one of two names.
  private func either(_ key: String, or other: String, _ reader: TableReader) -> ValueRange {
    if reader.has(key), reader.has(other) {
      faults.add(reader.path, .conflicting([key, other]))
    }
    let found = reader.has(other) ? other : key
    reader.require(found, "a number or [lower, upper]")
    return reader.range(found) ?? .one
  }

  private func end(_ reader: TableReader) -> FieldMoveEnd {
    if reader.has("to"), reader.has("distance") {
      faults.add(reader.path, .conflicting(["to", "distance"]))
    }
    if !reader.has("to"), !reader.has("distance") {
      faults.add(reader.path.key("distance"), .missing(expected: "to or distance"))
    }
    if let to = reader.range("to") { return .to(to) }
    return .distance(reader.range("distance") ?? .one)
  }

  /// A bounce b is a ratio of 1 - b, or of 1/(1 + b) if b < 0; so the ends of a range are swapped.
  private func dampingRatio(_ reader: TableReader) -> ValueRange {
    guard reader.has("bounce") else { return either("damping-ratio", or: "bounce", reader) }
    if reader.has("damping-ratio") {
      faults.add(reader.path, .conflicting(["damping-ratio", "bounce"]))
    }
    guard let bounce = reader.range("bounce") else { return .one }
    let limit = SceneLimits.bounce
    SceneChecker(faults: faults).check(bounce, limit, at: reader.path.key("bounce"))
    guard limit.range.contains(bounce.lower), limit.range.contains(bounce.upper),
      bounce.lower <= bounce.upper
    else { return .one }
    func ratio(_ bounce: Double) -> Double { Spring(duration: 1, bounce: bounce).dampingRatio }
    return ValueRange(lower: ratio(bounce.upper), upper: ratio(bounce.lower))
  }
}
