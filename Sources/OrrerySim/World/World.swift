// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryBase
import OrreryScene

/// All batches of one scene.
///
/// The world's values at a tick are a function of the scene and the tick: `evaluate` may be asked for any
/// tick in any order and gives the same bits, on every instruction set, with any number of threads and
/// however far it looks ahead. It knows nothing of frames or readers; it writes where it is told.
///
/// Where it is told that memory keeps what it wrote there last, it leaves out the blocks whose values
/// are right already: a block that stands still, or was computed ahead of its tick, costs a comparison.
package final class World: @unchecked Sendable {
  /// A column that the world fills at every tick.
  package struct ColumnInfo: Equatable, Sendable {
    package let batch: Int
    package let field: Field
    /// Number of the entity of the first value.
    package let firstEntity: Int
    package let count: Int
    package let format: ColumnFormat
  }

  /// The columns, in the order that `evaluate` is given their pointers.
  package let columns: [ColumnInfo]

  /// Entities in all batches.
  package let entityCount: Int

  package let instructionSet: InstructionSet
  package let rate: TickRate

  /// The batches, in the order of entity numbers.
  package let batches: [any Batch]

  /// Blocks that the last `evaluate` computed; the values of the others were right already.
  package private(set) var evaluatedBlockCount = 0

  private let directors: [Director]
  private let kernels: kernel_table
  /// In memory of their own: an array would be held and let go for each piece of a round.
  private let pieces: UnsafeMutableBufferPointer<Piece>
  private let parts: UnsafeMutableBufferPointer<Part>
  private var pool: WorkerPool?
  @exclusivity(unchecked) private var destinations: Destinations

  /// What the threads work on in the current round; written before it begins.
  @exclusivity(unchecked) private var round = Round()
  /// Since when each piece has been unchanged; `UInt64.max` for those that change at every tick.
  private let unchangedSince: UnsafeMutablePointer<UInt64>
  /// Indexes into `pieces` of what is to be placed.
  private let work: UnsafeMutablePointer<Int>
  /// The key of each column's field.
  private let hashKeys: UnsafeMutablePointer<UInt32>
  /// Where the columns go in a round that has no destination.
  private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let threads: [ThreadState]

  /// A block of a batch: what one thread takes at a time.
  private struct Piece: Sendable {
    let part: Int
    let block: Int
    let range: Range<Int>
  }

  /// What the world needs of a batch for each of its pieces.
  private struct Part: @unchecked Sendable {
    /// One of `batches`, which hold it.
    unowned(unsafe) let batch: any Batch
    let looksAhead: Bool
    /// Indexes of the batch's columns.
    let columns: Range<Int>
    let firstEntity: Int
    let kernelFormat: UInt32
    let unitsPerValue: Float
    let valueBytes: Int
  }

  /// What `evaluate` was asked for.
  private struct Round {
    var tick: UInt64 = 0
    /// Nil: `pointers`.
    var destinations: DestinationRun?
  }

  /// What a thread writes while it places pieces.
  private final class ThreadState: @unchecked Sendable {
    let tile = KernelTile()
    var hash: UInt64 = 0
  }

  /// Builds the columns of all batches.
  ///
  /// - Parameters:
  ///   - plan: What moves, checked.
  ///   - instructionSet: One that this machine has.
  ///   - threadCount: 1 … 1024 threads that compute, the calling one included.
  ///   - records: What somebody is going to take with `takeEvents`. Of all events, legs of endless
  ///     animations are some, each of which a jump ahead plays.
  ///   - output: What columns are to hold, where it can be.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    _ plan: ScenePlan, instructionSet: InstructionSet, threadCount: Int,
    records: RecordedEvents = .none, output: ColumnFormat.Kind = .float32
  ) throws(SystemCallError) {
    rate = plan.rate
    self.instructionSet = instructionSet
    kernels = instructionSet.kernels()
    batches = plan.batches.map { Self.batch($0, rate: plan.rate, records: records) }
    directors = batches.compactMap { ($0 as? ViewBatch)?.director }
    var (columns, parts, pieces) = ([ColumnInfo](), [Part](), [Piece]())
    var firstEntity = 0
    for (index, batch) in batches.enumerated() {
      // Bounds of millions of values take a while, and are wanted for whole numbers only.
      let format =
        output == .float32
        ? .float32
        : ColumnFormat(bounds: batch.fields.map { (field: $0, bound: batch.valueBound($0)) })
      parts.append(
        Part(
          batch: batch, looksAhead: batch.looksAhead,
          columns: columns.count..<columns.count + batch.fields.count, firstEntity: firstEntity,
          kernelFormat: format.kernelFormat, unitsPerValue: format.unitsPerValue,
          valueBytes: format.valueBytes))
      for field in batch.fields {
        columns.append(
          ColumnInfo(
            batch: index, field: field, firstEntity: firstEntity, count: batch.count,
            format: format))
      }
      for block in 0..<Blocks.count(entities: batch.count) {
        pieces.append(
          Piece(part: index, block: block, range: Blocks.range(block, entities: batch.count)))
      }
      firstEntity += batch.count
    }
    self.columns = columns
    self.parts = .allocate(capacity: parts.count)
    _ = self.parts.initialize(from: parts)
    self.pieces = .allocate(capacity: pieces.count)
    _ = self.pieces.initialize(from: pieces)
    hashKeys = .allocate(capacity: max(columns.count, 1))
    for (index, column) in columns.enumerated() { hashKeys[index] = Self.hashKey(column.field) }
    entityCount = firstEntity
    destinations = Destinations(count: 0, columnCount: columns.count, blockCount: pieces.count)
    unchangedSince = .allocate(capacity: max(pieces.count, 1))
    unchangedSince.initialize(repeating: .max, count: pieces.count)
    work = .allocate(capacity: max(pieces.count, 1))
    pointers = .allocate(capacity: max(columns.count, 1))
    threads = (0..<threadCount).map { _ in ThreadState() }
    // The pool goes before the world does.
    pool = try WorkerPool(threadCount: threadCount) { [unowned(unsafe) self] index, thread in
      evaluate(work[index], threads[thread])
    }
  }

  deinit {
    // The threads hold no reference to the world: they must be gone before its memory is.
    pool = nil
    pieces.deinitialize()
    pieces.deallocate()
    parts.deinitialize()
    parts.deallocate()
    hashKeys.deallocate()
    unchangedSince.deallocate()
    work.deallocate()
    pointers.deallocate()
  }

  private static func batch(
    _ plan: BatchPlan, rate: TickRate, records: RecordedEvents
  ) -> any Batch {
    switch plan {
    case .marquee(let specs): MarqueeBatch(specs, rate: rate)
    case .timer(let specs): TimerBatch(specs, rate: rate)
    case .orbit(let specs): OrbitBatch(specs, rate: rate)
    case .tween(let specs, let property): TweenBatch(specs, property: property, rate: rate)
    case .spring(let specs, let property): SpringBatch(specs, property: property, rate: rate)
    case .flow(let specs, let property): FlowBatch(specs, property: property, rate: rate)
    case .clock(let specs): ClockBatch(specs, rate: rate)
    case .views(let plan): ViewBatch(plan, rate: rate, records: records)
    }
  }

  /// The key that tells equal values of different fields apart; docs/determinism.md lists them.
  package static func hashKey(_ field: Field) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.mix(UInt64(field.rawValue)))
  }
}

