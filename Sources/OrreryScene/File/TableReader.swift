// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrrerySceneBuilder

/// Reads typed values from one table of a scene file or of a live command.
///
/// A missing value gives nil. A value of the wrong type gives nil too and records a fault. Ranges
/// are checked later, except the length of arrays.
struct TableReader {
  /// The path to the table.
  let path: DocumentPath

  private let table: DocumentTable
  private let faults: FaultList

  /// The allowed keys; nil if they are not known yet.
  private let known: [String]?

  /// Creates a reader; records every unknown key as a fault.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - path: The path to it.
  ///   - known: The allowed keys; nil if all are allowed, or `allowing` says later which.
  ///   - faults: Receives the faults.
  init(_ table: DocumentTable, at path: DocumentPath, known: [String]?, faults: FaultList) {
    self.table = table
    self.path = path
    self.faults = faults
    self.known = known
    if let known { allowOnly(known) }
  }

  /// A reader of the same table that knows which keys are allowed; records every other key as a fault.
  func allowing(_ known: [String]) -> TableReader {
    TableReader(table, at: path, known: known, faults: faults)
  }

  private func allowOnly(_ known: [String]) {
    for key in table.keys(except: known) {
      if let advice = ForeignKeys.advice(key, known: known) {
        faults.add(path.key(key), .foreignKey(advice: advice))
      } else {
        let nearest = NearestName.find(key, among: known)
        faults.add(path.key(key), .unknownKey(nearest: nearest, known: known))
      }
    }
  }

  func has(_ key: String) -> Bool { table.has(key) }

  /// The table's keys, in the order of their bytes.
  var keys: [String] { table.keys(except: []) }

  /// Whether a key is one of the allowed ones.
  func isKnown(_ key: String) -> Bool { known?.contains(key) ?? false }

  /// Records a fault of a value.
  func record(_ key: String, _ fault: SceneFault) { faults.add(path.key(key), fault) }

  /// Records a fault if a required key is missing, unless it is only misspelt, which is a fault already.
  func require(_ key: String, _ expected: String) {
    if !has(key), !isMisspelt(key) { faults.add(path.key(key), .missing(expected: expected)) }
  }

  private func isMisspelt(_ key: String) -> Bool {
    guard let known else { return false }
    return table.keys(except: known).contains { NearestName.find($0, among: known) == key }
  }

  func number(_ key: String) -> Double? {
    value(key, "a number") { $0.number }
  }

  func integer(_ key: String) -> Int? {
    value(key, "a whole number") { $0.integer.map(Int.init) }
  }

  func string(_ key: String) -> String? {
    value(key, "a string") { $0.string }
  }

  func bool(_ key: String) -> Bool? {
    value(key, "true or false") { $0.bool }
  }

