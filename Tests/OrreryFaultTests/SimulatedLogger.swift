// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryTrace
import OrreryWire

/// A program that records frames with the logger's recorder and the real trace writer, on a simulated disk.
///
/// When it is over, in whatever way, its file is read and compared with what it had taken.
final class SimulatedLogger {
  /// How its files ended.
  struct Counts {
    var finished = 0
    var cutOff = 0
    var failed = 0
    var kept = 0
  }

  private(set) var counts = Counts()

  /// Set by its maker: ends the process.
  var die: () -> Void = {}

  private let scheduler: Scheduler
  private let name: String
  private let folder: String
  private var recording: Recording?

  init(name: String, folder: String, scheduler: Scheduler) {
    self.name = name
    self.folder = folder
    self.scheduler = scheduler
  }

  func program(follows: Bool, back: UInt64) -> SimulatedReader.Program {
    SimulatedReader.Program(
      name: name, reading: .every, follows: follows, back: back,
      use: { [self] frame, _ in use(frame) },
      keep: { [self] sequence in
        work { (recording) throws(Failure) in try recording.keep(sequence) }
      },
      miss: { [self] gap in work { (recording) throws(Failure) in try recording.miss(gap) } },
      idle: { [self] in work { (recording) throws(Failure) in try recording.idle() } },
      finish: { [self] losses, simEnded in finish(losses, simEnded) },
      join: { [self] sim, ring in begin(sim, ring) },
      leave: { [self] in leave() })
  }

  // MARK: - Recording

  private func begin(_ sim: SimulatedSim, _ ring: InterruptedRing) {
    var faults = SimulatedDisk.Faults()
    faults.writesShort = scheduler.buggify(.shortWrite)
    faults.interrupts = scheduler.buggify(.interruptedWrite)
    if scheduler.buggify(.failingWrite) {
      let number = [ENOSPC, EIO, EDQUOT][scheduler.number(0...2)]
      faults.failsAt = (scheduler.number(1...12), number, scheduler.chance(2))
    }
    if scheduler.buggify(.failingReserve) { faults.reserveFailsAt = scheduler.number(1...12) }
    if scheduler.buggify(.fullDisk) { faults.capacity = scheduler.number(0...40_000) }
    if scheduler.chance(4) { faults.diesAt = scheduler.number(1...12) }
    let disk = SimulatedDisk(seed: scheduler.random.next(), faults: faults)
    let path = folder + "/\(UUID().uuidString)"
    defer { unlink(path) }
    do throws(TraceError) {
      let writer = try TraceWriter(
        path: path, compression: [.none, .lz4, .zstd][scheduler.number(0...2)],
        chunkBytes: scheduler.number(1...3_000), clock: { [scheduler] in scheduler.nowNs },
        calls: disk.calls)
      recording = Recording(
        writer, path: path, disk, sim, ring, clock: scheduler.clock, isOnlyFull: faults.isOnlyFull)
    } catch {
      return failedToOpen()
    }
    work { (recording) throws(Failure) in try recording.begin() }
  }

  private func use(_ frame: FrameView) -> Bool {
    var isWhole = false
    work { (recording) throws(Failure) in isWhole = try recording.use(frame) }
    return isWhole
  }

  /// Does something with the trace, and then lets its thread write and come to rest, unless the disk is slow
  /// just now: what the thread has done is seen only between two steps.
  private func work(_ body: (Recording) throws(Failure) -> Void) {
    guard let recording else { return }
    if recording.heldSteps == 0 {
      recording.holdUp(steps: scheduler.buggify(.slowDisk) ? 3 : 1)
    }
    do throws(Failure) {
      try body(recording)
    } catch {
      return failed(error)
    }
    recording.pass()
    settle()
  }

  private func settle() {
    guard let recording else { return }
    if recording.heldSteps == 0 { recording.rest() }
    if recording.disk.isDead { die() }
  }

  /// There is not even room for a header: nothing was recorded.
  private func failedToOpen() {
    scheduler.note(name, "cannot open a trace")
    die()
  }

  /// The trace cannot be written on: the program ends and says what it kept.
  private func failed(_ failure: Failure) {
    guard let recording, !recording.disk.isDead else { return die() }
    recording.holdUp(steps: 0)
    _ = recording.writer.byteCount
    if !recording.disk.isDead {
      counts.failed += 1
      let problem = recording.problem(after: failure)
      scheduler.note(name, "cannot write", recording.disk.hash)
      if let problem { scheduler.fail("\(name), \(failure): \(problem)") }
      self.recording = nil
    }
    die()
  }

  private func finish(_ losses: Losses, _ simEnded: Bool) {
    guard let recording else { return }
    recording.holdUp(steps: 0)
    do throws(Failure) {
      try recording.finish(losses, simEnded: simEnded)
    } catch {
      return failed(error)
    }
    guard !recording.disk.isDead else { return die() }
    counts.finished += 1
    counts.kept += recording.takenCount
    scheduler.note(name, "finishes its trace", recording.disk.hash)
    if let problem = recording.problemWhenFinished(losses, simEnded: simEnded) {
      scheduler.fail("\(name), finished: \(problem)")
    }
    self.recording = nil
  }

  /// The process ends, whether it wanted to or not.
  private func leave() {
    guard let recording else { return }
    recording.disk.die()
    counts.cutOff += 1
    scheduler.note(name, "leaves a trace", recording.disk.hash)
    if let problem = recording.problemWhenCutOff() {
      scheduler.fail("\(name), cut off: \(problem)")
    }
    self.recording = nil
  }
}
