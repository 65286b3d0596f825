// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryBase
import OrreryScene
import OrrerySceneBuilder

/// All batches of one scene.
///
/// The world's values at a tick are a function of the scene and the tick: `evaluate` takes ticks in any
/// order and gives the same bits, on every instruction set, with any number of threads and any number
/// of ticks ahead. It knows nothing of frames or readers; it writes to the memory that the caller
/// names.
///
/// If the caller keeps that memory unchanged (`keepDestinations`), the world skips the blocks whose
/// values are already right: a block that stands still, or was computed ahead of its tick, costs a
/// comparison.
package final class World: @unchecked Sendable {
  /// A column that the world fills at every tick.
  package struct ColumnInfo: Equatable, Sendable {
    /// Index into `batches`.
    package let batch: Int
    /// The property that its values belong to.
    package let field: ViewProperty
    /// Number of the first value's entity, in the scene.
    package let firstEntity: Int
    /// Values in the column.
    package let count: Int
    /// Format of the values.
    package let format: ColumnFormat
  }

  /// The columns, in the order in which `evaluate` receives their pointers.
  package let columns: [ColumnInfo]

  /// Entities in all batches.
  package let entityCount: Int

  /// Instruction set of the kernels.
  package let instructionSet: InstructionSet
  /// Which values the state hash covers.
  package let hashMode: HashMode
  /// Ticks per second.
  package let rate: TickRate

  /// The batches, in the order of entity numbers.
  package let batches: [any Batch]

  /// Blocks that the last `evaluate` computed; the values of the others were right already.
  package private(set) var evaluatedBlockCount = 0

  /// Threads that the last `evaluate` could use for them; 0 if it computed none.
  package private(set) var evaluatingThreadCount = 0

  /// Whether `evaluate` notes when the events of views were handled: it reads a clock for that.
  package var timesEvents = false

  /// When they were in the last `evaluate`, by the monotonic clock; 0: not noted, or no view is there.
  package private(set) var eventsHandledNs: UInt64 = 0

  /// Blocks in all.
  package var blockCount: Int { tasks.count }

  /// Threads that may share a tick's blocks.
  package var threadCount: Int { threads.count }

  /// How many threads shared a block's tick, on average over all blocks evaluated; 1 before the first.
  package var threadsMean: Double {
    sharedBlockCount == 0 ? 1 : Double(threadsOfBlocks) / Double(sharedBlockCount)
  }

  private let directors: [Director]
  private let kernels: kernel_table
  private let tasks: FixedArray<BlockTask>
  private let batchInfos: FixedArray<BatchInfo>
  private var pool: WorkerPool?
  /// What the pool does in place of blocks: parts of a burst of events.
  ///
  /// Not checked for overlapping accesses, as `destinations`.
  @exclusivity(unchecked) private var sharedWork: ((Int) -> Void)?
  /// Nil if all threads share every round.
  private var choice: ThreadChoice?
  /// Blocks evaluated, and the sum of the numbers of threads that shared their rounds.
  private var sharedBlockCount: UInt64 = 0
  private var threadsOfBlocks: UInt64 = 0
  /// Not checked for overlapping accesses: each block of a tick reads it (`bench tick --entities 10000`).
  @exclusivity(unchecked) private var destinations: Destinations

  /// The current round, which the threads read; written before it begins.
  private var round = Round()
  /// The tick since which each task's block is unchanged; `UInt64.max` if it changes at every tick.
  private let unchangedSince: FixedArray<UInt64>
  /// Indexes into `tasks` of the blocks to evaluate in the current round.
  private let work: FixedArray<Int>
  /// The key of each column's field.
  private let hashKeys: FixedArray<UInt32>
  /// The columns' memory in a round that has no destination.
  private let pointers: FixedArray<UnsafeMutableRawPointer>
  private let threads: [ThreadState]

  /// A block of a batch: a thread takes one at a time.
  private struct BlockTask: Sendable {
    let batchIndex: Int
    let block: Int
    /// Index of the block in the scene's batch; in a shard it differs from the index in the batch.
    let sceneBlock: Int
    let range: Range<Int>
  }

  /// The data of a batch that each of its tasks needs.
  private struct BatchInfo: @unchecked Sendable {
    /// One of `batches`, which hold it.
    ///
    /// A counted reference would be retained and released for each block of a tick (`bench tick
    /// --entities 10000`).
    unowned(unsafe) let batch: any Batch
    /// Indexes of the batch's columns.
    let columns: Range<Int>
    /// Indexes of its blocks among the tasks.
    let tasks: Range<Int>
    let firstEntity: Int
    let kernelFormat: UInt32
    let unitsPerValue: Float
    let valueBytes: Int
  }

  /// The arguments of a call of `evaluate`.
  private struct Round {
    var tick: UInt64 = 0
    /// If nil, values go to `pointers`.
    var destinations: DestinationRun?
  }

  /// The memory that one thread writes while it does tasks.
  private final class ThreadState: @unchecked Sendable {
    let tile = KernelTile()
    var hash: UInt64 = 0
  }

  /// Builds the columns of all batches.
  ///
  /// - Parameters:
  ///   - plan: The scene's plan, checked.
  ///   - instructionSet: One that this machine has.
  ///   - threadCount: 1 … 1024 threads that compute, the calling one included; no more are started
  ///     than there are blocks.
  ///   - choosesThreads: Whether fewer threads compute where that takes no longer (`ThreadChoice`).
  ///   - records: The events to record for `takeEvents`. With `.all`, a jump ahead handles every
  ///     skipped leg of endless animations.
  ///   - output: The wanted format of columns; a batch without suitable bounds writes floats.
  ///   - hashMode: Which values the state hash covers.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    _ plan: ScenePlan, instructionSet: InstructionSet, threadCount: Int,
    choosesThreads: Bool = false, records: RecordedEvents = .none,
    output: ColumnFormat.Kind = .float32, hashMode: HashMode = .full
  ) throws(SystemCallError) {
    rate = plan.rate
    self.hashMode = hashMode
    self.instructionSet = instructionSet
    kernels = instructionSet.kernels()
    batches = Self.build(plan, records)
    directors = batches.compactMap { ($0 as? ViewBatch)?.director }
    var (columns, batchInfos, tasks) = ([ColumnInfo](), [BatchInfo](), [BlockTask]())
    for (index, batch) in batches.enumerated() {
      let firstEntity = plan.firstEntities[index]
      let firstBlock = plan.batches[index].first / Blocks.entityCount
      let blockCount = Blocks.count(entities: batch.count)
      // Finding the bounds of millions of values takes time, and only whole numbers need them.
      let format =
        if output == .fixed16, let batch = batch as? any BoundedBatch {
          ColumnFormat(bounds: batch.fields.map { (field: $0, bound: batch.valueBound($0)) })
        } else {
          ColumnFormat.float32
        }
      batchInfos.append(
        BatchInfo(
          batch: batch,
          columns: columns.count..<columns.count + batch.fields.count,
          tasks: tasks.count..<tasks.count + blockCount, firstEntity: firstEntity,
          kernelFormat: format.kernelFormat, unitsPerValue: format.unitsPerValue,
          valueBytes: format.valueBytes))
      for field in batch.fields {
        columns.append(
          ColumnInfo(
            batch: index, field: field, firstEntity: firstEntity, count: batch.count,
            format: format))
      }
      for block in 0..<blockCount {
        tasks.append(
          BlockTask(
            batchIndex: index, block: block, sceneBlock: firstBlock + block,
            range: Blocks.range(block, entities: batch.count)))
      }
    }
    self.columns = columns
    self.batchInfos = FixedArray(batchInfos)
    self.tasks = FixedArray(tasks)
    hashKeys = FixedArray(columns.map { Self.hashKey(field: $0.field.fieldNumber) })
    entityCount = plan.entityCount
    destinations = Destinations(count: 0, columnCount: columns.count, blockCount: tasks.count)
    unchangedSince = FixedArray(repeating: .max, count: tasks.count)
    work = FixedArray(uninitializedCount: tasks.count)
    pointers = FixedArray(uninitializedCount: columns.count)
    precondition((1...1024).contains(threadCount), "\(threadCount) threads")
    let threadCount = min(threadCount, max(tasks.count, 1))
    threads = (0..<threadCount).map { _ in ThreadState() }
    if choosesThreads, threadCount > 1 { choice = ThreadChoice(threadCount: threadCount) }
    // The pool's threads end before the world does. A counted reference would be retained and released
    // for each block of a tick (`bench tick --entities 10000`).
    pool = try WorkerPool(threadCount: threadCount) { [unowned(unsafe) self] index, thread in
      if let sharedWork { sharedWork(index) } else { evaluate(work[index], threads[thread]) }
    }
    guard threadCount > 1 else { return }
    for director in directors {
      director.shareBursts(threadCount: threadCount) { [unowned(unsafe) self] in share($0, $1) }
    }
  }

  /// Does numbered pieces of work on all threads, and returns when all are done.
  private func share(_ count: Int, _ body: (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      sharedWork = body
      pool?.run(taskCount: count)
      sharedWork = nil
    }
  }

  deinit {
    // The threads hold no reference to the world, so they must end before its memory is freed.
    pool = nil
  }

  /// Builds the batches: of many entities all batches at the same time.
  private static func build(_ plan: ScenePlan, _ records: RecordedEvents) -> [any Batch] {
    let (kinds, rate) = (plan.batches.map { BatchKind($0) }, plan.rate)
    if plan.entityCount < sharedBuildMin { return kinds.map { $0.build(rate, records) } }
    let built = Monitor([Int: any Batch]())
    BackgroundThread.concurrently(kinds.count) { index in
      let batch = kinds[index].build(rate, records)
      built.change { $0[index] = batch }
    }
    return built.read { built in kinds.indices.compactMap { built[$0] } }
  }

  /// Fewer entities are built before a thread is started.
  private static let sharedBuildMin = 200_000

  /// The hash key of a field, by its number: equal values of different fields hash differently.
  ///
  /// docs/explained/determinism.md lists the keys.
  package static func hashKey(field: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.mix(UInt64(field)))
  }
}

