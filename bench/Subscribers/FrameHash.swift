// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryFrame
import OrrerySim

/// Computes the state hash of a frame again from its values: docs/explained/determinism.md.
package struct FrameHash {
  private let columns: [(column: FrameLayout.Column, key: UInt32)]

  /// Creates a hash for frames of a layout.
  package init(_ layout: FrameLayout) {
    columns = layout.columns.map { column in
      (column, World.hashKey(field: column.description.field))
    }
  }

  /// The sum of the terms of all pairs of values.
  ///
  /// - Precondition: All columns hold floats.
  package func hash(of frame: FrameView) -> UInt64 {
    columns.reduce(0) { sum, part in
      let first = part.column.description.firstEntity
      return sum &+ Self.hash(of: frame.values(part.column), firstEntity: first, key: part.key)
    }
  }

  /// The sum of the terms of a column's pairs; a missing last value counts as zero.
  ///
  /// - Parameters:
  ///   - values: The column.
  ///   - first: Number of the first value's entity.
  ///   - key: Hash key of the column's field.
  /// - Returns: The column's part of the state hash.
  package static func hash(
    of values: UnsafeBufferPointer<Float>, firstEntity first: UInt32, key: UInt32
  ) -> UInt64 {
    var hash: UInt64 = 0
    for index in stride(from: 0, to: values.count, by: 2) {
      let even = word(values, index, first, key)
      let odd = word(values, index + 1, first, key)
      hash &+= even &* odd &+ even << 32 &+ odd
    }
    return hash
  }

  private static func word(
    _ values: UnsafeBufferPointer<Float>, _ index: Int, _ first: UInt32, _ fieldKey: UInt32
  ) -> UInt64 {
    let key = (first &+ UInt32(truncatingIfNeeded: index)) &* 0x9E37_79B1 &+ fieldKey
    let bits = index < values.count ? values[index].bitPattern : 0
    return UInt64(bits ^ key)
  }
}
