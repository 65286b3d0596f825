// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Calls of a row come to nanoseconds of an entity and a tick.
///
/// Method: rounds by hand; calls that are counted.
@Suite struct BenchRowTests {
  private func row(
    _ subject: StudyRow.Subject = .ours, count: Int = 1000, tile: Int = 1,
    call: @escaping () -> Void = {}
  ) -> BenchRow {
    BenchRow(
      subject, name: "name", family: "family", count: count, traffic: nil, ticksPerCall: tile,
      call: call)
  }

  @Test func roundIsSharedByCallsEntitiesAndTicks() {
    let row = row(count: 1000, tile: 8)
    row.add(ns: 48_000, calls: 3)
    row.add(ns: 8_000, calls: 1)
    #expect(row.rounds.all == [2, 1])
  }

  @Test func trafficCountsUpdatesTwice() {
    #expect(Traffic(reads: 1, updates: 10, writes: 100).bytes == 121)
    let mean = Traffic(mean: [
      Traffic(reads: 1, updates: 2, writes: 3), Traffic(reads: 3, updates: 6, writes: 9),
    ])
    #expect(mean == Traffic(reads: 2, updates: 4, writes: 6))
    #expect(Traffic(mean: []) == Traffic(reads: 0, updates: 0, writes: 0))
  }

  @Test(arguments: [StudyRow.Subject.ours, .peer, .limit])
  func roundCallsAtLeastOnceAndTakesUpBefore(subject: StudyRow.Subject) {
    var calls = 0
    let row = row(subject) { calls += 1 }
    row.measure(ns: 1)
    #expect(calls >= 2, "once outside the clock")
    #expect(row.rounds.count == 1)
    #expect(row.rounds.min > 0)
  }

  @Test func onlyPeersGoOnUntilEverythingHasStarted() {
    for (subject, expected) in [(.peer, 121), (.ours, 0), (.limit, 0)]
      as [(StudyRow.Subject, Int)]
    {
      var calls = 0
      row(subject) { calls += 1 }.start()
      #expect(calls == expected, "\(subject)")
    }
    var calls = 0
    row { calls += 1 }.warmUp()
    #expect(calls == 1)
  }

  @Test func rowWhoseCallTakesLongIsMeasuredThreeTimes() {
    var calls = 0
    let slow = row(.peer) { calls += 1 }
    for _ in 0..<2 { slow.add(ns: 4001, calls: 1) }
    slow.measure(ns: 1000)
    #expect(slow.rounds.count == 3)
    // As long as four rounds should be is not too long.
    let just = row(.peer) {}
    for _ in 0..<3 { just.add(ns: 4000, calls: 1) }
    just.measure(ns: 1000)
    #expect(just.rounds.count == 4)
    calls = 0
    let late = row(.peer) { calls += 1 }
    for _ in 0..<3 { late.add(ns: 8002, calls: 2) }
    late.measure(ns: 1000)
    #expect(late.rounds.count == 3, "a call takes 4001 ns")
    #expect(calls == 0)
  }

  @Test func slowPeersAreNotCalledOnceMoreBeforeTheClock() {
    for (subject, expected) in [(.peer, 1), (.ours, 2), (.limit, 1)]
      as [(StudyRow.Subject, Int)]
    {
      var calls = 0
      let row = row(subject) { calls += 1 }
      // The round before: a call took as long as a round of no length.
      row.add(ns: 1, calls: 1)
      row.measure(ns: 0)
      #expect(calls == expected, "\(subject)")
    }
  }

  @Test func rowOfAPeerMovesItsTask() throws {
    let task = try KernelTask(.orbit, count: 9)
    let variant = try #require(PeerVariant.objects.first?.first { $0.kind == .orbit })
    let row = BenchRow(variant, task)
    #expect(row.subject == .peer)
    #expect(row.family == "Swift, array of objects")
    #expect(row.name.isEmpty)
    #expect(row.count == 9)
    #expect(row.ticksPerCall == 1)
    #expect(!row.drifts)
    row.measure(ns: 1)
    #expect(row.rounds.count == 1)
  }
}
