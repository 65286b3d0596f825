// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Offsets of the parts of a segment; the picture is in CFrameLayout.h.
package struct SegmentMap: Equatable, Sendable {
  /// Offset of the column descriptions.
  package let columnsOffset: UInt64
  /// Offset of the slots.
  package let directoryOffset: UInt64
  /// Offset of the static part.
  package let staticOffset: UInt64
  /// Length of the static part in bytes.
  package let staticBytes: UInt64
  /// Offset of the first place.
  package let placesOffset: UInt64
  /// Count of places: one for each slot, and the spare ones.
  package let placeCount: UInt64
  /// Bytes from one place to the next.
  package let placeStride: UInt64
  /// Length of a frame in bytes.
  package let frameBytes: UInt64
  /// Length of the segment in bytes.
  package let segmentBytes: UInt64

  /// Parts begin at page boundaries, so that a reader can map or advise them one by one.
  package static let pageBytes: UInt64 = 4096

  /// The distance between two places modulo a page: ten cache lines.
  ///
  /// A block is stored into up to eight places at once, in one or more columns. At equal offsets
  /// within their pages, all these streams share one set of the first-level cache: 10,000 entities
  /// took a third longer with one column and a quarter with two. Every other distance tried (17,
  /// from 64 to 2112) was as good as this one. With 640, eight places lie in eight sets.
  package static let placeSkewBytes: UInt64 = 640

  package init(
    columnCount: UInt64, slotCount: UInt64, spareCount: UInt64, staticBytes: UInt64,
    frameBytes: UInt64
  ) {
    let page = Self.pageBytes
    columnsOffset = page
    directoryOffset =
      (columnsOffset + columnCount * UInt64(MemoryLayout<ring_column>.stride))
      .roundedUp(toMultipleOf: page)
    staticOffset =
      (directoryOffset + slotCount * UInt64(MemoryLayout<ring_slot>.stride))
      .roundedUp(toMultipleOf: page)
    self.staticBytes = staticBytes
    placesOffset = (staticOffset + staticBytes).roundedUp(toMultipleOf: page)
    let skew = Self.placeSkewBytes
    placeStride = (max(frameBytes, skew) - skew).roundedUp(toMultipleOf: page) + skew
    self.frameBytes = frameBytes
    placeCount = slotCount + spareCount
    segmentBytes = placesOffset + placeCount * placeStride
  }
}
