// SPDX-License-Identifier: Apache-2.0

extension OrbitSystem {
  /// `kind = "orbit-system"` in a scene file.
  package static let table = SceneTable(
    .orbitSystem, base: OrbitSystem(height: 1, moons: 0), checkedLast: ["moons"],
    [
      .required("height", \.height, .number(SceneLimits.frameSide), "of the whole"),
      .required("moons", \.moons, .moons, "how many, or each as under `orbit-system.moons`"),
      .optional(
        "center", \.center, .position, "of the planet", default: "the middle of the picture"),
      .key(
        "duration", \.duration, .range(SceneLimits.duration), "of a turn; drawn for each moon"),
      .key("planet-color", \.planetColor, .color),
      .key("moon-color", \.moonColor, .color),
      .optional(
        "parent", \.parent, .parent,
        "the view that planet and moons move with, as `parent` of a `view`; without `center` they "
          + "are at that view's position",
        default: "none"),
    ])
}

extension Moon {
  /// One of the moons of a system or of an accordion's row.
  static let table = SceneTable(
    "orbit-system.moons", base: Moon(),
    [
      .optional(
        "duration", \.duration, .number(SceneLimits.duration), "of a turn",
        default: "drawn from the system's `duration`"),
      .optional(
        "phase", \.phase, .number(SceneLimits.phase),
        "angle at the start, clockwise from the right", range: "0...2π radians",
        default: "drawn from a whole turn"),
      .optional("color", \.color, .color, default: "the system's `moon-color`"),
    ])
}

extension SceneValueType where Value == OrbitSystem.Moons {
  /// A number of moons, or a list of them.
  static let moons = SceneValueType(
    "whole number, or array of tables", range: "\(SceneLimits.moons)",
    expected: "a whole number or an array of tables",
    schema: .any([.wholeNumber(SceneLimits.moons), list.schema]),
    read: { reader, key in
      reader.isArray(key)
        ? .list(list.read(reader, key) ?? []) : reader.integer(key).map { .count($0) }
    },
    write: { moons in
      switch moons {
      case .count(let count): .text("\(count)")
      case .list(let moons): .list(moons.map(Moon.table.inline))
      }
    },
    check: { moons in
      let isShort = SceneLimits.moons.range.contains(Double(moons.count))
      guard isShort, case .list(let moons) = moons else {
        return .count(moons.count, SceneLimits.moons)
      }
      return list.check(moons)
    })

  private static let list = SceneValueType<[Moon]>.tables(Moon.table, SceneLimits.moons)
}

extension OrbitSystem.Moons {
  /// Number of moons.
  package var count: Int {
    switch self {
    case .count(let count): count
    case .list(let list): list.count
    }
  }
}
