// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// How values become what a column holds, and how they get there.
protocol Output {
  /// Bytes of a lane group in a column.
  static var groupBytes: Int { get }

  /// Units in 1: what values are multiplied by before they are given to `bits`. A power of two: it may as
  /// well be their parameters.
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes

  /// What a column holds of values, a word for each, of which the upper half may hold anything where a
  /// group's values are of 16 bits.
  static func bits(_ values: Lanes) -> Words

  /// The same with nothing else in the words.
  static func bare(_ bits: Words) -> Words

  /// Stores a whole lane group.
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer)

  /// Stores the first values of a lane group.
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer, valueCount: Int)
}

/// Floats.
enum FloatOutput: Output {
  static var groupBytes: Int { 64 }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes { Lanes(repeating: 1) }

  @inline(__always)
  static func bits(_ values: Lanes) -> Words { unsafeBitCast(values, to: Words.self) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { bits }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer) { kernel_store(place, bits) }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer, valueCount: Int) {
    let words = place.assumingMemoryBound(to: UInt32.self)
    for lane in 0..<valueCount { words[lane] = bits[lane] }
  }
}

/// Floats, past the caches.
enum FloatStream: Output {
  static var groupBytes: Int { 64 }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes { FloatOutput.scale(tile) }

  @inline(__always)
  static func bits(_ values: Lanes) -> Words { FloatOutput.bits(values) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { FloatOutput.bare(bits) }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer) { kernel_stream(place, bits) }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer, valueCount: Int) {
    FloatOutput.store(bits, place, valueCount: valueCount)
  }
}

/// Whole numbers of 16 bits that count units; never past the caches, since a lane group fills half a line.
enum FixedOutput: Output {
  static var groupBytes: Int { 32 }

  @inline(__always)
  static func scale(_ tile: UnsafeMutablePointer<kernel_tile>) -> Lanes {
    Lanes(repeating: tile.pointee.units)
  }

  /// The nearest whole numbers, of two the even one.
  ///
  /// The sum with 1.5 · 2^23 has no bits for fractions; its lower bits are the number's.
  @inline(__always)
  static func bits(_ values: Lanes) -> Words { unsafeBitCast(values + 0x1.8p23, to: Words.self) }

  @inline(__always)
  static func bare(_ bits: Words) -> Words { bits & 0xffff }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer) {
    kernel_store_halves(place, bits)
  }

  @inline(__always)
  static func store(_ bits: Words, _ place: UnsafeMutableRawPointer, valueCount: Int) {
    let halves = place.assumingMemoryBound(to: UInt16.self)
    for lane in 0..<valueCount { halves[lane] = UInt16(truncatingIfNeeded: bits[lane]) }
  }
}
