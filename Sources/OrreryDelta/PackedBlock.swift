// SPDX-License-Identifier: Apache-2.0

import CDelta

/// The bytes of one block of a column of 16-bit numbers, and of floats in messages of the older form: what 128 predictions were wrong by, zigzag-coded.
///
///     | head | count | packed: 16 · width bytes | index, residual | index, residual | …
///
/// `head` has the width in its low six bits. If its highest bit is set, `count` follows, and after the packed bits the
/// residuals that need more than `width` bits, each with its index. The residuals of a last, incomplete block are stored
/// in as many whole bytes as the largest of them needs: `head` is that number of bytes with bit 6 set.
enum PackedBlock {
  static let hasExceptions: UInt8 = 0x80
  static let isShort: UInt8 = 0x40
  static let widthMask: UInt8 = 0x3f

  /// The longest block of 128 residuals; exceptions are used only where they save bytes.
  static let bytesMax = 1 + ColumnHistory.blockValues * ColumnHistory.valueBytes

  /// The width at which packed bits and exceptions together are the shortest.
  ///
  /// - Parameters:
  ///   - counts: How many residuals need how many bits.
  ///   - full: Bits that the largest residual needs.
  /// - Returns: 0 … `full`.
  static func bestWidth(_ counts: UnsafePointer<UInt16>, full: Int) -> Int {
    var (best, bytesMin, exceptions) = (full, 16 * full, 0)
    var width = full
    while width > 0 {
      exceptions += Int(counts[width])
      width -= 1
      let bytes = 16 * width + 1 + exceptions * (1 + ColumnHistory.valueBytes)
      if bytes < bytesMin { (best, bytesMin) = (width, bytes) }
    }
    return best
  }
}
