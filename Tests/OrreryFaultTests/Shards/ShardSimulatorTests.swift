// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: whatever happens to the shards of a run and to their subscribers, a joined frame has exactly the parts
/// that were there in time, of one tick, and the sum of their hashes; every frame and every part is accounted
/// for; and when all is well again, the hash is whole again.
///
/// Method: real schedules, rings, joined sources and accounts among simulated processes, time and connections,
/// driven by one seed at a time. `ORRERY_SEED=S` replays one seed and prints what happened in it.
@Suite struct ShardSimulatorTests {
  private static func run(_ seed: UInt64, shardCount: Int? = nil) -> ShardedRun {
    let run = ShardedRun(seed: seed, shardCount: shardCount)
    run.run()
    return run
  }

  /// Runs seeds until one breaks a promise.
  ///
  /// - Returns: What came about; nil after a failure, or if one seed is replayed.
  private static func run(seeds count: Int, shardCount: Int? = nil) -> ShardedRun.Counts? {
    var counts = ShardedRun.Counts()
    let seeds = SimulatorTests.seed.map { $0...$0 } ?? 1...UInt64(count)
    let startNs = Clock.monotonicNs()
    for seed in seeds {
      let run = Self.run(seed, shardCount: shardCount)
      if SimulatorTests.seed != nil { print(run.scheduler.log.tail(.max)) }
      counts.add(run.counts)
      guard run.scheduler.problems.isEmpty else {
        Issue.record(
          """
          ORRERY_SEED=\(seed): \(run.scheduler.problems.joined(separator: "; "))
          \(run.scheduler.log.tail(40))
          """)
        return nil
      }
    }
    print("\(seeds.count) seeds in \(Double(Clock.monotonicNs() - startNs) / 1e9) s: \(counts)")
    return SimulatorTests.seed == nil ? counts : nil
  }

  @Test
  func everySeedOfAFewShardsKeepsThePromises() {
    guard let counts = Self.run(seeds: 200 * testEffort) else { return }
    #expect(counts.joined.received > 1000)
    #expect(counts.joined.incomplete > 100)
    #expect(counts.joined.overdue > 100)
    #expect(counts.joined.missed > 100)
    #expect(counts.joined.overtaken > 10)
    #expect(counts.joined.rejoined > 100)
    #expect(counts.followed.received > 1000)
    #expect(counts.followed.missed > 100)
    #expect(counts.deaths > 100)
    #expect(counts.stalls > 10)
  }

  /// 1000 seeds with `ORRERY_TEST_EFFORT=250`.
  @Test
  func everySeedOfAThousandShardsKeepsThePromises() throws {
    try allowDescriptors(4096)
    guard let counts = Self.run(seeds: 4 * testEffort, shardCount: 1000) else { return }
    #expect(counts.joined.received > 10)
    #expect(counts.published > 10_000)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func sameSeedOfShardsGivesTheSameLog(seed: UInt64) {
    let logs = (0..<2).map { _ in Self.run(seed).scheduler.log }
    #expect(logs[0].hash.value == logs[1].hash.value)
    #expect(logs[0].entries.count == logs[1].entries.count)
    #expect(logs[0].entries.count > 100)
    #expect(Self.run(seed + 1000).scheduler.log.hash.value != logs[0].hash.value)
  }

  /// A hash over the logs of thirty seeds.
  private static func hashOfManySeeds() -> UInt64 {
    var hash = StableHash()
    for seed in 1...30 as ClosedRange<UInt64> { hash.combine(run(seed).scheduler.log.hash.value) }
    return hash.value
  }

  /// What a seed does depends on nothing that differs from process to process.
  @Test
  func anotherProcessReplaysTheLogsOfShards() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      print("hash \(Self.hashOfManySeeds())")
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("hash \(Self.hashOfManySeeds())\n"), "\(text)")
  }
}

extension ShardedRun.Counts {
  fileprivate mutating func add(_ other: Self) {
    joined.add(other.joined)
    followed.received += other.followed.received
    followed.missed += other.followed.missed
    deaths += other.deaths
    stalls += other.stalls
    published += other.published
  }
}
