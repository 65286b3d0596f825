// SPDX-License-Identifier: Apache-2.0

/// The parts of a clock, from left to right.
package struct ClockFormat: Equatable, Sendable {
  /// Digits and the marks between them.
  package let parts: [Part]

  /// One part.
  package enum Part: Equatable, Sendable {
    /// Changing digits.
    case digits(Digits)
    /// A mark that stands still.
    case mark(String)
  }

  /// One window of a clock.
  package struct Digits: Equatable, Sendable {
    /// Seconds that one step stands for.
    package let unit: Double

    /// Steps until the window shows 0 again.
    package let base: Int

    /// Characters in the window; hours, with base 24, need two.
    package let width: Int
  }

  /// The changing parts.
  package var digits: [Digits] {
    parts.compactMap { if case .digits(let digits) = $0 { digits } else { nil } }
  }

  /// Number of entities of a clock: all parts except spaces.
  package var entityCount: Int { parts.count { $0 != .mark(" ") } }

  private static let fields: [(pattern: String, digits: [Digits])] = [
    ("HH", [Digits(unit: 3600, base: 24, width: 2)]),
    ("mm", [Digits(unit: 600, base: 6, width: 1), Digits(unit: 60, base: 10, width: 1)]),
    ("ss", [Digits(unit: 10, base: 6, width: 1), Digits(unit: 1, base: 10, width: 1)]),
    ("SSS", [0.1, 0.01, 0.001].map { Digits(unit: $0, base: 10, width: 1) }),
    ("SS", [0.1, 0.01].map { Digits(unit: $0, base: 10, width: 1) }),
    ("S", [Digits(unit: 0.1, base: 10, width: 1)]),
  ]

  /// Characters that a format may have.
  private static let lengthMax = 100

  /// Reads a format; nil if it has anything besides fields and marks, or no field at all.
  ///
  /// - Parameter text: Such as `HH:mm:ss` or `mm:ss.S`.
  package init?(_ text: String) {
    var parts: [Part] = []
    var rest = Substring(text)
    guard text.utf8.count <= Self.lengthMax else { return nil }
    while let first = rest.first {
      if let field = Self.fields.first(where: { rest.hasPrefix($0.pattern) }) {
        parts += field.digits.map(Part.digits)
        rest = rest.dropFirst(field.pattern.count)
      } else if " :.,-/".contains(first) {
        parts.append(.mark(String(first)))
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    self.parts = parts
    if digits.isEmpty { return nil }
  }
}
