// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery

/// Checks every value of a scene, from a file or built in Swift.
///
/// Ranges are checked only here: a scene file is decoded first, and the decoded scene is then
/// checked like one built in Swift.
package struct SceneChecker {
  /// Receives the faults.
  let faults: FaultList

  /// Checks a whole scene.
  ///
  /// - Returns: The faults; empty if the scene is valid.
  package static func check(_ scene: Scene) -> FaultList {
    let checker = SceneChecker(faults: FaultList())
    checker.checkHead(scene)
    let content = ScenePath().key("content")
    let names = SceneNames(scene)
    checker.check(scene.commands, names)
    guard checker.check(length: scene.content.count, SceneLimits.content, at: content) else {
      return checker.faults
    }
    for (index, part) in scene.content.enumerated() {
      let path = content.index(index)
      switch part {
      case .row(let row): checker.check(row, at: path)
      case .orbitSystem(let system): checker.check(system, names, at: path)
      case .field(let field): checker.check(field, at: path)
      case .text(let text): checker.check(text, at: path)
      case .view(let view): checker.check(view, names, at: path)
      case .accordion(let accordion): checker.check(accordion, at: path)
      case .flowText(let text): checker.check(text, at: path)
      case .clock(let clock): checker.check(clock, at: path)
      }
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

  private func checkHead(_ scene: Scene) {
    let root = ScenePath()
    check(text: scene.name, bytesMax: SceneLimits.nameBytesMax, at: root.key("name"))
    check(scene.size.width, SceneLimits.side, at: root.key("size").index(0))
    check(scene.size.height, SceneLimits.side, at: root.key("size").index(1))
    check(scene.rate, at: root.key("rate"))
    check(locale: scene.locale, at: root.key("locale"))
    check(scene.dateSeconds, SceneLimits.date, at: root.key("date"))
    if TimeZone(identifier: scene.timeZone) == nil {
      let known = Set(TimeZone.knownTimeZoneIdentifiers)
      faults.add(root.key("time-zone"), Self.unknown(scene.timeZone, "time zone", known))
    }
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
    case .repeating(let from, let to, let animation):
      check(from, SceneLimits.position, at: path.key("from"))
      check(to, SceneLimits.position, at: path.key("to"))
      guard let spec = TweenSpec(from: from, to: to, animation: animation) else {
        faults.add(path.key("animation"), .notEndless)
        return
      }
      check(spec.period, SceneLimits.duration, at: path.key("animation"))
    case .ticker(let speed, let gap, let variant):
      if let speed { check(speed, SceneLimits.speed, at: path.key("speed")) }
      if let gap { check(gap, SceneLimits.gap, at: path.key("gap")) }
      if variant == .perUpdate, speed != nil {
        faults.add(path.key("speed"), .conflicting(["speed", "variant = \"per-update\""]))
      }
      if variant != .seamless, gap != nil {
        faults.add(path.key("gap"), .conflicting(["gap", "variant = \"\(variant.rawValue)\""]))
      }
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

  private func check(_ system: OrbitSystem, _ names: SceneNames, at path: ScenePath) {
    check(system.height, SceneLimits.frameSide, at: path.key("height"))
    check(system.center, at: path.key("center"))
    check(system.duration, SceneLimits.duration, at: path.key("duration"))
    if let parent = system.parent { check(parent: parent, of: nil, names, at: path.key("parent")) }
    check(system.moons, at: path.key("moons"))
  }

  func check(_ moons: OrbitSystem.Moons, at path: ScenePath) {
    let isGood = check(count: moons.count, SceneLimits.moons, at: path)
    guard isGood, case .list(let moons) = moons else { return }
    for (index, moon) in moons.enumerated() {
      let path = path.index(index)
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
    case .tween(let tween):
      let path = path.key("tween")
      check(tween.property, from: tween.from, tween.end, at: path)
      check(tween.duration, SceneLimits.duration, at: path.key("duration"))
    case .spring(let spring):
      let path = path.key("spring")
      check(spring.property, from: spring.from, spring.end, at: path)
      check(spring.response, SceneLimits.duration, at: path.key("response"))
      check(spring.dampingRatio, SceneLimits.dampingRatio, at: path.key("damping-ratio"))
      check(spring.every, SceneLimits.duration, at: path.key("every"))
    }
  }

  private func check(
    _ property: ViewProperty, from: ValueRange?, _ end: FieldMoveEnd, at path: ScenePath
  ) {
    if let from { check(from, SceneLimits.of(property), at: path.key("from")) }
    switch end {
    case .to(let to): check(to, SceneLimits.of(property), at: path.key("to"))
    case .distance(let distance):
      check(distance, SceneLimits.distance, at: path.key("distance"))
    }
  }

  private func check(_ text: Text, at path: ScenePath) {
    check(text: text.content, bytesMax: SceneLimits.textBytesMax, at: path.key("text"))
    check(text.font.size, SceneLimits.fontSize, at: path.key("font"))
    check(text.position, at: path.key("position"))
  }

  private func check(_ text: FlowText, at path: ScenePath) {
    check(text: text.content, bytesMax: SceneLimits.textBytesMax, at: path.key("text"))
    check(text.font.size, SceneLimits.fontSize, at: path.key("font"))
    check(text.position, at: path.key("position"))
    switch text.fill {
    case .gradient(let colors, let angle):
      check(length: colors.count, SceneLimits.colors, at: path.key("colors"))
      if let angle { check(angle, SceneLimits.angle, at: path.key("angle")) }
    case .image(let name):
      if !SceneImages.isPlain(name) {
        faults.add(path.key("image"), .image("\(Self.shown(name)) is not the plain name of a file"))
      }
    }
    if let speed = text.speed { check(speed, SceneLimits.speed, at: path.key("speed")) }
    check(text.start, SceneLimits.time, at: path.key("start"))
  }

  private func check(_ clock: TimelineClock, at path: ScenePath) {
    if ClockFormat(clock.format) == nil {
      let expected = "made of HH, mm, ss, S, SS, SSS, spaces and : . , - /"
      faults.add(
        path.key("format"), .wrongType(found: Self.shown(clock.format), expected: expected))
    }
    check(clock.font.size, SceneLimits.fontSize, at: path.key("font"))
    check(clock.position, at: path.key("position"))
    let path = path.key("schedule")
    switch clock.schedule {
    case .periodic(let from, let by):
      check(from, SceneLimits.schedule, at: path)
      check(by, SceneLimits.duration, at: path)
    case .everyMinute: break
    case .explicit(let times):
      check(length: times.count, SceneLimits.scheduleTimes, at: path)
      if let wrong = times.first(where: { !SceneLimits.schedule.range.contains($0) }) {
        check(wrong, SceneLimits.schedule, at: path)
      }
      if zip(times, times.dropFirst()).contains(where: { !($0 <= $1) }) {
        faults.add(path, .notPlannable("times that are not in order"))
      }
    case .animation(let interval, _):
      if let interval { check(interval, SceneLimits.interval, at: path) }
    }
  }
}
