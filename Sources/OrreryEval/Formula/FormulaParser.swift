// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Reads a formula.
///
///     comparison: sum [(< | <= | > | >= | == | !=) sum]
///     sum:        product {(+ | -) product}
///     product:    factor {(* | / | %) factor}
///     factor:     (+ | -) factor, or power
///     power:      operand [^ factor]
///     operand:    number, variable, pi, e, name(comparison, …), or (comparison)
///
/// Recursion is bounded by `depthMax`, and everything else by `bytesMax`.
struct FormulaParser {
  /// Bytes of a formula.
  static let bytesMax = 1_024

  /// Levels of parentheses, calls, signs and exponents.
  static let depthMax = 64

  private static let constants = ["pi": Double.pi, "e": 2.718281828459045]

  private let bytes: [UInt8]
  private let variables: [String]
  private var index = 0
  private var depth = 0
  private var steps: [Formula.Step] = []

  /// Reads a formula.
  ///
  /// - Parameters:
  ///   - text: The formula.
  ///   - variables: Names of the numbers that it may use.
  /// - Returns: The formula.
  /// - Throws: What is wrong with the text, and where.
  static func parse(
    _ text: String, variables: [String]
  ) throws(FormulaError) -> Formula {
    let bytes = Array(text.utf8)
    guard bytes.count <= bytesMax else {
      throw FormulaError(
        column: 1, reason: "\(bytes.count) bytes are out of range; allowed: at most \(bytesMax)")
    }
    var parser = FormulaParser(bytes: bytes, variables: variables)
    try parser.comparison()
    parser.skipSpaces()
    guard parser.index == bytes.count else { throw parser.unexpected("an operator or the end") }
    return Formula(steps: parser.steps)
  }

  private init(bytes: [UInt8], variables: [String]) {
    self.bytes = bytes
    self.variables = variables
  }

  // MARK: Grammar

  private mutating func comparison() throws(FormulaError) {
    try sum()
    let comparisons: [FormulaFunction] = [
      .lessOrEqual, .greaterOrEqual, .equal, .notEqual, .less, .greater,
    ]
    if let function = operation(comparisons) {
      try sum()
      steps.append(.call(function))
    }
  }

  private mutating func sum() throws(FormulaError) {
    try product()
    while let function = operation([.add, .subtract]) {
      try product()
      steps.append(.call(function))
    }
  }

  private mutating func product() throws(FormulaError) {
    try factor()
    while let function = operation([.multiply, .divide, .remainder]) {
      try factor()
      steps.append(.call(function))
    }
  }

  private mutating func factor() throws(FormulaError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw FormulaError(column: index + 1, reason: "nests deeper than \(Self.depthMax) levels")
    }
    switch operation([.add, .subtract]) {
    case .subtract:
      try factor()
      steps.append(.call(.negate))
    case .some: try factor()
    case nil: try power()
    }
  }

  private mutating func power() throws(FormulaError) {
    try operand()
    if operation([.power]) != nil {
      try factor()
      steps.append(.call(.power))
    }
  }

  private mutating func operand() throws(FormulaError) {
    skipSpaces()
    guard let byte = peek() else { throw unexpected("a number, a name or \"(\"") }
    if byte == UInt8(ascii: "(") {
      index += 1
      try comparison()
      try expect(")")
    } else if Self.isDigit(byte) || byte == UInt8(ascii: ".") {
      steps.append(.number(try number()))
    } else if Self.isLetter(byte) {
      try named()
    } else {
      throw unexpected("a number, a name or \"(\"")
    }
  }

  /// A variable, a constant or a call.
  private mutating func named() throws(FormulaError) {
    let start = index
    while let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    skipSpaces()
    let isCall = peek() == UInt8(ascii: "(")
    if !isCall, let variable = variables.firstIndex(of: name) {
      steps.append(.variable(variable))
      return
    }
    if !isCall, let constant = Self.constants[name] {
      steps.append(.number(constant))
      return
    }
    let functions = FormulaFunction.named.map(\.rawValue)
    let plain = variables + Self.constants.keys.sorted()
    guard isCall, let function = FormulaFunction.named.first(where: { $0.rawValue == name }) else {
      let known = isCall ? functions : plain
      let nearest = NearestName.find(name, among: known)
      let shown = name.prefix(40)
      throw FormulaError(
        column: start + 1,
        reason: "\(shown) is not a known \(isCall ? "function" : "name"); "
          + "\(nearest.map { "did you mean \($0)? " } ?? "")known: "
          + known.joined(separator: ", "))
    }
    try expect("(")
    for operand in 0..<function.operandCount {
      if operand > 0 { try expect(",") }
      try comparison()
    }
    skipSpaces()
    guard peek() == UInt8(ascii: ")") else {
      throw unexpected("\")\" after \(function.operandCount) arguments of \(name)")
    }
    index += 1
    steps.append(.call(function))
  }

  // MARK: Text

  /// Reads one of these operators, if it stands here; the longer ones must come first.
  private mutating func operation(_ functions: [FormulaFunction]) -> FormulaFunction? {
    skipSpaces()
    let found = functions.first { bytes[index...].starts(with: $0.rawValue.utf8) }
    if let found { index += found.rawValue.utf8.count }
    return found
  }

  /// Digits, decimal point and exponent.
  private mutating func number() throws(FormulaError) -> Double {
    let start = index
    func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
    skipDigits()
    if peek() == UInt8(ascii: ".") {
      index += 1
      skipDigits()
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      let digits = isSign(peek(1)) ? 2 : 1
      if let byte = peek(digits), Self.isDigit(byte) {
        index += digits
        skipDigits()
      }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw FormulaError(column: start + 1, reason: "\(text.prefix(40)) is not a finite number")
    }
    return number
  }

  private mutating func skipDigits() {
    while let byte = peek(), Self.isDigit(byte) { index += 1 }
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == 0x20 || (0x09...0x0d).contains(byte) { index += 1 }
  }

  private mutating func expect(_ mark: Unicode.Scalar) throws(FormulaError) {
    skipSpaces()
    guard peek() == UInt8(ascii: mark) else { throw unexpected("\"\(mark)\"") }
    index += 1
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private func unexpected(_ expected: String) -> FormulaError {
    let found =
      peek().map { byte in
        (0x21...0x7e).contains(byte)
          ? "\"\(Character(Unicode.Scalar(byte)))\"" : "a byte that no formula has"
      } ?? "the end"
    return FormulaError(column: index + 1, reason: "found \(found), expected \(expected)")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "_")
  }
}

/// Why a text is not a formula, and where.
struct FormulaError: Error, Equatable, CustomStringConvertible {
  /// In bytes of UTF-8, from 1.
  let column: Int

  /// What is wrong, and what is allowed.
  let reason: String

  var description: String { "column \(column): \(reason)" }
}
