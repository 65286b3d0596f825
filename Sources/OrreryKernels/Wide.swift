// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Eight numbers of a column of `Double`s.
typealias Wide = SIMD8<Double>

/// Eight numbers of 64 bits: the bits of `Double`s, or whole numbers.
typealias WideWords = SIMD8<UInt64>

// These take precedence over the standard library's own, which compute lane by lane.

@inline(__always)
func * (a: Wide, b: Wide) -> Wide { kernel_wide_product(a, b) }

@inline(__always)
func / (a: Wide, b: Wide) -> Wide { kernel_wide_quotient(a, b) }

@inline(__always)
func + (a: Wide, b: Wide) -> Wide { kernel_wide_sum(a, b) }

@inline(__always)
func - (a: Wide, b: Wide) -> Wide { kernel_wide_difference(a, b) }

/// Reads and writes a column of `Double`s, eight at a time.
@inline(__always)
func wides(_ column: UnsafeMutablePointer<Double>) -> UnsafeMutablePointer<Wide> {
  UnsafeMutableRawPointer(column).assumingMemoryBound(to: Wide.self)
}

/// Reads and writes a column of floats, eight at a time.
@inline(__always)
func halves(_ column: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<SIMD8<Float>> {
  UnsafeMutableRawPointer(column).assumingMemoryBound(to: SIMD8<Float>.self)
}

/// Eight rows of four numbers of 64 bits, as columns.
struct WideRows {
  let a: WideWords
  let b: WideWords
  let c: WideWords
  let d: WideWords

  /// Loads rows of a table that is aligned to 32 bytes.
  @inline(__always)
  init(_ table: UnsafeRawPointer, _ index: UnsafePointer<UInt32>) {
    let (p, q) = (
      kernel_two_rows(table, index[0], index[4]), kernel_two_rows(table, index[1], index[5])
    )
    let (r, s) = (
      kernel_two_rows(table, index[2], index[6]), kernel_two_rows(table, index[3], index[7])
    )
    let (even, odd) = (kernel_even_numbers(p, q), kernel_odd_numbers(p, q))
    let (laterEven, laterOdd) = (kernel_even_numbers(r, s), kernel_odd_numbers(r, s))
    a = kernel_even_pairs(even, laterEven)
    b = kernel_even_pairs(odd, laterOdd)
    c = kernel_odd_pairs(even, laterEven)
    d = kernel_odd_pairs(odd, laterOdd)
  }
}