// MARK: - Evaluating a tick

extension World {
  /// Sets the destinations, and allocates records of what is written to them.
  ///
  /// - Parameters:
  ///   - count: Number of destinations; the records of earlier ones are discarded.
  ///   - streams: Whether stores go past the caches: right if all destinations together are larger than
  ///     the last-level cache.
  ///   - column: The address of each of `columns` in a destination, aligned to 64 bytes.
  package func keepDestinations(
    _ count: Int, streams: Bool = false,
    column: (_ destination: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) {
    destinations = Destinations(
      count: count, columnCount: columns.count, blockCount: tasks.count)
    for destination in 0..<count {
      for index in columns.indices {
        destinations.pointers(destination)[index] = column(destination, index)
      }
    }
    for thread in threads { thread.tile.pointer.pointee.streams = streams ? 1 : 0 }
  }

  /// Computes all values at a tick.
  ///
  /// In a tick without events it allocates nothing and takes no lock. Its only system calls wake a
  /// sleeping worker and yield to one that has not finished.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - run: The destination of the values, and those that may receive values of the ticks that
  ///     follow. Blocks computed ahead are skipped at their own tick, and blocks take turns, so all
  ///     ticks cost about the same. Each destination must hold, unchanged, what the world wrote there
  ///     last.
  /// - Returns: The state hash: the sum of the hash terms of the values that `hashMode` covers, modulo
  ///   2^64.
  package func evaluate(tick: UInt64, destinations run: DestinationRun) -> UInt64 {
    for ahead in 0..<run.count {
      precondition(
        run[ahead] >= 0 && run[ahead] < destinations.count,
        "destination \(run[ahead]) of \(destinations.count)")
    }
    return evaluate(Round(tick: tick, destinations: run))
  }

  /// Computes all values at a tick, with destinations that are used in turn.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - destination: The destination of the values.
  ///   - ahead: How many of the destinations that follow may receive values of the ticks that follow; 0
  ///     … 7, and fewer than there are destinations. After the last destination comes the first.
  /// - Returns: The state hash.
  package func evaluate(tick: UInt64, destination: Int, ahead: Int = 0) -> UInt64 {
    evaluate(
      tick: tick, destinations: DestinationRun(destination, ahead: ahead, of: destinations.count))
  }

  /// Computes all values at a tick into memory with any content.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - column: The address for the values of each of `columns`, aligned to 64 bytes.
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
    for index in batchInfos.indices {
      let info = batchInfos[index]
      info.batch.prepare(tick: round.tick)
      info.batch.takeOutdated { block in
        let task = info.tasks.lowerBound + block
        destinations.written.forget(task..<task + 1)
      }
    }
    if timesEvents, !directors.isEmpty { eventsHandledNs = Clock.monotonicNs() }
    for thread in threads { thread.hash = 0 }
    var hash = gatherWork()
    evaluatingThreadCount = 0
    if evaluatedBlockCount > 0 { runTasks() }
    for thread in threads { hash &+= thread.hash }
    return hash
  }

