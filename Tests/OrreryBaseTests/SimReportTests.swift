// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: a sim's report says each number once, under its name, as text and as JSON.
@Suite struct SimReportTests {
  private static func account(_ index: Int) -> SubscriberAccount {
    SubscriberAccount(
      name: "s\(index)", processID: UInt32(100 + index), waiting: "futex", reading: "every",
      joinedAfter: 1, received: UInt64(10 * index), missed: UInt64(index), departure: "left")
  }

  private static func report(threads: Int = 2, subscribers: Int = 0) -> SimReport {
    var ticks = Histogram()
    for value in [1_000, 2_000, 50_000] as [UInt64] { ticks.record(value) }
    var publishes = Histogram()
    publishes.record(700)
    return SimReport(
      scene: "flags", run: "demo", entities: 7, isa: "avx2", threads: threads, delivery: "live",
      slots: 64, frameBytes: 4_096, lookAhead: 5, output: "fixed16", stores: "cached",
      ticksPerSecond: 60, frames: 600, stateHash: "00000000000000ab", seconds: 9.987,
      tick: DurationReport(ticks), publish: DurationReport(publishes), lateTicks: 3,
      scheduleShifts: 1,
      memory: MemoryReport(estimatedBytes: 11, residentBytesMost: 12),
      subscribers: (0..<subscribers).map { account($0 + 1) })
  }

  @Test func textTellsEachNumberUnderItsName() {
    #expect(
      Self.report().text == """
        scene      flags, 7 entities, run 'demo'
        frames     600 in 9.99 s, live, 64 slots of 4096 bytes
        output     fixed16, 5 ticks ahead, cached stores
        tick       p50 2.0 µs, p99 50.0 µs, max 50.0 µs (avx2, 2 threads)
        publish    p50 700 ns, p99 700 ns, max 700 ns
        late       3 ticks, schedule moved 1 times
        state hash 00000000000000ab
        """)
    #expect(Self.report(threads: 1).text.contains("(avx2, 1 thread)\n"))
  }

  @Test func lastEightSubscribersAreShown() {
    #expect(
      Self.report(subscribers: 2).text.hasSuffix(
        "\nsubscriber s1 (pid 101, futex, every): read 10, missed 1, left"
          + "\nsubscriber s2 (pid 102, futex, every): read 20, missed 2, left"))
    let eight = Self.report(subscribers: 8).text
    #expect(eight.contains("\nsubscriber s1 "))
    #expect(!eight.contains("more, and"))
    let nine = Self.report(subscribers: 9).text
    #expect(nine.contains("ab\nsubscribers 1 more, and\nsubscriber s2 "))
    #expect(nine.hasSuffix("\nsubscriber s9 (pid 109, futex, every): read 90, missed 9, left"))
  }

  @Test func durationsAreMedianNinetyNinthPercentileAndLargest() {
    var histogram = Histogram()
    for value in UInt64(1)...50 { histogram.record(value) }
    histogram.record(61)
    let report = DurationReport(histogram)
    #expect(report.p50Ns == 26)
    #expect(report.p99Ns == 61)
    #expect(report.maxNs == 61)
    for _ in 0..<49 { histogram.record(1) }
    // 99 of 100 values are 50 or less.
    #expect(DurationReport(histogram).p99Ns == 50)
    #expect(DurationReport(histogram).p50Ns == 1)
    #expect(DurationReport(histogram).maxNs == 61)
  }

  @Test func reportComesBackFromItsLine() throws {
    let report = Self.report(subscribers: 3)
    let line = ReportLine.encode(report, schema: "orrery.sim.v1")
    #expect(ReportLine.decode(line) == report)
    #expect(report.subscribers.count == 3)
    let progress = ProgressReport(tick: 5, seconds: 0.5, lateTicks: 2)
    #expect(
      ReportLine.encode(progress, schema: "p")
        == #"{"schema":"p","lateTicks":2,"program":"sim","seconds":0.5,"tick":5}"#)
    #expect(
      ReportLine.decode(#"{"lateTicks":2,"program":"sim","seconds":0.5,"tick":5}"#) == progress)
  }

  /// What each is read back as is also what was put in.
  @Test func fieldsHoldWhatTheyWereGiven() {
    let report = Self.report(subscribers: 1)
    #expect(report.program == "sim")
    #expect(report.memory == MemoryReport(estimatedBytes: 11, residentBytesMost: 12))
    #expect(report.memory.residentBytesMost == 12)
    #expect(report.subscribers == [Self.account(1)])
    #expect(report.ticksPerSecond == 60)
  }
}
