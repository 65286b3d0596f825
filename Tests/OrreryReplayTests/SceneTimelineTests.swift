// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryReplay
import OrreryTrace
import OrreryTraceTools
import Testing

/// Goal: a part of a trace has the frames of its scene times, what belongs to them, and what they are replayed from.
///
/// Method: parts of one run in every mode, written by `TraceCopy` and read by `FrameArchive`; its frames are compared
/// with those of the run, and simulated again.
@Suite struct SceneTimelineTests {
  private func ticks(_ first: UInt64, _ last: UInt64) -> WantedTimes {
    var times = WantedTimes()
    (times.from, times.to) = (.tick(first), .tick(last))
    return times
  }

  /// The part of a trace as a trace of its own.
  private func cut(_ run: RecordedRun, _ path: String, _ times: WantedTimes) throws -> String {
    let output = run.base.path + "/cut.mcap"
    var filter = TraceFilter()
    filter.timeline = try SceneTimeline(TraceArchive(paths: [path]), times, isForReplay: true)
    _ = try TraceCopy([path], to: output, filter, overwrite: true)
    return output
  }

  /// Changes at ticks 10 and 22: the first is before the part.
  @Test(arguments: [RecordedRun.Mode.full, .delta, .digest])
  func aPartIsATraceOfItsTicks(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let output = try cut(run, run.write(mode), ticks(20, 30))
    let archive = try FrameArchive(paths: [output])
    // Deltas begin at the keyframe.
    #expect(archive.span?.first.sequence == (mode == .delta ? 17 : 20))
    #expect(archive.span?.last.sequence == 30)
    for frame in run.frames[19..<30] {
      let found = try #require(try archive.frame(from: frame.sequence))
      #expect(found.tick == frame.tick && found.stamp.stateHash == frame.hash)
    }
    var check = try ContentCheck(archive)
    let report = try check.run()
    #expect(report.isEqual && report.provable && report.changes == 2, "\(report)")
  }

  @Test func secondsAreTheNearestTicks() throws {
    let run = try RecordedRun()
    var times = WantedTimes()
    (times.from, times.to) = (.seconds(0.1), .seconds(0.2))
    let archive = try FrameArchive(paths: [cut(run, run.write(.full), times)])
    #expect(archive.span?.first.tick == 6 && archive.span?.last.tick == 12)
  }

  /// Ticks 5 to 15 are shown twice.
  @Test(arguments: [RecordedRun.Mode.full, .digest])
  func aRunThatWasSentBackHasAPartTwice(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(ticks: Array(1...20) + Array(5...15))
    let archive = try FrameArchive(paths: [cut(run, run.write(mode), ticks(6, 8))])
    var found: [UInt64] = []
    var next = try archive.frame(from: 1)
    while let frame = next {
      found.append(frame.sequence)
      next = try archive.frame(from: frame.sequence + 1)
    }
    #expect(found == [6, 7, 8, 22, 23, 24])
  }

