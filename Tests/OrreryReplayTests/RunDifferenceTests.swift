// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryReplay
import Testing

/// Goal: two traces are compared tick by tick, and the first difference is the first.
///
/// Method: traces of one run in every pair of modes, and of runs that differ at a known tick and entity.
@Suite struct RunDifferenceTests {
  private func compare(
    _ a: String, _ b: String, tolerance: Float = 0
  ) throws -> RunDifference.Report {
    var difference = try RunDifference(
      FrameArchive(paths: [a]), FrameArchive(paths: [b]), tolerance: tolerance)
    return try difference.run()
  }

  @Test func oneRunInDifferentModesIsEqual() throws {
    let run = try RecordedRun()
    let full = try run.write(.full, "full")
    for (index, mode) in [RecordedRun.Mode.full, .delta, .digest].enumerated() {
      let report = try compare(full, run.write(mode, "other\(index)", missing: [3, 4]))
      #expect(report.isEqual)
      #expect(report.ticks == 38)
      #expect(report.onlyA == 2)
      #expect(report.first == nil)
    }
    let rounded = try run.write(.quantised, "rounded")
    #expect(try !compare(full, rounded).isEqual)
    #expect(try compare(full, rounded, tolerance: 0.126).isEqual)
  }

  @Test func theFirstDifferenceIsFoundWithItsSize() throws {
    let run = try RecordedRun()
    let column = run.layout.columns[1]
    let offset = Int(column.valuesOffset) + 4 * 77
    let other = try run.write(.delta, "other") { bytes, sequence in
      guard sequence >= 21 else { return }
      bytes.withUnsafeMutableBytes { bytes in
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
        bytes.storeBytes(of: value + Float(sequence), toByteOffset: offset, as: Float.self)
      }
    }
    let report = try compare(run.write(.full, "full"), other)
    #expect(report.differentTicks == 20)
    #expect(report.first?.tick == 21)
    #expect(report.first?.entity == UInt64(column.description.firstEntity) + 77)
    let part = try #require(report.parts.first { $0.different > 0 })
    #expect(part.different == 20)
    #expect(part.firstTick == 21)
    #expect(abs(part.largest - 40) < 0.01)
    #expect(part.largestTick == 40)
    #expect(try compare(run.write(.full, "full2"), other, tolerance: 41).isEqual)
  }

  @Test func hashesOfAChangedRunDiffer() throws {
    let run = try RecordedRun()
    let changed = try RecordedRun(changes: [
      RecordedRun.Change(sequence: 10, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)
    ])
    let report = try compare(run.write(.full), changed.write(.digest))
    #expect(report.compared == "hashes")
    #expect(report.first?.tick == 10)
    #expect(report.first?.column == "x")
    #expect(report.first?.b == 12.5)
    #expect(report.differentTicks == 31)
    #expect(report.text("a", "b").contains("tick 10"))
  }

  /// A run that was sent back has ticks twice: each frame of such a tick is compared, and none is "only" in one trace.
  @Test func framesOfARunThatWasSentBackAreCompared() throws {
    let ticks = Array(1...15) + Array(6...20) as [UInt64]
    let (plain, again) = (try RecordedRun(ticks: Array(1...20)), try RecordedRun(ticks: ticks))
    let (straight, back) = (try plain.write(.full), try again.write(.full))
    // Its least and greatest ticks are not those of its ends.
    let other = try RecordedRun(ticks: Array(5...20) + Array(2...4) as [UInt64])
    let ends = try other.write(.full)
    for (path, all) in [(straight, 1...20), (back, 1...20), (ends, 2...20 as ClosedRange<UInt64>)] {
      #expect(try FrameArchive(paths: [path]).ticks() == all)
    }
    var report = try compare(straight, back)
    #expect(report.isEqual && report.ticks == 30 && report.onlyA == 0 && report.onlyB == 0)
    #expect(report.repeatedTicks == 10)
    // A change at frame 18, tick 8, is in the frames after it alone.
    let changed = try RecordedRun(
      ticks: ticks,
      changes: [
        RecordedRun.Change(sequence: 18, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)
      ])
    let moved = try changed.write(.full)
    report = try compare(straight, moved)
    #expect(report.first?.tick == 8 && report.differentTicks == 13, "\(report)")
    report = try compare(moved, back)
    #expect(report.first?.tick == 8 && report.differentTicks == 13 && report.ticks == 30)
  }

