// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The values that an option may have: its help says them, and so does the error for another value.
package struct OptionRange<Value: Comparable & Sendable>: CustomStringConvertible, Sendable {
  /// As help and error say it: `0 to 86400`.
  package let description: String
  private let unit: String
  private let isInRange: @Sendable (Value) -> Bool

  /// Values from one to another.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - unit: What stands behind them in an error; help has it elsewhere.
  package init(_ values: ClosedRange<Value>, _ unit: String = "") {
    description = "\(Self.text(values.lowerBound)) to \(Self.text(values.upperBound))"
    self.unit = unit
    isInRange = { values.contains($0) }
  }

  /// Values above one, up to another.
  package init(above lower: Value, to upper: Value, _ unit: String = "") {
    description = "more than \(Self.text(lower)) and at most \(Self.text(upper))"
    self.unit = unit
    isInRange = { lower < $0 && $0 <= upper }
  }

  /// Refuses another value.
  ///
  /// - Parameters:
  ///   - option: The option's name.
  ///   - value: Its value; nil is not refused.
  /// - Throws: `ValidationError`, as `--wait -1.0: use 0 to 86400 seconds`.
  package func check(_ option: String, _ value: Value?) throws {
    guard let value, !isInRange(value) else { return }
    throw ValidationError("\(option) \(value): use \(self)" + (unit.isEmpty ? "" : " \(unit)"))
  }

  /// A bound without a fraction of zero.
  private static func text(_ bound: Value) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Ranges of options that several commands have.
package enum OptionRanges {
  /// Times in a scene.
  package static let sceneTime = OptionRange(0...4e9, "seconds")
  /// Patience.
  package static let wait = OptionRange(0...86_400.0, "seconds")
  /// One frame in so many.
  package static let every = OptionRange<UInt64>(1...1_000_000_000)
  /// Slots of a frame ring.
  package static let slots = OptionRange<UInt64>(2...65_536)
  /// Subscribers that a sim can wait for.
  package static let waitFor = OptionRange<UInt64>(0...256)
}
