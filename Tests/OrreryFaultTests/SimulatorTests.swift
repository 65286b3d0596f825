// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: whatever happens to a sim, its subscribers and their files, no frame is torn, every frame is
/// accounted for, no process hangs, and every trace can be read up to its last whole chunk.
///
/// Method: the real ring, cursor and trace writer among simulated processes, time, network and disk, driven
/// by one seed at a time. `ORRERY_SEED=S` replays one seed and prints what happened in it.
@Suite struct SimulatorTests {
  /// One seed to replay.
  static let seed = ProcessInfo.processInfo.environment["ORRERY_SEED"].flatMap(UInt64.init)

  private static func run(_ seed: UInt64, in folder: TemporaryBase) throws -> SimulatedRun {
    let run = try SimulatedRun(seed: seed, folder: folder.path)
    run.run()
    return run
  }

  /// 10,000 seeds with `ORRERY_TEST_EFFORT=25`.
  @Test
  func everySeedKeepsThePromises() throws {
    let folder = try TemporaryBase()
    var counts = SimulatedRun.Counts()
    let seeds = Self.seed.map { $0...$0 } ?? 1...UInt64(400 * testEffort)
    let startNs = Clock.monotonicNs()
    for seed in seeds {
      let run = try Self.run(seed, in: folder)
      if Self.seed != nil { print(run.scheduler.log.tail(.max)) }
      counts.add(run.counts)
      guard run.scheduler.problems.isEmpty else {
        Issue.record(
          """
          ORRERY_SEED=\(seed): \(run.scheduler.problems.joined(separator: "; "))
          \(run.scheduler.log.tail(40))
          """)
        return
      }
    }
    let seconds = Double(Clock.monotonicNs() - startNs) / 1e9
    print("\(seeds.count) seeds in \(seconds) s: \(counts)")
    guard Self.seed == nil else { return }
    #expect(counts.received > 1000)
    #expect(counts.overtaken > 10)
    #expect(counts.kills > 10)
    #expect(counts.sent > 100)
    #expect(counts.generations > seeds.count + 10)
    #expect(counts.traces.finished > 10)
    #expect(counts.traces.cutOff > 10)
    #expect(counts.traces.failed > 10)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func sameSeedGivesTheSameLog(seed: UInt64) throws {
    let folder = try TemporaryBase()
    let logs = try (0..<2).map { _ in try Self.run(seed, in: folder).scheduler.log }
    #expect(logs[0].hash.value == logs[1].hash.value)
    #expect(logs[0].entries.count == logs[1].entries.count)
    #expect(logs[0].entries.count > 3)
    let other = try Self.run(seed + 1000, in: folder).scheduler.log
    #expect(other.hash.value != logs[0].hash.value)
  }

  /// A hash over the logs of a hundred seeds.
  private static func hashOfManySeeds() throws -> UInt64 {
    let folder = try TemporaryBase()
    var hash = StableHash()
    for seed in 1...100 as ClosedRange<UInt64> {
      hash.combine(try run(seed, in: folder).scheduler.log.hash.value)
    }
    return hash.value
  }

  /// What a seed does depends on nothing that differs from process to process.
  @Test
  func anotherProcessReplaysTheSameLogs() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      print("hash \(try Self.hashOfManySeeds())")
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("hash \(try Self.hashOfManySeeds())\n"), "\(text)")
  }
}

extension SimulatedRun.Counts {
  fileprivate mutating func add(_ other: Self) {
    received += other.received
    overtaken += other.overtaken
    published += other.published
    generations += other.generations
    kills += other.kills
    sent += other.sent
    traces.finished += other.traces.finished
    traces.cutOff += other.traces.cutOff
    traces.failed += other.traces.failed
    traces.kept += other.traces.kept
  }
}