  /// Entities are compared by number: another name at a number, and entities of one trace only, are told.
  @Test func otherScenesAreNamed() throws {
    let run = try RecordedRun(ticks: Array(1...3))
    let more =
      RecordedRun.text.replacing("name = \"box\"", with: "name = \"lid\"") + """


        [[content]]
        kind = "view"
        name = "box"
        elements = [{ box = [20, 10], color = "red" }]
        position = [50, 60]
        """
    let other = try RecordedRun(more, ticks: Array(1...3))
    let report = try compare(run.write(.full), other.write(.full))
    #expect(report.renamed == RunDifference.Renamed(entity: 3000, a: "box", b: "lid"), "\(report)")
    #expect(report.onlyEntitiesA == nil && report.onlyEntitiesB == 1)
    let text = report.text("a", "b")
    #expect(text.contains("other scene   entity 3000 is box in A and lid in B"), "\(text)")
    #expect(text.contains("only in B     1 entity\n"), "\(text)")
    let same = try compare(run.write(.full), run.write(.full, "same"))
    #expect(same.renamed == nil && same.onlyEntitiesB == nil && same.repeatedTicks == nil)
  }

  /// Entities that only one trace has are counted, whichever of the two that is.
  @Test func entitiesOfOneTraceOnlyAreCounted() throws {
    let views = ["lid", "lamp"].map { name in
      """


      [[content]]
      kind = "view"
      name = "\(name)"
      elements = [{ box = [20, 10], color = "red" }]
      position = [50, 60]
      """
    }
    let plain = try RecordedRun(ticks: [1])
    let longer = try RecordedRun(RecordedRun.text + views.joined(), ticks: [1])
    let (less, more) = (try plain.write(.full), try longer.write(.full))
    var report = try compare(more, less)
    #expect(report.onlyEntitiesA == 2 && report.onlyEntitiesB == nil && report.renamed == nil)
    #expect(report.text("a", "b").contains("only in A     2 entities\n"))
    report = try compare(less, more)
    #expect(report.onlyEntitiesA == nil && report.onlyEntitiesB == 2 && report.renamed == nil)
    #expect(report.text("a", "b").contains("only in B     2 entities\n"))
  }

  /// Also those before the first common tick and behind the last one, however many they are.
  @Test func framesOfOneTraceOnlyAreCounted() throws {
    let short = try RecordedRun(ticks: Array(1...10))
    let long = try RecordedRun(ticks: Array(1...18))
    var report = try compare(short.write(.full), long.write(.digest))
    #expect(report.ticks == 10 && report.onlyA == 0 && report.onlyB == 8)
    report = try compare(long.write(.delta), short.write(.full))
    #expect(report.ticks == 10 && report.onlyA == 8 && report.onlyB == 0)
    let late = try RecordedRun(ticks: Array(5...7) + Array(2001...2003))
    let later = try RecordedRun(ticks: Array(2002...2005))
    report = try compare(late.write(.full), later.write(.full))
    #expect(report.ticks == 2 && report.onlyA == 4 && report.onlyB == 2)
  }

  @Test func aTraceWithoutFramesCannotBeCompared() throws {
    let run = try RecordedRun(ticks: Array(1...5))
    let none = try run.write(.full, "none", missing: Set(1...5))
    let failure = #expect(throws: Failure.self) { _ = try compare(run.write(.full), none) }
    #expect(failure?.status == .unmet)
  }

  @Test func runsWithoutACommonTickAreNoPair() throws {
    let run = try RecordedRun(ticks: Array(1...5))
    let later = try RecordedRun(ticks: Array(2001...2005))
    let failure = #expect(throws: Failure.self) {
      _ = try compare(run.write(.full), later.write(.full))
    }
    #expect(failure?.status == .unmet)
  }
}
