// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// Checks every value of a scene, from a file or built in Swift.
///
/// Ranges are checked only here: a scene file is decoded first, and the decoded scene is then
/// checked like one built in Swift.
package struct SceneChecker {
  /// Receives the faults.
  let faults: FaultList

  /// The scene's names.
  var names = SceneNames()

  /// Checks a whole scene.
  ///
  /// - Returns: The faults; empty if the scene is valid.
  package static func check(_ scene: Scene) -> FaultList {
    let names = SceneNames(scene)
    let checker = SceneChecker(faults: FaultList(), names: names)
    checker.check(Scene.table.checked(scene), at: DocumentPath())
    let content = DocumentPath().key("content")
    checker.check(scene.commands)
    guard checker.check(length: scene.content.count, SceneLimits.content, at: content) else {
      return checker.faults
    }
    for (index, part) in scene.content.enumerated() {
      checker.check(part, at: content.index(index))
    }
    for (path, name) in names.taken { checker.faults.add(path, .nameTaken(Self.shown(name))) }
    checker.checkEntityCount(scene)
    return checker.faults
  }

  /// Number of entities outside fields and in fields; an out-of-range count counts as 0.
  package static func entityCount(of scene: Scene) -> (fixed: Int, fields: Int) {
    scene.content.reduce(into: (fixed: 0, fields: 0)) { sum, part in
      switch part {
      case .row: sum.fixed += 1
      case .orbitSystem(let system):
        sum.fixed += countable(system.moons) + (system.parent == nil ? 0 : 1)
      case .field(let field):
        sum.fields += SceneLimits.count.range.contains(Double(field.count)) ? field.count : 0
      case .text: break
      case .view, .flowText: sum.fixed += 1
      case .accordion(let accordion):
        sum.fixed += accordion.rows.reduce(0) { $0 + 3 + countable($1.moons) }
      case .clock(let clock): sum.fixed += ClockFormat(clock.format)?.entityCount ?? 0
      }
    }
  }

  private static func countable(_ moons: OrbitSystem.Moons) -> Int {
    SceneLimits.moons.range.contains(Double(moons.count)) ? moons.count : 0
  }

  private func checkEntityCount(_ scene: Scene) {
    let count = Self.entityCount(of: scene)
    let total = count.fixed + count.fields
    if total > SceneLimits.entitiesMax {
      faults.add(
        DocumentPath().key("content"),
        .tooManyEntities(found: total, limit: SceneLimits.entitiesMax))
    }
  }

  private func check(_ part: SceneContent, at path: DocumentPath) {
    switch part {
    case .row(let row): check(row, at: path)
    case .orbitSystem(let system): check(OrbitSystem.table.checked(system), at: path)
    case .field(let field): check(Field.table.checked(field), at: path)
    case .text(let text): check(Text.table.checked(text), at: path)
    case .view(let view): check(view, at: path)
    case .accordion(let accordion): check(Accordion.table.checked(accordion), at: path)
    case .flowText(let text): check(FlowText.table.checked(text), at: path)
    case .clock(let clock): check(TimelineClock.table.checked(clock), at: path)
    }
  }

  private func check(_ row: Row, at path: DocumentPath) {
    check(Row.table.checked(row), at: path)
    let tables = row.motions.map(\.table)
    if tables.isEmpty {
      faults.add(path, .missing(expected: "one of " + RowMotion.keys.joined(separator: ", ")))
    } else if tables.count > 1 {
      faults.add(path, .conflicting(tables.map(\.key)))
    }
    for (motion, table) in zip(row.motions, tables) {
      let path = path.key(table.key)
      let faultsBefore = faults.total
      check(table.checked, at: path)
      check(motion, isGood: faults.total == faultsBefore, at: path)
    }
  }

  /// Checks the values of a motion together; `isGood` says that each is right by itself.
  private func check(_ motion: RowMotion, isGood: Bool, at path: DocumentPath) {
    switch motion {
    case .marquee, .animation: break
    case .repeating(let from, let to, let animation):
      guard let spec = TweenSpec(from: from, to: to, animation: animation) else {
        faults.add(path.key("animation"), .notEndless)
        return
      }
      check(spec.period, SceneLimits.duration, at: path.key("animation"))
    case .ticker(let speed, let gap, let variant, _):
      if variant == .perUpdate, speed != nil {
        faults.add(path.key("speed"), .conflicting(["speed", "variant = \"per-update\""]))
      }
      if variant != .seamless, gap != nil {
        faults.add(path.key("gap"), .conflicting(["gap", "variant = \"\(variant.rawValue)\""]))
      }
    case .timer(let start, _, _, let resetAt):
      if isGood, resetAt <= start {
        faults.add(path.key("reset-at"), .notLarger(resetAt, thanKey: "start", start))
      }
    }
  }
}
