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
}
