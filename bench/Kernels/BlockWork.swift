// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryBase
import OrreryScene
import OrrerySim

/// The blocks of a world's batches, the frames to write them to, and the next tick to compute.
///
/// Several `BlockWork`s share a list and take turns.
package final class BlockList: @unchecked Sendable {
  /// A block and the indexes of its columns.
  struct Block {
    /// The block's batch, owned by the world; not counted, as in `World`.
    unowned(unsafe) let batch: any Batch
    let index: Int
    let range: Range<Int>
    let columns: Range<Int>
    let firstEntity: Int
    let format: ColumnFormat
  }

  /// In unmanaged memory, as in `World`: an array would be retained and released for each block.
  let blocks: UnsafeMutableBufferPointer<Block>
  let hashKeys: UnsafeMutablePointer<UInt32>
  /// The columns of each frame, frame after frame.
  let slots: UnsafeMutablePointer<UnsafeMutableRawPointer>
  let columnCount: Int
  private let world: World

  /// Whether any column has 16 bits.
  package let isFixed: Bool

  /// Memory of the frames: one for each tick that is computed at once.
  package let memory: FrameMemory

  /// The first tick that was not computed.
  package private(set) var tick = BlockList.firstTick
  private weak var lastWork: BlockWork?

  /// All entities have started by then; it is the first tick of a tile.
  package static let firstTick: UInt64 = 240

  /// Creates the list with memory for `slots` frames of a world.
  package init(_ world: World, slots: Int) {
    self.world = world
    memory = FrameMemory(
      bytes: world.columns.map { $0.count * $0.format.valueBytes }, destinations: slots)
    isFixed = world.columns.contains { $0.format != .float32 }
    var blocks: [Block] = []
    for (number, batch) in world.batches.enumerated() {
      // Tracks of keyframes begin then; nothing is due later.
      batch.prepare(tick: Self.firstTick)
      guard let first = world.columns.firstIndex(where: { $0.batch == number }) else { continue }
      let column = world.columns[first]
      for index in 0..<Blocks.count(entities: batch.count) {
        blocks.append(
          Block(
            batch: batch, index: index, range: Blocks.range(index, entities: batch.count),
            columns: first..<first + batch.fields.count, firstEntity: column.firstEntity,
            format: column.format))
      }
    }
    self.blocks = .allocate(capacity: blocks.count)
    _ = self.blocks.initialize(from: blocks)
    columnCount = world.columns.count
    self.slots = .allocate(capacity: memory.columns.count)
    self.slots.initialize(from: memory.columns, count: memory.columns.count)
    hashKeys = .allocate(capacity: world.columns.count)
    for (index, column) in world.columns.enumerated() {
      hashKeys[index] = World.hashKey(field: column.field.fieldNumber)
    }
  }

  deinit {
    blocks.deinitialize()
    blocks.deallocate()
    hashKeys.deallocate()
    slots.deallocate()
  }

  /// Takes the next ticks.
  ///
  /// - Returns: The first of them, and whether `work` also computed the tick before.
  package func take(_ ticks: Int, by work: BlockWork) -> (first: UInt64, continues: Bool) {
    let continues = lastWork === work
    if !continues {
      // Other work may have computed some blocks two tiles ahead, and no block may go back in time.
      tick += 2 * UInt64(KERNEL_TILE_TICKS)
      lastWork = work
    }
    defer { tick += UInt64(ticks) }
    return (tick, continues)
  }
}

