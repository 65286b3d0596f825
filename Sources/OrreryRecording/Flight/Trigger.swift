// SPDX-License-Identifier: Apache-2.0

/// A condition on how a run goes, such as `tick_ms > 16.7 && missed > 0`.
///
///     condition  = either { ("or" | "||") either }
///     either     = part { ("and" | "&&") part }
///     part       = ("not" | "!") part | "(" condition ")" | field relation number
///     relation   = "<" | "<=" | ">" | ">=" | "==" | "!="
///
/// A comparison with a value that is not known is false.
package struct Trigger: Sendable {
  private let condition: Condition

  /// The text that it was read from.
  package let text: String

  /// The longest text that is read.
  package static let lengthMax = 1000

  fileprivate indirect enum Condition: Sendable {
    case comparison(TriggerField, Relation, Double)
    case not(Condition)
    case and(Condition, Condition)
    case or(Condition, Condition)
  }

  fileprivate enum Relation: String, CaseIterable, Sendable {
    // The longer ones first: the text is compared with each in turn.
    case notAbove = "<="
    case notBelow = ">="
    case equal = "=="
    case different = "!="
    case below = "<"
    case above = ">"
  }

  /// Reads a condition.
  ///
  /// - Throws: `TriggerError`: where it is wrong, and why.
  package init(_ text: String) throws(TriggerError) {
    self.text = text
    var parser = TriggerParser(text)
    condition = try parser.whole()
  }

  /// Whether it holds.
  package func holds(_ values: TriggerValues) -> Bool { condition.holds(values) }

  /// Whether it depends on single frames.
  package var usesTimings: Bool { condition.usesTimings }
}

/// What a trigger may compare.
package enum TriggerField: String, CaseIterable, Sendable {
  /// Of each frame, in milliseconds.
  case tickMs = "tick_ms"
  case waitMs = "wait_ms"
  case computeMs = "compute_ms"
  case publishMs = "publish_ms"
  /// In the last second.
  case received
  case missed
  case lateTicks = "late_ticks"
  case framesPerSecond = "frames_per_second"
  case bytesPerSecond = "bytes_per_second"

  /// Whether each frame has one of its own.
  var isOfTimings: Bool {
    switch self {
    case .tickMs, .waitMs, .computeMs, .publishMs: true
    default: false
    }
  }
}

/// The values that a trigger compares; one that is not known is not a number.
package struct TriggerValues: Sendable {
  private var values = [Double](repeating: .nan, count: TriggerField.allCases.count)

  /// Nothing is known.
  package init() {}

  /// The value of a field.
  package subscript(field: TriggerField) -> Double {
    get { values[Self.index(field)] }
    set { values[Self.index(field)] = newValue }
  }

  private static func index(_ field: TriggerField) -> Int {
    switch field {
    case .tickMs: 0
    case .waitMs: 1
    case .computeMs: 2
    case .publishMs: 3
    case .received: 4
    case .missed: 5
    case .lateTicks: 6
    case .framesPerSecond: 7
    case .bytesPerSecond: 8
    }
  }
}

/// Where a trigger's text is wrong, and why.
package struct TriggerError: Error, Equatable, CustomStringConvertible {
  /// From 1.
  package let column: Int
  /// What is wanted there.
  package let reason: String

  package var description: String { "column \(column): \(reason)" }
}

extension Trigger.Condition {
  fileprivate func holds(_ values: TriggerValues) -> Bool {
    switch self {
    case .not(let part): !part.holds(values)
    case .and(let first, let second): first.holds(values) && second.holds(values)
    case .or(let first, let second): first.holds(values) || second.holds(values)
    case .comparison(let field, let relation, let number):
      switch relation {
      case .notAbove: values[field] <= number
      case .notBelow: values[field] >= number
      case .equal: values[field] == number
      case .different: values[field] < number || values[field] > number
      case .below: values[field] < number
      case .above: values[field] > number
      }
    }
  }

  fileprivate var usesTimings: Bool {
    switch self {
    case .not(let part): part.usesTimings
    case .and(let first, let second), .or(let first, let second):
      first.usesTimings || second.usesTimings
    case .comparison(let field, _, _): field.isOfTimings
    }
  }
}

/// Reads a trigger's text from left to right.
private struct TriggerParser {
  private let text: [Character]
  private var index = 0
  private var depth = 0

  /// Parentheses and negations inside each other, at most.
  private static let depthMax = 50

  init(_ text: String) { self.text = Array(text) }

  mutating func whole() throws(TriggerError) -> Trigger.Condition {
    guard text.count <= Trigger.lengthMax else {
      throw TriggerError(
        column: Trigger.lengthMax + 1,
        reason: "\(text.count) characters; at most \(Trigger.lengthMax) are read")
    }
    let condition = try either()
    skipSpaces()
    guard index == text.count else { throw wanted("'and', 'or' or the end is wanted") }
    return condition
  }

  private mutating func either() throws(TriggerError) -> Trigger.Condition {
    var condition = try both()
    while takes("||") || takes(word: "or") { condition = .or(condition, try both()) }
    return condition
  }

  private mutating func both() throws(TriggerError) -> Trigger.Condition {
    var condition = try part()
    while takes("&&") || takes(word: "and") { condition = .and(condition, try part()) }
    return condition
  }

  private mutating func part() throws(TriggerError) -> Trigger.Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw wanted("more than \(Self.depthMax) parts inside each other")
    }
    if takes("!") || takes(word: "not") { return .not(try part()) }
    if takes("(") {
      let condition = try either()
      guard takes(")") else { throw wanted("')' is wanted") }
      return condition
    }
    skipSpaces()
    let start = index
    let name = word()
    guard let field = TriggerField(rawValue: name) else {
      index = start
      let known = TriggerField.allCases.map(\.rawValue).joined(separator: ", ")
      throw wanted(
        name.isEmpty
          ? "a field is wanted: \(known)" : "'\(name)' is not a field; known: \(known)")
    }
    guard let relation = Trigger.Relation.allCases.first(where: { takes($0.rawValue) }) else {
      throw wanted("one of <, <=, >, >=, == and != is wanted")
    }
    return .comparison(field, relation, try number())
  }

  private mutating func number() throws(TriggerError) -> Double {
    skipSpaces()
    let start = index
    while index < text.count, text[index].isASCII,
      text[index].isNumber || text[index].isLetter || "+-.".contains(text[index])
    {
      index += 1
    }
    guard let number = Double(String(text[start..<index])), number.isFinite else {
      index = start
      throw wanted("a number is wanted")
    }
    return number
  }

  /// Letters, digits and underscores.
  private mutating func word() -> String {
    let start = index
    while index < text.count, text[index].isLetter || text[index].isNumber || text[index] == "_" {
      index += 1
    }
    return String(text[start..<index])
  }

  private mutating func takes(_ sign: String) -> Bool {
    skipSpaces()
    guard text[index...].starts(with: sign) else { return false }
    index += sign.count
    return true
  }

  private mutating func takes(word wanted: String) -> Bool {
    skipSpaces()
    let start = index
    if word() == wanted { return true }
    index = start
    return false
  }

  private mutating func skipSpaces() {
    while index < text.count, text[index].isWhitespace { index += 1 }
  }

  private func wanted(_ reason: String) -> TriggerError {
    TriggerError(column: index + 1, reason: reason)
  }
}