  /// Computes the listed blocks, with the number of threads that `ThreadChoice` prefers.
  private func runTasks() {
    let count = evaluatedBlockCount
    let sharing = min(choice?.threads ?? threads.count, count)
    evaluatingThreadCount = sharing
    // A single block leaves nothing to choose.
    let isTimed = count > 1 && choice?.wantsTime == true
    let beginNs = isTimed ? Clock.monotonicNs() : 0
    pool?.run(taskCount: count, threads: sharing)
    if isTimed {
      choice?.record(tasks: count, ns: Clock.monotonicNs() - beginNs)
    } else if count > 1 {
      choice?.skip()
    }
    sharedBlockCount += UInt64(count)
    threadsOfBlocks += UInt64(count * sharing)
  }

  /// Lists the blocks whose values are not yet in the destination.
  ///
  /// - Returns: The sum of the hash terms of the other blocks.
  private func gatherWork() -> UInt64 {
    guard let destination = round.destinations?[0] else {
      for index in tasks.indices { work[index] = index }
      evaluatedBlockCount = tasks.count
      return 0
    }
    for index in batchInfos.indices {
      let info = batchInfos[index]
      info.batch.collectUnchanged(
        tick: round.tick, into: unchangedSince.elements + info.tasks.lowerBound)
    }
    let records = destinations.written[destination]
    var (count, hash): (Int, UInt64) = (0, 0)
    for index in 0..<tasks.count {
      let isHashed = hashMode == .full || covers(index, tick: round.tick)
      // Where the values are right but were not hashed when they were written, they are written again.
      if records[index].isRight(at: round.tick, unchangedSince: unchangedSince[index]),
        !isHashed || records[index].isHashed
      {
        if isHashed { hash &+= records[index].hash }
      } else {
        work[count] = index
        count += 1
      }
    }
    evaluatedBlockCount = count
    return hash
  }

