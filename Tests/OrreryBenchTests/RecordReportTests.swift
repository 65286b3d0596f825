// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import OrreryTrace
import TestSupport
import Testing

/// Goal: rows of `bench record` measure what they say, and goals judge them.
///
/// Method: short rounds of small frames, and reports by hand.
@Suite struct RecordReportTests {
  private static func report(_ rates: [String: Double]) -> RecordReport {
    var report = RecordReport(entities: 10, frameBytes: 80)
    report.rows = rates.map { key, rate in
      RecordReport.Row(
        key: key, target: .memory, subject: .ours, name: key, rounds: [rate], stored: 0.5)
    }
    return report
  }

  private static func verdict(_ name: String, _ report: RecordReport) -> String? {
    report.goals.first { $0.name == name }?.verdict
  }

  @Test func memoryIsJudgedByTheBetterLimit() {
    let name = "full, none, to memory, GB/s"
    let slow = ["memory/ours/none": 3.3e9, "memory/limit/copy-crc": 2e9]
    #expect(Self.verdict(name, Self.report(slow)) == "holds")
    // 0.8 of 4.2 GB/s is more.
    let fast = slow.merging(["memory/limit/copy-crc-once": 4.2e9]) { $1 }
    #expect(Self.verdict(name, Self.report(fast)) == "missed")
    // Never more than 4.
    let faster = ["memory/ours/none": 4.1e9, "memory/limit/copy-crc-once": 9e9]
    #expect(Self.verdict(name, Self.report(faster)) == "holds")
    #expect(Self.verdict(name, Self.report([:])) == "not measured")
  }

