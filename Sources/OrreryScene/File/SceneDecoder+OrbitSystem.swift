// SPDX-License-Identifier: Apache-2.0

import Orrery

extension SceneDecoder {
  func orbitSystem(_ reader: TableReader) -> OrbitSystem {
    reader.require("height", "a number")
    reader.require("moons", "a whole number or an array of tables")
    var system = OrbitSystem(height: reader.number("height") ?? 1, moons: 0)
    if let moons = moons(reader) { system.moons = moons }
    system.center = reader.point("center")
    if let duration = reader.range("duration") { system.duration = duration }
    if let color = reader.color("planet-color") { system.planetColor = color }
    if let color = reader.color("moon-color") { system.moonColor = color }
    system.parent = reader.string("parent")
    return system
  }

  /// A number of moons, or a list of them.
  func moons(_ reader: TableReader) -> OrbitSystem.Moons? {
    guard reader.isArray("moons") else { return reader.integer("moons").map { .count($0) } }
    let keys = ["duration", "phase", "color"]
    return .list(
      reader.tables("moons", SceneLimits.moons, known: keys)?.map { moon in
        Moon(
          duration: moon?.number("duration"), phase: moon?.number("phase"),
          color: moon?.color("color"))
      } ?? [])
  }
}
