// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Offsets of all parts of a frame: an `orrery.Frame` message whose columns can be used in place.
///
///     0        9        18 …                63
///     | tag n₆₄ | tag n₆₄ | … seven fixed64 … |  column  |  column  | …
///                                             /           \
///      | tag len₅ | batch | first_entity | field | padding | tag len₅ | values …
///                                                                     ^ a multiple of 64
///
/// All frames of a run have the same layout, so everything but the seven numbers and the values is
/// written once, when the ring is made (`FrameTemplate`). Lengths are five-byte varints, which every protobuf reader
/// accepts, so the offset of a field does not depend on the size of its content.
package struct FrameLayout: Equatable, Sendable {
  /// One column's description and the offset of its first value in the frame.
  package struct Column: Equatable, Sendable {
    /// Its batch, field, entities and format.
    package let description: ColumnDescription
    /// Offset of its first value in the frame.
    package let valuesOffset: UInt64

    /// Length of the values in bytes.
    package var valuesBytes: UInt64 {
      UInt64(description.valueCount) * description.format.valueBytes
    }
  }

  /// Columns in the order of the frame.
  package let columns: [Column]

  /// Length of the message.
  package let frameBytes: UInt64

  /// Hash of the order, sizes and formats of the columns: equal layouts have equal hashes.
  package let layoutHash: UInt64

  /// Columns start at multiples of this many bytes: one cache line and one AVX-512 register.
  package static let alignment: UInt64 = 64

  /// The longest message that every protobuf implementation reads.
  package static let frameBytesMax: UInt64 = (1 << 31) - 1

  /// Columns of a frame, at most.
  package static let columnsMax = 65_536

  /// Computes the offsets of columns.
  ///
  /// - Throws: `FrameError.frameTooLarge` over 2 GiB.
  package init(columns descriptions: [ColumnDescription]) throws(FrameError) {
    var columns: [Column] = []
    var end = UInt64(FrameField.allBytes)
    for description in descriptions {
      let head = end + ColumnEncoding.headBytes(description.format)
      var offset = head.roundedUp(toMultipleOf: Self.alignment)
      if let previous = columns.last, previous.valuesBytes >= Self.skewFromBytes {
        // Two long columns that are written side by side must not share cache sets.
        let distance = (offset - previous.valuesOffset) % 4096
        if distance < Self.skewBytes { offset += Self.skewBytes - distance }
      }
      let column = Column(description: description, valuesOffset: offset)
      columns.append(column)
      end = offset + column.valuesBytes
    }
    guard end <= Self.frameBytesMax else {
      throw .frameTooLarge(bytes: end, limit: Self.frameBytesMax)
    }
    self.columns = columns
    self.frameBytes = end
    self.layoutHash = Self.hash(columns)
  }

  /// Columns at least this long are skewed: shorter ones fit in the first-level cache together.
  private static let skewFromBytes: UInt64 = 32 * 1024

  /// Smallest distance between two columns modulo 4096: five cache lines, so that prefetchers of
  /// one do not run into the other.
  private static let skewBytes: UInt64 = 320

  private static func hash(_ columns: [Column]) -> UInt64 {
    var hash = StableHash()
    for column in columns {
      hash.combine(UInt64(column.description.batch))
      hash.combine(UInt64(column.description.field))
      hash.combine(UInt64(column.description.firstEntity))
      hash.combine(UInt64(column.description.valueCount))
      hash.combine(column.valuesOffset)
      hash.combine(UInt64(column.description.format.unit.bitPattern))
    }
    return hash.value
  }
}

extension UInt64 {
  /// The smallest multiple of a power of two that is not less than this number.
  package func roundedUp(toMultipleOf alignment: UInt64) -> UInt64 {
    (self + alignment - 1) & ~(alignment - 1)
  }
}
