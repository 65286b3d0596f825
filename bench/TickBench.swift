// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryScene
import OrrerySim

/// Times ticks: every kernel and the state hash, written to memory like a ring's slots.
struct TickBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tick", abstract: "Nanoseconds per entity and tick of the scene stress.",
    usage: "orrery bench tick [OPTIONS]",
    discussion: """
      Example:
        orrery bench tick --entities 10000,1000000 --threads 1,2
        orrery bench tick --hash off,rolling,full
      As in sim, fewer threads compute where more were not faster. The last column
      but one says how many times as fast a row is as the first of its kind.
      """)

  @Option(help: "Numbers of entities, 1 to 100000000, separated by commas.")
  var entities = NumberList([10_000, 100_000, 1_000_000])

  @Option(help: "Numbers of threads, at most, 1 to 1024, separated by commas.")
  var threads = NumberList([1])

  @Option(help: "Values that the hash covers, separated by commas: full, rolling, off.")
  var hash = WordList<HashMode>([.full])

  @Option(
    help:
      "Ticks that may be computed ahead, \(Self.lookAheadRange); sim does 7 in a ring of 28 slots.")
  var lookAhead = 7

  @Option(help: "Rounds, \(roundRange); each is at least 20 ms long.")
  var rounds = 9

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try roundRange.check("--rounds", rounds)
    try Self.lookAheadRange.check("--look-ahead", lookAhead)
    guard threads.numbers.allSatisfy({ $0 <= 1024 }) else {
      throw ValidationError("--threads: use 1 to 1024")
    }
  }

  private static let lookAheadRange = OptionRange(0...7)

  func run() throws {
    try runArea(writing: [results.out]) {
      let rows = try makeRows()
      let area = AreaResult("tick", results, notes: ["\(lookAhead) ticks may be computed ahead"])
      Turns.take(rows, rounds: rounds) { $0.row.measure(ns: 20_000_000) }
      area.add(rows.map { row in row.studyRow(first: rows.first { $0.isLike(row) } ?? row) })
      area.add(rows.filter { $0.row.threads > 1 }.map(\.threadsRow))
      return try area.finish()
    }
  }

  private func makeRows() throws -> [TickRow] {
    var rows: [TickRow] = []
    for count in entities.numbers {
      let plan = try ScenePlan(
        SceneSource.load(nameOrPath: "stress"), options: ScenePlanOptions(entities: count),
        text: InstalledFonts())
      for set in InstructionSet.allCases where set.isSupported {
        for (mode, threadCount) in hash.all.flatMap({ mode in threads.numbers.map { (mode, $0) } })
        {
          let world = try World(
            plan, instructionSet: set, threadCount: threadCount, choosesThreads: true,
            hashMode: mode)
          rows.append(TickRow(world, threadCount: threadCount, lookAhead: lookAhead))
        }
      }
    }
    return rows
  }
}

/// One world and the time of its ticks.
private struct TickRow {
  let row: BenchRow
  private let ticks: Ticks

  /// The ticks of a world in a ring of slots, one after the other.
  private final class Ticks {
    let world: World
    private let lookAhead: Int
    private let slots: [[UnsafeMutableRawPointer]]
    private(set) var tick: UInt64 = 0
    private(set) var hash: UInt64 = 0

    init(_ world: World, lookAhead: Int) {
      (self.world, self.lookAhead) = (world, lookAhead)
      slots = (0...lookAhead).map { _ in
        world.columns.map { column in
          let bytes = max((column.count * 4 + 63) / 64 * 64, 64)
          let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
          memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
          return memory
        }
      }
      world.keepDestinations(slots.count) { slots[$0][$1] }
    }

    deinit { for column in slots.joined() { column.deallocate() } }

    func evaluateNext() {
      tick += 1
      hash = world.evaluate(
        tick: tick, destination: Int(tick % UInt64(slots.count)), ahead: lookAhead)
    }
  }

  init(_ world: World, threadCount: Int, lookAhead: Int) {
    let ticks = Ticks(world, lookAhead: lookAhead)
    self.ticks = ticks
    row = BenchRow(.ours, name: "", family: "", count: world.entityCount, traffic: nil) {
      ticks.evaluateNext()
    }
    row.isa = world.instructionSet.rawValue
    row.threads = threadCount
    for _ in 0..<16 { row.warmUp() }
  }

  /// Whether another row has the same entities and the same instruction set.
  func isLike(_ other: TickRow) -> Bool {
    row.count == other.row.count && row.isa == other.row.isa
  }

  private var line: String {
    "\(row.isa ?? ""), \(counted(row.threads, "thread")), hash \(ticks.world.hashMode.rawValue)"
  }

  private func table(_ what: String) -> String {
    "\(what), \(TextTable.grouped(row.count)) entities"
  }

  /// Its time for an entity and tick, the hash of its last tick, and how many times as fast it is as the first
  /// row of its kind.
  func studyRow(first: TickRow) -> StudyRow {
    var study = StudyRow(
      .init(table("a tick of stress"), line), unit: "ns", row.rounds.all, entities: row.count)
    if ticks.world.hashMode == .full {
      (study.hash, study.hashTick) = (hexadecimal(ticks.hash), ticks.tick)
    }
    study.ratio = first.row.rounds.median / row.rounds.median
    return study
  }

  /// Threads that shared a tick, on average: fewer where more were not faster.
  var threadsRow: StudyRow {
    StudyRow(
      .init(table("threads that shared a tick"), line), unit: "threads", better: .larger,
      [ticks.world.threadsMean])
  }
}
