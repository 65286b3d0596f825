// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryReplay
import SwiftProtobuf
import Testing

/// Goal: what people read of a comparison says each thing where there is something to say, and nothing else.
///
/// Method: reports with fields set by hand, and their lines.
@Suite struct ReplayTextTests {
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  private static func difference() throws -> RunDifference.Report {
    let run = try RecordedRun(ticks: [1, 2])
    var difference = try RunDifference(
      FrameArchive(paths: [run.write(.full, "a")]), FrameArchive(paths: [run.write(.full, "b")]),
      tolerance: 0)
    return try difference.run()
  }

  @Test func equalRunsAreCalledEqual() throws {
    var report = try Self.difference()
    #expect(Self.lines(report.text("a", "b")) == ["compared      2 ticks, by values", "equal"])
    (report.tolerance, report.onlyA, report.onlyB) = (0.5, 1, 2)
    report.unshared = ["a: orbit x"]
    #expect(
      Self.lines(report.text("one", "two")) == [
        "compared      2 ticks, by values, with a tolerance of 0.5",
        "only in A     1 frame (one)", "only in B     2 frames (two)", "not compared  a: orbit x",
        "equal",
      ])
  }

  @Test func differencesAreSaidFromTheFirstOn() throws {
    let run = try RecordedRun(ticks: [1, 2])
    let column = run.layout.columns[0]
    let other = try run.write(.full, "other") { bytes, sequence in
      if sequence == 2 { bytes[Int(column.valuesOffset) + 4 * 5 + 3] ^= 0x80 }
    }
    var difference = try RunDifference(
      FrameArchive(paths: [run.write(.full)]), FrameArchive(paths: [other]), tolerance: 0)
    var report = try difference.run()
    report.first?.name = "five"
    report.first?.a = 1.5
    report.first?.b = -1.5
    let kind = try #require(report.first?.kind)
    let field = try #require(report.first?.column)
    let part = try #require(report.parts.firstIndex { $0.different > 0 })
    (report.parts[part].largest, report.parts[part].largestTick) = (3, 2)
    let said = Self.lines(report.text("a", "b"))
    #expect(!said.contains("equal"))
    #expect(said.contains("different     1 tick"))
    let entity = try #require(report.first?.entity)
    #expect(said.contains("first         tick 2, entity \(entity) (five)"))
    #expect(said.contains("              \(field) of \(kind): 1.5 and -1.5, apart 3.0"))
    #expect(said.filter { $0.contains("values differ") }.count == 1)
    #expect(
      said.last
        == "\(kind) \(field): 1 of \(report.parts[part].compared) values differ, from tick 2;"
        + " most by 3.0 (tick 2, entity \(entity))")
    report.first?.name = nil
    #expect(report.text("a", "b").contains("first         tick 2, entity \(entity)\n"))
    report.first?.column = nil
    #expect(report.text("a", "b").contains("              hash \(report.first?.hashA ?? "") and "))
    report.first?.entity = nil
    #expect(report.text("a", "b").contains("first         tick 2\n"))
  }

  @Test func proofSaysHowItWasMade() {
    var report = ContentCheck.Report()
    (report.frames, report.elapsedSeconds) = (30, 0.5)
    #expect(
      Self.lines(report.text).prefix(1) == [
        "compared      30 frames, by their hashes, 60 frames a second"
      ])
    (report.values, report.elapsedSeconds) = (1, 0)
    #expect(
      Self.lines(report.text).first
        == "compared      30 frames, 1 value bit by bit, 0 frames a second")
    for word in ["changes", "events", "left out", "different", "first", "shard"] {
      #expect(!report.text.contains(word), "\(report.text)")
    }
    (report.changes, report.missedEvents, report.partial, report.shard) = (1, 1, 1, 0)
    let said = Self.lines(report.text)
    #expect(said.first == "shard         0")
    #expect(said.contains("changes       1"))
    #expect(said.contains { $0.hasPrefix("events        1 are missing") })
    #expect(said.contains("left out      1 frame without a shard's part"))
    #expect(said.last == "equal")
    (report.firstTick, report.firstSequence, report.different) = (7, 8, 2)
    report.difference = "x"
    #expect(
      Self.lines(report.text).suffix(2) == [
        "different     2 frames", "first         tick 7, frame 8: x",
      ])
    (report.provable, report.reason) = (false, "why")
    #expect(report.text == "shard         0\nnot provable  why")
  }

  @Test func wantedTimesAreTicks() throws {
    let rate = try #require(TickRate("60"))
    var times = WantedTimes()
    #expect(try times.isAll && times.ticks(rate) == 0...UInt64.max)
    times.to = .seconds(0.51)
    #expect(try !times.isAll && times.ticks(rate) == 0...31)
    times.from = .tick(31)
    #expect(try times.ticks(rate) == 31...31)
    times.from = .tick(32)
    let error = #expect(throws: Failure.self) { try times.ticks(rate) }
    #expect(error?.status == .usage)
    #expect(error?.description == "the first tick wanted, 32, is after the last, 31")
    times.to = nil
    #expect(try !times.isAll && times.ticks(rate) == 32...UInt64.max)
  }
}

