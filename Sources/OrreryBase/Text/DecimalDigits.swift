// SPDX-License-Identifier: Apache-2.0

/// The decimal digits of numbers, without strings: these take ten times as long, which counts where each frame has a
/// line of numbers.
package enum DecimalDigits {
  /// Digits of the largest number.
  package static let countMax = 20

  /// Writes the digits of a number.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - target: Room for its digits.
  /// - Returns: Count of digits.
  @inline(__always)
  package static func write(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let zero = UInt8(ascii: "0")
    var count = 1
    var bound: UInt64 = 10
    while number >= bound {
      count += 1
      // 10^20 is more than any number.
      if count == countMax { break }
      bound *= 10
    }
    var (rest, position) = (number, count)
    while rest >= 100 {
      let pair = UInt8(truncatingIfNeeded: rest % 100)
      rest /= 100
      position -= 2
      target[position] = zero + pair / 10
      target[position + 1] = zero + pair % 10
    }
    target[0] = zero + UInt8(truncatingIfNeeded: rest >= 10 ? rest / 10 : rest)
    if rest >= 10 { target[1] = zero + UInt8(truncatingIfNeeded: rest % 10) }
    return count
  }
}
