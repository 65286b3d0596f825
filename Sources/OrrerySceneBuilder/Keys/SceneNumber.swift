// SPDX-License-Identifier: Apache-2.0

/// Numbers as messages show them.
package enum SceneNumber {
  /// Whole numbers without a decimal point, others as Swift prints them.
  package static func text(_ value: Double) -> String {
    guard value == value.rounded(), abs(value) < 1e15 else { return "\(value)" }
    return "\(Int64(value))"
  }

  /// At least four hexadecimal digits.
  package static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
