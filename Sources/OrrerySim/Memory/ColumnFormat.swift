// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrrerySceneBuilder

/// The format of a column's values.
package enum ColumnFormat: Equatable, Sendable {
  /// A float.
  case float32
  /// A whole number of 16 bits, two's complement, that counts units; the unit is a power of two.
  case fixed16(unit: Float)

  /// The kind of format that a world is asked to write.
  package enum Kind: String, CaseIterable, Sendable {
    /// Floats throughout.
    case float32
    /// Whole numbers where a batch knows bounds of its values and a fine enough unit exists; else floats.
    case fixed16
  }

  /// Bytes of one value.
  package var valueBytes: Int {
    switch self {
    case .float32: 4
    case .fixed16: 2
    }
  }

  /// Whole numbers in the finest unit that holds a batch's values; floats if no such unit is fine enough.
  ///
  /// - Parameter bounds: The largest absolute value of each of its fields; nil where it is unknown.
  init(bounds: [(field: ViewProperty, bound: Double?)]) {
    self = .float32
    if bounds.isEmpty { return }
    var (bound, coarsest) = (0.0, Double.infinity)
    for (field, fieldBound) in bounds {
      guard let fieldBound, fieldBound.isFinite else { return }
      bound = max(bound, fieldBound)
      coarsest = min(coarsest, field.coarsestUnit)
    }
    // The largest number is 32,767: rounding has half a unit of room. A still batch gets a unit as well.
    var unit = Self.finestUnit
    while unit * 32_767 < bound { unit *= 2 }
    if unit <= coarsest { self = .fixed16(unit: Float(unit)) }
  }

  private static let finestUnit = 0x1p-14

  /// The format's number in a kernel's tile.
  package var kernelFormat: UInt32 {
    switch self {
    case .float32: UInt32(KERNEL_FLOAT32)
    case .fixed16: UInt32(KERNEL_FIXED16)
    }
  }

  /// Units per 1.0; 1 for floats.
  package var unitsPerValue: Float {
    switch self {
    case .float32: 1
    case .fixed16(let unit): 1 / unit
    }
  }
}

extension ViewProperty {
  /// The coarsest unit that nobody can see: 1/16 of a point for positions, 1/1024 for other fields.
  fileprivate var coarsestUnit: Double {
    switch self {
    case .x, .y: 0x1p-4
    case .opacity, .scale, .rotation, .blur: 0x1p-10
    }
  }
}
