// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySubscriber
import Testing

/// Goal: a subscriber's work is shown to the person who started it, or reported to the program that did, and never both.
///
/// Method: a clock that the test moves, and what was written to each.
@Suite struct SubscriberProgressTests {
  /// What is written of twelve frames, four a second, and of the end.
  private static func written(
    _ style: ProgressWriter.Style, isSupervised: Bool = false
  ) -> (errors: [String], lines: [String]) {
    var (errors, lines): ([String], [String]) = ([], [])
    var nowNs: UInt64 = 5_000_000_000
    let progress = SubscriberProgress(
      program: "renderer", style: style, isSupervised: isSupervised, clock: { nowNs },
      write: { errors.append($0) }, writeLine: { lines.append($0) })
    progress.report(.waiting)
    for frame in 1...12 as ClosedRange<UInt64> {
      progress.report(.drawing, done: frame, missed: 2)
      nowNs += 250_000_000
    }
    progress.report(.encoding, done: 5, total: 12)
    progress.close()
    return (errors, lines)
  }

  @Test func personSeesEachPhaseAndALineASecond() {
    #expect(
      Self.written(.plain).errors == [
        "renderer: waiting for the run\n", "renderer: drawing, 1 frame, missed 2\n",
        "renderer: drawing, 5 frames, missed 2\n", "renderer: drawing, 9 frames, missed 2\n",
        "renderer: 7 pictures to encode\n",
      ])
    #expect(Self.written(.plain).lines == [])
    #expect(Self.written(.none).errors == [])
  }

  @Test func supervisorReadsFourReportsASecondAndThePersonNothing() throws {
    let (errors, lines) = Self.written(.line, isSupervised: true)
    #expect(errors == [])
    #expect(lines.count == 14)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"schema\":\"orrery.work.v1\",") })
    let line = try #require(lines.last)
    let last: WorkReport = try #require(ReportLine.decode(line))
    // Losses stay known when no frame follows.
    #expect(
      last == WorkReport(program: "renderer", phase: .encoding, done: 5, total: 12, missed: 2))
  }

  @Test func remainderIsCountedInTheProgramsOwnThings() {
    func remainder(_ phase: WorkReport.Phase, _ done: UInt64, _ total: UInt64?) -> String? {
      WorkReport(program: "a", phase: phase, done: done, total: total).remainder
    }
    #expect(remainder(.encoding, 388, 600) == "212 pictures to encode")
    #expect(remainder(.encoding, 11, 12) == "1 picture to encode")
    #expect(remainder(.finishing, 0, 3) == "3 chunks to write")
    #expect(remainder(.finishing, 4, 3) == "0 chunks to write")
    #expect(remainder(.encoding, 4, nil) == nil)
    #expect(remainder(.drawing, 4, 9) == nil)
  }
}
