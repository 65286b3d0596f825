// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Formats numbers for pictures and tables.
package enum PlotNumber {
  /// A number with at most this many significant digits, without trailing zeros.
  package static func text(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-∞" : "∞" }
    if value == 0 { return "0" }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    if magnitude < -4 || magnitude > 8 {
      return String(format: "%.\(digits - 1)e", value).replacing("-", with: "−")
    }
    return text(value, decimals: max(0, digits - 1 - magnitude), isTrimmed: true)
  }

  /// A number with this many decimals; `isTrimmed` removes trailing zeros.
  package static func text(_ value: Double, decimals: Int, isTrimmed: Bool = false) -> String {
    guard value.isFinite else { return text(value, digits: 1) }
    var text = String(format: "%.\(decimals)f", value)
    if isTrimmed, text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    if text.allSatisfy({ "-0.".contains($0) }) { text = text.replacing("-", with: "") }
    return text.replacing("-", with: "−")
  }
}
