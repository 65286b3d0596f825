// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryScene
import OrrerySim

/// A world whose ticks are timed in a ring of slots as in `sim`, and equal memory for writes that show the
/// limit.
package final class TimedWorld {
  /// The world.
  package let world: World
  /// The last evaluated tick.
  package private(set) var tick: UInt64 = 0
  /// Its hash.
  package private(set) var hash: UInt64 = 0
  /// Bytes of the values of a tick.
  package let frameBytes: Int

  private let lookAhead: Int
  private let memory: FrameMemory
  /// Memory of the same shape, which the limit's writes go to: a world relies on what it wrote.
  private let other: FrameMemory
  private let columnBytes: [Int]
  private var slot = 0

  /// Builds a world and its slots.
  ///
  /// - Parameters:
  ///   - plan: The scene.
  ///   - instructionSet: One that this machine has.
  ///   - threads: Threads that may share a tick.
  ///   - lookAhead: Ticks that may be computed early, 0 to 7; there is a slot more.
  ///   - hashMode: Which values the hash covers.
  /// - Throws: `SystemCallError` if a thread cannot be started.
  package init(
    _ plan: ScenePlan, instructionSet: InstructionSet = .best, threads: Int = 1,
    lookAhead: Int = 7, hashMode: HashMode = .full
  ) throws(SystemCallError) {
    let world = try World(
      plan, instructionSet: instructionSet, threadCount: threads, choosesThreads: true,
      hashMode: hashMode)
    (self.world, self.lookAhead) = (world, lookAhead)
    let bytes = world.columns.map { $0.count * 4 }
    let memory = FrameMemory(bytes: bytes, destinations: lookAhead + 1)
    self.memory = memory
    other = FrameMemory(bytes: bytes, destinations: lookAhead + 1)
    columnBytes = bytes
    frameBytes = bytes.reduce(0, +)
    world.keepDestinations(lookAhead + 1) { memory.columns[$0 * bytes.count + $1] }
  }

  /// Evaluates the next tick.
  package func evaluateNext() {
    tick += 1
    hash = world.evaluate(
      tick: tick, destination: Int(tick % UInt64(lookAhead + 1)), ahead: lookAhead)
  }

  /// Writes as many bytes as a tick has, into the columns of the next slot.
  package func writeFrame() {
    slot = (slot + 1) % (lookAhead + 1)
    for (index, bytes) in columnBytes.enumerated() {
      memset(other.columns[slot * columnBytes.count + index], 1, bytes)
    }
  }

  /// The time of some ticks: the mean of one, in nanoseconds.
  ///
  /// - Parameters:
  ///   - ticks: How many; at least 1.
  ///   - planted: A slowdown, as a part: a test plants it.
  /// - Returns: Nanoseconds.
  package func time(ticks: Int, planted: Double = 0) -> Double {
    let begin = Clock.monotonicNs()
    for _ in 0..<ticks { evaluateNext() }
    let ns = Planted.wait(since: begin, planted)
    return Double(ns) / Double(ticks)
  }

  /// The time that the events of some ticks take: the mean of one, in nanoseconds.
  ///
  /// - Parameters:
  ///   - ticks: How many; they are also evaluated; at least 1.
  ///   - clockNs: The time of one reading of the clock.
  /// - Returns: Nanoseconds, 0 or more.
  package func timeOfEvents(ticks: Int, clockNs: Double) -> Double {
    var sum: UInt64 = 0
    for _ in 0..<ticks {
      let begin = Clock.monotonicNs()
      // Evaluating the tick then finds these events already handled.
      for batch in world.batches { batch.prepare(tick: tick + 1) }
      sum += Clock.monotonicNs() - begin
      evaluateNext()
    }
    return max(Double(sum) / Double(ticks) - clockNs, 0)
  }

  /// The time to write as many bytes as a tick has, in nanoseconds; 0 if a tick has none.
  package func timeOfWriting(ticks: Int) -> Double {
    guard frameBytes > 0 else { return 0 }
    let begin = Clock.monotonicNs()
    for _ in 0..<ticks { writeFrame() }
    return Double(Clock.monotonicNs() - begin) / Double(ticks)
  }
}

/// A slowdown that a test plants, to see that it is found: `ORRERY_BENCH_PLANT=tick:0.05`.
package enum Planted {
  /// The planted slowdown of rows that begin with a word, as a part; 0 without one.
  package static func part(of row: String) -> Double {
    guard let text = getenv("ORRERY_BENCH_PLANT") else { return 0 }
    let words = String(cString: text).split(separator: ":")
    guard words.count == 2, row.hasPrefix(words[0]), let part = Double(words[1]),
      (0...10).contains(part)
    else { return 0 }
    return part
  }

  /// Computes until the time since `begin` has grown by a fraction.
  ///
  /// - Returns: The time since `begin`, in nanoseconds.
  static func wait(since begin: UInt64, _ part: Double) -> UInt64 {
    var now = Clock.monotonicNs()
    let end = begin + UInt64(Double(now - begin) * (1 + part))
    while now < end { now = Clock.monotonicNs() }
    return now - begin
  }
}
