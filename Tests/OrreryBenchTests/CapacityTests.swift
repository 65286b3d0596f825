// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// The search ends at the right number with few runs, and the judge names what limits.
@Suite struct CapacityTests {
  @Test(arguments: [1, 3, 999, 87_654, 1_000_000, 63_123_456])
  func searchFindsTheBorder(border: Int) throws {
    var runs = 0
    let outcome = CapacitySearch.find(from: 100_000, max: 100_000_000) { number, _ in
      runs += 1
      return number <= border ? .holds : .fails
    }
    #expect(outcome.number <= border)
    #expect(Double(outcome.number) * 1.06 + 1 >= Double(border), "\(outcome)")
    #expect(outcome.runs == 3)
    #expect(outcome.held == 3)
    #expect(outcome.failsAbove == true)
    #expect(runs <= 40, "\(runs) runs")
  }

  @Test func nothingHoldsOrAllDoes() {
    let none = CapacitySearch.find(from: 100, max: 1000) { _, _ in .fails }
    #expect(none == CapacitySearch.Outcome())
    let all = CapacitySearch.find(from: 100, max: 1000) { _, _ in .holds }
    #expect(all.number == 1000)
    #expect(all.isOpen)
    #expect(all.held == 3)
    #expect(all.failsAbove == nil)
  }

