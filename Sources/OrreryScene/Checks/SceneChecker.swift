// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Checks every value of a scene, wherever the scene comes from.
///
/// This is the one place where ranges are checked: a scene file is decoded first and its scene then
/// passes here, as one built in Swift does.
package struct SceneChecker {
  /// What is wrong.
  let faults: FaultList

  /// Checks a whole scene.
  ///
  /// - Returns: What is wrong, in the order of the content; empty if nothing is.
  package static func check(_ scene: Scene) -> FaultList {
    let checker = SceneChecker(faults: FaultList())
    checker.checkHead(scene)
    let content = ScenePath().key("content")
    guard checker.check(length: scene.content.count, SceneLimits.content, at: content) else {
      return checker.faults
    }
    for (index, part) in scene.content.enumerated() {
      let path = content.index(index)
      switch part {
      case .row(let row): checker.check(row, at: path)
      case .orbitSystem(let system): checker.check(system, at: path)
      case .field(let field): checker.check(field, at: path)
      case .text(let text): checker.check(text, at: path)
      }
    }
    checker.checkEntityCount(scene)
    return checker.faults
  }

  /// Entities outside fields and in them; counts that are out of range count as 0.
  package static func entityCount(of scene: Scene) -> (fixed: Int, fields: Int) {
    scene.content.reduce(into: (fixed: 0, fields: 0)) { sum, part in
      switch part {
      case .row: sum.fixed += 1
      case .orbitSystem(let system):
        sum.fixed +=
          SceneLimits.moons.range.contains(Double(system.moonCount)) ? system.moonCount : 0
      case .field(let field):
        sum.fields += SceneLimits.count.range.contains(Double(field.count)) ? field.count : 0
      case .text: break
      }
    }
  }

  private func checkHead(_ scene: Scene) {
    let root = ScenePath()
    check(text: scene.name, bytesMax: SceneLimits.nameBytesMax, at: root.key("name"))
    check(scene.size.width, SceneLimits.side, at: root.key("size").index(0))
    check(scene.size.height, SceneLimits.side, at: root.key("size").index(1))
    check(scene.rate, at: root.key("rate"))
    check(locale: scene.locale, at: root.key("locale"))
  }

  private func checkEntityCount(_ scene: Scene) {
    let count = Self.entityCount(of: scene)
    let total = count.fixed + count.fields
    if total > SceneLimits.entitiesMax {
      faults.add(
        ScenePath().key("content"),
        .tooManyEntities(found: total, limit: SceneLimits.entitiesMax))
    }
  }

  private func check(_ row: Row, at path: ScenePath) {
    check(row.cells, at: path)
    check(row.flagWidth, SceneLimits.flagWidth, at: path.key("flag-width"))
    check(row.spacing, SceneLimits.spacing, at: path.key("spacing"))
    check(row.font.size, SceneLimits.fontSize, at: path.key("font"))
    if let width = row.width { check(width, SceneLimits.frameSide, at: path.key("width")) }
    check(row.height, SceneLimits.frameSide, at: path.key("height"))
    check(row.position, at: path.key("position"))
    let keys = row.motions.map(\.key)
    if keys.isEmpty {
      faults.add(path, .missing(expected: "one of " + RowMotion.keys.joined(separator: ", ")))
    } else if keys.count > 1 {
      faults.add(path, .conflicting(keys))
    }
    for motion in row.motions { check(motion, at: path.key(motion.key)) }
  }

  private func check(_ cells: [Cell], at path: ScenePath) {
    let paths = CellPaths(cells, at: path)
    guard check(length: cells.count, SceneLimits.cells, at: paths.list) else { return }
    for (index, cell) in cells.enumerated() {
      switch cell {
      case .currency(let code):
        check(currency: code, at: paths.currency(index))
      case .label(let label, let flag):
        check(text: label, bytesMax: SceneLimits.textBytesMax, at: paths.label(index))
        if let flag { check(flag: flag, at: paths.flag(index)) }
      }
    }
  }

  private func check(_ motion: RowMotion, at path: ScenePath) {
    switch motion {
    case .marquee(let speed, _):
      check(speed, SceneLimits.speed, at: path.key("speed"))
    case .animation(let from, let to, let duration):
      check(from, SceneLimits.position, at: path.key("from"))
      check(to, SceneLimits.position, at: path.key("to"))
      check(duration, SceneLimits.duration, at: path.key("duration"))
    case .timer(let start, let step, let interval, let resetAt):
      let isGood = [
        check(start, SceneLimits.position, at: path.key("start")),
        check(step, SceneLimits.step, at: path.key("step")),
        check(interval, SceneLimits.interval, at: path.key("interval")),
        check(resetAt, SceneLimits.position, at: path.key("reset-at")),
      ].allSatisfy { $0 }
      if isGood, resetAt <= start {
        faults.add(path.key("reset-at"), .notLarger(resetAt, thanKey: "start", start))
      }
    }
  }

  private func check(_ system: OrbitSystem, at path: ScenePath) {
    check(system.height, SceneLimits.frameSide, at: path.key("height"))
    check(system.center, at: path.key("center"))
    check(system.duration, SceneLimits.duration, at: path.key("duration"))
    let isGood = check(count: system.moonCount, SceneLimits.moons, at: path.key("moons"))
    guard isGood, case .list(let moons) = system.moons else { return }
    for (index, moon) in moons.enumerated() {
      let path = path.key("moons").index(index)
      if let duration = moon.duration {
        check(duration, SceneLimits.duration, at: path.key("duration"))
      }
      if let phase = moon.phase { check(phase, SceneLimits.phase, at: path.key("phase")) }
    }
  }

  private func check(_ field: Field, at path: ScenePath) {
    check(count: field.count, SceneLimits.count, at: path.key("count"))
    check(field.discRadius, SceneLimits.discRadius, at: path.key("disc-radius"))
    check(length: field.colors.count, SceneLimits.colors, at: path.key("colors"))
    switch field.motion {
    case .marquee(let speed, let period):
      let path = path.key("marquee")
      check(speed, SceneLimits.speed, at: path.key("speed"))
      check(period, SceneLimits.period, at: path.key("period"))
    case .orbit(let radius, let duration):
      let path = path.key("orbit")
      check(radius, SceneLimits.radius, at: path.key("radius"))
      check(duration, SceneLimits.duration, at: path.key("duration"))
    }
  }

  private func check(_ text: Text, at path: ScenePath) {
    check(text: text.content, bytesMax: SceneLimits.textBytesMax, at: path.key("text"))
    check(text.font.size, SceneLimits.fontSize, at: path.key("font"))
    check(text.position, at: path.key("position"))
  }
}