/// Runs the kernels of one instruction set on blocks: as the world, without its bookkeeping.
package final class BlockWork: @unchecked Sendable {
  private let list: BlockList
  private let kernels: kernel_table
  private let ticks: Int
  private let threads: [Thread]
  private var pool: WorkerPool?
  /// The state of the current round; written before it begins, read by all threads.
  private var from: UInt64 = 0
  private var continues = false
  private var hashTick: UInt64?

  /// The memory that a thread writes.
  private final class Thread {
    let tile = KernelTile()
    var hash: UInt64 = 0
  }

  /// Creates work for one instruction set and count of threads.
  ///
  /// - Parameters:
  ///   - list: Shared with other work that does not run at the same time.
  ///   - kernels: Kernels of an instruction set that this machine has.
  ///   - threads: Count of threads.
  ///   - ticks: Ticks computed at once, 1, 2, 4 or 8; each has its frame.
  ///   - streams: Whether stores go past the caches.
  /// - Throws: If a thread cannot be started.
  package init(
    _ list: BlockList, kernels: kernel_table, threads: Int, ticks: Int, streams: Bool
  ) throws(SystemCallError) {
    self.list = list
    self.kernels = kernels
    self.ticks = ticks
    self.threads = (0..<threads).map { _ in Thread() }
    for thread in self.threads { thread.tile.pointer.pointee.streams = streams ? 1 : 0 }
    // Not counted, as in `World`.
    pool = try WorkerPool(threadCount: threads) { [unowned(unsafe) self] block, thread in
      evaluate(list.blocks[block], self.threads[thread])
    }
  }

  deinit { pool = nil }

  /// Computes the next ticks; each block begins at the start of its own next tile.
  package func run() {
    (from, continues) = list.take(ticks, by: self)
    pool?.run(taskCount: list.blocks.count)
  }

  /// The state hash of a tick, computed as all other ticks.
  package func hash(at tick: UInt64) -> UInt64 {
    hashTick = tick
    defer { hashTick = nil }
    for thread in threads { thread.hash = 0 }
    pool?.run(taskCount: list.blocks.count)
    return threads.reduce(0) { $0 &+ $1.hash }
  }

  private func evaluate(_ block: BlockList.Block, _ thread: Thread) {
    let tile = thread.tile.pointer
    let sinceBorder = Phases.ticksSinceBorder(block: block.index, tick: hashTick ?? from) % ticks
    // The tile of the tick to hash, or else the next whole tile.
    let toBorder = UInt64((ticks - sinceBorder) % ticks)
    let first = hashTick.map { $0 - UInt64(sinceBorder) } ?? from + toBorder
    // Batches that cannot look ahead are evaluated tick by tick.
    let step = block.batch.looksAhead(block: block.index, tick: first) ? ticks : 1
    for offset in stride(from: 0, to: ticks, by: step) {
      let start = first + UInt64(offset)
      describe(block, tile, first: start, ticks: step)
      tile.pointee.hash_ticks = hashTick == nil ? 0 : ~0
      tile.clearHashes(ticks: step)
      let isHashed = block.batch.evaluate(
        block: block.index, tick: start, kernels: kernels, tile: tile)
      guard let hashTick, hashTick >= start, hashTick < start + UInt64(step) else { continue }
      if !isHashed {
        tile.clearHashes(ticks: step)
        kernels.hash(tile, UInt32(block.columns.count))
      }
      thread.hash &+= tile.hash(tick: Int(hashTick - start))
    }
  }

  private func describe(
    _ block: BlockList.Block, _ tile: UnsafeMutablePointer<kernel_tile>, first: UInt64, ticks: Int
  ) {
    tile.pointee.count = UInt32(block.range.count)
    tile.pointee.ticks = UInt32(ticks)
    tile.pointee.format = block.format.kernelFormat
    tile.pointee.units = block.format.unitsPerValue
    tile.pointee.first_entity = UInt32(
      truncatingIfNeeded: block.firstEntity + block.range.lowerBound)
    let bytes = block.range.lowerBound * block.format.valueBytes
    for (field, column) in block.columns.enumerated() {
      kernel_set_field_key(tile, field, list.hashKeys[column])
      for tick in 0..<ticks {
        kernel_set_column(tile, field, tick, slot(first + UInt64(tick), column) + bytes)
      }
      let hasPrevious =
        continues && block.format == .float32 && hashTick == nil && self.ticks == 1
      let previous = hasPrevious ? slot(first - 1, column) + bytes : nil
      kernel_set_previous(tile, field, previous?.assumingMemoryBound(to: Float.self))
    }
  }

  private func slot(_ tick: UInt64, _ column: Int) -> UnsafeMutableRawPointer {
    list.slots[Int(tick % UInt64(ticks)) * list.columnCount + column]
  }
}
