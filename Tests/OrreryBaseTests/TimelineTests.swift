// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: what a loop says that it did is in the file, in order and nested, whatever it says and whoever else writes.
///
/// Method: records by hand and at random, read by a reader of the tests; files that two write, that have a torn end, that
/// are something else, locked or full.
@Suite struct TimelineTests {
  private static let owner = TimelineOwner(program: "sim", run: "demo.1of4", kinds: "3 orbit")

  private typealias Record = TimelineRing.Record

  private static func span(
    _ phase: TimelinePhase, _ from: UInt64, _ to: UInt64, _ frame: UInt64 = 0
  ) -> Record {
    Record(fromNs: from, toNs: to, value: frame, word: phase.rawValue)
  }

  private static func note(_ note: TimelineNote, _ value: UInt64) -> Record {
    Record(value: value, word: note.rawValue, isNote: true)
  }

  private static func encoded(_ records: [Record]) -> [UInt8] {
    var encoder = TimelineEncoder(owner, number: 7, nowNs: 1000, wallNs: 5)
    for record in records { encoder.take(record) }
    return encoder.fields.bytes
  }

  private static func content(_ path: String) -> [UInt8] {
    [UInt8](FileManager.default.contents(atPath: path) ?? Data())
  }

  // MARK: - Packets