  /// Whether a task's values count in a tick's hash.
  private func covers(_ index: Int, tick: UInt64) -> Bool {
    hashMode.covers(block: tasks[index].sceneBlock, tick: tick)
  }

  /// Computes one block at the round's tick, and ahead of it up to the block's next border of tiles.
  private func evaluate(_ index: Int, _ thread: ThreadState) {
    let task = tasks[index]
    let info = batchInfos[task.batchIndex]
    let tile = thread.tile.pointer
    let ticks = describe(task, info, index, in: tile)
    let mode = kernel_flush_to_zero()
    defer { kernel_restore_mode(mode) }
    let isHashed = info.batch.evaluate(
      block: task.block, tick: round.tick, kernels: kernels, tile: tile)
    if !isHashed {
      tile.clearHashes(ticks: ticks)
      if tile.pointee.hash_ticks != 0 { kernels.hash(tile, UInt32(info.columns.count)) }
    }
    thread.hash &+= tile.hash(tick: 0)
    guard let run = round.destinations else { return }
    for ahead in 0..<ticks {
      let tick = round.tick + UInt64(ahead)
      destinations.written[run[ahead]][index] =
        WrittenBlocks.Record(
          from: ahead == 0 ? min(unchangedSince[index], tick) : tick, through: tick,
          hash: tile.hash(tick: ahead), isHashed: tile.pointee.hash_ticks >> UInt32(ahead) & 1 != 0)
    }
  }

