// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryReplay
import OrreryTraceTools
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

  /// An event that did not come may have been a change: the numbers of the others tell how many there are.
  @Test(arguments: [0, 3] as [UInt64], [RecordedRun.Mode.full, .digest])
  func eventsThatDidNotComeAreCounted(lost: UInt64, mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(
      ticks: Array(1...6),
      changes: [
        RecordedRun.Change(sequence: 2, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#),
        RecordedRun.Change(sequence: 4, text: #"{"do":"set","views":{"box":{"x":-3}}}"#),
      ])
    let report = try check(run.write(mode, lostEvents: lost))
    #expect(report.missedEvents == lost && report.changes == 2)
    #expect(report.isEqual, "\(report.difference ?? "")")
  }

  @Test func aTraceWithoutFramesProvesNothing() throws {
    let run = try RecordedRun(ticks: Array(1...5))
    let report = try check(run.write(.digest, missing: Set(1...5)))
    #expect(report.frames == 0 && !report.isProof)
    #expect(!report.text.contains("equal") && report.text.contains("nothing"))
    let one = try check(run.write(.digest))
    #expect(one.isProof && one.text.contains("equal"))
  }

  /// One flipped bit of a tick, where the checksum is right: no run reaches it, and computing it would not end.
  @Test(arguments: RecordedRun.Mode.allCases, [40, 55, 61])
  func aTickThatNoRunReachesIsDamage(mode: RecordedRun.Mode, bit: Int) throws {
    let run = try RecordedRun(ticks: Array(1...20))
    func flip(_ bytes: inout [UInt8], _ sequence: UInt64) {
      guard sequence == 17 else { return }
      // Behind the sequence and a tag.
      bytes[10 + bit / 8] ^= 1 << UInt8(bit % 8)
    }
    guard mode != .digest else {
      let path = try run.write(.digest, firstTick: { $0 == 15 ? $1 ^ 1 << UInt64(bit) : $1 })
      let failure = #expect(throws: Failure.self) { try check(path) }
      #expect(failure?.status == .badData)
      #expect(failure?.description.contains("tick") == true)
      return
    }
    let path = try run.write(mode, alter: flip)
    var messages = MessageCheck()
    let failure = #expect(throws: Failure.self) { try check(path) }
    #expect(failure?.status == .badData)
    #expect(failure?.description.contains("frame 17") == true, "\(failure?.description ?? "")")
    let copy = try TraceRecovery(input: path, output: path + ".r", overwrite: true) { message in
      messages.isPossible(message)
    }
    #expect(copy.impossibleMessages == 1 && copy.isLossy)
  }

  @Test func aSceneWithoutTextProvesNothing() throws {
    let run = try RecordedRun()
    let report = try check(run.write(.full, alterScene: { $0.source = "" }))
    #expect(!report.provable)
    #expect(report.reason?.contains("no text") == true)
  }
}
