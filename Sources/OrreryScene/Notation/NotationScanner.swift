// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// A token of an expression.
enum NotationToken: Equatable {
  case name(String)
  case number(Double)
  /// A number with a percent sign, as a share of 1.
  case share(Double)
  case string(String)
  /// One of `( ) [ ] , : .`
  case mark(Unicode.Scalar)
  case end

  /// The token in a message.
  var shown: String {
    switch self {
    case .name(let name): name
    case .number(let number): SceneNumber.text(number)
    case .share(let share): SceneNumber.text(share * 100) + "%"
    case .string: "a string"
    case .mark(let mark): "\"\(mark)\""
    case .end: "the end"
    }
  }
}

/// Splits a text into tokens.
///
/// A hyphen before a letter continues a name, as in CSS's `jump-end`: there is no subtraction.
struct NotationScanner {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next token and where it begins, in characters from 1.
  mutating func next() throws(NotationError) -> (token: NotationToken, column: Int) {
    while let scalar = peek(), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
      index += 1
    }
    let column = index + 1
    guard let scalar = peek() else { return (.end, column) }
    if Self.isLetter(scalar) { return (.name(name()), column) }
    if Self.isDigit(scalar) || scalar == "-" || scalar == "+" { return (try number(), column) }
    switch scalar {
    case ".":
      if let following = peek(1), Self.isDigit(following) { return (try number(), column) }
      index += 1
      return (.mark(scalar), column)
    case "(", ")", "[", "]", ",", ":":
      index += 1
      return (.mark(scalar), column)
    case "\"": return (.string(try string()), column)
    default:
      throw NotationError(
        column: column,
        .unexpected(
          found: Self.shown(scalar), expected: "a name, a number, a string, \"[\" or \".\""))
    }
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek() {
      let isHyphen = scalar == "-" && peek(1).map(Self.isLetter) ?? false
      guard Self.isLetter(scalar) || Self.isDigit(scalar) || isHyphen else { break }
      name.append(scalar)
      index += 1
    }
    return String(name)
  }

  /// An optional sign, digits, decimal point, exponent and percent sign; at least one digit.
  private mutating func number() throws(NotationError) -> NotationToken {
    let start = index
    if peek() == "-" || peek() == "+" { index += 1 }
    var digitCount = digits()
    if peek() == ".", peek(1).map(Self.isDigit) ?? false {
      index += 1
      digitCount += digits()
    }
    guard digitCount > 0 else {
      throw NotationError(
        column: index + 1,
        .unexpected(found: peek().map(Self.shown) ?? "the end", expected: "a digit"))
    }
    if peek() == "e" || peek() == "E" {
      let isSigned = peek(1) == "-" || peek(1) == "+"
      if peek(isSigned ? 2 : 1).map(Self.isDigit) ?? false {
        index += isSigned ? 2 : 1
        _ = digits()
      }
    }
    let text = String(String.UnicodeScalarView(scalars[start..<index]))
    let isShare = peek() == "%"
    if isShare { index += 1 }
    if let scalar = peek(), Self.isLetter(scalar) {
      throw NotationError(
        column: index + 1,
        .unexpected(found: Self.shown(scalar), expected: "the number \(text) to end here"))
    }
    guard let number = Double(text), number.isFinite else {
      throw NotationError(
        column: start + 1,
        .outOfRange(what: "the number", found: text, expected: "finite numbers"))
    }
    return isShare ? .share(number / 100) : .number(number)
  }

  private mutating func digits() -> Int {
    let start = index
    while let scalar = peek(), Self.isDigit(scalar) { index += 1 }
    return index - start
  }

  /// A string with Swift's escapes `\"` and `\\`.
  private mutating func string() throws(NotationError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while let scalar = peek() {
      index += 1
      if scalar == "\"" { return String(text) }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let escaped = peek(), escaped == "\"" || escaped == "\\" else {
        throw NotationError(
          column: index + 1,
          .unexpected(
            found: peek().map(Self.shown) ?? "the end", expected: "\\\" or \\\\ in a string"))
      }
      text.append(escaped)
      index += 1
    }
    throw NotationError(
      column: start + 1, .unexpected(found: "a string without end", expected: "\" at its end"))
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    (0x21...0x7e).contains(scalar.value)
      ? "\"\(scalar)\"" : "U+" + SceneNumber.hexadecimal(scalar.value)
  }
}
