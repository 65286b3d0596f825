// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryBase
import OrrerySim

/// Orrery's rows: kernels alone, called block by block as in the world, and the whole world with
/// its state hash, as in the sim.
package struct OurKernels {
  private let task: KernelTask
  private let rate: TickRate

  /// Batches do not depend on instruction set and thread count, so all rows share them and continue
  /// from each other's ticks.
  private let blocks: BlockList
  private let fixedBlocks: BlockList?

  /// Ring slots of rows that compute several ticks.
  private static let slots = Int(KERNEL_TILE_TICKS)

  /// - Throws: If memory cannot be allocated or a thread cannot be started.
  package init(_ task: KernelTask, tiles: [Int]) throws(SystemCallError) {
    self.task = task
    rate = task.plan.rate
    let slots = tiles.max() ?? 1
    blocks = BlockList(
      try World(task.plan, instructionSet: .best, threadCount: 1), slots: slots)
    guard tiles.contains(8) else {
      fixedBlocks = nil
      return
    }
    let fixed = BlockList(
      try World(task.plan, instructionSet: .best, threadCount: 1, output: .fixed16),
      slots: slots)
    fixedBlocks = fixed.isFixed ? fixed : nil
  }

  /// The rows of one instruction set and count of threads.
  ///
  /// The best instruction set also has rows for stores past the caches, columns of 16 bits and the
  /// state hash.
  ///
  /// - Parameters:
  ///   - isa: An instruction set that this machine has.
  ///   - threads: Count of threads.
  ///   - tiles: Ticks computed at once, one row for each.
  ///   - isBest: Whether `isa` is the best of the measured instruction sets.
  /// - Returns: No rows for several threads of an instruction set that is not the best.
  /// - Throws: If a thread cannot be started.
  package func rows(
    isa: InstructionSet, threads: Int, tiles: [Int], isBest: Bool
  ) throws(SystemCallError) -> [BenchRow] {
    var rows: [BenchRow] = []
    if threads > 1 && !isBest { return [] }
    // Frames in the second-level cache never gain from stores past the caches.
    let isLarge = isBest && task.count * 4 > 1 << 20
    for ticks in tiles {
      for streams in isLarge ? [false, true] : [false] {
        rows.append(try kernelRow(blocks, isa, threads, ticks: ticks, streams: streams))
      }
      guard isBest else { continue }
      if ticks == 8, let fixedBlocks {
        for streams in isLarge ? [false, true] : [false] {
          rows.append(try kernelRow(fixedBlocks, isa, threads, ticks: ticks, streams: streams))
        }
      }
      // Worlds of many millions are large and slow to build.
      let isHuge = task.count > 2_000_000
      if isHuge ? ticks == 8 && threads == 1 : ticks == 1 || ticks == 8 {
        rows.append(try worldRow(isa, threads, ticks: ticks))
      }
    }
    return rows
  }

  private static func name(_ ticks: Int, _ words: [String?]) -> String {
    (["\(ticks) tick\(ticks == 1 ? "" : "s")"] + words.compactMap { $0 }).joined(separator: ", ")
  }

  /// A row of kernels alone.
  private func kernelRow(
    _ blocks: BlockList, _ isa: InstructionSet, _ threads: Int, ticks: Int, streams: Bool
  ) throws(SystemCallError) -> BenchRow {
    let work = try BlockWork(
      blocks, kernels: isa.kernels(), threads: threads, ticks: ticks, streams: streams)
    let row = BenchRow(
      .ours,
      name: Self.name(
        ticks, [blocks.isFixed ? "16 bits" : nil, streams ? "streamed" : nil]),
      family: "", count: task.count,
      traffic: Self.traffic(task.kind, ticks: ticks, isFixed: blocks.isFixed),
      ticksPerCall: ticks
    ) { work.run() }
    row.isa = isa.rawValue
    row.threads = threads
    row.isFixed = blocks.isFixed
    row.hash = work.hash(at: BenchRow.hashTick)
    return row
  }

  /// A row of the world with its hash, tick by tick, with or without look-ahead.
  private func worldRow(
    _ isa: InstructionSet, _ threads: Int, ticks: Int
  ) throws(SystemCallError) -> BenchRow {
    let world = try World(task.plan, instructionSet: isa, threadCount: threads)
    let memory = FrameMemory(
      bytes: world.columns.map { $0.count * 4 }, destinations: ticks == 1 ? 1 : Self.slots)
    let count = memory.columnCount
    world.keepDestinations(ticks == 1 ? 1 : Self.slots) { memory.columns[$0 * count + $1] }
    var tick = BlockList.firstTick
    let row = BenchRow(
      .ours, name: Self.name(ticks, ["hashed"]), family: "", count: task.count,
      traffic: Self.traffic(task.kind, ticks: ticks, isFixed: false), ticksPerCall: ticks
    ) {
      withExtendedLifetime(memory) {
        for _ in 0..<ticks {
          tick += 1
          _ = world.evaluate(
            tick: tick, destination: ticks == 1 ? 0 : Int(tick % UInt64(Self.slots)),
            ahead: ticks - 1)
        }
      }
    }
    row.isa = isa.rawValue
    row.threads = threads
    row.hashes = true
    row.hash = world.evaluate(tick: BenchRow.hashTick, destination: 0)
    return row
  }

  /// The memory traffic of kernels, as in their doc comments.
  private static func traffic(_ kind: KernelKind, ticks: Int, isFixed: Bool) -> Traffic {
    let parts = 1 / Double(ticks)
    var traffic =
      switch kind {
      // Tick by tick, the positions themselves are rotated; a tile begins with the phases.
      case .orbit where ticks == 1: Traffic(reads: 8, updates: 8, writes: 0)
      case .orbit: Traffic(reads: 20 * parts, updates: 0, writes: 8)
      case .marquee, .flow: Traffic(reads: 12 * parts, updates: 0, writes: 4)
      case .tween: Traffic(reads: 16 * parts, updates: 0, writes: 4)
      case .spring: Traffic(reads: 12 * parts, updates: 8 * parts, writes: 4)
      case .keyframes2, .keyframes4, .keyframes16, .ownKeyframes2, .ownKeyframes4, .ownKeyframes16:
        Traffic(reads: 20 * parts, updates: 0, writes: 4)
      case .mixed:
        Traffic(
          mean: KernelKind.simple.map { Self.traffic($0, ticks: ticks, isFixed: false) })
      }
    if isFixed { traffic.writes /= 2 }
    return traffic
  }

  /// A task's values at a tick, to compare peers with.
  package static func values(_ task: KernelTask, tick: UInt64) throws(SystemCallError)
    -> FrameMemory
  {
    let world = try World(task.plan, instructionSet: .best, threadCount: 1)
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    _ = world.evaluate(tick: tick) { memory.columns[$0] }
    return memory
  }
}
