// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryBase
import OrrerySim

/// The blocks of a world's batches, the frames that they are written to, and the tick up to which they were
/// computed: for several kinds of work that take turns.
package final class BlockList: @unchecked Sendable {
  /// A block, and where its columns are.
  struct Block {
    /// One of the world's.
    unowned(unsafe) let batch: any Batch
    let index: Int
    let range: Range<Int>
    let columns: Range<Int>
    let firstEntity: Int
    let format: ColumnFormat
  }

  /// In memory of their own, as the world's: an array would be held and let go for each.
  let blocks: UnsafeMutableBufferPointer<Block>
  let hashKeys: UnsafeMutablePointer<UInt32>
  /// Where the columns of each frame are, frame after frame.
  let slots: UnsafeMutablePointer<UnsafeMutableRawPointer>
  let columnCount: Int
  private let world: World

  /// Whether any column has 16 bits.
  package let isFixed: Bool

  /// As many frames as ticks are computed at once.
  package let memory: FrameMemory

  /// The first tick that was not computed.
  package private(set) var tick = BlockList.firstTick
  private weak var latest: BlockWork?

  /// By then everything has started; a border of tiles.
  package static let firstTick: UInt64 = 240

  /// Room for so many frames of a world.
  package init(_ world: World, slots: Int) {
    self.world = world
    memory = FrameMemory(
      bytes: world.columns.map { $0.count * $0.format.valueBytes }, destinations: slots)
    isFixed = world.columns.contains { $0.format != .float32 }
    var blocks: [Block] = []
    for (number, batch) in world.batches.enumerated() {
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
      hashKeys[index] = World.hashKey(column.field)
    }
  }

  deinit {
    blocks.deinitialize()
    blocks.deallocate()
    hashKeys.deallocate()
    slots.deallocate()
  }

  /// Takes the ticks that follow.
  ///
  /// - Returns: The first of them, and whether the same work did the one before, in the same way.
  package func take(_ ticks: Int, by work: BlockWork) -> (first: UInt64, continues: Bool) {
    let continues = latest === work
    if !continues {
      // Other work may have computed some blocks two tiles ahead; none should have to go back.
      tick += 2 * UInt64(KERNEL_TILE_TICKS)
      latest = work
    }
    defer { tick += UInt64(ticks) }
    return (tick, continues)
  }
}

/// Kernels of one instruction set at work on blocks: what the world does, less its bookkeeping.
package final class BlockWork: @unchecked Sendable {
  private let list: BlockList
  private let kernels: kernel_table
  private let ticks: Int
  private let threads: [Thread]
  private var pool: WorkerPool?
  /// Of the present round; written before it begins, read by all threads.
  @exclusivity(unchecked) private var from: UInt64 = 0
  @exclusivity(unchecked) private var continues = false
  @exclusivity(unchecked) private var hashTick: UInt64?

  /// What a thread writes.
  private final class Thread {
    let tile = KernelTile()
    var hash: UInt64 = 0
  }

  /// Work of one instruction set and number of threads.
  ///
  /// - Parameters:
  ///   - list: Shared with other work, which does not run at the same time.
  ///   - kernels: Of an instruction set that this machine has.
  ///   - threads: How many.
  ///   - ticks: 1, 2, 4 or 8, computed at once; into as many frames.
  ///   - streams: Whether stores go past the caches.
  /// - Throws: When a thread cannot be started.
  package init(
    _ list: BlockList, kernels: kernel_table, threads: Int, ticks: Int, streams: Bool
  ) throws(SystemCallError) {
    self.list = list
    self.kernels = kernels
    self.ticks = ticks
    self.threads = (0..<threads).map { _ in Thread() }
    for thread in self.threads { thread.tile.pointer.pointee.streams = streams ? 1 : 0 }
    pool = try WorkerPool(threadCount: threads) { [unowned(unsafe) self] piece, thread in
      evaluate(list.blocks[piece], self.threads[thread])
    }
  }

  deinit { pool = nil }

  /// Computes the ticks that follow, of each block from its own border of tiles on.
  package func run() {
    (from, continues) = list.take(ticks, by: self)
    pool?.run(pieceCount: list.blocks.count)
  }

  /// The state hash of a tick, computed as all other ticks are.
  package func hash(at tick: UInt64) -> UInt64 {
    hashTick = tick
    defer { hashTick = nil }
    for thread in threads { thread.hash = 0 }
    pool?.run(pieceCount: list.blocks.count)
    return threads.reduce(0) { $0 &+ $1.hash }
  }

  private func evaluate(_ block: BlockList.Block, _ thread: Thread) {
    let tile = thread.tile.pointer
    let sinceBorder = Phases.ticksSinceBorder(block: block.index, tick: hashTick ?? from) % ticks
    // The tile that the tick whose hash is wanted lies in; or the next whole one.
    let toBorder = UInt64((ticks - sinceBorder) % ticks)
    let first = hashTick.map { $0 - UInt64(sinceBorder) } ?? from + toBorder
    // Those that cannot look ahead are asked tick by tick.
    let step = block.batch.looksAhead ? ticks : 1
    for offset in stride(from: 0, to: ticks, by: step) {
      let start = first + UInt64(offset)
      describe(block, tile, first: start, ticks: step)
      tile.pointee.hashes = hashTick == nil ? 0 : 1
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
