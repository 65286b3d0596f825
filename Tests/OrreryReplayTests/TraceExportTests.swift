// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryPlot
import OrreryReplay
import Testing

/// Goal: what is exported is what was recorded.
///
/// Method: exports of a small run, read back.
@Suite struct TraceExportTests {
  private func rows(
    _ path: String, _ format: RowExport.Format, _ choice: RowExport.Choice
  ) throws -> [Substring] {
    var bytes: [UInt8] = []
    let export = try RowExport(FrameArchive(paths: [path]), format, choice)
    _ = try export.run { (more) throws(Failure) in
      bytes += more
      return true
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test func rowsHaveTheRecordedBits() throws {
    let run = try RecordedRun()
    var choice = RowExport.Choice()
    choice.entities = [0, 2999, 3000]
    choice.every = 10
    choice.ticks = 5...30
    let lines = try rows(run.write(.delta), .csv, choice)
    #expect(lines.count == 1 + 3 * 3)
    #expect(lines[0] == "sequence,tick,time_s,entity,name,kind,x,y,opacity")
    let sequences = lines.dropFirst().compactMap { $0.split(separator: ",").first }
    #expect(sequences == ["5", "5", "5", "15", "15", "15", "25", "25", "25"])
    let columns = run.layout.columns.map(ColumnReader.init)
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let (sequence, entity) = (try #require(Int(cells[0])), try #require(Int(cells[3])))
      for (cell, field) in zip(cells[6...], [UInt32(1), 2, 3]) {
        let column = columns.first { $0.entities.contains(entity) && $0.description.field == field }
        let value = run.frames[sequence - 1].bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.flatMap { base in column?.value(entity, in: base) }
        }
        #expect(Float(cell) == value ?? (field == 3 ? 1 : 0))
      }
    }
    let named = lines.last?.split(separator: ",", omittingEmptySubsequences: false)
    #expect(named?[4] == "box")
  }

  @Test func linesOfJSONAreObjects() throws {
    let run = try RecordedRun(ticks: [1, 2])
    let lines = try rows(run.write(.digest), .ndjson, RowExport.Choice())
    #expect(lines.count == 2 * 3001)
    let last = try #require(lines.last)
    let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    #expect(object?["entity"] as? Int == 3000)
    #expect(object?["name"] as? String == "box")
    #expect(object?["tick"] as? Int == 2)
  }

  @Test func chromeFilesAreSplitAndWhole() throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let output = run.base.path + "/times.json"
    let export = ChromeExport(
      try FrameArchive(paths: [run.write(.full)]), output: output, eventsMax: 30)
    let report = try export.run()
    #expect(report.events == 42)
    #expect(report.files == [output, run.base.path + "/times.1.json"])
    var found = 0
    for file in report.files {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let events = try #require(object?["traceEvents"] as? [[String: Any]])
      found += events.count { $0["ph"] as? String != "M" }
    }
    #expect(found == 42)
  }

  private func events(_ path: String) throws -> [[String: Any]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(object?["traceEvents"] as? [[String: Any]])
  }

  /// A span ends where the next one begins; frame 7 did not come, and has none.
  @Test(arguments: [RecordedRun.Mode.full, .delta, .digest])
  func eachPartOfATickIsASpan(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun()
    let output = run.base.path + "/times.json"
    let archive = try FrameArchive(paths: [run.write(mode, missing: [7], beside: true)])
    let report = try ChromeExport(archive, output: output, eventsMax: 10_000).run()
    #expect(report.timedFrames == 39)
    let events = try events(output)
    let names = Dictionary(grouping: events) { $0["name"] as? String ?? "" }.mapValues(\.count)
    #expect(names["wait"] == 39 && names["compute"] == 39 && names["publish"] == 39, "\(names)")
    #expect(names["frame"] == nil && names["loss"] == 1 && names["log"] == 39, "\(names)")
    let startNs = try #require(archive.archive.startNs)
    func span(_ name: String, _ sequence: Int) throws -> (start: Double, duration: Double) {
      let event = try #require(
        events.first {
          $0["name"] as? String == name
            && ($0["args"] as? [String: Any])?["sequence"] as? Int == sequence
        })
      #expect(event["ph"] as? String == "X" && event["tid"] as? Int == 1)
      #expect((event["args"] as? [String: Any])?["tick"] as? Int == sequence)
      return (try #require(event["ts"] as? Double), try #require(event["dur"] as? Double))
    }
    for sequence in [1, 10, 40] {
      let publishNs = 1_700_000_000_000_000_000 + UInt64(sequence) * 16_666_667
      let at = Double(publishNs - startNs) / 1000
      let waited = 4_000 + Double((sequence - 1) % 10) / 1000
      for (name, start, duration) in [
        ("publish", at, 2.25), ("compute", at - 1.5, 1.5), ("wait", at - 1.5 - waited, waited),
      ] {
        let found = try span(name, sequence)
        #expect(abs(found.start - start) < 1e-6, "\(name) of \(sequence): \(found), not \(start)")
        #expect(abs(found.duration - duration) < 1e-9, "\(name) of \(sequence): \(found)")
      }
    }
  }

