// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryPublisher
import OrreryReplay
import OrreryWire
import TestSupport
import Testing

/// Goal: a played trace is a run like any other, with the recorded ticks, values and hashes.
///
/// Method: traces of every mode are played into a ring that keeps all frames, and a subscriber compares them
/// with what was recorded.
@Suite struct PlayedFramesTests {
  private func options(_ name: String) -> SimOptions {
    var options = SimOptions(run: "test-\(getpid())-play-\(name)")
    (options.isPaced, options.events, options.slotCount) = (false, .none, 128)
    (options.waitFor, options.waitSeconds) = (1, 20)
    return options
  }

  /// Plays a trace; returns the frames that a subscriber saw, without sequence and time of publishing.
  private func play(
    _ frames: PlayedFrames, _ options: SimOptions,
    commands: @escaping @Sendable (CommandQueue) -> Void = { _ in }
  ) throws -> (report: SimReport, frames: [(stamp: FrameStamp, values: [UInt8])]) {
    var options = options
    frames.describe(&options)
    let lock = try RunLock(run: options.run, carrier: options.carrier)
    let simulation = try Simulation(lock, frames.plan, maker: frames, options: options)
    commands(simulation.commands)
    nonisolated(unsafe) let unsafe = simulation
    let client = try JoinClient(JoinConnection(RunDirectory(name: options.run)), name: "test")
    let report = try within("the run's end") { try unsafe.run() }
    var found: [(FrameStamp, [UInt8])] = []
    for sequence in 1...max(client.reader.published, 1) {
      guard case .frame(let view) = client.reader.acquire(sequence) else {
        Issue.record("frame \(sequence) is not there")
        continue
      }
      found.append((view.stamp(), Array(view.bytes[FrameField.allBytes...])))
    }
    return (report, found)
  }

  @Test(arguments: [RecordedRun.Mode.full, .delta, .digest])
  func framesAreThoseThatWereRecorded(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(changes: FrameArchiveTests.changed)
    let missing: Set<UInt64> = [7, 8, 31]
    let frames = try PlayedFrames(
      FrameArchive(paths: [run.write(mode, missing: missing)]))
    let played = try play(frames, options("\(mode)"))
    let expected = run.frames.filter { !missing.contains($0.sequence) }
    #expect(played.frames.count == expected.count)
    for (found, frame) in zip(played.frames, expected) {
      #expect(found.stamp.tick == frame.tick)
      #expect(found.stamp.stateHash == frame.hash)
      #expect(found.values == Array(frame.bytes[FrameField.allBytes...]), "tick \(frame.tick)")
    }
    #expect(frames.skippedCount == 3)
    #expect(frames.unprovedCount == 0)
    #expect(played.report.frames == 37)
  }

  @Test func aWrongHashIsCounted() throws {
    let run = try RecordedRun()
    let path = try run.write(.digest) { bytes, sequence in
      if sequence == 9 { bytes[9 * 4 + 1] ^= 1 }
    }
    let frames = try PlayedFrames(FrameArchive(paths: [path]))
    _ = try play(frames, options("wrong"))
    #expect(frames.unprovedCount == 1)
    #expect(frames.firstUnproved?.tick == 9)
  }

