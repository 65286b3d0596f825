// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryBase
import OrreryScene

/// All batches of one scene.
///
/// The world's values at a tick are a function of the scene and the tick: `place` may be asked for any
/// tick in any order and gives the same bits, on every instruction set and with any number of threads.
/// It knows nothing of frames or readers; it writes where it is told.
package final class World: @unchecked Sendable {
  /// A column that the world fills at every tick.
  package struct ColumnInfo: Equatable, Sendable {
    package let batch: Int
    package let field: Field
    /// Number of the entity of the first value.
    package let firstEntity: Int
    package let count: Int
  }

  /// The columns, in the order that `place` is given their pointers.
  package let columns: [ColumnInfo]

  /// Entities in all batches.
  package let entityCount: Int

  package let instructionSet: InstructionSet
  package let rate: TickRate

  /// The batches, in the order of entity numbers.
  package let batches: [any Batch]

  private let kernels: kernel_table
  private let pieces: [Piece]
  private var pool: WorkerPool?

  /// What the threads work on in the current round; written before it begins.
  private var tick: UInt64 = 0
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let threadHashes: UnsafeMutablePointer<UInt64>

  /// A block of a batch: what one thread takes at a time.
  private struct Piece: Sendable {
    let batch: Int
    let block: Int
    /// Index of the batch's first column.
    let firstColumn: Int
    /// Number of the entity of the block's first value.
    let firstEntity: Int
    let range: Range<Int>
  }

  /// Hash sums of different threads are a cache line apart.
  private static let hashStride = 8

  /// Builds the columns of all batches.
  ///
  /// - Parameters:
  ///   - plan: What moves, checked.
  ///   - instructionSet: One that this machine has.
  ///   - threadCount: 1 … 1024 threads that compute, the calling one included.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    _ plan: ScenePlan, instructionSet: InstructionSet, threadCount: Int
  ) throws(SystemCallError) {
    rate = plan.rate
    self.instructionSet = instructionSet
    kernels = instructionSet.kernels()
    batches = plan.batches.map { Self.batch($0, rate: plan.rate) }
    var columns: [ColumnInfo] = []
    var pieces: [Piece] = []
    var firstEntity = 0
    for (index, batch) in batches.enumerated() {
      for block in 0..<Blocks.count(entities: batch.count) {
        let range = Blocks.range(block, entities: batch.count)
        pieces.append(
          Piece(
            batch: index, block: block, firstColumn: columns.count,
            firstEntity: firstEntity + range.lowerBound, range: range))
      }
      for field in batch.fields {
        columns.append(
          ColumnInfo(batch: index, field: field, firstEntity: firstEntity, count: batch.count))
      }
      firstEntity += batch.count
    }
    self.columns = columns
    self.pieces = pieces
    entityCount = firstEntity
    pointers = .allocate(capacity: max(columns.count, 1))
    threadHashes = .allocate(capacity: threadCount * Self.hashStride)
    threadHashes.initialize(repeating: 0, count: threadCount * Self.hashStride)
    pool = try WorkerPool(threadCount: threadCount) { [unowned self] piece, thread in
      place(self.pieces[piece], thread: thread)
    }
  }

  deinit {
    // The threads hold no reference to the world: they must be gone before its memory is.
    pool = nil
    pointers.deallocate()
    threadHashes.deallocate()
  }

  /// Computes all values at a tick.
  ///
  /// Allocates nothing, takes no lock, and makes no system call but to wake a sleeping worker and to
  /// give way to one that has not ended yet.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - column: Where the values of each of `columns` go, aligned to 64 bytes.
  /// - Returns: The state hash: the sum over all values of their terms, modulo 2^64.
  package func place(
    tick: UInt64, column: (Int) -> UnsafeMutablePointer<Float>
  ) -> UInt64 {
    precondition(tick <= 1 << 62, "tick \(tick)")
    self.tick = tick
    for index in columns.indices { pointers[index] = column(index) }
    let threadCount = pool?.threadCount ?? 1
    for thread in 0..<threadCount { threadHashes[thread * Self.hashStride] = 0 }
    pool?.run(pieceCount: pieces.count)
    var hash: UInt64 = 0
    for thread in 0..<threadCount { hash &+= threadHashes[thread * Self.hashStride] }
    return hash
  }

  /// Computes one block and, while it is in cache, its hash.
  private func place(_ piece: Piece, thread: Int) {
    let batch = batches[piece.batch]
    let columns = UnsafePointer(pointers + piece.firstColumn)
    batch.place(block: piece.block, tick: tick, kernels: kernels, columns: columns)
    var hash: UInt64 = 0
    for index in 0..<(self.columns.endIndex - piece.firstColumn) {
      let column = self.columns[piece.firstColumn + index]
      if column.batch != piece.batch { break }
      hash &+= kernels.hash(
        UInt32(piece.range.count), columns[index] + piece.range.lowerBound,
        UInt32(truncatingIfNeeded: piece.firstEntity), Self.hashKey(column.field))
    }
    threadHashes[thread * Self.hashStride] &+= hash
  }

  /// The key that tells equal values of different fields apart; docs/determinism.md lists them.
  package static func hashKey(_ field: Field) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.mix(UInt64(field.rawValue)))
  }

  private static func batch(_ plan: BatchPlan, rate: TickRate) -> any Batch {
    switch plan {
    case .marquee(let specs): MarqueeBatch(specs, rate: rate)
    case .tween(let specs): TweenBatch(specs, rate: rate)
    case .timer(let specs): TimerBatch(specs, rate: rate)
    case .orbit(let specs): OrbitBatch(specs, rate: rate)
    }
  }
}
