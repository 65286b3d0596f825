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
///
/// Where it is told that memory keeps what it wrote there last, it leaves out the blocks whose values
/// are right already: a block that stands still costs a comparison.
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

  /// Blocks that the last `place` computed; the others stood still.
  package private(set) var placedBlockCount = 0

  private let directors: [Director]
  private let kernels: kernel_table
  private let pieces: [Piece]
  private var pool: WorkerPool?
  private var written: WrittenBlocks

  /// What the threads work on in the current round; written before it begins.
  private var tick: UInt64 = 0
  private var records: UnsafeMutablePointer<WrittenBlocks.Record>?
  /// Since when each piece has been unchanged; `UInt64.max` for those that change at every tick.
  private let unchangedSince: UnsafeMutablePointer<UInt64>
  /// Indexes into `pieces` of what is to be placed.
  private let work: UnsafeMutablePointer<Int>
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
  ///   - recordsEvents: Whether somebody is going to call `takeEvents`; legs of endless animations are
  ///     then events too, each of which a jump ahead plays.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    _ plan: ScenePlan, instructionSet: InstructionSet, threadCount: Int,
    recordsEvents: Bool = false
  ) throws(SystemCallError) {
    rate = plan.rate
    self.instructionSet = instructionSet
    kernels = instructionSet.kernels()
    batches = plan.batches.map { Self.batch($0, rate: plan.rate, recordsEvents: recordsEvents) }
    directors = batches.compactMap { ($0 as? ViewBatch)?.director }
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
    written = WrittenBlocks(destinationCount: 0, blockCount: pieces.count)
    unchangedSince = .allocate(capacity: max(pieces.count, 1))
    unchangedSince.initialize(repeating: .max, count: pieces.count)
    work = .allocate(capacity: max(pieces.count, 1))
    pointers = .allocate(capacity: max(columns.count, 1))
    threadHashes = .allocate(capacity: threadCount * Self.hashStride)
    threadHashes.initialize(repeating: 0, count: threadCount * Self.hashStride)
    pool = try WorkerPool(threadCount: threadCount) { [unowned self] index, thread in
      place(work[index], thread: thread)
    }
  }

  deinit {
    // The threads hold no reference to the world: they must be gone before its memory is.
    pool = nil
    unchangedSince.deallocate()
    work.deallocate()
    pointers.deallocate()
    threadHashes.deallocate()
  }

  /// Makes room to remember what was written where.
  ///
  /// - Parameter count: Destinations that `place` may be told of; what was known of them is forgotten.
  package func keepDestinations(_ count: Int) {
    written = WrittenBlocks(destinationCount: count, blockCount: pieces.count)
  }

  /// Computes all values at a tick.
  ///
  /// In a tick without events it allocates nothing, takes no lock, and makes no system call but to wake
  /// a sleeping worker and to give way to one that has not ended yet.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - destination: The number of the memory that `column` leads to, below the count given to
  ///     `keepDestinations`: it holds, unchanged, what the world wrote there when it was told this number
  ///     last, and always lies at the same addresses. Nil for memory that may hold anything.
  ///   - column: Where the values of each of `columns` go, aligned to 64 bytes.
  /// - Returns: The state hash: the sum over all values of their terms, modulo 2^64.
  package func place(
    tick: UInt64, destination: Int? = nil, column: (Int) -> UnsafeMutablePointer<Float>
  ) -> UInt64 {
    precondition(tick <= 1 << 62, "tick \(tick)")
    self.tick = tick
    for index in batches.indices { batches[index].prepare(tick: tick) }
    for index in columns.indices { pointers[index] = column(index) }
    let threadCount = pool?.threadCount ?? 1
    for thread in 0..<threadCount { threadHashes[thread * Self.hashStride] = 0 }
    records = if let destination { written[destination] } else { nil }
    var hash = gatherWork()
    if placedBlockCount > 0 { pool?.run(pieceCount: placedBlockCount) }
    for thread in 0..<threadCount { hash &+= threadHashes[thread * Self.hashStride] }
    return hash
  }

  /// Lists the blocks whose values are not in the destination already.
  ///
  /// - Returns: The sum of the hash terms of the others.
  private func gatherWork() -> UInt64 {
    guard let records else {
      for index in pieces.indices { work[index] = index }
      placedBlockCount = pieces.count
      return 0
    }
    var first = 0
    for index in batches.indices {
      batches[index].collectUnchanged(tick: tick, into: unchangedSince + first)
      first += Blocks.count(entities: batches[index].count)
    }
    var (count, hash): (Int, UInt64) = (0, 0)
    for index in 0..<pieces.count {
      if records[index].isRight(at: tick, unchangedSince: unchangedSince[index]) {
        hash &+= records[index].hash
      } else {
        work[count] = index
        count += 1
      }
    }
    placedBlockCount = count
    return hash
  }

  /// Computes one block and, while it is in cache, its hash.
  private func place(_ index: Int, thread: Int) {
    let piece = pieces[index]
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
    if let records {
      records[index] = WrittenBlocks.Record(
        from: min(unchangedSince[index], tick), through: tick, hash: hash)
    }
  }

  /// What happened to views up to the tick placed last, since the last call: by time, and at one time in
  /// the order in which it came about, view batch by view batch.
  ///
  /// Each event is told once, whichever ticks are placed again. Nothing is recorded unless the world was
  /// made to; of more than a million events, and eight for each view, that nobody takes, the oldest are lost.
  package func takeEvents() -> [DirectorEvent] {
    if directors.count == 1 { return directors[0].takeEvents() }
    let events = directors.flatMap { $0.takeEvents() }
    return events.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// Events that were lost because nobody took them.
  package var lostEventCount: UInt64 { directors.reduce(0) { $0 + $1.lostEventCount } }

  /// Reactions that were dropped up to the tick placed last; see `Director`.
  package var droppedReactionCount: UInt64 { directors.reduce(0) { $0 + $1.droppedReactionCount } }

  /// Makes changes to views from outside, such as a user's tap; see `Director.apply`.
  ///
  /// - Parameters:
  ///   - transaction: What to change; views are counted in their batch.
  ///   - tick: When. Ticks from there on are placed anew, whatever destinations hold.
  ///   - batch: Index of a batch of views.
  /// - Returns: False if it was not possible, and nothing was changed.
  package func apply(_ transaction: TransactionPlan, at tick: UInt64, batch: Int) -> Bool {
    guard batches.indices.contains(batch), let views = batches[batch] as? ViewBatch,
      views.director.apply(transaction, at: tick)
    else { return false }
    written.forget()
    return true
  }

  /// The key that tells equal values of different fields apart; docs/determinism.md lists them.
  package static func hashKey(_ field: Field) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.mix(UInt64(field.rawValue)))
  }

  private static func batch(
    _ plan: BatchPlan, rate: TickRate, recordsEvents: Bool
  ) -> any Batch {
    switch plan {
    case .marquee(let specs): MarqueeBatch(specs, rate: rate)
    case .timer(let specs): TimerBatch(specs, rate: rate)
    case .orbit(let specs): OrbitBatch(specs, rate: rate)
    case .tween(let specs, let property): TweenBatch(specs, property: property, rate: rate)
    case .spring(let specs, let property): SpringBatch(specs, property: property, rate: rate)
    case .flow(let specs, let property): FlowBatch(specs, property: property, rate: rate)
    case .clock(let specs): ClockBatch(specs, rate: rate)
    case .views(let plan): ViewBatch(plan, rate: rate, recordsEvents: recordsEvents)
    }
  }
}