  @Test func diskIsJudgedByFio() {
    let name = "full, none, to disk, by fio"
    #expect(
      Self.verdict(name, Self.report(["disk/ours/none": 85, "disk/limit/fio": 100])) == "holds")
    #expect(
      Self.verdict(name, Self.report(["disk/ours/none": 84, "disk/limit/fio": 100])) == "missed")
    #expect(Self.verdict(name, Self.report(["disk/ours/none": 84])) == "not measured")
  }

  @Test func lossesCountOnlyOnADiskThatIsFastEnough() {
    let name = "4,000,000 entities at 60 Hz to disk, lost"
    for (rate, verdict) in [(1.7e9, "not measured"), (1.9e9, "missed")] {
      var report = Self.report(["disk/limit/fio": rate])
      report.runs = [
        .init(
          target: .disk, entities: 4_000_000, published: 10, missed: 1, aloneP99Ns: 1,
          recordedP99Ns: 1, residentMaxBytes: 1)
      ]
      #expect(Self.verdict(name, report) == verdict)
    }
  }

  @Test func usesOfTracesAreJudged() {
    var report = Self.report([:])
    #expect(report.goals.filter { $0.measured != nil }.isEmpty)
    // A thousand frames of a megabyte: recorded in 0.4 s, checked in 0.8 s, found in 9 ms at most.
    report.uses = RecordUse.Mode.allCases.map { HandMade.use($0) }
    let names = [
      "--quantise 16 --delta, GB/s of input", "verify, full, GB/s", "seek, full, ms",
      "trace info, ms", "MiB that a reader took", "digest, MiB an hour at 60 Hz",
    ]
    for name in names { #expect(Self.verdict(name, report) == "holds", "\(name)") }
    // 0.4 s beside the sim's 4 s; 0.8 s to compute again what takes 4 s; 100 MB of 1 GB.
    #expect(report.use(.digest)?.partOfTick == 0.1)
    #expect(Self.verdict("digest, by the tick's time", report) == "missed")
    #expect(Self.verdict("verify, digest, by sim --unpaced", report) == "holds")
    #expect(report.use(.delta)?.bytesPerPosition == 0.8)
    #expect(Self.verdict("--quantise 16 --delta, B of two floats", report) == "holds")
    report.uses = [HandMade.use(.full, seekNs: [1, 11_000_000])]
    #expect(Self.verdict("seek, full, ms", report) == "missed")
    #expect(Self.verdict("verify, digest, by sim --unpaced", report) == "not measured")
  }

  @Test(arguments: TraceCompression.allCases)
  func roundRecordsToAFileAndRemovesIt(compression: TraceCompression) throws {
    let base = try TemporaryBase()
    let path = base.path + "/round.mcap"
    let rows = RecordRows(RecordedFrames(entities: 1_000, count: 3), seconds: 0.01)
    let round = try rows.ours(compression, path: path)
    #expect(round.bytesPerSecond > 0)
    let stored = try #require(round.stored)
    // Frames repeat within a chunk, which is all that compression finds; heads and indexes are a thousandth.
    #expect(stored > (compression == .none ? 1 : 0) && stored < 1.2)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try rows.ours(compression, path: nil).bytesPerSecond > 0)
  }

  @Test func copiesAreTimed() throws {
    let rows = RecordRows(RecordedFrames(entities: 1_000, count: 3), seconds: 0.01)
    for sums in 0...2 {
      let round = try RecordRows.onOneCore { rows.copy(sums: sums) }
      #expect(round.bytesPerSecond > 0)
      #expect(round.stored == nil)
    }
  }

  @Test func rowsRunsAndUsesStandInTheirTables() {
    var report = Self.report(["memory/ours/none": 3e9])
    #expect(report.studyRows(.memory).map(\.samples) == [[3], [0.5]])
    #expect(report.studyRows(.memory).map(\.place?.figure) == ["GB/s", "stored"])
    #expect(report.studyRows(.disk).isEmpty)
    report.runs = [
      .init(
        target: .disk, entities: 100_000_000, published: 10, missed: 1, aloneP99Ns: 2,
        recordedP99Ns: 3, residentMaxBytes: 1 << 20)
    ]
    #expect(report.runRows.map(\.samples) == [[1], [10], [1.5], [1]])
    #expect(report.runRows[0].place?.line == "100,000,000 entities, full, to disk")
    report.uses = RecordUse.Mode.allCases.map { HandMade.use($0) }
    let rows = report.useRows
    // A line for each figure, a column for each mode; of deltas nothing is verified.
    #expect(rows.count == 29)
    #expect(
      rows.filter { $0.place?.line == "frames" }.map(\.place?.figure) == [
        "full", "delta", "digest",
      ])
    #expect(rows.last { $0.place?.line == "seek, ms, slowest" }?.samples == [9])
    #expect(RecordReport(entities: 1, frameBytes: 1).useRows.isEmpty)
  }

  /// Peers are compared scene by scene; rates stand only where they were timed.
  @Test func columnsStandInTheirTableAndAreJudged() throws {
    var report = RecordReport(entities: 1, frameBytes: 1)
    func add(_ scene: String, _ name: String, _ bits: Double, timed: Bool) {
      report.columns.append(
        .init(
          scene: scene, subject: name == RecordReport.ourColumns ? .ours : .peer, name: name,
          bits: bits, rates: timed ? (1e9, 2e9) : nil))
    }
    add("stress", RecordReport.ourColumns, 5, timed: true)
    add("stress", "pcodec", 10, timed: true)
    add("feed", RecordReport.ourColumns, 12, timed: false)
    add("feed", "pcodec", 6, timed: false)
    #expect(report.columnRows.map(\.samples) == [[5], [1], [2], [10], [1], [2], [12], [6]])
    #expect(report.columnRows[1].place?.line == RecordReport.ourColumns)
    func goal(_ name: String) throws -> BenchGoal {
      try #require(report.goals.first { $0.name == "--delta, " + name })
    }
    #expect(try goal("stress, bits a value").measured == 5)
    #expect(try goal("stress, GB/s in").measured == 1)
    #expect(try goal("stress, GB/s out").measured == 2)
    #expect(try goal("stress, bits by pcodec's").measured == 0.5)
    #expect(try goal("feed, bits by pcodec's").measured == 2)
    #expect(try goal("planets, bits by pcodec's").measured == nil)
  }
}
