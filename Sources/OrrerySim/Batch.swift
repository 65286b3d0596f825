// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The fields of a frame's columns, with the numbers of `orrery.Field`.
package enum Field: UInt32, Sendable {
  case x = 1
  case y = 2
  case opacity = 3
  case scale = 4
  case rotation = 5

  /// What an entity has where its batch has no column of this field.
  package var defaultValue: Float {
    switch self {
    case .x, .y, .rotation: 0
    case .opacity, .scale: 1
    }
  }
}

/// All entities of one kind, structure of arrays.
///
/// Its state at a tick is a function of the tick: `place` may be called with any tick in any order, and
/// with different blocks from different threads at one time.
package protocol Batch: AnyObject, Sendable {
  /// "marquee", "orbit", …
  var kind: String { get }

  /// Entities in the batch.
  var count: Int { get }

  /// The fields that the batch writes, in the order of the columns that `place` is given.
  var fields: [Field] { get }

  /// Computes one block's values at a tick.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: Ticks since the scene began.
  ///   - kernels: Of the instruction set in use.
  ///   - columns: One pointer for each of `fields`, to the batch's first value.
  func place(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    columns: UnsafePointer<UnsafeMutablePointer<Float>>)
}
