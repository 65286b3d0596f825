// SPDX-License-Identifier: Apache-2.0

/// Writes values as JSON.
package enum JSONText {
  /// A number with the fewest digits that read back as the same bits.
  ///
  /// Whole numbers have no decimal point. Numbers that JSON lacks are the strings `"NaN"`,
  /// `"Infinity"` and `"-Infinity"`.
  package static func number(_ value: Double) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value > 0 ? "\"Infinity\"" : "\"-Infinity\"" }
    if value == value.rounded(), abs(value) < 0x1p53 {
      return value == 0 && value.sign == .minus ? "-0.0" : "\(Int64(value))"
    }
    return "\(value)"
  }

  /// A string with its quotes.
  package static func string(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A value on one line.
  package static func text(_ value: JSONValue) -> String {
    var text = ""
    write(value, to: &text)
    return text
  }

  private static func write(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += number(value)
    case .string(let value): text += string(value)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        write(value, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += string(member.key) + ":"
        write(member.value, to: &text)
      }
      text += "}"
    }
  }
}
