// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// The search ends at the right number with few runs, and the judge names what gave in.
@Suite struct CapacityTests {
  @Test(arguments: [1, 3, 999, 87_654, 1_000_000, 63_123_456])
  func searchFindsTheBorder(border: Int) throws {
    var runs = 0
    let outcome = CapacitySearch.find(from: 100_000, max: 100_000_000) { number in
      runs += 1
      return number <= border
    }
    #expect(outcome.number <= border)
    #expect(Double(outcome.number) * 1.06 + 1 >= Double(border), "\(outcome)")
    #expect(outcome.runs == 3)
    #expect(outcome.held == 3)
    #expect(outcome.failsAbove == true)
    #expect(runs <= 40, "\(runs) runs")
  }

  @Test func nothingHoldsOrAllDoes() {
    let none = CapacitySearch.find(from: 100, max: 1000) { _ in false }
    #expect(none == CapacitySearch.Outcome())
    let all = CapacitySearch.find(from: 100, max: 1000) { _ in true }
    #expect(all.number == 1000)
    #expect(all.isOpen)
    #expect(all.held == 3)
    #expect(all.failsAbove == nil)
  }

  /// A number that holds only sometimes is not confirmed.
  @Test func shakyNumberIsNotConfirmed() {
    var random = SeededRandom(seed: 3)
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number in
      number <= 10_000 || number <= 20_000 && random.unit() < 0.5
    }
    #expect(outcome.held == 3)
    #expect(outcome.failsAbove == true)
    #expect((9500...20_000).contains(outcome.number), "\(outcome)")
  }

  @Test func interruptionKeepsWhatHeld() {
    var runs = 0
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { _ in
      runs += 1
      return runs > 3 ? nil : true
    }
    #expect(outcome.isInterrupted)
    #expect(outcome.number == 4000)
    #expect(outcome.held == 0)
  }

  private static let judge = CapacityJudge(
    tickNs: 16e6, budget: 0.9, percentile: 99.9, picturesHz: 60)

  private static func figures(
    wait: Double, median: Double = 1, work: Double = 1, publish: Double = 0, bandwidth: Double = 0
  ) -> CapacityResult.Figures {
    CapacityResult.Figures(
      ticks: 600, lateTicks: 0, waitNs: UInt64(wait * 1e6), waitMedianNs: UInt64(median * 1e6),
      workNs: UInt64(work * 1e6), publishNs: UInt64(publish * 1e6), ofBandwidth: bandwidth)
  }

  @Test func eachCauseIsNamedWithItsEvidence() {
    let judge = Self.judge
    var figures = Self.figures(wait: 14.4)
    #expect(judge.causes(figures) == [])
    let cases: [(CapacityResult.Figures, CapacityResult.Cause, String)] = [
      (Self.figures(wait: 14.5, median: 12, work: 12, bandwidth: 0.2), .compute, "12.00 ms"),
      (
        Self.figures(wait: 14.5, median: 12, work: 12, bandwidth: 0.6), .memoryBandwidth,
        "80 % of the 12.00 ms"
      ), (Self.figures(wait: 20, publish: 8), .publish, "8.00 ms"),
      (Self.figures(wait: 20), .schedule, "other programs"),
    ]
    for (figures, cause, evidence) in cases {
      #expect(judge.causes(figures) == [cause])
      #expect(
        judge.evidence(cause, figures).contains(evidence), "\(judge.evidence(cause, figures))")
    }
    (figures.loggerMissed, figures.ofDisk, figures.loggerBusy) = (2, 0.3, 0.99)
    #expect(judge.causes(figures) == [.logger])
    #expect(judge.evidence(.logger, figures).contains("missed 2 frames; it worked 99 %"))
    figures.ofDisk = 0.9
    #expect(judge.causes(figures) == [.disk])
    #expect(judge.evidence(.disk, figures).contains("90 % of what the disk takes"))
    (figures.readerMissed, figures.picturesHz) = (1, 56.9)
    #expect(judge.causes(figures) == [.reader, .disk, .renderer])
    #expect(judge.evidence(.renderer, figures).contains("56.9"))
    (figures.readerMissed, figures.loggerMissed, figures.picturesHz) = (0, 0, 57)
    #expect(judge.causes(figures) == [])
  }

  @Test func lineFitsAndSaysWhatGaveIn() {
    let text = CapacityText.heading + CapacityText.line(StudySamples.full().capacities[0])
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(text.contains("1,000,000  3 of 3  fails"), "\(text)")
    #expect(text.contains("compute gave in first, with 2,000,000"), "\(text)")
  }

  @Test(arguments: FieldKind.allCases) func kindIsASceneThatScales(kind: FieldKind) throws {
    let base = try TemporaryBase()
    let path = base.path + "/\(kind.rawValue).toml"
    try AtomicFile.write(kind.scene, to: path)
    var workload = Workload(name: path)
    workload.entities = 40
    let plan = try workload.plan()
    #expect(plan.entityCount == 40)
    #expect(plan.batches.map(\.kind) == [kind.rawValue])
  }
}

/// Waits count from the time at which a frame was due, whatever was left out.
@Suite struct FrameWaitsTests {
  private static func frame(_ sequence: UInt64, due: UInt64?, done: UInt64) -> SimFrameTimes {
    SimFrameTimes(
      sequence: sequence, tick: sequence, dueNs: due, begunNs: done, computedNs: done,
      publishedNs: done)
  }

  @Test func skippedTicksWaitForTheNext() {
    let frames = [
      Self.frame(1, due: 100, done: 103), Self.frame(2, due: 110, done: 111),
      // Due at 120 and 130, and never computed.
      Self.frame(3, due: 140, done: 142), Self.frame(4, due: nil, done: 150),
    ]
    #expect(FrameWaits.ofSim(frames, tickNs: 10, until: \.computedNs) == [3, 1, 22, 12, 2])
  }

  @Test func missedFramesWaitForTheNextThatCame() {
    let published = (1...5).map { Self.frame($0, due: $0 * 10, done: $0 * 10 + 1) }
    let used = [1, 4].map {
      SubscriberFrameTimes(sequence: $0, foundNs: $0 * 10 + 2, doneNs: $0 * 10 + 5)
    }
    #expect(FrameWaits.of(used, published, until: \.foundNs) == [2, 22, 12, 2])
    #expect(FrameWaits.of([], published, until: \.foundNs) == [])
  }

  @Test func roundsAreMediansOfRuns() {
    #expect(FrameWaits.rounds([1, 2, 9, 4, 4, 4, 7], of: 3) == [2, 4])
    #expect(FrameWaits.rounds([5, 1], of: 3) == [3])
    #expect(FrameWaits.rounds([], of: 3) == [])
  }
}