// MARK: - Placing a tick

extension World {
  /// Says which memory `evaluate` may be told of, and makes room to remember what was written there.
  ///
  /// - Parameters:
  ///   - count: How many destinations there are; what was known of earlier ones is forgotten.
  ///   - streams: Whether stores are to go past the caches: right for destinations that together are larger
  ///     than the last one.
  ///   - column: Where the values of each of `columns` lie in a destination, aligned to 64 bytes.
  package func keepDestinations(
    _ count: Int, streams: Bool = false,
    column: (_ destination: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) {
    destinations = Destinations(
      count: count, columnCount: columns.count, blockCount: pieces.count)
    for destination in 0..<count {
      for index in columns.indices {
        destinations.pointers(destination)[index] = column(destination, index)
      }
    }
    for thread in threads { thread.tile.pointer.pointee.streams = streams ? 1 : 0 }
  }

  /// Computes all values at a tick.
  ///
  /// In a tick without events it allocates nothing, takes no lock, and makes no system call but to wake
  /// a sleeping worker and to give way to one that has not ended yet.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - run: Which of the destinations the values go to, and which may be given values of the ticks that follow:
  ///     of them, some blocks will be found right when their tick is placed, so the work of a tick
  ///     stays even. Each holds, unchanged, what the world wrote there last.
  /// - Returns: The state hash: the sum of the hash terms of all values, modulo 2^64.
  package func evaluate(tick: UInt64, destinations run: DestinationRun) -> UInt64 {
    for ahead in 0..<run.count {
      precondition(
        run[ahead] >= 0 && run[ahead] < destinations.count,
        "destination \(run[ahead]) of \(destinations.count)")
    }
    return evaluate(Round(tick: tick, destinations: run))
  }

  /// Computes all values at a tick where destinations are used in turn.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - destination: Where the values go.
  ///   - ahead: How many of the destinations that follow, the first one after the last, may be given
  ///     values of the ticks that follow; 0 … 7, and fewer than there are destinations.
  /// - Returns: The state hash.
  package func evaluate(tick: UInt64, destination: Int, ahead: Int = 0) -> UInt64 {
    evaluate(
      tick: tick, destinations: DestinationRun(destination, ahead: ahead, of: destinations.count))
  }

  /// Computes all values at a tick into memory that may hold anything.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - column: Where the values of each of `columns` go, aligned to 64 bytes.
  /// - Returns: The state hash.
  package func evaluate(
    tick: UInt64, column: (Int) -> UnsafeMutableRawPointer
  ) -> UInt64 {
    for index in columns.indices { pointers[index] = column(index) }
    return evaluate(Round(tick: tick))
  }

  private func evaluate(_ round: Round) -> UInt64 {
    precondition(round.tick <= 1 << 62, "tick \(round.tick)")
    self.round = round
    for part in parts { part.batch.prepare(tick: round.tick) }
    for thread in threads { thread.hash = 0 }
    var hash = gatherWork()
    if evaluatedBlockCount > 0 { pool?.run(pieceCount: evaluatedBlockCount) }
    for thread in threads { hash &+= thread.hash }
    return hash
  }

  /// Lists the blocks whose values are not in the destination already.
  ///
  /// - Returns: The sum of the hash terms of the others.
  private func gatherWork() -> UInt64 {
    guard let destination = round.destinations?[0] else {
      for index in pieces.indices { work[index] = index }
      evaluatedBlockCount = pieces.count
      return 0
    }
    var first = 0
    for part in parts {
      part.batch.collectUnchanged(tick: round.tick, into: unchangedSince + first)
      first += Blocks.count(entities: part.batch.count)
    }
    let records = destinations.written[destination]
    var (count, hash): (Int, UInt64) = (0, 0)
    for index in 0..<pieces.count {
      if records[index].isRight(at: round.tick, unchangedSince: unchangedSince[index]) {
        hash &+= records[index].hash
      } else {
        work[count] = index
        count += 1
      }
    }
    evaluatedBlockCount = count
    return hash
  }

  /// Computes one block at the round's tick, and at those ahead of it up to the border of its tiles.
  private func evaluate(_ index: Int, _ thread: ThreadState) {
    let piece = pieces[index]
    let part = parts[piece.part]
    let tile = thread.tile.pointer
    let ticks = describe(piece, part, index, in: tile)
    let mode = kernel_flush_to_zero()
    defer { kernel_restore_mode(mode) }
    let isHashed = part.batch.evaluate(
      block: piece.block, tick: round.tick, kernels: kernels, tile: tile)
    if !isHashed {
      tile.clearHashes(ticks: ticks)
      kernels.hash(tile, UInt32(part.columns.count))
    }
    thread.hash &+= tile.hash(tick: 0)
    guard let run = round.destinations else { return }
    for ahead in 0..<ticks {
      let tick = round.tick + UInt64(ahead)
      destinations.written[run[ahead]][index] =
        WrittenBlocks.Record(
          from: ahead == 0 ? min(unchangedSince[index], tick) : tick, through: tick,
          hash: tile.hash(tick: ahead))
    }
  }

  /// Fills a tile but for what is the batch's.
  ///
  /// - Returns: Its ticks.
  private func describe(
    _ piece: Piece, _ part: Part, _ index: Int, in tile: UnsafeMutablePointer<kernel_tile>
  ) -> Int {
    var ticks = 1
    if let run = round.destinations, run.count > 1, part.looksAhead {
      let sinceBorder = Phases.ticksSinceBorder(block: piece.block, tick: round.tick)
      ticks = min(run.count, Int(KERNEL_TILE_TICKS) - sinceBorder)
    }
    tile.pointee.count = UInt32(piece.range.count)
    tile.pointee.ticks = UInt32(ticks)
    tile.pointee.format = part.kernelFormat
    tile.pointee.units = part.unitsPerValue
    tile.pointee.hashes = 1
    tile.pointee.first_entity = UInt32(
      truncatingIfNeeded: part.firstEntity + piece.range.lowerBound)
    let offset = piece.range.lowerBound * part.valueBytes
    let before = part.kernelFormat == UInt32(KERNEL_FLOAT32) ? destinationBefore(index) : nil
    for (field, column) in part.columns.enumerated() {
      kernel_set_field_key(tile, field, hashKeys[column])
      for ahead in 0..<ticks {
        kernel_set_column(tile, field, ahead, pointer(column, ahead) + offset)
      }
      let previous = before.map { destinations.pointers($0)[column] + offset }
      kernel_set_previous(tile, field, previous?.assumingMemoryBound(to: Float.self))
    }
    tile.clearHashes(ticks: ticks)
    return ticks
  }

  private func pointer(_ column: Int, _ ahead: Int) -> UnsafeMutableRawPointer {
    guard let run = round.destinations else { return pointers[column] }
    return destinations.pointers(run[ahead])[column]
  }

  /// The destination where a piece's values of the tick before the round's are known to be.
  private func destinationBefore(_ index: Int) -> Int? {
    guard let before = round.destinations?.before, round.tick > 0 else { return nil }
    return destinations.written[before][index].covers(round.tick - 1) ? before : nil
  }
}

// MARK: - Views

extension World {
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

  /// What happened to the views of one batch, as `takeEvents` tells it, handed over without a copy.
  ///
  /// - Parameter batch: Index of a batch.
  /// - Returns: Nil if nothing did.
  package func takeEventChunks(batch: Int) -> EventChunks? {
    (batches[batch] as? ViewBatch)?.director.takeEventChunks()
  }

  /// Tells what happens from a tick on once more when its ticks are placed again.
  ///
  /// For whoever goes back in a scene: what is looked at again is told again.
  package func replayEvents(from tick: UInt64) {
    for director in directors { director.replayEvents(from: tick) }
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
    let first = batches[..<batch].reduce(0) { $0 + Blocks.count(entities: $1.count) }
    destinations.written.forget(first..<first + Blocks.count(entities: views.count))
    return true
  }
}
