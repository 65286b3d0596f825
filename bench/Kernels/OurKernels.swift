// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrrerySim

/// Orrery's rows: the world, tick by tick, as the sim runs it.
struct OurKernels {
  private let task: KernelTask

  /// Worlds are large and shared by the rows that need the same one.
  private var worlds: [Key: World] = [:]

  private struct Key: Hashable {
    let isa: InstructionSet
    let threads: Int
  }

  init(_ task: KernelTask) { self.task = task }

  /// The rows of one instruction set and number of threads.
  ///
  /// - Parameters:
  ///   - isa: One that this machine has.
  ///   - threads: How many.
  ///   - tiles: Ticks that are computed at once.
  /// - Throws: When a thread cannot be started.
  mutating func rows(
    isa: InstructionSet, threads: Int, tiles: [Int]
  ) throws(SystemCallError) -> [KernelRow] {
    let world = try world(isa: isa, threads: threads)
    return tiles.filter { $0 == 1 }.map { _ in row(world, threads: threads) }
  }

  private mutating func world(
    isa: InstructionSet, threads: Int
  ) throws(SystemCallError) -> World {
    let key = Key(isa: isa, threads: threads)
    if let world = worlds[key] { return world }
    let world = try World(task.plan, instructionSet: isa, threadCount: threads)
    worlds[key] = world
    return world
  }

  private func row(_ world: World, threads: Int) -> KernelRow {
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    let columns = memory.columns.map { $0.assumingMemoryBound(to: Float.self) }
    var tick: UInt64 = 0
    let row = KernelRow(
      .ours, name: "tick by tick, hashed", family: "", count: task.count,
      traffic: Self.traffic(task.kind)
    ) {
      tick += 1
      withExtendedLifetime(memory) { _ = world.place(tick: tick) { columns[$0] } }
    }
    row.isa = world.instructionSet.rawValue
    row.threads = threads
    row.hashes = true
    row.hash = world.place(tick: KernelRow.hashTick) { columns[$0] }
    return row
  }

  /// What kernels read and write, tick by tick; docs/kernels.md.
  private static func traffic(_ kind: KernelKind) -> Traffic {
    switch kind {
    case .orbit: Traffic(reads: 12, updates: 0, writes: 8)
    case .marquee, .flow: Traffic(reads: 12, updates: 0, writes: 4)
    case .tween: Traffic(reads: 16, updates: 0, writes: 4)
    case .spring: Traffic(reads: 20, updates: 8, writes: 4)
    case .mixed: Traffic(mean: KernelKind.simple.map(traffic))
    }
  }

  /// A task's values at a tick, to hold peers against.
  static func values(_ task: KernelTask, tick: UInt64) throws(SystemCallError) -> FrameMemory {
    let world = try World(task.plan, instructionSet: .best, threadCount: 1)
    let memory = FrameMemory(bytes: world.columns.map { $0.count * 4 }, destinations: 1)
    _ = world.place(tick: tick) { memory.columns[$0].assumingMemoryBound(to: Float.self) }
    return memory
  }
}
