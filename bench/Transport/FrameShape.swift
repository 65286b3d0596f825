// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryFrame

/// Frames of one column, of a wanted size.
package struct FrameShape {
  /// Where the column lies in the frame.
  package let layout: FrameLayout

  /// Whether values go past the caches.
  package var streams = false

  /// More than enough, and less than a frame may have.
  package static let bytesMax = 1 << 30

  /// - Parameter bytes: Of a frame; under 128 it is the head alone, 63.
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

  /// Where the values lie in a frame, and how long they are.
  package var values: (offset: Int, bytes: Int) {
    guard let column = layout.columns.first else { return (0, 0) }
    return (Int(column.valuesOffset), Int(column.valuesBytes))
  }

  /// Stores something new into every value.
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
