// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Checks of single values.
extension SceneChecker {
  @discardableResult
  func check(_ value: Double, _ limit: SceneLimit, at path: ScenePath) -> Bool {
    if limit.range.contains(value) { return true }
    let isFinite = value.isFinite
    faults.add(
      path,
      isFinite
        ? .outOfRange(found: SceneNumber.text(value), limit: limit)
        : .notFinite(value, limit: limit))
    return false
  }

  @discardableResult
  func check(count: Int, _ limit: SceneLimit, at path: ScenePath) -> Bool {
    if limit.range.contains(Double(count)) { return true }
    faults.add(path, .outOfRange(found: "\(count)", limit: limit))
    return false
  }

  /// Checks the length of a list.
  @discardableResult
  func check(length: Int, _ limit: SceneLimit, at path: ScenePath) -> Bool {
    if length > 0 || limit.range.contains(0) { return check(count: length, limit, at: path) }
    faults.add(path, .empty(limit: limit))
    return false
  }

  /// Checks both ends of a range; equal ends are one number in the file, with one path.
  func check(_ range: ValueRange, _ limit: SceneLimit, at path: ScenePath) {
    if range.lower.bitPattern == range.upper.bitPattern {
      check(range.lower, limit, at: path)
      return
    }
    let lowerIsGood = check(range.lower, limit, at: path.index(0))
    let upperIsGood = check(range.upper, limit, at: path.index(1))
    if lowerIsGood, upperIsGood, range.lower > range.upper {
      faults.add(path, .wrongOrder(lower: range.lower, upper: range.upper))
    }
  }

  func check(_ point: CGPoint?, at path: ScenePath) {
    guard let point else { return }
    check(point.x, SceneLimits.position, at: path.index(0))
    check(point.y, SceneLimits.position, at: path.index(1))
  }

  func check(_ rate: TickRate, at path: ScenePath) {
    if !SceneLimits.rate.range.contains(rate.ticksPerSecond) {
      faults.add(path, .outOfRange(found: "\(rate)", limit: SceneLimits.rate))
    }
  }

  func check(locale: String, at path: ScenePath) {
    if SceneLocale(locale) != nil { return }
    faults.add(path, Self.unknown(locale, "locale", SceneLocale.known))
  }

  func check(currency code: String, at path: ScenePath) {
    guard SceneLocale.currencies.contains(code) else {
      faults.add(path, Self.unknown(code, "currency", SceneLocale.currencies))
      return
    }
    check(flag: String(code.prefix(2)), at: path)
  }

  func check(flag region: String, at path: ScenePath) {
    if !SceneLocale.regions.contains(region) || SceneLocale.flag(ofRegion: region) == nil {
      faults.add(path, .noFlag(region: Self.shown(region)))
    }
  }

  func check(text: String, bytesMax: Int, at path: ScenePath) {
    if text.isEmpty {
      faults.add(path, .empty(limit: SceneLimit(1...Double(bytesMax), "bytes of UTF-8")))
    } else if text.utf8.count > bytesMax {
      faults.add(path, .tooLong(bytes: text.utf8.count, limit: bytesMax))
    }
    if let control = text.unicodeScalars.first(where: \.isUnfitForText) {
      faults.add(path, .controlCharacter(control.value))
    }
  }

  /// A name in a message: short, and without characters that control a terminal.
  static func shown(_ name: String) -> String {
    let plain = name.unicodeScalars.prefix(40).filter { !$0.isUnfitForText }
    return "\"" + String(String.UnicodeScalarView(plain)) + "\""
  }

  static func unknown(_ name: String, _ kind: String, _ known: Set<String>) -> SceneFault {
    unknown(name, kind, Array(known))
  }

  /// The fault of an unknown name; a scene may have very many known names.
  static func unknown(_ name: String, _ kind: String, _ known: [String]) -> SceneFault {
    let nearest = known.count <= 5_000 ? NearestName.find(name, among: known) : nil
    return .unknownName(found: shown(name), kind: kind, nearest: nearest, known: known)
  }
}

extension RowMotion {
  /// The keys of a row's motions in a scene file.
  static let keys = ["marquee", "animation", "ticker", "timer"]

  /// The motion's key in a scene file.
  var key: String {
    switch self {
    case .marquee: "marquee"
    case .animation, .repeating: "animation"
    case .ticker: "ticker"
    case .timer: "timer"
    }
  }
}

extension OrbitSystem {
  /// Number of moons.
  package var moonCount: Int { moons.count }
}

extension OrbitSystem.Moons {
  /// Number of moons.
  package var count: Int {
    switch self {
    case .count(let count): count
    case .list(let list): list.count
    }
  }

  /// A moon by its index, from 0.
  func moon(_ index: Int) -> Moon {
    if case .list(let list) = self { list[index] } else { Moon() }
  }
}
