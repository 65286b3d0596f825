// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryReplay
import Testing

/// Goal: rows end where nobody wants more, and hold what is no number in the words of their notation.
///
/// Method: exports of a small run of 3,001 entities.
@Suite struct RowExportTests {
  private static func export(
    _ archive: FrameArchive, _ format: RowExport.Format = .csv,
    _ change: (inout RowExport.Choice) -> Void
  ) throws -> (text: String, rows: UInt64, frames: UInt64) {
    var (choice, bytes) = (RowExport.Choice(), [UInt8]())
    change(&choice)
    let counts = try RowExport(archive, format, choice).run {
      (more) throws(Failure) in
      bytes += more
      return true
    }
    return (String(decoding: bytes, as: UTF8.self), counts.rows, counts.frames)
  }

  @Test func rowsAndFramesAreCounted() throws {
    let run = try RecordedRun()
    let archive = try FrameArchive(paths: [run.write(.full, missing: [7])])
    for (every, ticks, frames) in [
      (1, 0...UInt64.max, 39), (2, 1...9, 4), (1, 40...40, 1), (1, 41...50, 0), (1, 7...7, 0),
    ] as [(UInt64, ClosedRange<UInt64>, UInt64)] {
      let found = try Self.export(archive) {
        ($0.every, $0.ticks, $0.entities, $0.fields) = (every, ticks, [0, 3_000], [3])
      }
      #expect(found.frames == frames && found.rows == 2 * frames, "\(every) \(ticks)")
      let lines = found.text.split(separator: "\n")
      #expect(lines.first == "sequence,tick,time_s,entity,name,kind,opacity")
      #expect(lines.count == Int(found.rows) + 1)
    }
  }

  @Test func writingEndsWhenNobodyReads() throws {
    let run = try RecordedRun()
    var pieces = 0
    let export = try RowExport(
      FrameArchive(paths: [run.write(.full)]), .ndjson, RowExport.Choice())
    let counts = try export.run { (bytes) throws(Failure) in
      pieces += 1
      // Pieces are of whole rows, and not much larger than their limit.
      #expect(bytes.last == UInt8(ascii: "\n") && (1 << 18..<1 << 19).contains(bytes.count))
      return pieces < 2
    }
    #expect(pieces == 2)
    #expect(counts.frames < 40 && counts.rows < counts.frames * 3_001)
  }

  @Test func whatIsNoNumberHasItsWord() throws {
    let run = try RecordedRun(ticks: [1])
    let column = try #require(run.layout.columns.first { $0.description.field == 1 })
    let path = try run.write(.full) { bytes, _ in
      for (index, value) in [Float.nan, .infinity, -.infinity, 1.5].enumerated() {
        bytes.withUnsafeMutableBytes {
          $0.storeBytes(
            of: value, toByteOffset: Int(column.valuesOffset) + 4 * index, as: Float.self)
        }
      }
    }
    let archive = try FrameArchive(paths: [path])
    let first = Int(column.description.firstEntity)
    for (format, expected) in [
      (RowExport.Format.csv, ["NaN", "NaN", "NaN", "1.5"]),
      (.ndjson, ["null", "null", "null", "1.5"]),
    ] {
      let found = try Self.export(archive, format) {
        ($0.entities, $0.fields) = (Array(first..<first + 4), [1])
      }
      let values = found.text.split(separator: "\n").suffix(4).map { line in
        String(line.split { ",:}".contains($0) }.last ?? "")
      }
      #expect(values == expected)
    }
  }
}
