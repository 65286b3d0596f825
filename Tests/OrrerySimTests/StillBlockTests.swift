// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: blocks that stand still are left out, and nobody can tell from the values.
///
/// Method: destinations in memory that the test owns, written in seeded random order of ticks and
/// destinations, against the values computed directly; the blocks placed are counted.
@Suite struct StillBlockTests {
  /// A clock that steps every half second beside something that never rests.
  private func world(threads: Int = 1) throws -> World {
    try World(
      .clock(Specs(count: 9_000) { Self.digit($0) }),
      .marquee(
        Specs(count: 5_000) {
          MarqueeSpec(period: 438, speed: Double($0), direction: .left, phase: 0)
        }),
      threads: threads)
  }

  private static func digit(_ entity: Int) -> ClockSpec {
    let start = Date(timeIntervalSinceReferenceDate: 1_000)
    return ClockSpec(
      schedule: .periodic(from: 0, by: 0.5), start: start, zero: start - Double(entity),
      unit: 0.5, base: 10, digitHeight: 20)
  }

  @Test(arguments: [1, 3])
  func anyOrderOfTicksAndDestinationsGivesTheSameBits(threads: Int) throws {
    let (world, direct) = (try world(threads: threads), try world())
    let memory = (0..<5).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    let random = CounterRandom(seed: 7, use: .field, index: 0)
    for round in 0..<300 {
      // Ticks come again and again, in both directions.
      let tick = UInt64(random.index(200, round, draw: 0))
      let slot = random.index(memory.count, round, draw: 1)
      let hash = world.evaluate(tick: tick, destination: slot)
      let expected = Memory(direct)
      #expect(hash == direct.evaluate(tick: tick) { expected.columns[$0] }, "tick \(tick)")
      try #require(
        memory[slot].difference(from: expected) == nil, "seed 7, tick \(tick), slot \(slot)")
    }
  }

  @Test func stillBlocksAreNotPlaced() throws {
    let world = try world()
    let memory = (0..<4).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    var counts: [Int] = []
    for tick in UInt64(0)...30 {
      let slot = Int(tick % 4)
      _ = world.evaluate(tick: tick, destination: slot)
      counts.append(world.evaluatedBlockCount)
    }
    // 5 blocks of digits and 3 that always move: all in every slot's first tick, and in the four that
    // follow the step at tick 30.
    #expect(counts == [8, 8, 8, 8] + Array(repeating: 3, count: 26) + [8])
  }

  @Test func sameTickInTheSamePlaceIsNotPlacedAgain() throws {
    let world = try world()
    let memory = Memory(world)
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations([memory])
    let hash = world.evaluate(tick: 77, destination: 0)
    #expect(world.evaluatedBlockCount == 8)
    #expect(world.evaluate(tick: 77, destination: 0) == hash)
    #expect(world.evaluatedBlockCount == 0)
  }

  /// A place that is right at a later tick is known to be right since the last step, also at ticks before it was
  /// written.
  @Test func earlierTicksOfTheSameDigitsAreNotPlacedAgain() throws {
    let world = try world()
    let memory = (0..<2).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    var counts: [Int] = []
    for (tick, slot) in [(20, 0), (5, 1), (25, 0), (10, 0)] {
      _ = world.evaluate(tick: UInt64(tick), destination: slot)
      counts.append(world.evaluatedBlockCount)
    }
    // The 5 blocks of digits once in each place, and the 3 that always move each time.
    #expect(counts == [8, 8, 3, 3])
  }

  @Test func freshMemoryIsWrittenWhole() throws {
    let world = try world()
    let hashes = (0..<3).map { _ in world.hash(3) }
    #expect(Set(hashes).count == 1)
    #expect(world.evaluatedBlockCount == 8)
  }

  @Test func forgottenDestinationsAreWrittenWhole() throws {
    let world = try world()
    let memory = Memory(world)
    for _ in 0..<2 {
      world.keepDestinations([memory])
      _ = world.evaluate(tick: 5, destination: 0)
      #expect(world.evaluatedBlockCount == 8)
    }
  }

  /// Blocks are counted through all batches: those before the views are none of theirs.
  @Test func changesFromOutsideReachViewsBehindManyBlocks() throws {
    let neighbours = BatchPlan.clock(Specs(count: 5_000) { Self.digit($0) })
    let views = BatchPlan.views(ViewScript(Array(repeating: 1, count: 3_000)).plan)
    let (world, direct) = (
      try World(neighbours, neighbours, views, neighbours), try World(neighbours, neighbours, views)
    )
    let memory = (0..<2).map { _ in Memory(world) }
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for slot in memory.indices { _ = world.evaluate(tick: 10, destination: slot) }
    let tap = TransactionPlan([.set(view: 0, .x, 5), .set(view: 2_999, .x, 7)])
    #expect(world.apply(tap, at: 10, batch: 2))
    #expect(direct.apply(tap, at: 10, batch: 2))
    let expected = Values(of: direct, tick: 10)
    let x = try #require(world.columns.firstIndex { $0.batch == 2 && $0.field == .x })
    for slot in memory.indices {
      _ = world.evaluate(tick: 10, destination: slot)
      // The views' two blocks, and no others.
      #expect(world.evaluatedBlockCount == 2, "destination \(slot)")
      for view in [0, 1, 2_999] {
        #expect(
          memory[slot][x][view] == expected.value(.x, entity: 10_000 + view),
          "destination \(slot), view \(view)")
      }
    }
  }

  @Test func unknownDestinationTraps() async {
    await #expect(processExitsWith: .failure) {
      let world = try World.small()
      let memory = Memory(world)
      world.keepDestinations([memory, Memory(world)])
      _ = world.evaluate(tick: 0, destination: 2)
    }
  }
}

/// Memory for a world's columns that keeps what was written.
final class Memory {
  let columns: [UnsafeMutableRawPointer]
  private let counts: [Int]

  /// Memory full of a value that no scene has.
  init(_ world: World) {
    counts = world.columns.map(\.count)
    columns = counts.map { count in
      let padded = (count + 15) / 16 * 16
      let memory = UnsafeMutableRawPointer.allocate(byteCount: max(padded, 16) * 4, alignment: 64)
      memory.initializeMemory(as: Float.self, repeating: -1e30, count: max(padded, 16))
      return memory
    }
  }

  deinit { for column in columns { column.deallocate() } }

  /// The bits of all values.
  var bytes: [UInt32] {
    zip(columns, counts).flatMap { column, count in
      (0..<count).map { column.load(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// The first column and entity whose bits are not those of other memory; nil if there are none.
  func difference(from other: Memory) -> String? {
    let (found, expected) = (bytes, other.bytes)
    if found == expected { return nil }
    var start = 0
    for (column, count) in counts.enumerated() {
      let range = start..<start + count
      if let difference = firstDifference(found[range], expected[range]) {
        return "column \(column), \(difference)"
      }
      start += count
    }
    return nil
  }

  /// The floats of a column.
  subscript(column: Int) -> UnsafeMutablePointer<Float> {
    columns[column].assumingMemoryBound(to: Float.self)
  }
}

extension World {
  /// Makes these the world's destinations.
  func keepDestinations(_ memory: [Memory]) {
    keepDestinations(memory.count) { memory[$0].columns[$1] }
  }
}