  @Test func slicesNestAndGapsAreWaits() throws {
    let trace = try TimelineTrace(
      Self.encoded([
        Self.span(.compute, 2000, 2500, 1), Self.span(.publish, 2500, 2600),
        Self.note(.kinds, 1), Self.note(.events, 12), Self.span(.overBudget, 9000, 9900),
        Self.span(.events, 9000, 9100), Self.span(.compute, 9100, 9700, 2),
        Self.span(.publish, 9700, 9900), Self.span(.send, 9900, 9950),
      ]))
    #expect(
      trace.slices.map { "\($0.name) \($0.fromNs)-\($0.toNs) \($0.parent ?? "")" } == [
        "compute 2000-2500 ", "publish 2500-2600 ", "wait 2600-9000 ",
        "events 9000-9100 over budget", "compute 9100-9700 over budget",
        "publish 9700-9900 over budget", "over budget 9000-9900 ", "send 9900-9950 ",
      ])
    #expect(trace.slices[0].numbers == ["frame": 1])
    #expect(trace.slices[6].numbers == ["events": 12])
    #expect(trace.slices[6].texts == ["kinds": "3 orbit"])
    #expect(trace.processes == ["sim 1/4": "run demo.1of4"])
  }

  /// A clock that was set back, or a slice that leaves the one around it, is bent; what took no time is left out.
  @Test func timeNeverGoesBack() throws {
    let trace = try TimelineTrace(
      Self.encoded([
        Self.span(.compute, 2000, 2500), Self.span(.publish, 2400, 2600),
        Self.span(.send, 100, 200), Self.span(.late, 3000, 3100), Self.span(.compute, 3000, 9000),
        Self.span(.find, 3100, 3100),
      ]))
    #expect(
      trace.slices.map { "\($0.name) \($0.fromNs)-\($0.toNs)" } == [
        "compute 2000-2500", "publish 2500-2600", "wait 2600-3000", "compute 3000-3100",
        "late 3000-3100",
      ])
  }

  @Test func framesThatAreLeftOutAreSaid() throws {
    let trace = try TimelineTrace(
      Self.encoded([
        Self.span(.compute, 2000, 2500), Self.note(.leftOut, 40), Self.note(.overwritten, 1),
        Self.span(.compute, 2500, 3000),
      ]))
    #expect(trace.slices.map(\.name) == ["compute", "wait", "compute"])
    #expect(trace.slices[1].numbers == ["left_out": 40])
    #expect(trace.slices[2].numbers == ["overwritten": 1])
  }

  /// Two ends at most lie open, and a slice takes no more than what ten minutes in 12 MB allow.
  @Test(arguments: [1, 2, 3] as [UInt64]) func anyRecordsAreATrace(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 * testEffort {
      let records = (0..<Int.random(in: 0...200, using: &random)).map { index in
        let from = UInt64(index) * 1000 &+ UInt64.random(in: 0...3000, using: &random)
        return Bool.random(using: &random)
          ? Self.span(
            TimelinePhase.allCases.randomElement(using: &random) ?? .wait,
            from, from + UInt64.random(in: 0...4000, using: &random), random.next() >> 40)
          : Self.note(TimelineNote.allCases.randomElement(using: &random) ?? .tick, random.next())
      }
      // A tick that is open at the end has had no last part.
      let bytes = Self.encoded(records + [Self.span(.wait, 1 << 40, 1 << 40)])
      #expect(throws: Never.self, "seed \(seed)") { try TimelineTrace(bytes) }
    }
  }

  @Test func sliceIsSmall() {
    let tick = UInt64(16_666_667)
    let records = (1...1000 as ClosedRange<UInt64>).flatMap { index in
      [
        Self.span(.compute, index * tick, index * tick + 90_000, index),
        Self.span(.publish, index * tick + 90_000, index * tick + 91_000),
      ]
    }
    // Of each tick three slices, and a number.
    let bytes = Self.encoded(records).count - Self.encoded([]).count
    #expect(bytes <= 1000 * (3 * 23 + 9), "\(bytes)")
  }

  // MARK: - The ring

  @Test func ringThatIsFullLeavesOutWholeFrames() {
    let ring = TimelineRing()
    let frames = TimelineRing.capacity / 2 + 100
    for frame in 1...frames {
      ring.begin()
      for _ in 0..<2 { ring.add(Self.span(.compute, 0, 1, UInt64(frame))) }
      ring.commit()
    }
    var taken: [UInt64] = []
    ring.take { taken.append($0.value) }
    let kept = taken.count / 2
    #expect(kept < frames && kept >= (TimelineRing.capacity - TimelineRing.frameMax) / 2)
    #expect(taken == (1...UInt64(kept)).flatMap { [$0, $0] })
    ring.begin()
    ring.commit()
    var notes: [Record] = []
    ring.take { notes.append($0) }
    #expect(notes == [Self.note(.leftOut, UInt64(frames - kept))])
  }

  @Test func frameWithTooMuchIsCut() {
    let ring = TimelineRing()
    ring.begin()
    for index in 0..<1000 { ring.add(Self.span(.compute, 0, 1, UInt64(index))) }
    ring.commit()
    var count = 0
    ring.take { _ in count += 1 }
    #expect(count == TimelineRing.frameMax)
  }

  // MARK: - The file

  private static func write(_ path: String, _ program: String, frames: UInt64) throws -> Failure? {
    let timeline = try ProgramTimeline(path: path, TimelineOwner(program: program, run: "demo"))
    for frame in 1...frames {
      let nowNs = Clock.monotonicNs()
      timeline.begin()
      timeline.add(.compute, from: nowNs, to: nowNs + 10, frame: frame)
      timeline.commit()
    }
    return timeline.finish()
  }

  @Test func programsShareAFile() throws {
    let base = try TemporaryBase()
    let path = base.path + "/timeline"
    let programs = 4
    let failures = Monitor([String]())
    BackgroundThread.concurrently(programs) { index in
      do {
        if let failure = try Self.write(path, "p\(index)", frames: 20_000) { throw failure }
      } catch {
        failures.change { $0.append("\(error)") }
      }
    }
    #expect(failures.read { $0 } == [])
    let trace = try TimelineTrace(Self.content(path))
    for index in 0..<programs {
      let frames = trace.slices.filter { $0.process == "p\(index)" }.compactMap {
        $0.numbers["frame"]
      }
      #expect(frames == Array(1...20_000), "\(index)")
    }
    // Their numbers can be had again.
    #expect(try TimelineFile(path: path).number == 1)
  }

  /// Wherever a killed program's write has stopped, the next one removes what there is of it.
  @Test func tornEndIsRemoved() throws {
    let base = try TemporaryBase()
    let path = base.path + "/timeline"
    #expect(try Self.write(path, "first", frames: 3) == nil)
    let whole = Self.content(path)
    let random = SeededBytes.make(200_000)
    for torn in [Array(whole[21..<60]), [0x0a], Array(TimelineFile.mark.dropLast()), random] {
      try Data(whole + torn).write(to: URL(fileURLWithPath: path))
      ProgramTimeline.mend(path)
      #expect(Self.content(path) == whole, "\(torn.count)")
      try Data(whole + torn).write(to: URL(fileURLWithPath: path))
      #expect(try Self.write(path, "second", frames: 3) == nil)
      let trace = try TimelineTrace(Self.content(path))
      #expect(Set(trace.processes.keys) == ["first", "second"])
    }
  }

  @Test func otherFileIsRefusedAndStays() throws {
    let base = try TemporaryBase()
    let path = base.path + "/notes"
    try "notes of mine, longer than a mark".write(toFile: path, atomically: true, encoding: .utf8)
    let failure = #expect(throws: Failure.self) { _ = try Self.write(path, "sim", frames: 1) }
    #expect(failure?.status == .inputOutput)
    #expect(
      failure?.description == "\(path): has something else than a timeline; give another name")
    let refused = #expect(throws: Failure.self) { try ProgramTimeline.clear(path) }
    #expect(refused?.description == failure?.description)
    #expect(Self.content(path).count == 33)
  }

  @Test func timelineIsBegunAnew() throws {
    let base = try TemporaryBase()
    let path = base.path + "/timeline"
    for program in ["first", "second"] {
      try ProgramTimeline.clear(path)
      #expect(Self.content(path).isEmpty)
      #expect(try Self.write(path, program, frames: 1) == nil)
      #expect(Array(try TimelineTrace(Self.content(path)).processes.keys) == [program])
    }
  }

  @Test func fileThatIsLockedIsWaitedForAWhile() throws {
    let base = try TemporaryBase()
    let path = base.path + "/timeline"
    let other = FileDescriptor(owning: open(path, O_RDWR | O_CREAT, 0o600))
    #expect(linux_lock_byte(other.number, 1 << 62) == 0)
    let beginNs = Clock.monotonicNs()
    let failure = try Self.write(path, "sim", frames: 1)
    #expect(failure?.status == .inputOutput)
    #expect(failure?.description == "\(path): another program has had it locked for 2 s")
    #expect(Clock.monotonicNs() - beginNs >= 2_000_000_000)
    #expect(Self.content(path) == [])
    #expect(linux_unlock_byte(other.number, 1 << 62) == 0)
    #expect(try Self.write(path, "sim", frames: 1) == nil)
  }

  /// Nothing is thrown at a frame: the program goes on.
  @Test func fullDiskIsReportedAtTheEnd() throws {
    let failure = try #require(try Self.write("/dev/full", "sim", frames: 10))
    #expect(failure.status == .inputOutput)
    #expect(failure.description == "/dev/full: write: No space left on device")
    #expect(try Self.write("/dev/null", "sim", frames: 10) == nil)
    let none = #expect(throws: Failure.self) {
      _ = try Self.write("/nonexistent/t", "sim", frames: 1)
    }
    #expect(none?.description == "/nonexistent/t: open: No such file or directory")
  }

  /// What fits is there to the last whole write.
  @Test func limitOfAFilesSizeLeavesWhatWasWhole() async throws {
    let base = try TemporaryBase()
    let path = base.path + "/timeline"
    await #expect(processExitsWith: .success) { [path = path as String] in
      var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
      signal(SIGXFSZ, SIG_IGN)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let first = try Self.write(path, "first", frames: 10)
      precondition(first == nil, "\(String(describing: first))")
      let second = try Self.write(path, "second", frames: 10_000)
      precondition(
        second?.description == "\(path): write: File too large", "\(String(describing: second))")
    }
    let trace = try TimelineTrace(Self.content(path))
    #expect(Array(trace.processes.keys) == ["first"])
  }
}

private enum SeededBytes {
  /// Bytes at random.
  static func make(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: 5)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
