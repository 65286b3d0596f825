// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// What subscribers do to a sim is the right difference or ratio, judged as a limit.
///
/// Method: figures by hand, each of which gives one goal a value of its own.
@Suite struct SubscriberBenchReportTests {
  private func report() throws -> SubscriberBenchReport {
    var report = SubscriberBenchReport(entities: 1000)
    for (alone, attached) in [(1000, 1200), (1000, 1050), (2000, 1000)] {
      report.pairs.append(
        .init(
          alone: HandMade.figures(p99Ns: alone), attached: HandMade.figures(p99Ns: attached)
        ))
    }
    report.stop = .init(
      seconds: 60, sim: HandMade.figures(p99Ns: 1, lateTicks: 7),
      undisturbed: HandMade.figures(p99Ns: 1, lateTicks: 4),
      before: HandMade.resources(mebibytes: 100), after: HandMade.resources(mebibytes: 108))
    report.churn = .init(
      seconds: 60, subscribers: 64, killed: 100, joined: 120, whole: 5000, torn: 1, missed: 3,
      sim: HandMade.figures(p99Ns: 1100), alone: HandMade.figures(p99Ns: 1000),
      before: HandMade.resources(descriptors: 20, mappings: 50, mebibytes: 100),
      after: HandMade.resources(descriptors: 22, mappings: 49, mebibytes: 109))
    return report
  }

  private func lines(_ report: SubscriberBenchReport) -> [String] {
    report.goals.map { goal in
      let measured = goal.measured.map { "\($0)" } ?? "-"
      return "\(goal.name) \(goal.sign)\(goal.wanted): \(measured), \(goal.verdict)"
    }
  }

  @Test func goalsAreLimitsOfDifferencesAndRatios() throws {
    let report = try report()
    #expect(
      lines(report) == [
        "tick p99 with logger and renderer, by without ≤ 1.05: 1.05, holds",
        "late ticks by stopped subscribers ≤ 0.0: 3.0, missed",
        "MiB that the sim grew by them ≤ 8.0: 8.0, holds",
        "torn frames while subscribers are killed ≤ 0.0: 1.0, missed",
        "descriptors that are left ≤ 0.0: 2.0, missed", "mappings that are left ≤ 0.0: -1.0, holds",
        "MiB that the sim grew by the killed ≤ 8.0: 9.0, missed",
        "tick p99 while they are, by without ≤ 1.05: 1.1, missed",
      ])
  }

  @Test func fewerLateTicksThanUndisturbedAreNone() throws {
    var report = try report()
    report.stop = .init(
      seconds: 60, sim: HandMade.figures(p99Ns: 1, lateTicks: 4),
      undisturbed: HandMade.figures(p99Ns: 1, lateTicks: 7),
      before: HandMade.resources(mebibytes: 108), after: HandMade.resources(mebibytes: 100))
    #expect(report.goals[1].measured == 0)
    #expect(report.goals[2].measured == -8)
  }

  @Test func ratioToASimThatTookNoTimeIsToANanosecond() throws {
    var report = try report()
    report.churn = .init(
      seconds: 60, subscribers: 64, killed: 100, joined: 120, whole: 5000, torn: 0, missed: 3,
      sim: HandMade.figures(p99Ns: 3), alone: HandMade.figures(p99Ns: 0),
      before: HandMade.resources(mebibytes: 1), after: HandMade.resources(mebibytes: 1))
    #expect(report.goals[7].measured == 3)
    #expect(report.goals[3].measured == 0)
    #expect(report.goals[4].measured == 0)
  }

  /// One machine's slow moment is in one pair, and decides nothing.
  @Test func ratioOfSeveralPairsIsTheirMedian() throws {
    var report = SubscriberBenchReport(entities: 1)
    for attached in [900, 100, 110, 120, 10] {
      report.pairs.append(
        .init(
          alone: HandMade.figures(p99Ns: 100), attached: HandMade.figures(p99Ns: attached)))
    }
    #expect(report.goals[0].measured == 1.1)
    #expect(report.goals.dropFirst().allSatisfy { $0.measured == nil })
  }

  @Test func nothingIsJudgedOfNothing() {
    let report = SubscriberBenchReport(entities: 1)
    #expect(report.goals.count == 8)
    #expect(report.goals.allSatisfy { $0.measured == nil })
  }

  @Test func ratioOfAPairIsAttachedByAlone() throws {
    let pair = SubscriberBenchReport.Pair(
      alone: HandMade.figures(p99Ns: 200), attached: HandMade.figures(p99Ns: 100))
    #expect(pair.p99Ratio == 0.5)
    let nothing = SubscriberBenchReport.Pair(
      alone: HandMade.figures(p99Ns: 0), attached: HandMade.figures(p99Ns: 3))
    #expect(nothing.p99Ratio == 3, "no division by zero")
  }

  /// Figures of a line by their names, with their medians.
  private func medians(_ rows: [StudyRow], _ line: String) -> [String: Double] {
    let found = rows.filter { $0.place?.line == line }
    return Dictionary(
      uniqueKeysWithValues: found.map { ($0.place?.figure ?? "", $0.summary?.median ?? -1) })
  }

  @Test func tablesTellBothRunsOfEachPair() throws {
    let rows = try report().pairRows
    #expect(
      medians(rows, "alone") == ["work mean": 1.5, "work p99": 1, "publish p99": 2, "late": 0])
    #expect(rows.first { $0.place?.figure == "work p99" }?.samples == [1, 1, 2])
    #expect(medians(rows, "with logger and renderer")["work p99"] == 1.05)
  }

  @Test func tablesTellWhatWasStoppedAndWhatWasKilled() throws {
    let report = try report()
    #expect(medians(report.stopRows, "they run")["late"] == 4)
    #expect(medians(report.stopRows, "stopped")["late"] == 7)
    #expect(
      medians(report.stopRows, "after") == ["descriptors": 20, "mappings": 2, "MiB": 108])
    #expect(
      medians(report.churnRows, "all of them")
        == ["joined": 120, "killed": 100, "frames whole": 5000, "torn": 1, "missed": 3])
    #expect(medians(report.churnRows, "nobody")["work p99"] == 1)
    #expect(medians(report.churnRows, "they come and go")["work p99"] == 1.1)
    #expect(medians(report.churnRows, "before") == ["descriptors": 20, "mappings": 50, "MiB": 100])
    #expect(SubscriberBenchReport(entities: 1).stopRows.isEmpty)
    #expect(SubscriberBenchReport(entities: 1).churnRows.isEmpty)
  }
}

