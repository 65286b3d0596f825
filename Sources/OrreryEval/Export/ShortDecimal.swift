// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument

/// Numbers with the fewest decimal places, as other languages read them.
enum ShortDecimal {
  /// Decimal places of the longest number.
  static let placesMax = 12

  /// The number in a range that has the fewest decimal places; of several the one nearest to the middle.
  ///
  /// - Parameter range: Finite bounds.
  /// - Returns: The number, and its decimal places; the middle itself if the range is too narrow.
  static func shortest(in range: ClosedRange<Double>) -> (value: Double, places: Int) {
    let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
    var scale = 1.0
    for places in 0...placesMax {
      let value = (middle * scale).rounded() / scale
      if range.contains(value) { return (value + 0, places) }
      scale *= 10
    }
    return (middle, placesMax)
  }

  /// A number with at most so many decimal places, without zeros at its end.
  static func text(_ value: Double, places: Int = placesMax) -> String {
    guard abs(value) < 1e5 else { return JSONWriter.number(value, .answer) }
    var text = decimal(value, places: places)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A number with so many significant digits, or more, rounded up: no time is cut off.
  ///
  /// - Parameters:
  ///   - value: More than 0.
  ///   - digits: Significant digits.
  /// - Returns: A number that is not smaller.
  static func roundedUp(_ value: Double, digits: Int) -> Double {
    var scale = 1.0
    while value * scale < 1, scale < 1e18 { scale *= 10 }
    for _ in 1..<digits where scale < 1e18 { scale *= 10 }
    return (value * scale).rounded(.up) / scale
  }
}
