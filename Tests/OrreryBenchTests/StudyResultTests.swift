// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// A result is a file that is read back, has its schema, and is refused where a hand or a disk changed it.
@Suite struct StudyResultTests {
  private func read(_ text: String) throws(Failure) -> StudyResult {
    try StudyResult.parse(Array(text.utf8), file: "a.json")
  }

  @Test func fileIsReadBack() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a.json"
    let result = StudySamples.full()
    try result.write(to: path)
    #expect(try StudyResult.read(path) == result)
    #expect(try FileManager.default.contentsOfDirectory(atPath: base.path) == ["a.json"])
  }

  @Test func fileIsAsItsSchemaSays() throws {
    let schema = try Repository.schema("bench-result")
    var other = StudySamples.full()
    other.varied = ["entities=10"]
    other.rows[0].budgetNs = 1e9 / 60
    other.capacities[0].undecided = "larger runs failed"
    for result in [StudySamples.full(), other, StudySamples.result([])] {
      #expect(try schema.faults(of: Data(result.text().utf8)) == [])
      #expect(try result.text().hasPrefix("{\n  \"schema\" : \"orrery.bench-result.v1\","))
    }
  }

  @Test func otherFilesAreRefusedWithPlaceAndReason() throws {
    let text = try StudySamples.full().text()
    let cases = [
      ("", ExitStatus.badData, "a.json: no result of orrery bench"),
      ("{", .badData, "a.json:1:2: "),
      ("{\"schema\": \"orrery.sim.v2\"}", .badData, "no result of orrery bench"),
      ("{}", .badData, "no result of orrery bench"),
      (
        text.replacing("result.v1", with: "result.v9"), .mismatch,
        "a.json: has the version orrery.bench-result.v9"
      ), (text.replacing("\"samples\"", with: "\"sample\""), .badData, "samples"),
      (text.replacing("\"smaller\"", with: "\"small\""), .badData, "better"),
      (text.replacing("\"unit\" : \"Hz\"", with: "\"unit\" : 7"), .badData, "unit"),
      (text.replacing("drawing", with: "tick stress"), .badData, "'tick stress' stands twice"),
      (
        text.replacing("        59,", with: "        -59,"), .badData,
        "'drawing' has a round of -59"
      ),
    ]
    for (text, status, message) in cases {
      let error = #expect(throws: Failure.self, "\(message)") { try read(text) }
      #expect(error?.status == status, "\(message)")
      #expect(error?.description.contains(message) == true, "\(error as Any)")
    }
    let missing = #expect(throws: Failure.self) { try StudyResult.read("/nonexistent/a.json") }
    #expect(missing?.status == .unavailable)
    let unwritten = #expect(throws: Failure.self) {
      try StudySamples.full().write(to: "/nonexistent/a.json")
    }
    #expect(unwritten?.status == .inputOutput)
    #expect(unwritten?.description.contains("/nonexistent/a.json") == true)
  }

  @Test func partOfTheLimitHasTheSenseOfTheRow() {
    var row = StudyRow("a", unit: "ns", samples: [20, 20, 20])
    #expect(row.ofBound == nil)
    row.bound = .init(what: "b", samples: [5])
    #expect(row.ofBound == 0.25)
    // Of nothing there is no part.
    row.bound?.samples = [0]
    #expect(row.ofBound == nil)
    row.samples = [0]
    row.bound?.samples = [5]
    #expect(row.ofBound == nil)
    row = StudyRow("a", unit: "MB/s", better: .larger, samples: [20])
    row.bound = .init(what: "b", samples: [80])
    #expect(row.ofBound == 0.25)
  }

  @Test func stolenTimeIsReadFromTheKernelsLine() throws {
    let first = try #require(ProcessorClock(stat: "cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1\n"))
    let second = try #require(ProcessorClock(stat: "cpu  150 0 50 840 10 0 0 50 9 0\n"))
    #expect(first.all == 1000)
    #expect(second.stolen(since: first) == 0.1)
    #expect(first.stolen(since: first) == 0)
    // Of 100 ticks 60 were busy, 10 of them for the host; 0.4 s, 40 ticks at 100 Hz, were our own.
    #expect(abs(second.others(since: first, own: 0.4) - 0.2) < 1e-9)
    #expect(second.others(since: first, own: 2) == 0)
    #expect(first.others(since: first, own: 0) == 0)
    #expect(ProcessorClock(stat: "cpu 1 2 3\n") == nil)
    #expect(ProcessorClock(stat: "") == nil)
  }

  /// They say nothing of visits.
  @Test func slowTicksOfOlderProgramsAreRead() throws {
    let tick = WorstTick(tick: 7, ns: 40)
    let bytes = try JSONEncoder().encode(tick)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("visits"))
    #expect(try JSONDecoder().decode(WorstTick.self, from: bytes) == tick)
  }

  /// The commit that is shown, that is saved and that `--version` prints are one.
  @Test func commitIsThatOfTheBuild() {
    let context = StudyContext.now()
    let name = context.commit.map { $0 + (context.isDirty ? "+" : "") } ?? "unknown"
    #expect(context.build.contains("(commit \(name), "), "\(context.build)")
    #expect(BenchMachine().commit ?? "unknown" == name)
    #expect(StudyContext.commit("0123456789ab+") == ("0123456789ab", true))
    #expect(StudyContext.commit("0123456789ab") == ("0123456789ab", false))
    #expect(StudyContext.commit(nil) == (nil, false))
  }

  @Test func noisyMachineIsSaid() {
    var context = StudySamples.context
    let steady = [StudyRow("steady arithmetic", unit: "ns", samples: [100, 101, 100, 102])]
    #expect(Steadiness.notes(context, steady) == [])
    (context.stolen, context.loadBefore) = (0.02, 1.5)
    let shaky = [StudyRow("steady arithmetic", unit: "ns", samples: [100, 130, 100, 130])]
    let notes = Steadiness.notes(context, shaky)
    #expect(notes.count == 3, "\(notes)")
    #expect(notes[0].hasPrefix("steady arithmetic differed by"))
    #expect(notes[1].contains("2.0 %"))
    #expect(notes[2].contains("load of 1.5"))
  }

  /// A percentile is one of single ticks, never of rounds.
  @Test func ticksHaveTheirPercentilesAndThoseOverBudget() throws {
    var row = StudyRow("tick feed", unit: "ns", samples: [2e6, 2e6], entities: 10)
    #expect(row.durations == nil)
    let ticks =
      Array(repeating: UInt64(1_000_000), count: 97) + [17_000_000, 18_000_000, 90_000_000]
    row.histogram = HdrHistogram(ticks).encoded
    #expect(try #require(row.durations).overBudget == nil)
    row.budgetNs = 1e9 / 60
    let durations = try #require(row.durations)
    #expect(durations.overBudget == 3)
    #expect(abs(durations.p50 / 1e6 - 1) < 1e-3 && abs(durations.p99 / 18e6 - 1) < 1e-3)
    #expect(abs(durations.max / 90e6 - 1) < 1e-3)
    row.hash = "0123456789abcdef"
    let result = StudySamples.result([row])
    let text = StudyText.text(result)
    let line = "10   2000.0     -    -   1000.4    18006    90046     3"
    #expect(text.contains(line), "\(text)")
    #expect(text.contains("state hashes: feed 0123456789abcdef"), "\(text)")
    #expect(MarkdownSummary.text([result]).contains("| 18,006 | 90,046 | 3 |"), "\(text)")
    #expect(try ReportPage([result]).html().contains("<td>90,046</td><td>3</td>"))
  }

  @Test func eventsAreNeverMoreThanTheirTick() {
    var part = StudyRow.Part(kind: "view", entities: 10, tickNs: [100, 120], bytesPerEntity: 4)
    #expect(part.nsEach == 11 && part.eventsNsEach == nil)
    part.eventsNs = [130, 150]
    #expect(part.eventsNsEach == 11)
    part.eventsNs = [50, 70]
    #expect(part.eventsNsEach == 6)
  }

  @Test func studyFitsOneScreen() {
    var rows = Workload.all.map { workload in
      var row = StudyRow(
        "tick " + workload.name, unit: "ns", samples: [30e6, 31e6, 33e6, 30e6],
        entities: 1_000_000)
      (row.hash, row.doubts) = ("0123456789abcdef", ["its rounds have a spread of 12 %"])
      row.bound = .init(what: "b", samples: [1e6])
      row.histogram = HdrHistogram([30_000_000]).encoded
      row.budgetNs = 1e9 / 60
      return row
    }
    rows += FrameRows().rows.map { row in
      var row = row
      row.entities = 100_000
      row.samples = [123_456, 123_456, 123_456, 123_456]
      return row
    }
    let text = StudyText.text(StudySamples.result(rows))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(lines.count <= 40, "\(lines.count) lines")
    for name in Workload.all.map(\.name) + ["recording, MB/s", "0123456789abcdef", "unsure"] {
      #expect(text.contains(name), "\(name): \(text)")
    }
  }
}
