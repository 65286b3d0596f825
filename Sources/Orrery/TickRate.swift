// SPDX-License-Identifier: Apache-2.0

/// Ticks per second, as an exact fraction in lowest terms.
///
/// Film and video have rates without an exact decimal, such as 30000/1001. With a fraction, the
/// time of tick 1,000,000,000 is as exact as that of tick 1.
public struct TickRate: Hashable, Sendable {
  /// Ticks in `denominator` seconds; never 0.
  public let numerator: UInt64

  /// Seconds that `numerator` ticks take; never 0.
  public let denominator: UInt64

  /// The largest numerator and denominator after reduction: products of both with a tick count that
  /// a run can reach then fit in 128 bits.
  public static let termMax: UInt64 = 1_000_000_000

  /// Makes a rate of `numerator / denominator` ticks per second, or nil if a term is 0, or larger
  /// than `termMax` after reduction.
  ///
  /// - Parameters:
  ///   - numerator: Ticks; 1 or more.
  ///   - denominator: Seconds that they take; 1 or more.
  public init?(numerator: UInt64, denominator: UInt64 = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    var (divisor, remainder) = (numerator, denominator)
    while remainder > 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    guard numerator / divisor <= Self.termMax, denominator / divisor <= Self.termMax else {
      return nil
    }
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Reads a rate such as `60`, `59.94` or `30000/1001`; nil if it is not a rate, or out of range.
  ///
  /// - Parameter text: Digits with at most one point, or two runs of digits with a slash between.
  public init?(_ text: String) {
    let terms = text.split(separator: "/", omittingEmptySubsequences: false)
    if terms.count == 2 {
      guard let above = Self.digits(terms[0]), let below = Self.digits(terms[1]) else { return nil }
      self.init(numerator: above, denominator: below)
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let ticks = Self.digits(parts[0] + parts[1]), !parts[0].isEmpty, !parts[1].isEmpty
      else {
        return nil
      }
      let scale = (0..<parts[1].count).reduce(UInt64(1)) { product, _ in product * 10 }
      self.init(numerator: ticks, denominator: scale)
      return
    }
    guard let ticks = Self.digits(text[...]) else { return nil }
    self.init(numerator: ticks)
  }

  /// Ticks per second as the nearest `Double`.
  public var ticksPerSecond: Double { Double(numerator) / Double(denominator) }

  /// Length of one tick in seconds, as the nearest `Double`.
  public var tickSeconds: Double { Double(denominator) / Double(numerator) }

  /// Reads up to 18 digits, so that neither the number nor its power of ten overflows.
  private static func digits(_ text: Substring) -> UInt64? {
    guard (1...18).contains(text.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return UInt64(text)
  }
}

extension TickRate: CustomStringConvertible {
  /// `60`, or `30000/1001`.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension TickRate: ExpressibleByIntegerLiteral {
  /// Makes a whole rate from a literal, as in `rate: 60`.
  ///
  /// - Precondition: `value` is in 1...`termMax`.
  public init(integerLiteral value: UInt64) {
    guard let rate = TickRate(numerator: value) else {
      preconditionFailure("\(value) ticks per second is not in 1...\(Self.termMax)")
    }
    self = rate
  }
}
