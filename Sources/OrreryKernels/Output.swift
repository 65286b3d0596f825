// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// How values are converted to a column's format and stored in it.
protocol Output {
  /// Bytes of a lane group in a column.
  static var groupBytes: Int { get }

  /// Whether stores go to the caches.
  static var isCached: Bool { get }

  /// Units per 1.0: the factor for values before they are given to `bits`.
  ///
  /// It is a power of two, so a kernel may multiply the values' parameters instead.
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes

  /// Each value in the column's format, as a 32-bit word; in 16-bit formats the upper half is undefined.
  static func bits(_ values: Lanes) -> Words

  /// The same words with the undefined half cleared.
  static func bare(_ bits: Words) -> Words

  /// Stores a whole lane group.
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer)

  /// Stores the first values of a lane group.
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer, valueCount: Int)
}

/// Floats.
enum FloatOutput: Output {
  static var groupBytes: Int { 64 }
  static var isCached: Bool { true }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes { Lanes(repeating: 1) }

  @inline(__always)
  static func bits(_ values: Lanes) -> Words { unsafeBitCast(values, to: Words.self) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { bits }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer) {
    kernel_store(address, bits)
  }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer, valueCount: Int) {
    let words = address.assumingMemoryBound(to: UInt32.self)
    for lane in 0..<valueCount { words[lane] = bits[lane] }
  }
}

/// Floats, past the caches.
enum FloatStream: Output {
  static var groupBytes: Int { 64 }
  static var isCached: Bool { false }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes { FloatOutput.scale(tile) }

  @inline(__always)
  static func bits(_ values: Lanes) -> Words { FloatOutput.bits(values) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { FloatOutput.bare(bits) }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer) {
    kernel_stream(address, bits)
  }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer, valueCount: Int) {
    FloatOutput.store(bits, address, valueCount: valueCount)
  }
}

/// Whole numbers of 16 bits that count units; never past the caches, since a lane group fills half a
/// line.
enum FixedOutput: Output {
  static var groupBytes: Int { 32 }
  static var isCached: Bool { true }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes {
    Lanes(repeating: tile.pointee.units)
  }

  /// The nearest whole numbers; ties go to the even one.
  ///
  /// The sum with 1.5 · 2^23 has no bits for fractions; its lower bits are the number's.
  @inline(__always)
  static func bits(_ values: Lanes) -> Words { unsafeBitCast(values + 0x1.8p23, to: Words.self) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { bits & 0xffff }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer) {
    kernel_store_halves(address, bits)
  }

  @inline(__always)
  static func store(_ bits: Words, _ address: UnsafeMutableRawPointer, valueCount: Int) {
    let halves = address.assumingMemoryBound(to: UInt16.self)
    for lane in 0..<valueCount { halves[lane] = UInt16(truncatingIfNeeded: bits[lane]) }
  }
}
