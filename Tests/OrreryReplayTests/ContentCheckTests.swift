// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryReplay
import Testing

/// Goal: a trace is compared with what its scene gives, in every mode, and the first difference is named.
///
/// Method: traces of one run, whole and with one bit flipped.
@Suite struct ContentCheckTests {
  private func check(_ path: String) throws -> ContentCheck.Report {
    var check = try ContentCheck(FrameArchive(paths: [path]))
    return try check.run()
  }

  @Test(arguments: RecordedRun.Mode.allCases)
  func whatWasRecordedIsProved(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let report = try check(run.write(mode, missing: [5, 6]))
    #expect(report.provable)
    #expect(report.isEqual, "\(report.difference ?? "")")
    #expect(report.frames == 38)
    #expect(report.changes == 2)
    #expect((report.values > 0) == (mode == .full || mode == .delta))
  }

  @Test func aFlippedBitOfAValueIsNamed() throws {
    let run = try RecordedRun()
    let column = run.layout.columns[0]
    let report = try check(
      run.write(.full) { bytes, sequence in
        if sequence == 17 { bytes[Int(column.valuesOffset) + 4 * 1234] ^= 1 }
      })
    #expect(report.different == 1)
    #expect(report.firstTick == 17)
    #expect(report.firstEntity == UInt64(column.description.firstEntity) + 1234)
    #expect(report.difference?.contains("entity") == true)
  }

  @Test func aFlippedBitOfAHashIsFound() throws {
    let run = try RecordedRun()
    for mode in [RecordedRun.Mode.full, .delta, .digest] {
      let report = try check(
        run.write(mode) { bytes, sequence in
          if sequence == 33 { bytes[9 * 4 + 5] ^= 4 }
        })
      #expect(report.different == 1)
      #expect(report.firstTick == 33)
    }
  }

  @Test func aChangeThatIsMissingShows() throws {
    let run = try RecordedRun(changes: [
      RecordedRun.Change(sequence: 10, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)
    ])
    let still = try RecordedRun()
    // The frames of one run with the changes of the other.
    let path = try still.write(
      .digest,
      alter: { bytes, sequence in
        bytes = run.frames[Int(sequence) - 1].bytes
      })
    let report = try check(path)
    #expect(report.firstTick == 10)
    #expect(report.different == 31)
  }

  @Test func aSceneWithoutTextProvesNothing() throws {
    let run = try RecordedRun()
    let report = try check(run.write(.full, alterScene: { $0.source = "" }))
    #expect(!report.provable)
    #expect(report.reason?.contains("no text") == true)
  }
}
