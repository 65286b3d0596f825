// SPDX-License-Identifier: Apache-2.0

import OrrerySim
import Testing

/// Goal: threads share a round where that is faster, and only there; what changes is noticed.
///
/// Method: rounds of made-up lengths, for each number of threads another; no clock is read.
@Suite struct ThreadChoiceTests {
  /// Plays rounds of eight tasks; `ns` is what a round takes with so many threads.
  ///
  /// - Returns: Rounds for each number of threads, by that number.
  @discardableResult private static func play(
    _ rounds: Int, _ choice: inout ThreadChoice, ns: (_ threads: Int, _ round: Int) -> UInt64
  ) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for round in 0..<rounds {
      counts[choice.threads, default: 0] += 1
      if choice.wantsTime {
        choice.record(tasks: 8, ns: ns(choice.threads, round))
      } else {
        choice.skip()
      }
    }
    return counts
  }

  @Test(arguments: [2, 3, 4, 7, 64])
  func allThreadsStayWhereEachPays(threadCount: Int) {
    var choice = ThreadChoice(threadCount: threadCount)
    #expect(choice.threads == threadCount)
    let counts = Self.play(100_000, &choice) { threads, _ in 1_000_000 / UInt64(threads) }
    #expect(choice.chosen == threadCount)
    #expect(counts[threadCount, default: 0] > 99_000, "\(counts)")
  }

  @Test(arguments: [2, 3, 4, 7, 64])
  func oneThreadStaysWhereNonePays(threadCount: Int) {
    var choice = ThreadChoice(threadCount: threadCount)
    let counts = Self.play(100_000, &choice) { threads, _ in 100_000 * UInt64(threads) }
    #expect(choice.chosen == 1)
    #expect(counts[1, default: 0] > 98_000, "\(counts)")
  }

  /// Four are best of sixteen: neither all nor one.
  @Test func bestNumberInBetweenIsFound() {
    var choice = ThreadChoice(threadCount: 16)
    Self.play(20_000, &choice) { threads, _ in
      1_000_000 / UInt64(threads) + 40_000 * UInt64(threads)
    }
    #expect(choice.chosen == 4)
    // And from below, when it was one at first.
    Self.play(60_000, &choice) { threads, _ in 1_000 * UInt64(threads) }
    #expect(choice.chosen == 1)
    Self.play(60_000, &choice) { threads, _ in
      1_000_000 / UInt64(threads) + 40_000 * UInt64(threads)
    }
    #expect(choice.chosen == 4)
  }

  /// Processors are left to others where a thread more gains less than three parts in a hundred.
  @Test(arguments: [(980, 1), (960, 2)])
  func smallGainIsNoGain(two: UInt64, chosen: Int) {
    var choice = ThreadChoice(threadCount: 2)
    Self.play(10_000, &choice) { threads, _ in threads == 2 ? two : 1_000 }
    #expect(choice.chosen == chosen)
  }

  /// The first round of a turn wakes threads and fills caches.
  @Test func firstRoundOfATurnDoesNotCount() {
    var (choice, last) = (ThreadChoice(threadCount: 2), 0)
    Self.play(10_000, &choice) { threads, _ in
      defer { last = threads }
      return (threads == 2 ? 500 : 1_000) + (threads != last ? 1_000_000 * UInt64(threads) : 0)
    }
    #expect(choice.chosen == 2)
  }

  /// A thread that sleeps wakes in the time of many short rounds; until then it is no help.
  @Test func shortRoundsUntilAThreadIsAwakeDoNotCount() {
    var (choice, last, awakeNs) = (ThreadChoice(threadCount: 2), 0, UInt64(0))
    let counts = Self.play(400_000, &choice) { threads, _ in
      if threads != last { (last, awakeNs) = (threads, 0) }
      let ns: UInt64 = threads == 2 && awakeNs >= ThreadChoice.wakingNs / 2 ? 700 : 1_000
      awakeNs += ns
      return ns
    }
    #expect(choice.chosen == 2)
    #expect(counts[2, default: 0] > 390_000, "\(counts)")
  }

  /// Rounds that take no time end a trial, too.
  @Test func roundsOfNoTimeEndATrial() {
    var choice = ThreadChoice(threadCount: 2)
    for _ in 0..<10_000 where choice.wantsTime { choice.record(tasks: 8, ns: 0) }
    #expect(!choice.wantsTime)
  }

  /// Rounds differ in size: time is compared by task.
  @Test func largeRoundsCountAsManySmallOnes() {
    var choice = ThreadChoice(threadCount: 2)
    for _ in 0..<ThreadChoice.turnCount * (ThreadChoice.turnLength + 1) {
      let tasks = choice.threads == 2 ? 100 : 10
      choice.record(tasks: tasks, ns: UInt64(tasks) * (choice.threads == 2 ? 90_000 : 100_000))
    }
    #expect(!choice.wantsTime)
    #expect(choice.chosen == 2)
  }

  @Test func trialsBecomeRareButNeverEnd() {
    var choice = ThreadChoice(threadCount: 2)
    var (rests, rest) = ([Int](), 0)
    for _ in 0..<200_000 {
      if choice.wantsTime {
        if rest > 0 { rests.append(rest) }
        rest = 0
        choice.record(tasks: 8, ns: choice.threads == 2 ? 500_000 : 1_000_000)
      } else {
        rest += 1
        choice.skip()
      }
    }
    var (length, expected) = (ThreadChoice.restMin * 2, [Int]())
    while expected.count < rests.count {
      expected.append(length)
      length = min(length * 2, ThreadChoice.restMax)
    }
    #expect(rests == expected)
    #expect(rests.count > 20)
  }

  @Test func oneThreadHasNothingToChoose() {
    var choice = ThreadChoice(threadCount: 1)
    #expect(!choice.wantsTime)
    #expect(Self.play(10_000, &choice) { _, _ in 1 } == [1: 10_000])
  }

  @Test func noThreadsTrap() async {
    await #expect(processExitsWith: .failure) { _ = ThreadChoice(threadCount: 0) }
  }
}
