// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryFrame
import OrrerySim

/// The state hash of a frame, worked out again from what stands in it: docs/determinism.md.
struct FrameHash {
  private let columns: [(column: FrameLayout.Column, key: UInt32)]

  init(_ layout: FrameLayout) {
    columns = layout.columns.map { column in
      let key = Field(rawValue: column.description.field).map(World.hashKey) ?? 0
      return (column, key)
    }
  }

  /// The sum of the terms of all pairs.
  ///
  /// - Precondition: All columns hold floats.
  func hash(of frame: FrameView) -> UInt64 {
    columns.reduce(0) { sum, part in
      let values = frame.values(part.column)
      var hash: UInt64 = 0
      let first = part.column.description.firstEntity
      for index in stride(from: 0, to: values.count, by: 2) {
        let even = Self.word(values, index, first, part.key)
        let odd = Self.word(values, index + 1, first, part.key)
        hash &+= even &* odd &+ even << 32 &+ odd
      }
      return sum &+ hash
    }
  }

  private static func word(
    _ values: UnsafeBufferPointer<Float>, _ index: Int, _ first: UInt32, _ fieldKey: UInt32
  ) -> UInt64 {
    let key = (first &+ UInt32(truncatingIfNeeded: index)) &* 0x9E37_79B1 &+ fieldKey
    let bits = index < values.count ? values[index].bitPattern : 0
    return UInt64(bits ^ key)
  }
}
