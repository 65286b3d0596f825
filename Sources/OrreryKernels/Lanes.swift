// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// One lane group of values: sixteen entities, whatever the width of the machine's registers.
///
/// A narrower machine splits it into four or two registers; the arithmetic of a lane stays the same.
typealias Lanes = SIMD16<Float>

/// One lane group of phases, rates or hash words.
typealias Words = SIMD16<UInt32>

// These take precedence over the standard library's own, which compute lane by lane.

@inline(__always)
func * (a: Lanes, b: Lanes) -> Lanes { kernel_product(a, b) }

@inline(__always)
func + (a: Lanes, b: Lanes) -> Lanes { kernel_sum(a, b) }

@inline(__always)
func - (a: Lanes, b: Lanes) -> Lanes { kernel_difference(a, b) }

@inline(__always)
func * (a: Lanes, b: Float) -> Lanes { a * Lanes(repeating: b) }

@inline(__always)
func + (a: Lanes, b: Float) -> Lanes { a + Lanes(repeating: b) }

@inline(__always)
func + (a: Float, b: Lanes) -> Lanes { Lanes(repeating: a) + b }

@inline(__always)
func - (a: Lanes, b: Float) -> Lanes { a - Lanes(repeating: b) }

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

/// Each phase's fraction of a turn, rounded down, in units of 2^-24 turns.
///
/// The upper 24 bits of a phase are a float exactly.
@inline(__always)
func turnUnits(_ phase: Words) -> Lanes { kernel_floats(phase &>> 8) }

/// The unit of `turnUnits`, in turns.
var turnUnit: Float { 0x1p-24 }

/// Added to a phase, these make `turnUnits` round to the nearest 2^-24 turns, `turnFraction` to 2^-23.
var turnUnitsRounding: UInt32 { 0x80 }
var turnRounding: UInt32 { 0x100 }

/// Each phase's fraction of a turn, in [0, 1), rounded down to 2^-23.
///
/// The upper 23 bits of the phase become the fraction of a float in [1, 2).
@inline(__always)
func turnFraction(_ phase: Words) -> Lanes {
  unsafeBitCast((phase &>> 9) | 0x3f80_0000, to: Lanes.self) - 1
}

/// Stores the first lanes of the last, partial lane group of a column of `count` values.
@inline(__always)
func storeTail(_ values: Lanes, _ column: UnsafeMutablePointer<Float>, count: UInt32) {
  let whole = Int(count / UInt32(Lanes.scalarCount)) * Lanes.scalarCount
  FloatOutput.store(
    FloatOutput.bits(values), UnsafeMutableRawPointer(column + whole),
    valueCount: Int(count) - whole)
}
