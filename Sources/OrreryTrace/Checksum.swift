// SPDX-License-Identifier: Apache-2.0

import CCompression
import CTrace

/// CRC-32 as zlib and MCAP define it, computed step by step.
package struct Checksum: Equatable {
  /// The value of all bytes so far; 0 for none.
  package private(set) var value: UInt32 = 0

  /// The polynomial without its highest term; bit 31 is the coefficient of x⁰.
  private static let polynomial: UInt32 = 0xEDB8_8320

  package init() {}

  /// The checksum of the given bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    update(bytes)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // libdeflate takes a null buffer as "start anew".
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    value = libdeflate_crc32(value, base, bytes.count)
  }

  /// Adds bytes and copies them, in one pass where the processor can.
  ///
  /// - Parameters:
  ///   - from: The bytes.
  ///   - to: Where they go; the two do not overlap.
  ///   - byteCount: Their count.
  ///   - pastCaches: Whether a large copy leaves the caches as they are.
  package mutating func copy(
    _ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, byteCount: Int, pastCaches: Bool
  ) {
    value = trace_copy(to, from, byteCount, value, pastCaches ? 1 : 0)
  }

  /// Adds `byteCount` bytes whose checksum is known, without reading them.
  ///
  ///     crc(a ‖ b) = crc(a) · x^(8·|b|) + crc(b)     modulo the polynomial, over GF(2)
  ///
  /// - Complexity: O(log byteCount), about 2 µs for a chunk.
  package mutating func append(_ other: Checksum, byteCount: Int) {
    precondition(byteCount >= 0, "byteCount \(byteCount)")
    var power: UInt32 = 1 << 31
    // x⁸, squared once per bit of the count.
    var square: UInt32 = 1 << 23
    var rest = byteCount
    while rest > 0 {
      if rest & 1 == 1 { power = Self.product(power, square) }
      square = Self.product(square, square)
      rest >>= 1
    }
    value = Self.product(power, value) ^ other.value
  }

  /// Product of two polynomials, reduced.
  private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    var shifted = right
    for power in 0..<32 {
      if left & (1 << UInt32(31 - power)) != 0 { sum ^= shifted }
      shifted = (shifted >> 1) ^ (shifted & 1 == 1 ? polynomial : 0)
    }
    return sum
  }
}
