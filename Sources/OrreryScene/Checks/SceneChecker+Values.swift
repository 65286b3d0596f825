// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrrerySceneBuilder

/// Checks of single values.
extension SceneChecker {
  /// Checks a value, and in a list or a table also the values in it.
  func check(_ value: CheckedValue, at path: DocumentPath) {
    switch value {
    case .number(let value, let limit): check(value, limit, at: path)
    case .count(let count, let limit): check(count: count, limit, at: path)
    case .range(let range, let limit): check(range, limit, at: path)
    case .pair(let first, let second, let limit):
      check(first, limit, at: path.index(0))
      check(second, limit, at: path.index(1))
    case .text(let text, let bytesMax): check(text: text, bytesMax: bytesMax, at: path)
    case .rate(let rate): check(rate, at: path)
    case .locale(let locale): check(locale: locale, at: path)
    case .timeZone(let timeZone): check(timeZone: timeZone, at: path)
    case .currency(let code): check(currency: code, at: path)
    case .flag(let region): check(flag: region, at: path)
    case .image(let name): check(image: name, at: path)
    case .clockFormat(let format): check(clockFormat: format, at: path)
    case .schedule(let schedule): check(schedule, at: path)
    case .animation(let animation): check(animation, at: path)
    case .transition(let transition): check(transition, at: path)
    case .spring(let spring): check(spring, at: path)
    case .parent(let name): check(parent: name, at: path)
    case .list(let count, let limit, let elements):
      check(length: count, limit, at: path)
      for (index, element) in elements.enumerated() { check(element, at: path.index(index)) }
    case .table(let values): for (key, value) in values { check(value, at: path.key(key)) }
    }
  }

  @discardableResult
  func check(_ value: Double, _ limit: SceneLimit, at path: DocumentPath) -> Bool {
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
  func check(count: Int, _ limit: SceneLimit, at path: DocumentPath) -> Bool {
    if limit.range.contains(Double(count)) { return true }
    faults.add(path, .outOfRange(found: "\(count)", limit: limit))
    return false
  }

  /// Checks the length of a list.
  @discardableResult
  func check(length: Int, _ limit: SceneLimit, at path: DocumentPath) -> Bool {
    if length > 0 || limit.range.contains(0) { return check(count: length, limit, at: path) }
    faults.add(path, .empty(limit: limit))
    return false
  }

  /// Checks both ends of a range; equal ends are one number in the file, with one path.
  func check(_ range: ValueRange, _ limit: SceneLimit, at path: DocumentPath) {
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

  func check(_ rate: TickRate, at path: DocumentPath) {
    if !SceneLimits.rate.range.contains(rate.ticksPerSecond) {
      faults.add(path, .outOfRange(found: "\(rate)", limit: SceneLimits.rate))
    }
  }

  func check(locale: String, at path: DocumentPath) {
    if SceneLocale(locale) != nil { return }
    faults.add(path, Self.unknown(locale, "locale", SceneLocale.known))
  }

  func check(timeZone: String, at path: DocumentPath) {
    if TimeZone(identifier: timeZone) != nil { return }
    let known = Set(TimeZone.knownTimeZoneIdentifiers)
    faults.add(path, Self.unknown(timeZone, "time zone", known))
  }

  func check(image name: String, at path: DocumentPath) {
    if SceneImages.isPlain(name) { return }
    faults.add(path, .image("\(Self.shown(name)) is not the plain name of a file"))
  }

  func check(clockFormat format: String, at path: DocumentPath) {
    if ClockFormat(format) != nil { return }
    let expected = "made of HH, mm, ss, S, SS, SSS, spaces and : . , - /"
    faults.add(path, .wrongType(found: Self.shown(format), expected: expected))
  }

  func check(_ schedule: TimelineClock.Schedule, at path: DocumentPath) {
    switch schedule {
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

  func check(currency code: String, at path: DocumentPath) {
    guard SceneLocale.currencies.contains(code) else {
      faults.add(path, Self.unknown(code, "currency", SceneLocale.currencies))
      return
    }
    let region = String(code.prefix(2))
    if !Self.hasFlag(region) { faults.add(path, .noFlagOfCurrency(region: Self.shown(region))) }
  }

  func check(flag region: String, at path: DocumentPath) {
    if !Self.hasFlag(region) {
      faults.add(path, .noFlag(region: Self.shown(region)))
    }
  }

  private static func hasFlag(_ region: String) -> Bool {
    SceneLocale.regions.contains(region) && SceneLocale.flag(ofRegion: region) != nil
  }

  func check(text: String, bytesMax: Int, at path: DocumentPath) {
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

extension OrbitSystem {
  /// Number of moons.
  package var moonCount: Int { moons.count }
}

extension OrbitSystem.Moons {
  /// A moon by its index, from 0.
  func moon(_ index: Int) -> Moon {
    if case .list(let list) = self { list[index] } else { Moon() }
  }
}
