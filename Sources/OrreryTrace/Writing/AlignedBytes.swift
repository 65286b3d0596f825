// SPDX-License-Identifier: Apache-2.0

/// Memory in whole blocks of a disk, for writes past the page cache.
final class AlignedBytes {
  /// Bytes of a block: a page, and a multiple of every common disk's sector.
  static let blockBytes = 4096

  /// The memory; zeros at first.
  let bytes: UnsafeMutableRawBufferPointer

  /// Memory of `byteCount` bytes or more, in whole blocks.
  init(byteCount: Int) {
    let rounded = max(Self.roundedUp(byteCount), Self.blockBytes)
    bytes = .allocate(byteCount: rounded, alignment: Self.blockBytes)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  /// The largest multiple of a block that is not above.
  static func roundedDown<Number: BinaryInteger>(_ count: Number) -> Number {
    count / Number(blockBytes) * Number(blockBytes)
  }

  /// The smallest multiple of a block that is not below.
  static func roundedUp<Number: BinaryInteger>(_ count: Number) -> Number {
    roundedDown(count + Number(blockBytes - 1))
  }
}
