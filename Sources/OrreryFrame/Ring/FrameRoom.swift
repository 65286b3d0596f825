// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Memory for one frame outside a ring, aligned as in one.
package final class FrameRoom {
  /// The frame's bytes; undefined at first.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Takes memory; nil if there is none.
  package init?(byteCount: Int) {
    let alignment = Int(FrameLayout.alignment)
    guard MemoryLimit.hasRoom(for: byteCount),
      let start = aligned_alloc(alignment, (byteCount + alignment - 1) & -alignment)
    else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  deinit { free(bytes.baseAddress) }
}