  /// A number that holds only sometimes is not confirmed.
  @Test func shakyNumberIsNotConfirmed() {
    var random = SeededRandom(seed: 3)
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number, _ in
      number <= 10_000 || number <= 20_000 && random.unit() < 0.5 ? .holds : .fails
    }
    #expect(outcome.held == 3)
    #expect(outcome.failsAbove == true)
    #expect((9500...20_000).contains(outcome.number), "\(outcome)")
  }

  @Test func interruptionKeepsWhatHeld() {
    var runs = 0
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { _, _ in
      runs += 1
      return runs > 3 ? nil : .holds
    }
    #expect(outcome.isInterrupted)
    #expect(outcome.number == 4000)
    #expect(outcome.held == 0)
  }

  /// On a busy machine a failure decides nothing: the search ends soon, with the least that fits.
  @Test(arguments: [(border: 70_000, least: 50_000), (3_000_000, 1_600_000)])
  func busyMachineGivesTheLeastThatFits(border: Int, least: Int) {
    var runs = 0
    let outcome = CapacitySearch.find(from: 100_000, max: 100_000_000) { number, _ in
      runs += 1
      return number <= border ? .holds : .undecided
    }
    #expect(outcome.isUndecided)
    #expect(outcome.number == least)
    #expect(runs <= 8, "\(runs) runs")
  }

  /// A machine that others use is left alone after a few runs.
  @Test func searchEndsWhereNoRunIsUndisturbed() throws {
    var numbers: [Int] = []
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number, _ in
      numbers.append(number)
      return .undecided
    }
    #expect(outcome.isUndecided && outcome.number == 0)
    #expect(numbers == [1000, 1000, 500, 500, 250, 250])
    var study = StudySamples.full()
    study.capacities[0].undecided = "all runs failed while others had 43 %"
    study.capacities[0].entities = 0
    let text = CapacityText.line(study.capacities[0])
    #expect(text.contains("undecided: no run held; all runs failed while others"), "\(text)")
    #expect(
      ReportPage([study]).verdict.hasPrefix(
        "How many entities of stress, 1 thread hold 60 Hz is undecided: all runs failed while"))
  }

  @Test func oneDisturbanceIsForgotten() {
    var runs = 0
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number, _ in
      runs += 1
      return number <= 20_000 && runs != 3 ? .holds : runs == 3 ? .undecided : .fails
    }
    #expect(!outcome.isUndecided)
    #expect(outcome.held == 3 && outcome.failsAbove == true)
    #expect((19_000...20_000).contains(outcome.number), "\(outcome)")
  }

  /// The number is decided if a larger one failed undisturbed, though the first was disturbed.
  @Test func decidedFailureUndoesADisturbedOne() {
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number, _ in
      number == 1000 ? .undecided : number <= 300 ? .holds : .fails
    }
    #expect(!outcome.isUndecided)
    #expect((285...300).contains(outcome.number), "\(outcome)")
  }

  @Test func disturbedConfirmationIsUndecided() {
    var runs: [Int: Int] = [:]
    let outcome = CapacitySearch.find(from: 1000, max: 1_000_000) { number, _ in
      runs[number, default: 0] += 1
      return number > 1500 ? .fails : runs[number] == 1 ? .holds : .undecided
    }
    #expect(outcome.isUndecided && outcome.held == 0)
    #expect((1400...1500).contains(outcome.number), "\(outcome)")
  }

  @Test func runsThatAreLeftAreCountedDown() {
    var left: [Int] = []
    _ = CapacitySearch.find(from: 1000, max: 1_000_000) { number, runsLeft in
      left.append(runsLeft)
      return number <= 1500 ? .holds : .fails
    }
    #expect(left.last == 1)
    #expect(left.dropFirst(2) == left.dropFirst(2).sorted(by: >)[...], "\(left)")
    #expect(abs(left[0] - left.count) <= 1, "\(left)")
  }

  @Test func timeIsSaidBeforeAndMeanwhile() {
    var pace = CapacityPace(searches: 3, runSeconds: 9)
    #expect(
      pace.expected == "3 searches, each of about 10 to 18 runs of 9 s: 5 min to 9 min\n")
    #expect(pace.next(runsLeft: 6, nowNs: 0) == 340)
    #expect(pace.search == "search 1 of 3")
    // A run took 20 s.
    #expect(pace.next(runsLeft: 5, nowNs: 20_000_000_000) == 660)
    pace.searchesDone = 2
    #expect(pace.next(runsLeft: 4, nowNs: 40_000_000_000) == 80)
    #expect(pace.search == "search 3 of 3")
    let one = CapacityPace(searches: 1, runSeconds: 1).expected
    #expect(one == "One search of about 10 to 18 runs of 1 s: 20 s to 36 s\n")
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
      (Self.figures(wait: 20), .schedule, "the sim waited for a processor"),
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

  @Test func failureWhileOthersHadTheProcessorsDecidesNothing() {
    var figures = Self.figures(wait: 20)
    #expect(Self.judge.answer([.schedule], figures) == .fails)
    figures.others = 0.04
    #expect(Self.judge.answer([.schedule], figures) == .fails)
    figures.others = 0.43
    #expect(Self.judge.answer([.schedule], figures) == .undecided)
    #expect(Self.judge.answer([], figures) == .holds)
    let evidence = Self.judge.evidence(.schedule, figures)
    #expect(evidence.hasSuffix("; other programs had 43 % of the processors"), "\(evidence)")
  }

  @Test func undecidedIsSaidWithTheLeast() throws {
    var study = StudySamples.full()
    study.capacities[0].undecided = "larger runs failed while others had 43 %"
    (study.capacities[0].confirmed, study.capacities[0].confirmations) = (0, 0)
    study.capacities[0].failsAbove = nil
    let text = CapacityText.line(study.capacities[0])
    #expect(text.contains("≥ 1,000,000       -      -\n"), "\(text)")
    #expect(text.contains("undecided: at least 1,000,000 fit; larger runs failed"), "\(text)")
    #expect(!text.contains("limited by"), "\(text)")
    #expect(
      ReportPage([study]).verdict.hasPrefix(
        "At least 1,000,000 entities of stress, 1 thread hold 60 Hz; undecided: larger"))
  }

  @Test func searchThatEndsAtItsLargestNumberSaysSo() throws {
    var result = StudySamples.full().capacities[0]
    (result.isOpen, result.firstCause, result.evidence) = (true, nil, nil)
    let text = CapacityText.line(result)
    #expect(text.contains("≥ 1,000,000"), "\(text)")
    #expect(text.contains("even the largest number, --max, holds"), "\(text)")
    var study = StudySamples.full()
    study.capacities = [result]
    study.rows = [StudyRow(result.rowName, unit: "entities", samples: [1_000_000])]
    #expect(MarkdownSummary.text([study]).contains("| ≥ 1,000,000 entities |"))
    #expect(try ReportPage([study]).html().contains("<td>≥ 1,000,000</td>"))
  }

  @Test func lineFitsAndSaysWhatLimits() {
    let text = CapacityText.heading + CapacityText.line(StudySamples.full().capacities[0])
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(text.contains("1,000,000  3 of 3  fails"), "\(text)")
    #expect(text.contains("limited by compute: with 2,000,000"), "\(text)")
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
