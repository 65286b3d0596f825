// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the decimal digits of a number.
  ///
  /// A `String` of it would take ten times as long, which counts where each frame has a line of numbers.
  package mutating func append(decimal number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, start) = (number, digits.count)
      while rest >= 100 {
        let pair = UInt8(truncatingIfNeeded: rest % 100)
        rest /= 100
        start -= 2
        digits[start] = UInt8(ascii: "0") + pair / 10
        digits[start + 1] = UInt8(ascii: "0") + pair % 10
      }
      if rest >= 10 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
      append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[start...]))
    }
  }
}
