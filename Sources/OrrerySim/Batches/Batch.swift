// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The fields of a frame's columns, with the numbers of `orrery.Field`.
package enum Field: UInt32, Sendable {
  case x = 1
  case y = 2
  case opacity = 3
  case scale = 4
  case rotation = 5
  case blur = 6

  /// What an entity has where its batch has no column of this field.
  package var defaultValue: Float {
    switch self {
    case .x, .y, .rotation, .blur: 0
    case .opacity, .scale: 1
    }
  }
}

/// All entities of one kind, structure of arrays.
///
/// Its state at a tick is a function of the tick: any tick may be asked for after any other. A tick is
/// made ready once, by one thread; then different threads may place different blocks at one time.
package protocol Batch: AnyObject, Sendable {
  /// "marquee", "orbit", …
  var kind: String { get }

  /// Entities in the batch.
  var count: Int { get }

  /// The fields that the batch writes, in the order of the columns that `evaluate` is given.
  var fields: [Field] { get }

  /// Makes a tick ready: what concerns the batch as a whole. By default nothing.
  ///
  /// - Parameter tick: Ticks since the scene began.
  func prepare(tick: UInt64)

  /// Since which tick a block has had the values that it has at the prepared tick. By default it
  /// changes at every tick.
  ///
  /// A later answer than the true one is allowed and costs time, an earlier one is not.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: The tick that was prepared last.
  /// - Returns: `tick` or an earlier one from which on, up to `tick`, no value of the block differs;
  ///   nil if the block changes at every tick.
  func unchangedSince(block: Int, tick: UInt64) -> UInt64?

  /// Asks `unchangedSince` for all blocks at once; need not be implemented.
  ///
  /// - Parameters:
  ///   - tick: The tick that was prepared last.
  ///   - ticks: Where the answer for each block goes; `UInt64.max` for nil.
  func collectUnchanged(tick: UInt64, into ticks: UnsafeMutablePointer<UInt64>)

  /// Whether ticks behind the prepared one may be computed with it: they depend on nothing that
  /// `prepare` would do. By default not.
  var looksAhead: Bool { get }

  /// The largest absolute value that a field ever has; by default nil, not known.
  func valueBound(_ field: Field) -> Double?

  /// Computes one block's values at a tile's ticks.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: The tile's first, the one that was prepared last.
  ///   - kernels: Of the instruction set in use.
  ///   - tile: Filled, but for what depends on the kernel; its columns are those of `fields`. It has one
  ///     tick unless the batch looks ahead, and does not lead over a border of tiles (`Phases`).
  /// - Returns: Whether the kernels added the hash terms of all values; if not, what they added is void.
  func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool
}

extension Batch {
  /// Nothing concerns the batch as a whole.
  package func prepare(tick: UInt64) {}

  /// Ticks are computed one by one.
  package var looksAhead: Bool { false }

  /// Nothing is known of values.
  package func valueBound(_ field: Field) -> Double? { nil }

  /// Every block changes at every tick.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? { nil }

  /// One block after the other.
  package func collectUnchanged(tick: UInt64, into ticks: UnsafeMutablePointer<UInt64>) {
    for block in 0..<Blocks.count(entities: count) {
      ticks[block] = unchangedSince(block: block, tick: tick) ?? .max
    }
  }
}
