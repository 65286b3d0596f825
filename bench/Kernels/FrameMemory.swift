// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory for columns as in a ring: each begins at a cache line, in huge pages if the machine has
/// any, and no two at the same offset in a page.
package final class FrameMemory {
  /// One pointer for each column: the columns of the first destination, then of the second.
  package let columns: [UnsafeMutableRawPointer]

  /// Count of columns of one destination.
  package let columnCount: Int
  private let base: UnsafeMutableRawPointer

  private static let hugePage = 2 << 20

  /// Allocates memory, filled with zeros.
  ///
  /// - Parameters:
  ///   - bytes: Size of each column of a destination.
  ///   - destinations: Count of destinations.
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

  /// The columns of one destination, in the form of the C interface.
  package func floats(destination: Int) -> [UnsafeMutablePointer<Float>?] {
    columns[destination * columnCount..<(destination + 1) * columnCount].map {
      $0.assumingMemoryBound(to: Float.self)
    }
  }
}