/// Goal: numbers of a message's head are read up to their limits, and not past them.
@Suite struct MessageHeadLimitTests {
  private static func head(_ frame: Orrery_Frame) throws -> MessageHead? {
    let bytes: [UInt8] = try frame.serializedBytes()
    return bytes.withUnsafeBytes { MessageHead(.frame, $0) }
  }

  private static func head(_ digests: Orrery_Digests) throws -> MessageHead? {
    let bytes: [UInt8] = try digests.serializedBytes()
    return bytes.withUnsafeBytes { MessageHead(.digests, $0) }
  }

  @Test func sequencesAndTicksHaveLimits() throws {
    let (last, tick) = (FrameReader.sequenceMax, UInt64(1) << 62)
    for (sequence, tick, isRight) in [
      (0, 1, false), (1, 0, true), (last, 1, true), (last + 1, 1, false), (1, tick, true),
      (1, tick + 1, false),
    ] as [(UInt64, UInt64, Bool)] {
      let frame = Orrery_Frame.with { ($0.sequence, $0.tick) = (sequence, tick) }
      #expect((try Self.head(frame) != nil) == isRight, "frame \(sequence), tick \(tick)")
    }
    // Two hashes.
    for (sequence, tick, isRight) in [
      (0, 1, false), (1, 1, true), (last - 2, 1, true), (last - 1, 1, false), (1, tick - 2, true),
      (1, tick - 1, false),
    ] as [(UInt64, UInt64, Bool)] {
      let digests = Orrery_Digests.with {
        ($0.firstSequence, $0.firstTick, $0.stateHashes) = (sequence, tick, [1, 2])
      }
      #expect((try Self.head(digests) != nil) == isRight, "digest \(sequence), tick \(tick)")
    }
    #expect(try Self.head(Orrery_Digests.with { $0.firstSequence = 1 }) == nil)
  }

  @Test func numbersStandInTheirFields() throws {
    let frame = Orrery_Frame.with {
      ($0.sequence, $0.tick, $0.simTimeNs, $0.publishTimeNs) = (1, 2, 3, 4)
      ($0.stateHash, $0.layoutHash, $0.generation) = (5, 6, 7)
    }
    let head = try #require(try Self.head(frame))
    #expect(
      head.stamp == FrameStamp(tick: 2, simTimeNs: 3, publishTimeNs: 4, stateHash: 5)
        && head.sequence == 1 && head.generation == 7 && head.count == 1)
    // A list of hashes whose length is not that of whole ones.
    var bytes: [UInt8] = try Orrery_Digests.with {
      ($0.firstSequence, $0.stateHashes) = (1, [9])
    }.serializedBytes()
    #expect(bytes.withUnsafeBytes { MessageHead(.digests, $0) }?.count == 1)
    let length = try #require(bytes.firstIndex(of: 8))
    for other in [0, 7, 9] as [UInt8] {
      bytes[length] = other
      #expect(bytes.withUnsafeBytes { MessageHead(.digests, $0) } == nil, "\(other)")
    }
  }
}
