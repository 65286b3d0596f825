// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Turns a column of floats into 16-bit numbers: multiples of a unit that grows with the values.
///
/// The unit is a power of two, so that the products are exact floats. It begins with what the column's field needs and
/// doubles when a value does not fit; it never becomes smaller, so that a picture does not flicker between two grids.
package struct FixedColumn {
  /// The present unit.
  package private(set) var unit: Float

  /// What stands for a value that is no number, such as that of a shard whose part did not come.
  package static let absent = Int16.min

  /// Multiples of the unit that a value may have.
  private static let multipleMax: Float = 32_767

  /// The smallest unit.
  private static let unitMin: Float = 0x1p-14

  /// A column whose values are expected up to `expected`.
  ///
  /// - Parameter expected: The largest size of a value that is likely, finite.
  package init(expected: Float) {
    unit = Self.unitMin
    while unit * Self.multipleMax < expected { unit *= 2 }
  }

  /// Writes each value as a multiple of the unit, rounded to the nearest.
  ///
  /// - Parameters:
  ///   - values: The column.
  ///   - target: Room for as many numbers.
  package mutating func write(
    _ values: UnsafeBufferPointer<Float>, to target: UnsafeMutablePointer<Int16>
  ) {
    let largest = Self.convert(values, unit: unit, to: target)
    guard largest > unit * Self.multipleMax || largest.isNaN else { return }
    let finite = values.reduce(Float(0)) { max($0, $1.isFinite ? abs($1) : 0) }
    while finite > unit * Self.multipleMax, unit < 0x1p100 { unit *= 2 }
    for (index, value) in values.enumerated() {
      target[index] =
        value.isFinite ? Int16(clamping: Int32((value / unit).rounded())) : Self.absent
    }
  }

  /// Converts without a branch, as if all values fitted.
  ///
  /// - Returns: The largest size of a value; no number if one of them is none.
  private static func convert(
    _ values: UnsafeBufferPointer<Float>, unit: Float, to target: UnsafeMutablePointer<Int16>
  ) -> Float {
    // Its last bit is 1, so that a sum is a whole number in its low bits.
    let whole: Float = 0x1.8p23
    let factor = 1 / unit
    var largest: UInt32 = 0
    guard let source = values.baseAddress else { return 0 }
    for index in 0..<values.count {
      let value = source[index]
      largest = max(largest, value.bitPattern & 0x7fff_ffff)
      target[index] = Int16(
        truncatingIfNeeded: (value * factor + whole).bitPattern &- whole.bitPattern)
    }
    return Float(bitPattern: largest)
  }
}
