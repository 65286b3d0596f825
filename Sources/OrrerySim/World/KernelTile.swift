// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Memory for one tile's description: see KernelTile.h.
///
/// Each worker thread has one, and fills it again for each block.
package struct KernelTile: ~Copyable, @unchecked Sendable {
  /// The tile, aligned as kernels need it; valid as long as this exists.
  package let pointer: UnsafeMutablePointer<kernel_tile>

  /// A tile of one tick and no entities; floats, and no hash.
  package init() {
    let bytes = MemoryLayout<kernel_tile>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    pointer = memory.assumingMemoryBound(to: kernel_tile.self)
    pointer.pointee.ticks = 1
  }

  deinit { pointer.deallocate() }
}

extension UnsafeMutablePointer<kernel_tile> {
  /// A column's floats at one of the tile's ticks.
  ///
  /// - Precondition: The tile's columns hold floats.
  package func floats(field: Int, tick: Int) -> UnsafeMutablePointer<Float> {
    precondition(pointee.format == KERNEL_FLOAT32, "a column of format \(pointee.format)")
    guard let column = kernel_column(self, field, tick) else {
      preconditionFailure("field \(field) has no column at tick \(tick) of the tile")
    }
    return column.assumingMemoryBound(to: Float.self)
  }

  /// Sets the hashes of the first `ticks` ticks to 0.
  package func clearHashes(ticks: Int) {
    kernel_hash_sums(self, 0).update(repeating: 0, count: ticks * Self.hashSumCount)
  }

  /// The sum of the hash terms of one of the tile's ticks.
  package func hash(tick: Int) -> UInt64 {
    var sum: UInt64 = 0
    for index in 0..<Self.hashSumCount { sum &+= kernel_hash_sums(self, tick)[index] }
    return sum
  }

  private static var hashSumCount: Int { 8 }

  /// Stores one value in the column's format, as a kernel does.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - lane: Index in the block.
  ///   - field: Index of the column.
  ///   - tick: Index in the tile.
  package func set(_ value: Float, lane: Int, field: Int, tick: Int) {
    guard let column = kernel_column(self, field, tick) else { return }
    if pointee.format == KERNEL_FIXED16 {
      // As `FixedOutput` rounds: the sum has no bits for fractions.
      let bits = (value * pointee.units + 0x1.8p23).bitPattern
      column.assumingMemoryBound(to: UInt16.self)[lane] = UInt16(truncatingIfNeeded: bits)
    } else {
      column.assumingMemoryBound(to: Float.self)[lane] = value
    }
  }
}
