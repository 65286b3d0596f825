// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Reads single values of frames, whatever their columns' format.
package struct ColumnReader {
  /// A column's field and entities.
  package let description: ColumnDescription
  private let offset: Int

  package init(_ column: FrameLayout.Column) {
    description = column.description
    offset = Int(column.valuesOffset)
  }

  /// Numbers of the entities.
  package var entities: Range<Int> {
    let first = Int(description.firstEntity)
    return first..<first + Int(description.valueCount)
  }

  /// An entity's value in a frame of the layout.
  ///
  /// - Precondition: It is one of `entities`.
  @inline(__always)
  package func value(_ entity: Int, in frame: UnsafeRawPointer) -> Float {
    let index = entity - Int(description.firstEntity)
    switch description.format {
    case .float32:
      return Float(
        bitPattern: UInt32(
          littleEndian: frame.loadUnaligned(
            fromByteOffset: offset + index * 4, as: UInt32.self)))
    case .fixed16(let unit):
      let number = Int16(
        littleEndian: frame.loadUnaligned(fromByteOffset: offset + index * 2, as: Int16.self))
      return Float(number) * unit
    }
  }

  /// The bytes of an entity range's values in a frame.
  package func bytes(_ range: Range<Int>, in frame: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer
  {
    let size = Int(description.format.valueBytes)
    let first = offset + (range.lowerBound - Int(description.firstEntity)) * size
    return UnsafeRawBufferPointer(rebasing: frame[first..<first + range.count * size])
  }
}
