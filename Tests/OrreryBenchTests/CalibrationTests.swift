// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import OrrerySim
import Testing

/// What a library of limits was asked for, from whichever thread.
private enum Asked {
  struct Call: Hashable {
    var words: [Int]
    /// Where the first array is.
    var firstArray: UInt = 0

    /// Where the last array is, if the call was asked for it.
    var lastArray: UInt = 0
  }

  static let calls = Monitor<[Call]>([])

  static func add(_ words: [Int], _ arrays: CalibrationLibrary.Arrays, last: Int = 0) {
    let (first, last) = (UInt(bitPattern: arrays[0]), UInt(bitPattern: arrays[last]))
    calls.change { $0.append(Call(words: words, firstArray: first, lastArray: last)) }
  }

  static func add(_ words: [Int]) { calls.change { $0.append(Call(words: words)) } }

  /// What was asked for meanwhile.
  static func during(_ work: () throws -> Void) rethrows -> [Call] {
    calls.change { $0 = [] }
    try work()
    return calls.read { $0 }
  }
}

/// Bytes and operations of calibration come to rates of a second, and limits move a row's own streams.
///
/// Method: figures by hand; and a library that moves nothing and remembers what it was asked for.
@Suite(.serialized) struct CalibrationTests {
  /// An operation of this library is three.
  private let library = CalibrationLibrary(
    isa: .baseline, stream: { Asked.add([Int($0), Int($1), Int($3)], $2) },
    fused: { reads, updates, writes, past, arrays, bytes in
      Asked.add([1, Int(reads), Int(updates), Int(writes), Int(past), Int(bytes)], arrays)
      return true
    },
    blocks: { reads, updates, writes, past, arrays, sizes, count, block in
      let all = (0..<Int(reads + updates + writes)).map { Int(sizes[$0]) }
      Asked.add(
        [2, Int(reads), Int(updates), Int(writes), Int(past), Int(count), Int(block)] + all, arrays,
        last: all.count - 1)
    },
    arithmetic: { _, _ in 3 })

  @Test func ratesAreOfASecond() {
    #expect(Calibration.perSecond(10, ns: 500_000_000) == 20)
    #expect(Calibration.perSecond(1, ns: 2_000_000_000) == 0.5)
    #expect(Calibration.operationsPerSecond(calls: 2, operations: 3, threads: 4) == 240_000)
  }

  @Test func workingSetIsSharedByArraysAndThreadsInWholeLines() {
    #expect(Calibration.share(of: 8192, arrays: 1, threads: 1) == 8192)
    #expect(Calibration.share(of: 8192, arrays: 2, threads: 1) == 4096)
    #expect(Calibration.share(of: 8192, arrays: 3, threads: 1) == 2560, "2730 in whole 256")
    #expect(Calibration.share(of: 8192, arrays: 2, threads: 2) == 2048)
    #expect(Calibration.Stream.allCases.map(\.arrayCount) == [1, 1, 2, 3])
    #expect(Calibration.Stream.allCases.map(\.name) == ["read", "write", "copy", "triad"])
  }

  @Test func everyStreamIsMeasuredOverEveryWorkingSet() throws {
    let calibration = try Calibration([library], largest: 16 << 10, threads: [1, 2])
    // Reading has one way to do it, the other three have two; of two sizes and two numbers of threads.
    #expect(calibration.bandwidths.count == 7 * 2 * 2)
    #expect(calibration.arithmetic.count == 2 * 2)
    #expect(Set(calibration.bandwidths.map(\.workingSetBytes)) == [8 << 10, 16 << 10])
    #expect(calibration.bandwidths.allSatisfy { $0.bytesPerSecond == 0 })
    let calls = Set(Asked.during { calibration.measure(ns: 1) }.map(\.words))
    var expected: Set<[Int]> = []
    for threads in [1, 2] {
      for (stream, arrays) in [(0, 1), (1, 1), (2, 2), (3, 3)] {
        for bytes in [8 << 10, 16 << 10] {
          let share: Int = bytes / arrays / threads / 256 * 256
          for past in stream == 0 ? [0] : [0, 1] { expected.insert([stream, past, share]) }
        }
      }
    }
    #expect(calls == expected)
    #expect(calibration.bandwidths.allSatisfy { $0.bytesPerSecond > 0 })
    #expect(calibration.arithmetic.allSatisfy { $0.operationsPerSecond > 0 })
    #expect(calibration.arithmetic.map(\.threads) == [1, 1, 2, 2])
    #expect(calibration.arithmetic.map(\.isFused) == [false, true, false, true])
  }

