// SPDX-License-Identifier: Apache-2.0

/// One lane group of values: sixteen entities, whatever the width of the machine's registers.
///
/// A narrower machine splits it into four or two registers; the arithmetic of a lane stays the same.
typealias Lanes = SIMD16<Float>

/// One lane group of phases, rates or hash words.
typealias Words = SIMD16<UInt32>

/// Reads lane groups from a column.
@inline(__always)
func groups(_ column: UnsafePointer<Float>) -> UnsafePointer<Lanes> {
  UnsafeRawPointer(column).assumingMemoryBound(to: Lanes.self)
}

/// Reads lane groups of words from a column.
@inline(__always)
func groups(_ column: UnsafePointer<UInt32>) -> UnsafePointer<Words> {
  UnsafeRawPointer(column).assumingMemoryBound(to: Words.self)
}

/// Writes lane groups to a column.
@inline(__always)
func groups(_ column: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Lanes> {
  UnsafeMutableRawPointer(column).assumingMemoryBound(to: Lanes.self)
}

/// Stores the first lanes of the last, partial lane group of a column of `count` values.
@inline(__always)
func storeTail(_ values: Lanes, _ column: UnsafeMutablePointer<Float>, count: UInt32) {
  let whole = Int(count / UInt32(Lanes.scalarCount)) * Lanes.scalarCount
  for lane in 0..<(Int(count) - whole) { column[whole + lane] = values[lane] }
}

/// Loads the first lanes of the last, partial lane group of a column that may not be padded.
@inline(__always)
func loadTail(_ column: UnsafePointer<Float>, count: UInt32) -> Lanes {
  let whole = Int(count / UInt32(Lanes.scalarCount)) * Lanes.scalarCount
  var values = Lanes(repeating: 0)
  for lane in 0..<(Int(count) - whole) { values[lane] = column[whole + lane] }
  return values
}

/// The fraction of a turn that each phase stands at, in [0, 1), rounded to 2^-23; what rounds up to a
/// whole turn is 0, the same place.
///
/// The upper 23 bits of the phase become the fraction of a float in [1, 2): without a conversion
/// instruction, which Swift's SIMD types do not reach.
@inline(__always)
func turnFraction(_ phase: Words) -> Lanes {
  let bits = ((phase &+ 0x100) &>> 9) | 0x3f80_0000
  return unsafeBitCast(bits, to: Lanes.self) - 1
}
