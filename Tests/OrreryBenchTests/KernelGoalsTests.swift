// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Goals of kernels ask for the rows that they name, and hold each figure the right way up.
///
/// Method: a report of rows by hand, in which every goal finds a figure of its own; the whole list of goals
/// against a list by hand.
@Suite struct KernelGoalsTests {
  private func lines(_ report: KernelReport) -> [String] {
    KernelGoals.all(report).map { goal in
      "\(goal.name) ≥ \(goal.wanted): \(goal.measured.map { "\($0)" } ?? "-"), \(goal.verdict)"
    }
  }

  private func expect(_ found: [String], _ expected: [String]) {
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(found), but \(expected) is right")
      break
    }
    #expect(found.count == expected.count)
  }

  private static let large = 1_000_000
  private static let huge = 10_000_000

  @Test func ratiosAreOfTheBestPeerAtTwoNumbersOfEntities() {
    var report = HandMade.kernelReport()
    // The best peer takes 12 ns; ours in whole parts of it.
    let figures: [(KernelKind, Int, tick: Double, tile: Double)] = [
      (.orbit, 10_000, 6, 4), (.orbit, Self.large, 8, 6), (.marquee, 10_000, 8, 3),
      (.marquee, Self.large, 12, 6), (.tween, 10_000, 6, 4), (.tween, Self.large, 4, 3),
      (.spring, 10_000, 4, 3), (.spring, Self.large, 12, 4),
    ]
    for (kind, count, tick, tile) in figures {
      report.add(
        kind,
        [
          HandMade.kernel(.peer, count: count, ns: [12]),
          HandMade.kernel(.ours, count: count, isa: "baseline", ns: [0.5]),
          HandMade.kernel(.ours, "streamed", count: count, ns: [tick + 1]),
          HandMade.kernel(.ours, count: count, ns: [tick]),
          HandMade.kernel(.ours, count: count, tile: 8, ns: [tile]),
          HandMade.kernel(.ours, count: count, tile: 8, threads: 2, ns: [0.5]),
          HandMade.kernel(.ours, count: count, tile: 4, ns: [0.5]),
        ]
      ) { _ in nil }
    }
    expect(
      Array(lines(report).prefix(16)),
      [
        "orbit, 10,000, tick by tick ≥ 1.7: 2.0, holds",
        "orbit, 10,000, tiles of 8 ≥ 3.0: 3.0, holds",
        "orbit, 1,000,000, tick by tick ≥ 1.7: 1.5, missed",
        "orbit, 1,000,000, tiles of 8 ≥ 2.2: 2.0, missed",
        "marquee, 10,000, tick by tick ≥ 1.6: 1.5, missed",
        "marquee, 10,000, tiles of 8 ≥ 2.6: 4.0, holds",
        "marquee, 1,000,000, tick by tick ≥ 1.1: 1.0, missed",
        "marquee, 1,000,000, tiles of 8 ≥ 1.7: 2.0, holds",
        "tween, 10,000, tick by tick ≥ 2.0: 2.0, holds",
        "tween, 10,000, tiles of 8 ≥ 2.7: 3.0, holds",
        "tween, 1,000,000, tick by tick ≥ 1.6: 3.0, holds",
        "tween, 1,000,000, tiles of 8 ≥ 3.0: 4.0, holds",
        "spring, 10,000, tick by tick ≥ 2.0: 3.0, holds",
        "spring, 10,000, tiles of 8 ≥ 3.5: 4.0, holds",
        "spring, 1,000,000, tick by tick ≥ 1.25: 1.0, missed",
        "spring, 1,000,000, tiles of 8 ≥ 2.5: 3.0, holds",
      ])
  }

  @Test func columnsOfSixteenBitsHaveGoalsOfTheirOwn() {
    var report = HandMade.kernelReport()
    for (kind, ns) in [(.orbit, 4), (.tween, 3), (.spring, 6)] as [(KernelKind, Double)] {
      report.add(
        kind,
        [
          HandMade.kernel(.peer, count: Self.large, ns: [12]),
          HandMade.kernel(.ours, count: Self.large, tile: 8, ns: [1]),
          HandMade.kernel(.ours, count: Self.large, tile: 8, isFixed: true, ns: [ns]),
        ]
      ) { _ in nil }
    }
    expect(
      Array(lines(report).dropFirst(16).prefix(4)),
      [
        "orbit, 1,000,000, tiles of 8, 16 bits ≥ 3.0: 3.0, holds",
        "marquee, 1,000,000, tiles of 8, 16 bits ≥ 3.0: -, not measured",
        "tween, 1,000,000, tiles of 8, 16 bits ≥ 3.0: 4.0, holds",
        "spring, 1,000,000, tiles of 8, 16 bits ≥ 3.0: 2.0, missed",
      ])
  }

  @Test func partOfTheBandwidthIsTheSmallerOfTwo() {
    var report = HandMade.kernelReport()
    for (kind, tick, tile) in [(.orbit, 2, 4), (.flow, 4, 1)] as [(KernelKind, Double, Double)] {
      report.add(
        kind,
        [
          HandMade.kernel(.ours, count: Self.huge, ns: [tick]),
          HandMade.kernel(.ours, count: Self.huge, tile: 8, ns: [tile]),
        ]
      ) { _ in [1] }
    }
    report.add(.spring, [HandMade.kernel(.ours, count: Self.huge, ns: [1])]) { _ in [0.875] }
    expect(
      Array(lines(report).dropFirst(20).prefix(5)),
      [
        "orbit, 10,000,000, part of the bandwidth ≥ 0.85: 0.25, missed",
        "marquee, 10,000,000, part of the bandwidth ≥ 0.85: -, not measured",
        "flow, 10,000,000, part of the bandwidth ≥ 0.85: 0.25, missed",
        "tween, 10,000,000, part of the bandwidth ≥ 0.85: -, not measured",
        "spring, 10,000,000, part of the bandwidth ≥ 0.85: 0.875, holds",
      ])
  }

  @Test func otherWaysAreHeldAgainstOurBestAndThreadsAgainstOne() {
    var report = HandMade.kernelReport()
    for (count, arrays, objects) in [(10_000, 60, 1200), (100_000, 80, 800)]
      as [(Int, Double, Double)]
    {
      report.add(
        .orbit,
        [
          HandMade.kernel(.peer, family: "entity-component arrays", count: count, ns: [arrays]),
          HandMade.kernel(.peer, family: "Swift, library of objects", count: count, ns: [objects]),
          HandMade.kernel(.ours, count: count, ns: [4]),
          HandMade.kernel(.ours, count: count, tile: 8, ns: [2]),
          HandMade.kernel(.ours, count: count, threads: 2, ns: [2]),
          HandMade.kernel(.ours, count: count, tile: 8, threads: 2, ns: [1.25]),
        ]
      ) { _ in nil }
    }
    // What a kind of another name does is no part of it.
    report.add(
      .flow, [HandMade.kernel(.peer, family: "entity-component arrays", count: 10_000, ns: [1])]
    ) { _ in nil }
    expect(
      Array(lines(report).dropFirst(25).prefix(4)),
      [
        "orbit against entity-component arrays ≥ 30.0: 30.0, holds",
        "orbit against Swift, library of objects ≥ 500.0: 400.0, missed",
        "orbit, 10,000, two threads, tick by tick ≥ 1.9: 2.0, holds",
        "orbit, 10,000, two threads, tiles of 8 ≥ 1.9: 1.6, missed",
      ])
  }

  @Test func keyframesAreHeldAgainstTheLoopByHandAndOtherPlayers() {
    var report = HandMade.kernelReport()
    for (kind, byHand, player) in [(.keyframes2, 3, 8), (.keyframes16, 8, 3)]
      as [(KernelKind, Double, Double)]
    {
      report.add(
        kind,
        [
          HandMade.kernel(.peer, family: "AVX2 by hand", count: 10_000, ns: [byHand + 1]),
          HandMade.kernel(.peer, family: "AVX-512 by hand", count: 10_000, ns: [byHand]),
          HandMade.kernel(.peer, family: "C++ players", count: 10_000, ns: [player]),
          HandMade.kernel(.ours, count: 10_000, ns: [1]),
          HandMade.kernel(.ours, count: 10_000, tile: 8, ns: [4]),
        ]
      ) { _ in nil }
    }
    expect(
      Array(lines(report).suffix(12).filter { !$0.hasSuffix("not measured") }),
      [
        "keyframes-2, 10,000, against by hand ≥ 0.77: 0.75, missed",
        "keyframes-2, 10,000, against other players ≥ 1.0: 2.0, holds",
        "keyframes-16, 10,000, against by hand ≥ 0.77: 2.0, holds",
        "keyframes-16, 10,000, against other players ≥ 1.0: 0.75, missed",
      ])
  }

  @Test func nothingIsMeasuredOfNothing() {
    let goals = KernelGoals.all(HandMade.kernelReport())
    #expect(goals.count == 41)
    #expect(goals.allSatisfy { $0.measured == nil })
  }
}