  @Test func timesBehindTheTraceAreTold() throws {
    let run = try RecordedRun(ticks: Array(1...5))
    let path = try run.write(.full)
    let behind = #expect(throws: Failure.self) {
      _ = try SceneTimeline(
        TraceArchive(paths: [path]), ticks(9, 12), isForReplay: false)
    }
    #expect(behind?.status == .unmet)
    var times = WantedTimes()
    (times.from, times.to) = (.seconds(2), .tick(3))
    let reverse = #expect(throws: Failure.self) {
      _ = try SceneTimeline(TraceArchive(paths: [path]), times, isForReplay: false)
    }
    #expect(reverse?.status == .usage)
  }

  /// Without frames, times are seconds after the first message, to the nanosecond.
  @Test func timesOfATraceWithoutFramesAreThoseOfItsMessages() throws {
    let run = try RecordedRun(ticks: [1, 2])
    let archive = try TraceArchive(paths: [run.write(.full, missing: [1, 2])])
    let startNs = try #require(archive.startNs)
    func logTimes(_ from: Double?, _ to: Double?) throws -> ClosedRange<UInt64> {
      var times = WantedTimes()
      (times.from, times.to) = (from.map { .seconds($0) }, to.map { .seconds($0) })
      return try SceneTimeline(archive, times, isForReplay: false).logTimes
    }
    #expect(try logTimes(0.5, 2) == startNs + 500_000_000...startNs + 2_000_000_000)
    #expect(try logTimes(1, 1) == startNs + 1_000_000_000...startNs + 1_000_000_000)
    #expect(try logTimes(nil, 1) == 0...startNs + 1_000_000_000)
    #expect(try logTimes(1, nil) == startNs + 1_000_000_000...UInt64.max)
    let failure = #expect(throws: Failure.self) {
      _ = try SceneTimeline(archive, ticks(1, 2), isForReplay: false)
    }
    #expect(failure?.status == .badData)
  }

  /// Changes are made at ticks 10 and 22: what is replayed has those before it, too.
  @Test(
    arguments: [
      (20, 30, false, [22]), (20, 30, true, [10, 22]), (5, 15, false, [10]), (5, 15, true, [10]),
    ] as [(UInt64, UInt64, Bool, [UInt32])])
  func changesBelongToAPartByTheirTick(
    first: UInt64, last: UInt64, isForReplay: Bool, expected: [UInt32]
  ) throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let archive = try TraceArchive(paths: [run.write(.full)])
    let timeline = try SceneTimeline(archive, ticks(first, last), isForReplay: isForReplay)
    let messages = archive.messages(topics: ["/orrery/events"])
    var found: [UInt32] = []
    while let message = try messages.next() {
      if timeline.part(of: message) != .none { found.append(message.head.sequence) }
    }
    #expect(found == expected)
  }

  /// Timings of one frame belong to it, and to no other.
  @Test func timingsOfOneFrameAreOfThatFrame() throws {
    let run = try RecordedRun(ticks: Array(101...110))
    let archive = try TraceArchive(paths: [run.write(.full, beside: true, timedFrames: 1)])
    let timeline = try SceneTimeline(archive, ticks(105, 106), isForReplay: false)
    let messages = archive.messages(topics: ["/orrery/timings"])
    var found: [UInt32] = []
    while let message = try messages.next() {
      if timeline.part(of: message) != .none { found.append(message.head.sequence) }
    }
    #expect(found == [5, 6])
  }

  /// Gaps, timings, points, log lines and events around a gap of frames 11 to 13; frames are 1/60 s apart.
  @Test func messagesBelongToTheFramesTheyTellOf() throws {
    let run = try RecordedRun(ticks: Array(101...120))
    let path = try run.write(.full, missing: [11, 12, 13], beside: true)
    func topics(_ times: WantedTimes) throws -> [String: Int] {
      let archive = try TraceArchive(paths: [path])
      let timeline = try SceneTimeline(archive, times, isForReplay: false)
      let messages = archive.messages(
        fromNs: timeline.logTimes.lowerBound, toNs: timeline.logTimes.upperBound)
      var counts: [String: Int] = [:]
      while let message = try messages.next() {
        if timeline.part(of: message) != .none { counts[message.topic, default: 0] += 1 }
      }
      return counts
    }
    // Frame 10, and the gap behind it as far as it is wanted; log lines are 5 ms after each frame.
    let part = try topics(ticks(110, 112))
    #expect(part["/orrery/frames"] == 1 && part["/orrery/loss"] == 1)
    #expect(part["/orrery/points"] == 1 && part["/orrery/events"] == 1)
    // Those of frames 1 to 10, and of 11 to 20.
    #expect(part["/orrery/timings"] == 2 && part["/orrery/log"] == 1)
    let later = try topics(ticks(114, 115))
    #expect(later["/orrery/frames"] == 2 && later["/orrery/loss"] == nil)
    #expect(later["/orrery/points"] == 2 && later["/orrery/timings"] == 1)
    #expect(later["/orrery/events"] == 2 && later["/orrery/log"] == 2)
  }
}
