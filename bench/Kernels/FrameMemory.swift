// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory for columns as a ring has it: each begins at a cache line, in huge pages where the machine gives
/// any, and no two at the same place of a page.
package final class FrameMemory {
  /// One pointer for each column: those of the first destination, then those of the second.
  package let columns: [UnsafeMutableRawPointer]

  /// Columns of one destination.
  package let columnCount: Int
  private let base: UnsafeMutableRawPointer

  private static let hugePage = 2 << 20

  /// Takes memory, filled with zeros.
  ///
  /// - Parameters:
  ///   - bytes: Of each column of a destination.
  ///   - destinations: How many of them.
  package init(bytes: [Int], destinations: Int) {
    var (offsets, offset) = ([Int](), 0)
    for destination in 0..<destinations {
      for (index, size) in bytes.enumerated() {
        // 5 lines: as in bench/peers/peer.h; streams 4096 bytes apart hinder each other.
        offset += (destination * bytes.count + index) % 13 * 320
        offsets.append(offset)
        // A cache line more than needed: kernels may store whole vectors.
        offset += (size + 4095) / 4096 * 4096 + 4096
      }
    }
    let size = (offset + Self.hugePage) / Self.hugePage * Self.hugePage
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.hugePage)
    madvise(base, size, MADV_HUGEPAGE)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    self.base = base
    columns = offsets.map { base + $0 }
    columnCount = bytes.count
  }

  deinit { base.deallocate() }

  /// The columns of one destination, as C takes them.
  package func floats(destination: Int) -> [UnsafeMutablePointer<Float>?] {
    columns[destination * columnCount..<(destination + 1) * columnCount].map {
      $0.assumingMemoryBound(to: Float.self)
    }
  }
}
