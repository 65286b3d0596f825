// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryScene
import OrrerySceneBuilder

/// All entities of one kind, structure of arrays.
///
/// Its state at a tick is a function of the tick: any tick may be asked for after any other. One thread
/// prepares a tick once; then several threads may evaluate different blocks at the same time.
package protocol Batch: AnyObject, Sendable {
  /// Bytes that a batch usually keeps for each entity, without the frame.
  static var entityBytes: UInt64 { get }

  /// The number of fields that a batch has at most; by default 1.
  static var fieldCountMax: Int { get }

  /// Entities in the batch.
  var count: Int { get }

  /// The fields that the batch writes, in the order of the columns that `evaluate` is given.
  var fields: [ViewProperty] { get }

  /// Makes the batch as a whole ready for a tick. By default it does nothing.
  ///
  /// - Parameter tick: Ticks since the scene began.
  func prepare(tick: UInt64)

  /// The tick since which a block has kept the values that it has at the prepared tick. By default
  /// a block changes at every tick.
  ///
  /// An answer later than the true one is allowed and costs time; an earlier one is wrong.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: The tick that was prepared last.
  /// - Returns: A tick such that no value of the block changes from it up to `tick`; nil if the block
  ///   changes at every tick.
  func unchangedSince(block: Int, tick: UInt64) -> UInt64?

  /// Answers `unchangedSince` for all blocks at once. By default it asks block by block.
  ///
  /// - Parameters:
  ///   - tick: The tick that was prepared last.
  ///   - ticks: Receives the answer for each block; `UInt64.max` for nil.
  func collectUnchanged(tick: UInt64, into ticks: UnsafeMutablePointer<UInt64>)

  /// Whether a block's later ticks may be computed together with the prepared one. By default not.
  ///
  /// Where `prepare` then changes a block after all, `takeOutdated` tells.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: The tick that was prepared last.
  /// - Returns: Whether they may, as far as is known now.
  func looksAhead(block: Int, tick: UInt64) -> Bool

  /// Names the blocks whose values of later ticks, computed before, are right no longer. By default there are none.
  ///
  /// - Parameter body: Called with the index of each that became so since the last call.
  func takeOutdated(_ body: (Int) -> Void)

  /// Computes one block's values at a tile's ticks.
  ///
  /// - Parameters:
  ///   - block: Index of the block.
  ///   - tick: The tile's first, the one that was prepared last.
  ///   - kernels: Those of the instruction set in use.
  ///   - tile: Filled, except for what depends on the kernel; its columns are those of `fields`. It has
  ///     one tick unless the batch looks ahead, and does not cross a border of tiles (`Phases`).
  /// - Returns: Whether the kernels added the hash terms of all values; if not, the terms are discarded.
  func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool
}

extension Batch {
  /// One.
  package static var fieldCountMax: Int { 1 }

  /// Does nothing.
  package func prepare(tick: UInt64) {}

  /// No: ticks are computed one by one.
  package func looksAhead(block: Int, tick: UInt64) -> Bool { false }

  /// What was computed stays right.
  package func takeOutdated(_ body: (Int) -> Void) {}

  /// Every block changes at every tick.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? { nil }

  /// Asks `unchangedSince` for one block after the other.
  package func collectUnchanged(tick: UInt64, into ticks: UnsafeMutablePointer<UInt64>) {
    for block in 0..<Blocks.count(entities: count) {
      ticks[block] = unchangedSince(block: block, tick: tick) ?? .max
    }
  }
}

/// A batch whose values have bounds, so that columns of 16 bits can hold them.
package protocol BoundedBatch: Batch {
  /// The largest absolute value that a field ever has; nil if it is unknown in this batch.
  func valueBound(_ field: ViewProperty) -> Double?
}
