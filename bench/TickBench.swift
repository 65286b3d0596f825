// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryScene
import OrrerySim

/// Times ticks: every kernel and the state hash, written to memory like a ring's slots.
struct TickBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tick", abstract: "Nanoseconds per entity and tick of the scene stress.")

  @Option(help: "Numbers of entities.")
  var entities = NumberList([10_000, 100_000, 1_000_000])

  @Option(help: "Numbers of threads.")
  var threads = NumberList([1])

  @Option(help: "Ticks that may be computed ahead, 0 to 7; sim does 7 in a ring of 28 slots.")
  var lookAhead = 7

  @Option(help: "Rounds; each is at least 20 ms long.")
  var rounds = 9

  func validate() throws {
    guard (1...1000).contains(rounds) else {
      throw ValidationError("--rounds \(rounds): use 1 to 1000")
    }
    guard (0...7).contains(lookAhead) else {
      throw ValidationError("--look-ahead \(lookAhead): use 0 to 7")
    }
    guard threads.numbers.allSatisfy({ $0 <= 1024 }) else {
      throw ValidationError("--threads: use 1 to 1024")
    }
  }

  func run() throws {
    do {
      try refuseDebugBuild()
      var rows = try makeRows()
      for _ in 0..<rounds { for index in rows.indices { rows[index].measure() } }
      Standard.output(TickTable.heading)
      for row in rows { Standard.output(row.text) }
    } catch let error as Failure {
      error.exit(program: "bench tick")
    } catch let error as SceneError {
      Failure(.usage, error).exit(program: "bench tick")
    }
  }

  private func makeRows() throws -> [TickRow] {
    var rows: [TickRow] = []
    for count in entities.numbers {
      let plan = try ScenePlan(
        SceneSource.load(nameOrPath: "stress"), options: ScenePlanOptions(entities: count),
        text: InstalledFonts())
      for set in InstructionSet.allCases where set.isSupported {
        for threadCount in threads.numbers {
          let world = try World(plan, instructionSet: set, threadCount: threadCount)
          rows.append(TickRow(world: world, threadCount: threadCount, lookAhead: lookAhead))
        }
      }
    }
    return rows
  }
}

/// One world and the time of its ticks.
private struct TickRow {
  let world: World
  let threadCount: Int
  private let lookAhead: Int
  private let slots: [Slot]
  private var rounds = Rounds()
  private var tick: UInt64 = 0
  private var hash: UInt64 = 0

  /// The columns of one frame, each in its own memory.
  private final class Slot {
    let columns: [UnsafeMutableRawPointer]

    init(_ world: World) {
      columns = world.columns.map { column in
        let bytes = max((column.count * 4 + 63) / 64 * 64, 64)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        return memory
      }
    }

    deinit { for column in columns { column.deallocate() } }
  }

  init(world: World, threadCount: Int, lookAhead: Int) {
    self.world = world
    self.threadCount = threadCount
    self.lookAhead = lookAhead
    let slots = (0...lookAhead).map { _ in Slot(world) }
    self.slots = slots
    world.keepDestinations(slots.count) { slots[$0].columns[$1] }
    for _ in 0..<16 { evaluateNext() }
  }

  private mutating func evaluateNext() {
    tick += 1
    hash = world.evaluate(
      tick: tick, destination: Int(tick % UInt64(slots.count)), ahead: lookAhead)
  }

  /// Evaluates ticks for at least 20 ms.
  mutating func measure() {
    var count = 0
    let beginNs = Clock.monotonicNs()
    repeat {
      evaluateNext()
      count += 1
    } while Clock.monotonicNs() < beginNs + 20_000_000
    rounds.add(
      TickTable.nsPerEntity(
        ns: Clock.monotonicNs() - beginNs, ticks: count, entities: world.entityCount))
  }

  var text: String {
    TickTable.line(
      entities: world.entityCount, isa: world.instructionSet.rawValue, threads: threadCount, rounds,
      hash: hash, tick: tick)
  }
}