  @Test func laterMeasurementsOnlyImprove() throws {
    let calibration = try Calibration([library], largest: 8 << 10, threads: [1])
    calibration.measure(ns: 100)
    var before = calibration.bandwidths.map(\.bytesPerSecond)
    for _ in 0..<20 {
      calibration.measure(ns: 100)
      let after = calibration.bandwidths.map(\.bytesPerSecond)
      let worse = zip(before, after).first { $0 > $1 }
      try #require(worse == nil)
      before = after
    }
  }

  /// A rate is of the calls that were made in the time that was asked for, or a little more.
  ///
  /// Whatever else the machine does, a rate lies between two bounds: all calls in the least time that they may have
  /// taken, and in the most that the others leave.
  @Test(arguments: [1, 2]) func ratesAreThoseOfTheCallsThatWereMade(threads: Int) throws {
    let counted = CalibrationLibrary(
      isa: .avx2,
      stream: { stream, past, arrays, bytes in
        Asked.add([Int(stream), Int(past), Int(bytes)], arrays)
      }, fused: { _, _, _, _, _, _ in true }, blocks: { _, _, _, _, _, _, _, _ in },
      arithmetic: { isFused, rounds in
        Asked.add([10, Int(isFused), Int(rounds)])
        return 3
      })
    let calibration = try Calibration([counted], largest: 8 << 10, threads: [threads])
    let ns: UInt64 = 2_000_000
    let beginNs = Clock.monotonicNs()
    let calls = Asked.during { calibration.measure(ns: ns) }.map(\.words)
    // Seven streams, and operations with and without fused ones, each for so long at least.
    let most = Double(Clock.monotonicNs() - beginNs - 8 * ns)
    let numbers = Dictionary(grouping: calls) { $0 }.mapValues(\.count)
    func expect(_ rate: Double, _ words: [Int], of one: Double) throws {
      let number = try #require(numbers[words], "\(words)")
      #expect(number % threads == 0, "every thread calls as often")
      // Once before the clock runs.
      let timed = Double(number / threads - 1)
      #expect(timed >= 1)
      #expect(rate <= timed * one / Double(ns) * 1e9 * 1.000_001, "\(words)")
      #expect(rate >= timed * one / most * 1e9 * 0.999_999, "\(words)")
    }
    for bandwidth in calibration.bandwidths {
      let stream = try #require(
        Calibration.Stream.allCases.first { $0.name == bandwidth.stream })
      let share = Calibration.share(
        of: bandwidth.workingSetBytes, arrays: stream.arrayCount, threads: threads)
      let words = [Int(stream.rawValue), bandwidth.isNonTemporal ? 1 : 0, share]
      try expect(bandwidth.bytesPerSecond, words, of: Double(share * stream.arrayCount * threads))
      #expect(bandwidth.isa == "avx2")
      #expect(bandwidth.threads == threads)
    }
    for rate in calibration.arithmetic {
      let fused = rate.isFused ? 1 : 0
      #expect(numbers[[10, fused, 1]] == 1, "asked once what an operation is")
      try expect(
        rate.operationsPerSecond, [10, fused, 10_000], of: 3 * 10_000 * Double(threads))
    }
    #expect(numbers.count == 7 + 2 * 2)
  }

  /// Each thread has a part of its own of each array.
  @Test func threadsCalibrateOnPartsOfTheirOwn() throws {
    let calibration = try Calibration([library], largest: 8 << 10, threads: [2])
    let calls = Asked.during { calibration.measure(ns: 1) }
    for (stream, share) in [(0, 4096), (2, 2048), (3, 1280)] {
      let firsts = Set(calls.filter { $0.words == [stream, 0, share] }.map(\.firstArray)).sorted()
      try #require(firsts.count == 2, "\(stream)")
      #expect(firsts[1] - firsts[0] == UInt(share), "\(stream)")
    }
  }

  @Test func withoutLibrariesNothingIsCalibrated() throws {
    let calibration = try Calibration([], largest: 1 << 40, threads: [1])
    calibration.measure(ns: 1)
    #expect(calibration.bandwidths.isEmpty)
    #expect(calibration.arithmetic.isEmpty)
  }

  // MARK: - Limits of rows

  @Test func streamsHaveTheTrafficOfACall() {
    let tick = LimitStreams(Traffic(reads: 8, updates: 4, writes: 8), ticks: 1, count: 10)
    #expect(tick.sizes == [4, 4, 4, 4, 4])
    #expect(tick.counts == (2, 1, 2))
    #expect(tick.canBeFused)
    let tile = LimitStreams(Traffic(reads: 1.5, updates: 1, writes: 8), ticks: 8, count: 10)
    #expect(tile.counts == (3, 2, 16), "written at every tick, read once")
    #expect(tile.arrayCount == 21)
    #expect(!tile.canBeFused, "several ticks")
    let fixed = LimitStreams(Traffic(reads: 5, updates: 3, writes: 2), ticks: 1, count: 10)
    #expect(fixed.sizes == [4, 2, 4, 2], "what is left is of two bytes or of four")
    #expect(!fixed.canBeFused)
    let none = LimitStreams(Traffic(reads: 0, updates: 0, writes: 4), ticks: 1, count: 10)
    #expect(none.counts == (0, 0, 1))
  }

  @Test(
    arguments: [
      (32, 8, 8, true), (36, 8, 8, false), (32, 12, 8, false), (32, 8, 12, false),
    ] as [(Double, Double, Double, Bool)])
  func onlyFewStreamsAreMovedAtOnce(
    reads: Double, updates: Double, writes: Double, canBeFused: Bool
  ) {
    let traffic = Traffic(reads: reads, updates: updates, writes: writes)
    #expect(LimitStreams(traffic, ticks: 1, count: 1).canBeFused == canBeFused)
  }

  @Test(arguments: [(1000, 1), (1000, 2), (1000, 3), (33, 2), (10, 4), (0, 2)])
  func partsOfThreadsAreAllEntitiesOnceAndBeginAtLines(count: Int, pieces: Int) {
    let streams = LimitStreams(Traffic(reads: 4, updates: 0, writes: 4), ticks: 1, count: count)
    var next = 0
    for piece in 0..<pieces {
      let (first, size) = streams.part(piece, of: pieces)
      #expect(first % 32 == 0)
      if size > 0 {
        #expect(first == next)
        next = first + size
      }
    }
    #expect(next == count)
  }

  private func row(_ traffic: Traffic?, tile: Int = 1, threads: Int = 1) -> BenchRow {
    HandMade.kernel(.ours, count: 100, tile: tile, threads: threads, traffic: traffic, ns: [])
  }

  @Test func limitIsTheFastestWayToMoveTheSameStreams() throws {
    let small = Traffic(reads: 4, updates: 0, writes: 4)
    let rows = [
      row(small), row(small, threads: 2), row(small, tile: 8), row(small), row(nil),
    ]
    let limits = try LimitRows(library, count: 100, for: rows)
    #expect(limits.rows.count == 3, "rows with the same streams have the same limit")
    for (shape, ways) in limits.rows {
      #expect(ways.count == (shape.ticks == 1 ? 4 : 2), "at once only tick by tick")
      #expect(ways.allSatisfy { $0.subject == .limit })
      for (index, way) in ways.enumerated() {
        way.add(ns: UInt64((10 - index + shape.threads) * 100 * shape.ticks), calls: 1)
      }
    }
    #expect(limits.ns(for: rows[0]) == [8])
    #expect(limits.ns(for: rows[1]) == [9])
    #expect(limits.ns(for: rows[2]) == [10])
    #expect(limits.ns(for: rows[3]) == [8])
    #expect(limits.ns(for: rows[4]) == nil)
    #expect(limits.ns(for: row(Traffic(reads: 1, updates: 0, writes: 0))) == nil)
    #expect(try LimitRows(nil, count: 100, for: rows).ns(for: rows[0]) == nil)
  }

  @Test func waysMoveWhatTheRowMoves() throws {
    let traffic = Traffic(reads: 8, updates: 4, writes: 4)
    let limits = try LimitRows(library, count: 100, for: [row(traffic), row(traffic, tile: 2)])
    for (shape, ways) in limits.rows {
      let calls = Asked.during { for way in ways { way.warmUp() } }.map(\.words)
      let blocks = [0, 1].map { past in
        shape.ticks == 1
          ? [2, 2, 1, 1, past, 100, 2048, 4, 4, 4, 4]
          : [2, 4, 2, 2, past, 100, 2048] + [Int](repeating: 4, count: 8)
      }
      // 100 floats in whole lines.
      let fused = [0, 1].map { past in [1, 2, 1, 1, past, 448] }
      #expect(calls == (shape.ticks == 1 ? fused : []) + blocks)
    }
  }

  @Test func threadsMovePartsOfTheirOwn() throws {
    let limits = try LimitRows(
      library, count: 100, for: [row(Traffic(reads: 4, updates: 0, writes: 4), threads: 2)])
    let way = try #require(limits.rows.values.first?.first)
    let calls = Asked.during { way.warmUp() }.sorted { $0.firstArray < $1.firstArray }
    try #require(calls.count == 2)
    #expect(calls.map { $0.words.last } == [256, 192], "64 floats, and 36 in whole lines")
    #expect(calls[1].firstArray - calls[0].firstArray == 256)
  }

  /// Columns of two bytes are half as far apart as those of four.
  @Test func partsBeginWhereTheirEntitiesLie() throws {
    let traffic = Traffic(reads: 4, updates: 0, writes: 2)
    let limits = try LimitRows(library, count: 100, for: [row(traffic, threads: 2)])
    let way = try #require(limits.rows.values.first?.first)
    let calls = Asked.during { way.warmUp() }.sorted { $0.firstArray < $1.firstArray }
    try #require(calls.count == 2)
    #expect(calls.map { Array($0.words.suffix(4)) } == [[64, 2048, 4, 2], [36, 2048, 4, 2]])
    #expect(calls[1].firstArray - calls[0].firstArray == 64 * 4)
    #expect(calls[1].lastArray - calls[0].lastArray == 64 * 2)
  }

  /// The entities of a call are a whole number of lines; threads that are left without any do nothing.
  @Test func threadsWithoutEntitiesMoveNothing() throws {
    let limits = try LimitRows(
      library, count: 20, for: [row(Traffic(reads: 4, updates: 0, writes: 4), threads: 3)])
    let way = try #require(limits.rows.values.first?.first)
    let calls = Asked.during { way.warmUp() }
    #expect(calls.map(\.words) == [[1, 1, 0, 1, 0, 128]], "20 floats in whole lines")
  }
}

