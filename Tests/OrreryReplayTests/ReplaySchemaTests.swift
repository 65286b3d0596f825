// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryReplay
import OrreryTrace
import OrreryTraceTools
import TestSupport
import Testing

/// Goal: what `orrery trace diff` and `prove` print is as docs/schemas says.
@Suite struct ReplaySchemaTests {
  private func expect(_ name: String, _ line: String) throws {
    #expect(try Repository.schema(name).faults(of: Data(line.utf8)) == [], "\(line)")
  }

  /// The count, and then eight bytes at a time, the lowest first.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash = StableHash()
    hash.combine(UInt64(bytes.count))
    let padded = bytes + [UInt8](repeating: 0, count: 7)
    for first in stride(from: 0, to: bytes.count, by: 8) {
      let word = padded.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: first, as: UInt64.self) }
      hash.combine(UInt64(littleEndian: word))
    }
    return hash.value
  }

  /// Frames 11 to 13 are missing, and two changes were made.
  @Test(arguments: [RecordedRun.Mode.full, .delta, .digest])
  func infoSaysWhatARunIs(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let path = try run.write(mode, missing: [11, 12, 13], beside: true)
    let archive = try TraceArchive(paths: [path])
    let runs = try RunInfo.read(archive)
    let info = try #require(runs.first)
    #expect(runs.count == 1 && info.run == "recorded" && info.seed == 7 && info.rate == "60")
    #expect(info.frames == "\(mode)" && info.entities == 3001 && info.isCounted)
    #expect(info.first?.tick == 1 && info.last?.tick == 40)
    #expect(info.first?.stateHash == hexadecimal(run.frames[0].hash))
    #expect(info.last?.stateHash == hexadecimal(run.frames[39].hash))
    #expect(info.sceneHash == hexadecimal(Self.hash(Array(RecordedRun.text.utf8))))
    #expect(info.losses.missedByRecorder == 3 && info.losses.gapCount == 1)
    #expect(info.losses.gaps == [TraceRunInfo.Gap(first: 11, last: 13, shard: nil)])
    #expect(info.changes.map(\.tick) == [10, 22])
    try expect(
      "trace-info", ReportLine.encode(TraceInfo(archive, runs: runs), schema: TraceInfo.schema))
  }

  /// Runs that were merged into one file keep their own losses and changes.
  @Test func infoTellsMergedRunsApart() throws {
    let ticks = Array(1...12) as [UInt64]
    func change(_ sequence: UInt64) -> [RecordedRun.Change] {
      [RecordedRun.Change(sequence: sequence, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)]
    }
    let one = try RecordedRun(ticks: ticks, changes: change(3))
    let two = try RecordedRun(
      RecordedRun.text.replacing("seed = 7", with: "seed = 8"), ticks: ticks, changes: change(5))
    let paths = [
      try one.write(.full, missing: [7, 8], beside: true),
      try two.write(.full, missing: [10], beside: true),
    ]
    let merged = one.base.path + "/merged.mcap"
    _ = try TraceCopy(paths, to: merged, TraceFilter(), overwrite: false)
    let runs = try RunInfo.read(TraceArchive(paths: [merged]))
    #expect(runs.map(\.seed) == [7, 8])
    #expect(runs.map { $0.changes.map(\.tick) } == [[3], [5]])
    #expect(runs.map(\.losses.missedByRecorder) == [2, 1])
    #expect(runs.map { $0.losses.gaps.map(\.first) } == [[7], [10]])
  }

  @Test func reportsAreAsTheirSchemasSay() throws {
    let run = try RecordedRun(ticks: Array(1...4))
    let other = try run.write(.full, "other") { bytes, sequence in
      if sequence == 3 { bytes[bytes.count - 1] ^= 0x40 }
    }
    let full = try FrameArchive(paths: [run.write(.full)])
    for path in [full.path, other] {
      let archive = try FrameArchive(paths: [path])
      var check = try ContentCheck(archive)
      try expect(
        "trace-prove", ReportLine.encode(check.run(), schema: ContentCheck.Report.schema))
      var difference = try RunDifference(full, archive, tolerance: 0)
      let report = try difference.run()
      #expect(report.isEqual == (path == full.path))
      try expect("trace-diff", ReportLine.encode(report, schema: RunDifference.Report.schema))
    }
  }
}
