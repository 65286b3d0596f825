// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a program's loop hands each frame on once and its report is the account.
///
/// Method: the loop finds its run by the environment, which belongs to the whole process; so each test
/// has a process of its own.
@Suite struct SubscriberLoopTests {
  /// Writes down what it is told.
  private final class Diary: FrameConsumer {
    let isBrief: Bool
    var used: [UInt64] = []
    var copied: [UInt64] = []
    var lines: [String] = []
    var voided: UInt64 = 0

    init(isBrief: Bool = false) { self.isBrief = isBrief }

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      used.append(frame.sequence)
      if source is FrameCopy { copied.append(frame.sequence) }
      return frame.sequence != voided && source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) { lines.append("keep \(sequence)") }
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {
      lines.append("miss \(gap.lowerBound)-\(gap.upperBound)")
    }
    func idle() throws(Failure) {}
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
      lines.append("finish \(simEnded)")
      return ["file"]
    }
  }

  /// Makes a directory for the runs of this process.
  private static func useOwnBase() throws -> TemporaryBase {
    let base = try TemporaryBase()
    setenv("XDG_RUNTIME_DIR", base.path, 1)
    return base
  }

  /// A run under the environment's directory, eight slots.
  private static func start(
    staticPart: [UInt8] = []
  ) throws -> (RunLock, FrameWriter, JoinServer) {
    let lock = try RunLock(RunDirectory(name: "loop"))
    let writer = try FrameWriter(
      layout: FrameLayout(columns: []), slotCount: 8, staticPart: staticPart, generation: 1,
      delivery: .live)
    let server = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: Subscribers(lock.directory))
    return (lock, writer, server)
  }

  private static func publish(_ writer: FrameWriter, _ count: Int) {
    for _ in 0..<count {
      writer.claim()
      writer.publish(FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0))
    }
  }

  @Test func loopKeepsAndMissesAndReports() async {
    await #expect(processExitsWith: .success) {
      // Of a frame that was overwritten during its use the next ones are copied, unless a use is brief.
      try Self.followLossyRun(Diary(isBrief: false), copied: Array(19...22))
    }
    await #expect(processExitsWith: .success) {
      try Self.followLossyRun(Diary(isBrief: true), copied: [])
    }
  }

  private static func followLossyRun(_ diary: Diary, copied: [UInt64]) throws {
    let base = try Self.useOwnBase()
    let (lock, writer, server) = try Self.start()
    Self.publish(writer, 2)
    var prepared = 0
    let loop = try SubscriberLoop(
      program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0,
      prepare: { prepared += 1 })
    precondition(prepared == 1 && server.subscribers.joinedCount == 1)
    // Frames 3 … 22 in a ring of eight: 3 … 15 are lost and 16 is the oldest safe one.
    Self.publish(writer, 20)
    writer.end()
    diary.voided = 18
    let path = base.path + "/times"
    let times = try FrameTimesFile<SubscriberFrameTimes>(path: path)
    let timeline = try ProgramTimeline(
      path: base.path + "/timeline", TimelineOwner(program: "diary", run: "loop"))
    let beganNs = Clock.monotonicNs()
    let (report, failure) = loop.followAndAccount(diary, frameTimes: times, timeline: timeline)
    precondition(failure == nil && times.finish() == nil && timeline.finish() == nil)
    try Self.expectSlices(base.path + "/timeline", usedCount: 7, keptCount: 6)
    try Self.expectTimes(path, of: [16, 17, 19, 20, 21, 22], from: beganNs)
    server.stop()
    withExtendedLifetime((base, lock)) {}
    let expected =
      ["miss 3-15", "keep 16", "keep 17", "miss 18-18"] + (19...22).map { "keep \($0)" }
      + ["finish true"]
    precondition(diary.lines == expected, "\(diary.lines)")
    precondition(diary.used == Array(16...22), "\(diary.used)")
    precondition(diary.copied == copied, "\(diary.copied)")
    precondition(report.joinedAfter == 2 && report.published == 20)
    precondition(report.received == 6 && report.missed == 14)
    precondition(report.gaps == ["3-15", "18"], "\(report.gaps)")
    precondition(report.simEnded && report.files == ["file"] && report.program == "diary")
  }

  /// Checks the lines of a file of times: one for each frame that was used whole, in order.
  private static func expectTimes(
    _ path: String, of sequences: [UInt64], from beganNs: UInt64
  ) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").dropFirst().compactMap { line in
      SubscriberFrameTimes(cells: line.split(separator: ",").map { UInt64($0) })
    }
    precondition(lines.map(\.sequence) == sequences, text)
    let times = [beganNs] + lines.flatMap { [$0.foundNs, $0.doneNs] } + [Clock.monotonicNs()]
    precondition(times == times.sorted(), text)
  }

  /// Checks the slices of a timeline: each frame was used, and none that was overwritten then had been looked for.
  private static func expectSlices(_ path: String, usedCount: Int, keptCount: Int) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let slices = try TimelineTrace(Array(bytes)).slices
    let names = slices.map(\.name)
    precondition(slices.count { $0.numbers["frame"] != nil } == usedCount, "\(slices)")
    precondition(names.count { $0 == "find" } == keptCount, "\(names)")
  }

  /// A frame whose use took longer than a tick is shown so, with the size of the run.
  @Test func frameThatTookLongerThanATickIsOverBudget() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      var scene = Orrery_SceneLayout()
      // A tick takes a nanosecond.
      (scene.rateNumerator, scene.rateDenominator) = (1_000_000_000, 1)
      scene.entityCount = 40
      let (lock, writer, server) = try Self.start(staticPart: scene.serializedBytes())
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0)
      Self.publish(writer, 3)
      writer.end()
      let path = base.path + "/timeline"
      let timeline = try ProgramTimeline(path: path, TimelineOwner(program: "diary", run: "loop"))
      let (report, failure) = loop.followAndAccount(Diary(), timeline: timeline)
      precondition(failure == nil && report.received == 3 && timeline.finish() == nil)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let over = try TimelineTrace(Array(bytes)).slices.filter { $0.name == "over budget" }
      precondition(over.map { $0.numbers["entities"] } == [40, 40, 40], "\(over)")
      server.stop()
      withExtendedLifetime((base, lock)) {}
    }
  }

  /// What is published while a program gets ready is not missed.
  @Test func subscriberIsCountedOnceItsProgramIsReady() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, writer, server) = try Self.start()
      Self.publish(writer, 2)
      var steps: [String] = []
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .every, wantsEvents: true,
        waitSeconds: 0,
        prepare: { steps.append("prepare \(server.subscribers.reports.count)") },
        ready: { source, events in
          let newest = source.frames?.newest?.sequence ?? 0
          steps.append("ready \(server.subscribers.joinedCount), frame \(newest)")
          precondition(source.generation == 1 && events != nil)
          Self.publish(writer, 30)
        })
      precondition(steps == ["prepare 0", "ready 0, frame 2"], "\(steps)")
      precondition(server.subscribers.joinedCount == 1)
      writer.end()
      let report = try loop.follow(Diary())
      server.stop()
      withExtendedLifetime((base, lock)) {}
      precondition(report.joinedAfter == 32 && report.published == 0 && report.missed == 0)
      precondition(report.firstReadClockNs == nil && report.firstDoneClockNs == nil)
    }
  }

  /// A program that cannot get ready is nobody's subscriber.
  @Test func programThatCannotGetReadyLeavesNoReport() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, _, server) = try Self.start()
      do {
        _ = try SubscriberLoop(
          program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0,
          ready: { _, _ throws(Failure) in throw Failure(.inputOutput, "no room") })
        preconditionFailure("it was joined")
      } catch let failure as Failure {
        precondition(failure.description == "no room", "\(failure)")
      }
      try waitUntil("it to be gone") { server.subscribers.reports.isEmpty }
      precondition(server.subscribers.joinedCount == 0)
      server.stop()
      withExtendedLifetime((base, lock)) {}
    }
  }

  /// Sim and subscriber are asked to end while the one still prepares: that is no failure.
  @Test(arguments: [false, true]) func simThatGoesMeanwhileIsSaidSo(isStopped: Bool) async {
    await #expect(processExitsWith: .success) { [isStopped] in
      let base = try Self.useOwnBase()
      StopSignals.installHandlers()
      let (lock, _, server) = try Self.start()
      do {
        _ = try SubscriberLoop(
          program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0,
          ready: { _, _ in
            if isStopped { raise(SIGTERM) }
            server.stop()
          })
        preconditionFailure("it was joined")
      } catch let failure as Failure {
        precondition(failure.status == (isStopped ? .done : .unavailable), "\(failure)")
        precondition(
          failure.description
            == (isStopped
              ? "stopped before run 'loop' was joined" : "run 'loop' ended before it was joined"),
          "\(failure)")
      }
      withExtendedLifetime((base, lock)) {}
    }
  }

  /// Needs longer for a frame than the ring holds it.
  private final class Sluggard: FrameConsumer {
    let meanwhile: () -> Void
    var used: [UInt64] = []
    var kept: [UInt64] = []

    init(meanwhile: @escaping () -> Void) { self.meanwhile = meanwhile }

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      meanwhile()
      used.append(frame.sequence)
      return source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) { kept.append(sequence) }
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}
    func idle() throws(Failure) {}
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] { [] }
  }

  @Test func consumerForWhichTheRingIsTooShortDoesNotStarve() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, writer, server) = try Self.start()
      let loop = try SubscriberLoop(
        program: "sluggard", location: .run("loop"), reading: .newest, waitSeconds: 0)
      Self.publish(writer, 1)
      let sluggard = Sluggard {
        if writer.sequence < 60 { Self.publish(writer, 9) } else { writer.end() }
      }
      let report = try loop.follow(sluggard)
      server.stop()
      withExtendedLifetime((base, lock)) {}
      // The first is overwritten during its use; all others are copied first.
      precondition(sluggard.used.first == 1 && sluggard.used.count > 5, "\(sluggard.used)")
      precondition(sluggard.kept == Array(sluggard.used.dropFirst()), "\(sluggard.kept)")
      precondition(report.received == UInt64(sluggard.kept.count), "\(report)")
      precondition(report.published == report.received + report.missed, "\(report)")
    }
  }

  @Test func deathOfTheSimIsInTheReport() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, writer, server) = try Self.start()
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0)
      Self.publish(writer, 1)
      server.stop()
      let diary = Diary()
      let report = try loop.follow(diary)
      withExtendedLifetime((base, lock)) {}
      precondition(diary.lines == ["keep 1", "finish false"], "\(diary.lines)")
      precondition(!report.simEnded && report.received == 1 && report.missed == 0)
    }
  }

  @Test func loopWithoutARunFailsWithItsStatus() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      var prepared = 0
      for (run, status) in [("nobody", .unavailable), ("bad name", .usage)]
        as [(String, OrreryBase.ExitStatus)]
      {
        do {
          _ = try SubscriberLoop(
            program: "diary", location: .run(run), reading: .every, waitSeconds: 0,
            prepare: { prepared += 1 })
          preconditionFailure("run '\(run)' was joined")
        } catch let failure as Failure {
          precondition(failure.status == status, "\(failure)")
        }
      }
      precondition(prepared == 0)
      withExtendedLifetime(base) {}
    }
  }

  @Test func loopAsksForWhatItsProgramWants() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, writer, server) = try Self.start()
      Self.publish(writer, 5)
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .newest, waiting: .futex, from: 3,
        wantsEvents: true, waitSeconds: 0)
      let joined = server.subscribers.reports
      precondition(joined.count == 1 && joined[0].name == "diary", "\(joined)")
      precondition(joined[0].waiting == .futex && joined[0].reading == .newest, "\(joined)")
      precondition(joined[0].joinedAfter == 2, "\(joined)")
      precondition(loop.events != nil)
      writer.end()
      let diary = Diary()
      let report = try loop.follow(diary)
      server.stop()
      withExtendedLifetime((base, lock)) {}
      precondition(diary.lines == ["miss 3-4", "keep 5", "finish true"], "\(diary.lines)")
      precondition(report.run == "loop" && report.program == "diary")
      precondition(report.waiting == "futex" && report.reading == "newest", "\(report)")
      precondition(report.joinedAfter == 2 && report.published == 3)
      precondition(report.received == 1 && report.missed == 2 && report.gaps == ["3-4"])
      // Its frames are dated as if published long ago.
      precondition((report.latency?.maxNs ?? 0) > 0, "\(report)")
    }
  }

  /// Whoever asks for nothing else gets announcements of every frame, and no events.
  @Test func loopAsksForLittleByItself() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let (lock, writer, server) = try Self.start()
      Self.publish(writer, 5)
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0)
      let joined = server.subscribers.reports
      precondition(joined.count == 1 && joined[0].waiting == .announcement, "\(joined)")
      precondition(joined[0].reading == .every && joined[0].joinedAfter == 5, "\(joined)")
      precondition(loop.events == nil)
      server.stop()
      withExtendedLifetime((base, lock)) {}
    }
  }

  @Test func loopThatIsStoppedEndsInOrder() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      StopSignals.installHandlers()
      let (lock, writer, server) = try Self.start()
      let loop = try SubscriberLoop(
        program: "diary", location: .run("loop"), reading: .every, waitSeconds: 0)
      Self.publish(writer, 1)
      raise(SIGTERM)
      // What is there is left unread: it was asked to stop first.
      let diary = Diary()
      let report = try loop.follow(diary)
      precondition(diary.lines == ["finish false"], "\(diary.lines)")
      precondition(!report.simEnded && report.received == 0 && report.published == 0)
      // And a run that is not there is waited for no longer.
      let nobody = WireAddress.tcp(try WireEndpoint("tcp://127.0.0.1:1"), keys: nil)
      for (location, text) in [
        (RunLocation.run("nobody"), "stopped before run 'nobody' appeared"),
        (.remote(nobody, isCompressed: false), "stopped before tcp://127.0.0.1:1 answered"),
      ] {
        do {
          _ = try SubscriberLoop(
            program: "diary", location: location, reading: .every, waitSeconds: 3_600)
          preconditionFailure("\(location) was joined")
        } catch let failure as Failure {
          precondition(failure.status == .done, "\(failure)")
          precondition(failure.description == text, "\(failure)")
        }
      }
      server.stop()
      withExtendedLifetime((base, lock)) {}
    }
  }
}