  /// Timings may be of any frame that a run can have, also of one that is not there.
  @Test(arguments: [(0, true), (1, false)] as [(UInt64, Bool)])
  func timingsAreOfFramesThatARunCanHave(more: UInt64, isRight: Bool) throws {
    let run = try RecordedRun(ticks: [1, 2])
    let path = try run.write(
      .full, beside: true, timedFrames: 2,
      alterTimings: { $0.firstSequence = FrameReader.sequenceMax + more })
    let export = ChromeExport(
      try FrameArchive(paths: [path]), output: run.base.path + "/times.json", eventsMax: 100)
    if isRight {
      #expect(try export.run().timedFrames == 0)
    } else {
      let failure = #expect(throws: Failure.self) { try export.run() }
      #expect(failure?.status == .badData)
    }
  }

  /// Microseconds since the first message have three decimals, and a sign only before it.
  @Test func timesOfAChromeFileAreToTheNanosecond() throws {
    let run = try RecordedRun(ticks: [1, 2, 3])
    let path = try run.write(.full) { bytes, sequence in
      // The fourth number: the time of publishing. The first message is of this time.
      let publishNs = 1_700_000_000_000_000_000 + [0, 0, 1_234_005, -1_050][Int(sequence)]
      withUnsafeBytes(of: publishNs.littleEndian) { bytes.replaceSubrange(28..<36, with: $0) }
    }
    let output = run.base.path + "/times.json"
    _ = try ChromeExport(FrameArchive(paths: [path]), output: output, eventsMax: 10).run()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let times = text.matches(of: /"ts":([^,]*),/).map { String($0.1) }
    #expect(times == ["0.000", "1234.005", "-1.050"])
  }

  /// Every row has its name, in each file.
  @Test func rowsOfAChromeFileAreNamed() throws {
    let run = try RecordedRun(ticks: [1, 2, 3])
    let output = run.base.path + "/times.json"
    let export = ChromeExport(
      try FrameArchive(paths: [run.write(.full)]), output: output, eventsMax: 2)
    let report = try export.run()
    #expect(report.files == [output, run.base.path + "/times.1.json"])
    for (index, file) in report.files.enumerated() {
      let events = try events(file)
      let rows = events.filter { $0["ph"] as? String == "M" }
      #expect(rows.compactMap { $0["tid"] as? Int } == [1, 2, 3])
      #expect(
        rows.compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
          == ["sim", "views", "logger"])
      let frames = events.filter { $0["name"] as? String == "frame" }
      #expect(frames.allSatisfy { $0["ph"] as? String == "i" })
      #expect(frames.count == [2, 1][index])
    }
  }

  @Test func plotsKeepPeaksAndMarkChanges() throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let archive = try FrameArchive(paths: [run.write(.full)])
    let plot = try SeriesExport.plot(
      archive, entities: [0, 3000], fields: nil, ticks: 0...UInt64.max)
    #expect(plot.parts.map(\.name) == ["x", "y", "opacity"])
    #expect(plot.marks.map(\.text) == ["set", "set"])
    let line = plot.parts[0].lines[1]
    #expect(line.name == "box")
    #expect(line.points.count == 40)
    #expect(line.points.map(\.value).max() == 12.5)
    let picture = run.base.path + "/plot.svg"
    let size = try #require(PictureSize("640x400"))
    try PlotFile.write(plot, path: picture, format: .svg, size: size)
    #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("<svg"))
  }

  /// Of the time between two frames that do not follow each other, nothing is known; a lost frame is only a longer step.
  @Test func plotsHaveAGapWhereARunWasSentToAnotherTime() throws {
    func gaps(_ ticks: [UInt64], missing: Set<UInt64> = []) throws -> [[Double]] {
      let run = try RecordedRun(ticks: ticks)
      let archive = try FrameArchive(paths: [run.write(.full, missing: missing)])
      let plot = try SeriesExport.plot(archive, entities: [0], fields: [1], ticks: 0...UInt64.max)
      return plot.parts[0].lines.map { line in
        line.points.filter(\.value.isNaN).map { ($0.time * 60).rounded() }
      }
    }
    #expect(try gaps(Array(1...20)) == [[]])
    #expect(try gaps(Array(1...20), missing: [5, 6]) == [[]])
    #expect(try gaps(Array(1...10) + Array(101...110)) == [[10]])
  }

  /// Where the run was sent away is marked, and where it arrived, forward and back.
  @Test func plotsMarkSeeks() throws {
    func marks(_ ticks: [UInt64], missing: Set<UInt64> = []) throws -> [String] {
      let run = try RecordedRun(ticks: ticks)
      let archive = try FrameArchive(paths: [run.write(.full, missing: missing)])
      let plot = try SeriesExport.plot(archive, entities: [0], fields: [1], ticks: 0...UInt64.max)
      return plot.marks.map { "\(Int(($0.time * 60).rounded())) \($0.text)" }
    }
    #expect(try marks(Array(1...20), missing: [5, 6]) == [])
    #expect(
      try marks(Array(1...60) + Array(121...130)) == [
        "60 seek to 2.02 s", "121 seek from 1.00 s",
      ])
    // All ticks are shown, also those beyond the last frame's.
    #expect(
      try marks(Array(1...60) + Array(601...610) + Array(61...70)) == [
        "60 seek to 10.02 s", "61 seek from 10.17 s", "601 seek from 1.00 s", "610 seek to 1.02 s",
      ])
  }
}