  @Test func playingBeginsAtATimeAndAgain() throws {
    let run = try RecordedRun()
    var times = WantedTimes()
    times.from = .seconds(0.5)
    let frames = try PlayedFrames(FrameArchive(paths: [run.write(.full)]), times)
    var options = options("loop")
    (options.loops, options.tickCount) = (true, 25)
    let played = try play(frames, options)
    #expect(played.frames.map(\.stamp.tick) == Array(30...40) + Array(30...40) + [30, 31, 32])
    times.from = .tick(6000)
    let late = #expect(throws: Failure.self) {
      _ = try PlayedFrames(FrameArchive(paths: [run.write(.full)]), times)
    }
    #expect(late?.status == .unmet)
  }

  /// The last tick wanted is not recorded, and the run shows these ticks again later.
  @Test func playingEndsAtATime() throws {
    let run = try RecordedRun(ticks: Array(1...20) + Array(5...15))
    var times = WantedTimes()
    (times.from, times.to) = (.tick(6), .tick(12))
    let frames = try PlayedFrames(
      FrameArchive(paths: [run.write(.full, missing: [12])]), times)
    let played = try play(frames, options("part"))
    #expect(played.frames.map(\.stamp.tick) == Array(6...11))
  }

  @Test(arguments: [RecordedRun.Mode.full, .digest])
  func aSeekLeadsToTheFrameAndChangesAreRefused(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(ticks: Array(101...140))
    let frames = try PlayedFrames(FrameArchive(paths: [run.write(mode)]))
    let refused = Flag()
    let played = try play(frames, options("seek-\(mode)")) { commands in
      let seek = ControlRequest(verb: .seek, id: 1, fields: ["tick": .count(135)])
      commands.handle(seek) { _ in }
      let set = ControlRequest(verb: .toggle, id: 2, fields: ["names": .string("box")])
      commands.handle(set) { if case .refused = $0 { refused.set() } }
    }
    #expect(played.frames.map(\.stamp.tick) == Array(135...140))
    #expect(played.frames.first?.stamp.stateHash == run.frames[34].hash)
    #expect(refused.isSet)
  }

  // MARK: - The last frame

  /// Plays ticks 1 to 40 while requests are made; the reply of a request is a table, or the reason of its refusal.
  private func steer(
    _ name: String, _ change: (inout SimOptions) -> Void = { $0.isPausedFirst = true },
    _ body: (
      (ControlVerb, [String: DocumentValue]) -> (said: [String: DocumentValue], reason: String)
    ) throws -> Void
  ) throws -> SimReport {
    let run = try RecordedRun(ticks: Array(1...40))
    let frames = try PlayedFrames(FrameArchive(paths: [run.write(.full)]))
    var options = options("end-\(name)")
    options.waitFor = 0
    change(&options)
    frames.describe(&options)
    let lock = try RunLock(run: options.run, carrier: options.carrier)
    let simulation = try Simulation(lock, frames.plan, maker: frames, options: options)
    let commands = simulation.commands
    nonisolated(unsafe) let unsafe = simulation
    let outcome = Monitor<Result<SimReport, any Error>?>(nil)
    let thread = try BackgroundThread {
      let result = Result { try unsafe.run() as SimReport }
      outcome.change { $0 = result }
    }
    try body { verb, fields in
      let reply = Monitor<ControlReply?>(nil)
      commands.handle(ControlRequest(verb: verb, id: 1, fields: fields)) { answer in
        reply.change { $0 = answer }
      }
      let answer = reply.wait(atMostNs: 300_000_000_000) { $0 }
      switch answer {
      case .done(let said, _): return (said, "")
      case .refused(let reason): return ([:], reason)
      case nil: return ([:], "no answer to \(verb)")
      }
    }
    let report = try #require(
      outcome.wait(atMostNs: 300_000_000_000) { $0 }, "the run did not end")
    thread.join()
    return try report.get()
  }

  @Test func pausedRunStaysAtItsLastFrame() throws {
    let report = try steer("seek") { ask in
      let far = ask(.seek, ["tick": .count(1_000)]).said
      #expect(far["tick"] == .count(40) && far["paused"] == .bool(true))
      // It is there still, and shows any other frame.
      #expect(ask(.stats, [:]).said["next_tick"] == .count(41))
      #expect(ask(.step, [:]).said["stepped"] == .count(0))
      #expect(ask(.seek, ["tick": .count(38)]).said["tick"] == .count(38))
      let rest = ask(.step, ["ticks": .count(100)]).said
      #expect(rest["stepped"] == .count(2) && rest["tick"] == .count(40))
      #expect(rest["paused"] == .bool(true))
      #expect(ask(.seek, ["seconds": .number(1e6)]).said["tick"] == .count(40))
      #expect(ask(.resume, [:]).said["paused"] == .bool(false))
    }
    #expect(report.frames == 1 + 1 + 2 + 1)
  }

  @Test func stepSaysHowManyFramesItPublished() throws {
    let report = try steer("step") { ask in
      for count in [1, 7, 30] as [UInt64] {
        #expect(ask(.step, ["ticks": .count(count)]).said["stepped"] == .count(count))
      }
      #expect(ask(.step, ["ticks": .count(1_000_000)]).said["stepped"] == .count(2))
      #expect(ask(.quit, [:]).reason == "")
    }
    #expect(report.frames == 40)
  }

  @Test func heldRunPausesAtItsLastFrame() throws {
    let report = try steer("hold", { $0.holds = true }) { ask in
      for _ in 0..<2_000 {
        if ask(.stats, [:]).said["paused"] == .bool(true) { break }
        usleep(5_000)
      }
      let stats = ask(.stats, [:]).said
      #expect(stats["paused"] == .bool(true) && stats["tick"] == .count(40))
      #expect(ask(.seek, ["tick": .count(5)]).said["tick"] == .count(5))
      #expect(ask(.step, ["ticks": .count(3)]).said["tick"] == .count(8))
      #expect(ask(.seek, ["tick": .count(40)]).said["tick"] == .count(40))
      #expect(ask(.resume, [:]).reason == "")
    }
    #expect(report.frames == 40 + 1 + 3 + 1)
  }

  @Test func pausedLoopGoesOnAtItsBeginning() throws {
    _ = try steer("loop", { ($0.isPausedFirst, $0.loops) = (true, true) }) { ask in
      #expect(ask(.seek, ["tick": .count(39)]).said["tick"] == .count(39))
      let step = ask(.step, ["ticks": .count(3)]).said
      #expect(step["stepped"] == .count(3) && step["tick"] == .count(2))
      _ = ask(.quit, [:])
    }
  }
}