  /// Fills a tile, except for what the batch fills.
  ///
  /// - Returns: Its number of ticks.
  private func describe(
    _ task: BlockTask, _ info: BatchInfo, _ index: Int, in tile: UnsafeMutablePointer<kernel_tile>
  ) -> Int {
    var ticks = 1
    if let run = round.destinations, run.count > 1,
      info.batch.looksAhead(block: task.block, tick: round.tick)
    {
      let sinceBorder = Phases.ticksSinceBorder(block: task.sceneBlock, tick: round.tick)
      ticks = min(run.count, Int(KERNEL_TILE_TICKS) - sinceBorder)
    }
    tile.pointee.count = UInt32(task.range.count)
    tile.pointee.ticks = UInt32(ticks)
    tile.pointee.format = info.kernelFormat
    tile.pointee.units = info.unitsPerValue
    tile.pointee.hash_ticks = hashTicks(index, count: ticks)
    tile.pointee.first_entity = UInt32(
      truncatingIfNeeded: info.firstEntity + task.range.lowerBound)
    let offset = task.range.lowerBound * info.valueBytes
    let before = info.kernelFormat == UInt32(KERNEL_FLOAT32) ? destinationBefore(index) : nil
    for (field, column) in info.columns.enumerated() {
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

  /// A tile's ticks in which a task's values are hashed, a bit for each.
  private func hashTicks(_ index: Int, count: Int) -> UInt32 {
    if hashMode == .full { return ~0 }
    return (0..<count).reduce(0) { bits, ahead in
      covers(index, tick: round.tick + UInt64(ahead)) ? bits | 1 << UInt32(ahead) : bits
    }
  }

  private func pointer(_ column: Int, _ ahead: Int) -> UnsafeMutableRawPointer {
    guard let run = round.destinations else { return pointers[column] }
    return destinations.pointers(run[ahead])[column]
  }

  /// The destination that is known to hold a task's values of the tick before the round's, or nil.
  private func destinationBefore(_ index: Int) -> Int? {
    guard let before = round.destinations?.before, round.tick > 0 else { return nil }
    return destinations.written[before][index].covers(round.tick - 1) ? before : nil
  }
}

// MARK: - Views

extension World {
  /// Takes the events of views since the last call, up to the tick that was evaluated last.
  ///
  /// They are ordered by time; at the same time by view batch, and within a batch in order of
  /// occurrence. Each event is recorded once, whichever ticks are evaluated again. Only the events that
  /// the world was made to record are there. If they are not taken, each batch keeps the newest 2^20,
  /// plus eight for each view.
  package func takeEvents() -> [DirectorEvent] {
    if directors.count == 1 { return directors[0].takeEvents() }
    let events = directors.flatMap { $0.takeEvents() }
    return events.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// Takes the events of one batch's views, as `takeEvents` does, without a copy.
  ///
  /// - Parameter batch: Index of a batch.
  /// - Returns: Nil if there are none.
  package func takeEventChunks(batch: Int) -> EventChunks? {
    (batches[batch] as? ViewBatch)?.director.takeEventChunks()
  }

  /// Records events from a tick on once more when their ticks are evaluated again.
  ///
  /// For a caller that goes back in a scene and wants these events again.
  package func replayEvents(from tick: UInt64) {
    for director in directors { director.replayEvents(from: tick) }
  }

  /// Traps where the state of views contradicts itself; for tests.
  package func checkInvariants() {
    for director in directors { director.checkInvariants() }
  }

  /// Number of events that were lost because they were not taken in time.
  package var lostEventCount: UInt64 { directors.reduce(0) { $0 + $1.lostEventCount } }

  /// What happened to views up to the tick that was evaluated last.
  package var viewCounts: DirectorCounts {
    // A tick may ask for them, and a sum allocates.
    directors.count == 1
      ? directors[0].counts : directors.reduce(DirectorCounts()) { $0 + $1.counts }
  }

  /// Tracks of keyframes each of whose keyframes is an event by now, as indexes into those of the views' plan.
  package var commandedTracks: [Int] { directors.first?.commandedTracks ?? [] }

  /// Number of queued events, and number of layers in blocks of lanes: the memory that views' history takes.
  package var viewLoad: (events: Int, layers: Int) {
    directors.reduce((0, 0)) { ($0.0 + $1.waitingEventCount, $0.1 + $1.viewLanes.layerCount) }
  }

  /// Number of reactions that were dropped up to the tick evaluated last; see `Director`.
  package var droppedReactionCount: UInt64 { directors.reduce(0) { $0 + $1.droppedReactionCount } }

  /// Makes changes to views from outside, such as a user's tap; see `Director.apply`.
  ///
  /// - Parameters:
  ///   - transaction: The changes; views are indexes in their batch.
  ///   - seconds: When. From there on, ticks are evaluated again, whatever destinations hold.
  ///   - batch: Index of a batch of views.
  /// - Returns: False if it is not possible; then nothing is changed.
  package func apply(
    _ transaction: TransactionPlan, atSeconds seconds: Double, batch: Int
  ) -> Bool {
    guard batches.indices.contains(batch), let views = batches[batch] as? ViewBatch,
      views.director.apply(transaction, atSeconds: seconds)
    else { return false }
    destinations.written.forget(batchInfos[batch].tasks)
    return true
  }
}
