// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryScene
import OrrerySim
import Testing

/// Goal: blocks that are timed are computed as the world computes them, whoever took the turn before.
///
/// Method: works that take turns on one list; after each turn every value of every block is held against a world's, at
/// the ticks of the block's own tile.
@Suite struct BlockWorkTests {
  /// Six blocks: the borders of the last two's tiles are others than those of the first four.
  private static let count = 5 * Blocks.entityCount + 3

  private func task(_ kind: KernelKind) throws -> KernelTask {
    try KernelTask(kind, count: kind == .mixed ? 5 * Self.count : Self.count)
  }

  private func world(_ task: KernelTask, _ output: ColumnFormat.Kind = .float32) throws -> World {
    try World(task.plan, instructionSet: .baseline, threadCount: 1, output: output)
  }

  private func work(
    _ list: BlockList, threads: Int = 1, ticks: Int = 1, streams: Bool = false
  ) throws -> BlockWork {
    try BlockWork(
      list, kernels: InstructionSet.baseline.kernels(), threads: threads, ticks: ticks,
      streams: streams)
  }

  /// A world's values at a tick.
  private func values(_ world: World, _ tick: UInt64) -> FrameMemory {
    let memory = FrameMemory(
      bytes: world.columns.map { $0.count * $0.format.valueBytes }, destinations: 1)
    _ = world.evaluate(tick: tick) { memory.columns[$0] }
    return memory
  }

  /// Where what a turn wrote first differs from a world's values; nil if nowhere.
  private func difference(
    _ list: BlockList, _ world: World, from: UInt64, ticks: Int
  ) -> String? {
    let right = (0..<UInt64(2 * ticks)).map { values(world, from + $0) }
    for (index, column) in world.columns.enumerated() {
      let size = column.format.valueBytes
      for block in 0..<Blocks.count(entities: column.count) {
        let range = Blocks.range(block, entities: column.count)
        let sinceBorder = Phases.ticksSinceBorder(block: block, tick: from) % ticks
        let first = (ticks - sinceBorder) % ticks
        for ahead in first..<first + ticks {
          let tick = from + UInt64(ahead)
          let slot = Int(tick % UInt64(ticks))
          func bytes(_ column: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
              start: column + range.lowerBound * size, count: range.count * size)
          }
          let found = bytes(list.memory.columns[slot * world.columns.count + index])
          if !found.elementsEqual(bytes(right[ahead].columns[index])) {
            return "column \(index), block \(block), tick \(tick)"
          }
        }
      }
    }
    return nil
  }

  @Test(arguments: KernelKind.allCases, [1, 2, 8])
  func valuesAreTheWorldsWhoeverWasBefore(kind: KernelKind, ticks: Int) throws {
    let task = try task(kind)
    for output in ColumnFormat.Kind.allCases {
      let world = try world(task, output)
      let list = BlockList(try self.world(task, output), slots: ticks)
      if output == .float32 { #expect(!list.isFixed) }
      let one = try work(list, ticks: ticks)
      let other = try work(list, threads: 2, ticks: ticks, streams: true)
      // Each goes on once, and once begins where nothing of the tick before is left.
      for (turn, work) in [one, one, other, other, one].enumerated() {
        work.run()
        let from = list.tick - UInt64(ticks)
        let found = difference(list, world, from: from, ticks: ticks)
        try #require(found == nil, "\(output), turn \(turn)")
      }
      // What was written last is of other ticks, and no tick before one of these.
      for tick in [1000, 1003] as [UInt64] {
        let hash = world.evaluate(tick: tick) { list.memory.columns[$0] }
        for work in [one, other] { #expect(work.hash(at: tick) == hash, "\(output), tick \(tick)") }
      }
    }
  }

  @Test func columnsAreFixedWhereThatWasAskedFor() throws {
    let task = try KernelTask(.marquee, count: 10)
    #expect(try BlockList(world(task, .fixed16), slots: 1).isFixed)
    #expect(try !BlockList(world(task), slots: 1).isFixed)
  }

  /// Work that goes on from its own tick goes on from that tick's values; other work leaves room for tiles.
  @Test func turnsOfTheSameWorkFollowEachOther() throws {
    let list = BlockList(try world(try KernelTask(.orbit, count: 10)), slots: 8)
    let (one, other) = (try work(list), try work(list, ticks: 8))
    #expect(list.tick == 240)
    let turns: [(work: BlockWork, ticks: Int, first: UInt64, continues: Bool)] = [
      (one, 1, 256, false), (one, 1, 257, true), (one, 1, 258, true), (other, 8, 275, false),
      (other, 8, 283, true), (one, 1, 307, false), (other, 8, 324, false),
    ]
    for (index, turn) in turns.enumerated() {
      let taken = list.take(turn.ticks, by: turn.work)
      #expect(taken.first == turn.first, "turn \(index)")
      #expect(taken.continues == turn.continues, "turn \(index)")
    }
    #expect(list.tick == 332)
  }
}
