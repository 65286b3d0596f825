// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// What a column holds for each value.
package enum ColumnFormat: Equatable, Sendable {
  /// A float.
  case float32
  /// A whole number of 16 bits, two's complement, that counts units; the unit is a power of two.
  case fixed16(unit: Float)

  /// What a world writes.
  package enum Kind: String, CaseIterable, Sendable {
    /// Floats throughout.
    case float32
    /// Whole numbers wherever a batch knows bounds of its values and a unit is fine enough.
    case fixed16
  }

  /// Bytes of one value.
  package var valueBytes: Int {
    switch self {
    case .float32: 4
    case .fixed16: 2
    }
  }

  /// Whole numbers of the finest unit for a batch's values; floats where no unit is fine enough.
  ///
  /// - Parameter bounds: Of each of its fields, the largest absolute value; nil where it is not known.
  init(bounds: [(field: Field, bound: Double?)]) {
    self = .float32
    if bounds.isEmpty { return }
    var (bound, coarsest) = (0.0, Double.infinity)
    for (field, fieldBound) in bounds {
      guard let fieldBound, fieldBound.isFinite else { return }
      bound = max(bound, fieldBound)
      coarsest = min(coarsest, field.coarsestUnit)
    }
    // Half a unit of room for rounding; a still batch gets a unit as well.
    var unit = Self.finestUnit
    while unit * 32_767 < bound { unit *= 2 }
    if unit <= coarsest { self = .fixed16(unit: Float(unit)) }
  }

  private static let finestUnit = 0x1p-14

  /// As kernels are told.
  package var kernelFormat: UInt32 {
    switch self {
    case .float32: UInt32(KERNEL_FLOAT32)
    case .fixed16: UInt32(KERNEL_FIXED16)
    }
  }

  /// Units in 1; 1 for floats.
  package var unitsPerValue: Float {
    switch self {
    case .float32: 1
    case .fixed16(let unit): 1 / unit
    }
  }
}

extension Field {
  /// The coarsest unit that does not show: a sixteenth of a point; of all else a 1024th.
  fileprivate var coarsestUnit: Double {
    switch self {
    case .x, .y: 0x1p-4
    case .opacity, .scale, .rotation, .blur: 0x1p-10
    }
  }
}
