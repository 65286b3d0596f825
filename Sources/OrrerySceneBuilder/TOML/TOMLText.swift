// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Values of a scene in the notation of scene files.
enum TOMLText {
  /// Text in quotation marks.
  ///
  /// Characters that a scene's texts may not contain are written as escapes with their numbers, so
  /// that no character of the file affects its display.
  static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.isUnfitForText:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Whole numbers without a point, others with the fewest digits that give the same bits.
  static func number(_ value: Double) -> String { value.notation }

  static func pair(_ first: Double, _ second: Double) -> String {
    "[\(number(first)), \(number(second))]"
  }

  static func point(_ point: CGPoint) -> String { pair(point.x, point.y) }

  /// A pair, or one number if both ends are the same.
  static func range(_ range: ValueRange) -> String {
    range.lower.bitPattern == range.upper.bitPattern
      ? number(range.lower) : pair(range.lower, range.upper)
  }

  /// A decimal such as 59.94 if it gives the rate exactly, otherwise a fraction.
  static func rate(_ rate: TickRate) -> String {
    let decimal = number(rate.ticksPerSecond)
    return TickRate(decimal) == rate ? decimal : string(rate.description)
  }

  /// An integer, or a string for seeds above 2⁶³ - 1, TOML's largest integer.
  static func seed(_ seed: UInt64) -> String {
    seed > UInt64(Int64.max) ? string("\(seed)") : "\(seed)"
  }

  /// A name, or `#rrggbb`, or `#rrggbbaa` if the colour is not opaque.
  static func color(_ color: Color) -> String {
    if let name = colorNames[color] { return string(name) }
    let digits = String(color.rgba, radix: 16)
    let bytes = String(repeating: "0", count: 8 - digits.count) + digits
    return string("#" + (color.rgba & 0xff == 0xff ? String(bytes.dropLast(2)) : bytes))
  }

  /// A text style, or a size, or a size with a weight.
  static func font(_ font: Font) -> String {
    if let style = fontStyles[font] { return string(style) }
    let size = number(font.size)
    return font.weight == .regular
      ? size : table([("size", size), ("weight", string(font.weight.rawValue))])
  }

  /// A key, in quotation marks if it needs them.
  static func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isBare && !name.isEmpty ? name : string(name)
  }

  /// A table in one line; values that are nil are left out.
  static func table(_ values: [(key: String, value: String?)]) -> String {
    let pairs = values.compactMap { key, value in value.map { "\(key) = \($0)" } }
    return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
  }

  private static let colorNames = names(Color.named)

  private static let fontStyles = names(Font.styles)

  private static func names<Value: Hashable>(_ values: [String: Value]) -> [Value: String] {
    Dictionary(values.map { ($0.value, $0.key) }) { min($0, $1) }
  }
}

extension Unicode.Scalar {
  /// Whether no text of a scene may contain it, because it moves or hides other characters:
  /// controls, line and paragraph separators, and marks that change the direction of the text.
  package var isUnfitForText: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}