/// Programs of Orrery's are started beside this one, or named where they are not.
@Suite struct StartedProgramTests {
  @Test func programThatIsMissingIsNamed() throws {
    let base = try TemporaryBase()
    let error = #expect(throws: Failure.self) {
      _ = try StartedProgram("no-such-program", [], in: URL(fileURLWithPath: base.path))
    }
    #expect(error?.status == .unavailable)
    let text = error?.description ?? ""
    #expect(text.contains("/no-such-program is not there; build everything"), "\(text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: base.path) == [])
  }
}

/// What a process holds is read from the kernel's own words.
@Suite struct ProcessResourcesTests {
  @Test func memoryIsInBytesAndMappingsAreLines() {
    let status = "Name:\tsim\nVmRSS:\t    2048 kB\nRssAnon:\t    1024 kB\nRssFile:\t 9 kB\n"
    let resources = StartedProgram.Resources(descriptors: 7, maps: "a\nb\nc\n", status: status)
    #expect(resources.descriptors == 7)
    #expect(resources.mappings == 3)
    #expect(resources.residentBytes == 2 << 20)
    #expect(resources.ownBytes == 1 << 20)
    let unknown = StartedProgram.Resources(descriptors: 0, maps: "", status: "VmRSS: x kB\n")
    #expect(unknown.residentBytes == 0)
    #expect(unknown.ownBytes == 0)
  }

  @Test func ownProcessHoldsSomething() throws {
    let resources = try #require(StartedProgram.Resources(of: getpid()))
    #expect(resources.descriptors >= 3)
    #expect(resources.mappings > 3)
    #expect(resources.ownBytes > 0)
    #expect(resources.residentBytes >= resources.ownBytes)
    #expect(StartedProgram.Resources(of: -1) == nil)
  }
}