/// Columns lie as in a ring: each at a cache line, none over another.
@Suite struct FrameMemoryTests {
  @Test func columnsDoNotMeet() throws {
    let sizes = [100, 4096, 5000, 1]
    let memory = FrameMemory(bytes: sizes, destinations: 5)
    #expect(memory.columnCount == 4)
    #expect(memory.columns.count == 20)
    for (index, column) in memory.columns.enumerated() {
      #expect(UInt(bitPattern: column) % 64 == 0)
      let size = sizes[index % 4]
      guard index + 1 < memory.columns.count else { break }
      #expect(memory.columns[index + 1] - column >= size + 64, "a line more than needed")
    }
    // All of it can be written, zeros before.
    for (index, column) in memory.columns.enumerated() {
      let bytes = UnsafeRawBufferPointer(start: column, count: sizes[index % 4] + 64)
      #expect(bytes.allSatisfy { $0 == 0 })
      column.initializeMemory(as: UInt8.self, repeating: 0xff, count: bytes.count)
    }
    let second = memory.floats(destination: 1)
    #expect(second.count == 4)
    #expect(second.first.flatMap { $0 } == memory.columns[4].assumingMemoryBound(to: Float.self))
    #expect(second.last.flatMap { $0 } == memory.columns[7].assumingMemoryBound(to: Float.self))
  }

  @Test func columnsAreNotAtTheSamePlaceOfAPage() {
    let memory = FrameMemory(bytes: [Int](repeating: 4096, count: 6), destinations: 2)
    let places = memory.columns.map { UInt(bitPattern: $0) % 4096 }
    #expect(Set(places).count == places.count, "\(places)")
  }
}
