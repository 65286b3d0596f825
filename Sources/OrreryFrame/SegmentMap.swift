// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Where the parts of a segment begin; the picture is in CFrameLayout.h.
package struct SegmentMap: Equatable, Sendable {
  package let columnsOffset: UInt64
  package let directoryOffset: UInt64
  package let staticOffset: UInt64
  package let staticBytes: UInt64
  package let slotsOffset: UInt64
  package let slotStride: UInt64
  package let frameBytes: UInt64
  package let segmentBytes: UInt64

  /// Parts begin at page boundaries, so that a reader can map or advise them one by one.
  package static let pageBytes: UInt64 = 4096

  package init(columnCount: UInt64, slotCount: UInt64, staticBytes: UInt64, frameBytes: UInt64) {
    let page = Self.pageBytes
    columnsOffset = page
    directoryOffset =
      (columnsOffset + columnCount * UInt64(MemoryLayout<ring_column>.stride))
      .roundedUp(toMultipleOf: page)
    staticOffset =
      (directoryOffset + slotCount * UInt64(MemoryLayout<ring_slot>.stride))
      .roundedUp(toMultipleOf: page)
    self.staticBytes = staticBytes
    slotsOffset = (staticOffset + staticBytes).roundedUp(toMultipleOf: page)
    slotStride = frameBytes.roundedUp(toMultipleOf: page)
    self.frameBytes = frameBytes
    segmentBytes = slotsOffset + slotCount * slotStride
  }
}