  /// A value that is one of several words.
  func word<Word: RawRepresentable & CaseIterable>(_ key: String, kind: String) -> Word?
  where Word.RawValue == String {
    guard let text = string(key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let known = Set(Word.allCases.map(\.rawValue))
    faults.add(path.key(key), SceneChecker.unknown(text, kind, known))
    return nil
  }

  func color(_ key: String) -> Color? {
    guard let text = string(key) else { return nil }
    return color(text, at: path.key(key))
  }

  func colors(_ key: String) -> [Color]? {
    elements(key, SceneLimits.colors)?.map { value, path in
      if let text = value.string { return color(text, at: path) ?? .black }
      faults.add(path, .wrongType(found: Self.shown(value), expected: "a string"))
      return .black
    }
  }

  /// A font: a text style's name, a size in points, or a table of a size and a weight.
  func font(_ key: String) -> Font? {
    guard let value = table[key] else { return nil }
    if let size = value.number { return .system(size: size) }
    if let reader = value.table.map({
      TableReader($0, at: path.key(key), known: ["size", "weight"], faults: faults)
    }) {
      reader.require("size", "a number")
      let weight: Font.Weight? = reader.word("weight", kind: "weight")
      return .system(size: reader.number("size") ?? 1, weight: weight ?? .regular)
    }
    guard let name = value.string else {
      faults.add(
        path.key(key),
        .wrongType(found: Self.shown(value), expected: "a text style, a size in points or a table"))
      return nil
    }
    if let style = Font.styles[name] { return style }
    faults.add(path.key(key), SceneChecker.unknown(name, "text style", Set(Font.styles.keys)))
    return nil
  }

  /// `[x, y]`.
  func point(_ key: String) -> CGPoint? {
    pair(key, "[x, y]").map { CGPoint(x: $0.0, y: $0.1) }
  }

  /// `[width, height]`.
  func size(_ key: String) -> CGSize? {
    pair(key, "[width, height]").map { CGSize(width: $0.0, height: $0.1) }
  }

  /// `[lower, upper]`, or one number for both.
  func range(_ key: String) -> ValueRange? {
    if let number = table[key]?.number {
      return ValueRange(lower: number, upper: number)
    }
    return pair(key, "a number or [lower, upper]").map { ValueRange(lower: $0.0, upper: $0.1) }
  }

  /// A tick rate: a whole number, a decimal, or a string with a fraction.
  func rate(_ key: String) -> TickRate? {
    guard let value = table[key] else { return nil }
    if let text = value.string {
      if let rate = TickRate(text) { return rate }
      let expected = "a rate such as 60, 59.94 or \"30000/1001\""
      faults.add(path.key(key), .wrongType(found: Self.shown(value), expected: expected))
      return nil
    }
    guard let number = value.number else {
      let expected = "a number or a string such as \"30000/1001\""
      faults.add(path.key(key), .wrongType(found: Self.shown(value), expected: expected))
      return nil
    }
    if let rate = value.integer.map({ TickRate("\($0)") }) ?? TickRate("\(number)") { return rate }
    faults.add(
      path.key(key),
      number.isFinite
        ? .outOfRange(found: SceneNumber.text(number), limit: SceneLimits.rate)
        : .notFinite(number, limit: SceneLimits.rate))
    return nil
  }

  /// A seed: a whole number, or a string with one: TOML's integers end before the largest seed.
  func seed(_ key: String) -> UInt64? {
    guard let value = table[key] else { return nil }
    if let text = value.string {
      let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if isDigits, let seed = UInt64(text) { return seed }
      let expected = "a whole number up to \(UInt64.max)"
      faults.add(path.key(key), .wrongType(found: Self.shown(value), expected: expected))
      return nil
    }
    guard let seed = integer(key) else { return nil }
    if seed < 0 { faults.add(path.key(key), .negativeSeed(seed)) }
    return UInt64(max(seed, 0))
  }

  /// A table inside this one.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - known: The allowed keys; nil if the keys are names of views.
  /// - Returns: Its reader.
  func inner(_ key: String, known: [String]?) -> TableReader? {
    value(key, "a table") { $0.table }.map {
      TableReader($0, at: path.key(key), known: known, faults: faults)
    }
  }

  /// A name, or an array of them; nil marks an element of the wrong type.
  func names(_ key: String) -> [String?]? {
    if isArray(key) { return strings(key, SceneLimits.names) }
    return value(key, "a name or an array of names") { $0.string }.map { [$0] }
  }

  /// An array of strings; nil marks an element of the wrong type.
  func strings(_ key: String, _ limit: SceneLimit) -> [String?]? {
    elements(key, limit)?.map { value, path in
      if let text = value.string { return text }
      faults.add(path, .wrongType(found: Self.shown(value), expected: "a string"))
      return nil
    }
  }

  /// An array of tables; nil marks an element of the wrong type.
  func tables(_ key: String, _ limit: SceneLimit, known: [String]?) -> [TableReader?]? {
    let isOne = table[key]?.table != nil
    let expected = isOne ? "an array: write [[\(key)]]" : "an array"
    return elements(key, limit, expected)?.map { value, path in
      if let table = value.table {
        return TableReader(table, at: path, known: known, faults: faults)
      }
      faults.add(path, .wrongType(found: Self.shown(value), expected: "a table"))
      return nil
    }
  }

  /// Whether the value is an array.
  func isArray(_ key: String) -> Bool { table[key]?.array != nil }

  /// The elements of an array and the paths to them; an array above its limit is a fault.
  private func elements(
    _ key: String, _ limit: SceneLimit, _ expected: String = "an array"
  ) -> [(DocumentValue, DocumentPath)]? {
    guard let array = value(key, expected, { $0.array }) else { return nil }
    guard Double(array.count) <= limit.range.upperBound else {
      faults.add(path.key(key), .outOfRange(found: "\(array.count)", limit: limit))
      return nil
    }
    return array.enumerated().map { ($0.element, path.key(key).index($0.offset)) }
  }

  private func pair(_ key: String, _ expected: String) -> (Double, Double)? {
    let found = value(key, expected) { value in
      value.array.flatMap { $0.count == 2 ? $0 : nil }
    }
    guard let found else { return nil }
    let numbers = found.enumerated().map { index, value -> Double? in
      if let number = value.number { return number }
      faults.add(
        path.key(key).index(index), .wrongType(found: Self.shown(value), expected: "a number"))
      return nil
    }
    guard let first = numbers[0], let second = numbers[1] else { return nil }
    return (first, second)
  }

  func value<Value>(
    _ key: String, _ expected: String, _ read: (DocumentValue) -> Value?
  ) -> Value? {
    guard let value = table[key] else { return nil }
    if let result = read(value) { return result }
    faults.add(path.key(key), .wrongType(found: Self.shown(value), expected: expected))
    return nil
  }

  private func color(_ text: String, at path: DocumentPath) -> Color? {
    if let color = Color(text) { return color }
    let expected =
      "#rrggbb, #rrggbbaa or the name of a color"
      + (NearestName.find(text, among: Array(Color.named.keys)).map { "; did you mean \($0)?" }
        ?? "; the names are \(Color.named.keys.sorted().joined(separator: ", "))")
    faults.add(path, .wrongType(found: SceneChecker.shown(text), expected: expected))
    return nil
  }

  /// A value in a message.
  private static func shown(_ value: DocumentValue) -> String {
    switch value {
    case .null: "null"
    case .string(let text): "the string " + SceneChecker.shown(text)
    case .integer(let number): "\(number)"
    case .number(let number): SceneNumber.text(number)
    case .bool(let flag): "\(flag)"
    case .array(let array): "an array of \(array.elements.count)"
    case .table: "a table"
    case .dateTime: "a date or time"
    }
  }
}
