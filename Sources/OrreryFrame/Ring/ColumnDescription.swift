// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Content and length of a column; layouts are computed from these descriptions.
package struct ColumnDescription: Equatable, Sendable {
  /// Index into the scene layout's batches.
  package let batch: UInt32

  /// An `orrery.Field`, 1 … 127.
  package let field: UInt32

  /// Number of the entity of the first value.
  package let firstEntity: UInt32

  /// Values, one for each entity.
  package let valueCount: UInt32

  /// How each value is stored.
  package let format: Format

  package init(
    batch: UInt32, field: UInt32, firstEntity: UInt32, valueCount: UInt32,
    format: Format = .float32
  ) {
    precondition((1...127).contains(field), "field \(field)")
    precondition(
      Format(code: format.code, unit: format.unit) == format, "unit \(format.unit)")
    self.batch = batch
    self.field = field
    self.firstEntity = firstEntity
    self.valueCount = valueCount
    self.format = format
  }
}

extension ColumnDescription {
  /// How a value is stored.
  package enum Format: Equatable, Sendable {
    /// As a `Float`.
    case float32
    /// As an `Int16`, in multiples of a unit: a power of two, of which 32,768 units are still
    /// finite.
    case fixed16(unit: Float)

    /// Bytes of one value.
    package var valueBytes: UInt64 { self == .float32 ? 4 : 2 }

    /// The number in `ring_column.format`.
    var code: UInt32 { UInt32(self == .float32 ? COLUMN_FLOAT32 : COLUMN_FIXED16) }

    /// The number in `ring_column.unit`; 0 for floats.
    package var unit: Float {
      switch self {
      case .float32: 0
      case .fixed16(let unit): unit
      }
    }

    /// The format in a column table's entry; nil if it is not valid.
    init?(code: UInt32, unit: Float) {
      switch code {
      case UInt32(COLUMN_FLOAT32):
        guard unit.bitPattern == 0 else { return nil }
        self = .float32
      case UInt32(COLUMN_FIXED16):
        guard unit > 0, unit.isNormal, unit.significandBitPattern == 0, (unit * 0x1p15).isFinite
        else { return nil }
        self = .fixed16(unit: unit)
      default:
        return nil
      }
    }
  }
}
