// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryFrame

/// The layout of frames with one column, of a given size.
package struct FrameShape {
  /// The layout of the frame.
  package let layout: FrameLayout

  /// Whether values are stored past the caches.
  package var streams = false

  /// Limit of a frame's bytes; a ring allows more.
  package static let bytesMax = 1 << 30

  /// - Parameter bytes: Size of a frame; below 256, a frame is only its head of 63 bytes.
  /// - Throws: `FrameError`.
  package init(bytes: Int) throws(FrameError) {
    let column = { (count: Int) in
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: UInt32(count))
    }
    guard bytes >= 256 else {
      layout = try FrameLayout(columns: [])
      return
    }
    let smallest = try FrameLayout(columns: [column(0)])
    layout = try FrameLayout(columns: [column((bytes - Int(smallest.frameBytes)) / 4)])
  }

  /// Offset and size of the values in a frame.
  package var values: (offset: Int, bytes: Int) {
    guard let column = layout.columns.first else { return (0, 0) }
    return (Int(column.valuesOffset), Int(column.valuesBytes))
  }

  /// Stores bytes that depend on `number` into every value.
  package func fill(_ frame: UnsafeMutableRawPointer, _ number: UInt64) {
    let (offset, bytes) = values
    guard bytes > 0 else { return }
    if streams {
      linux_fill_past_caches(frame + offset, CInt(number & 0x3f), bytes)
    } else {
      memset(frame + offset, CInt(number & 0x3f), bytes)
    }
  }
}
