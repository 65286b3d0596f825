// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire

/// A sim, its subscribers, what goes between them and what happens to them: all of it from one seed.
///
/// The writer, readers, accounts and traces are the real ones. Processes, time, network and disk are not.
final class SimulatedRun {
  /// What came about, to see that trouble was made.
  struct Counts {
    var received = 0
    var overtaken = 0
    var published = 0
    var generations = 0
    var kills = 0
    var sent = 0
    var traces = SimulatedLogger.Counts()
  }

  let scheduler: Scheduler
  private(set) var counts = Counts()

  private let seed: UInt64
  private let plan: RunPlan
  private let folder: String
  private var sim: SimulatedSim?
  private var generations: [UInt64] = []
  private var readers: [SimulatedReader] = []
  private var viewers: [SimulatedViewer] = []
  private var loggers: [SimulatedLogger] = []

  init(seed: UInt64, folder: String) throws(FrameError) {
    self.seed = seed
    self.folder = folder
    scheduler = Scheduler(seed: seed)
    plan = try RunPlan(scheduler)
    scheduler.calmNs = plan.calmNs
  }

  /// Lets everything happen.
  func run() {
    scheduler.after(scheduler.timeNs(0...50_000_000)) { [self] in startSim() }
    for _ in 0..<scheduler.number(1...4) { addReader() }
    for _ in 0..<scheduler.number(0...6) {
      scheduler.after(scheduler.timeNs(0...plan.calmNs)) { [self] in makeTrouble() }
    }
    scheduler.run(until: plan.endNs)
    checkEnd()
    for viewer in viewers {
      counts.received += viewer.wholeCount
      counts.overtaken += viewer.overtakenCount
    }
    for logger in loggers {
      counts.traces.finished += logger.counts.finished
      counts.traces.cutOff += logger.counts.cutOff
      counts.traces.failed += logger.counts.failed
      counts.traces.kept += logger.counts.kept
    }
    counts.generations = generations.count
  }

  /// Everybody who lives has come to an end.
  private func checkEnd() {
    if let sim, sim.isAlive { scheduler.fail("the sim hangs at frame \(sim.writer.sequence)") }
    for reader in readers where !reader.isDead && reader.sim != nil && !reader.isFinished {
      scheduler.fail("\(reader.name) hangs")
    }
  }

  // MARK: - Processes

  private func startSim() {
    let generation = scheduler.random.next()
    do throws(FrameError) {
      let sim = try SimulatedSim(plan, generation: generation, scheduler: scheduler)
      sim.announce = { [self, unowned sim] _ in announce(sim) }
      sim.noticeDeath = { [self, unowned sim] in noticeDeath(of: sim) }
      self.sim = sim
      generations.append(generation)
    } catch {
      scheduler.fail("a ring cannot be made: \(error)")
    }
  }

  private func addReader() {
    let number = readers.count + 1
    let back = scheduler.chance(4) ? UInt64(scheduler.number(1...20)) : 0
    let follows = scheduler.chance(2)
    let reader: SimulatedReader
    if scheduler.chance(3) {
      let logger = SimulatedLogger(name: "logger", folder: folder, scheduler: scheduler)
      loggers.append(logger)
      reader = SimulatedReader(
        number, logger.program(follows: follows, back: back), scheduler: scheduler)
      logger.die = { [unowned reader] in reader.kill() }
    } else {
      let viewer = SimulatedViewer(name: "viewer", scheduler: scheduler)
      viewers.append(viewer)
      let reading: Reading = scheduler.chance(2) ? .every : .newest
      reader = SimulatedReader(
        number, viewer.program(reading: reading, follows: follows, back: back),
        scheduler: scheduler)
    }
    readers.append(reader)
    scheduler.after(scheduler.timeNs(0...plan.calmNs / 2)) { [self] in tryToJoin(reader) }
  }

  /// Joins the run that is there, and keeps trying while there is none.
  private func tryToJoin(_ reader: SimulatedReader) {
    guard !reader.isDead, scheduler.nowNs < plan.endNs / 2 else { return }
    if reader.wantsToJoin, let sim { _ = reader.join(sim) }
    let mostNs: UInt64 = scheduler.nowNs < plan.calmNs ? 40_000_000 : 4_000_000_000
    scheduler.after(scheduler.timeNs(1_000_000...mostNs)) { [self] in tryToJoin(reader) }
  }

  // MARK: - Network

  /// Sends an announcement to every subscriber; it may be lost, doubled, late, or overtaken by the next.
  private func announce(_ sim: SimulatedSim) {
    for reader in readers where reader.sim === sim {
      if scheduler.buggify(.announcementDropped) { continue }
      deliver(to: reader)
      if scheduler.buggify(.announcementTwice) { deliver(to: reader) }
    }
  }

  private func deliver(to reader: SimulatedReader) {
    let isLate = scheduler.buggify(.announcementLate)
    scheduler.after(scheduler.timeNs(0...(isLate ? 3_000_000_000 : 200_000))) { reader.wake() }
  }

  /// The kernel closes the connections of a process that has gone.
  private func noticeDeath(of sim: SimulatedSim) {
    counts.published += Int(sim.writer.sequence)
    counts.sent += sim.sentCount
    for reader in readers where reader.sim === sim {
      scheduler.after(scheduler.timeNs(0...1_000_000)) { reader.wake() }
    }
    if scheduler.nowNs < plan.calmNs, generations.count < 4 {
      scheduler.after(scheduler.timeNs(0...100_000_000)) { [self] in startSim() }
    }
  }

  // MARK: - Trouble

  private func makeTrouble() {
    switch scheduler.number(0...5) {
    case 0:
      if let sim, sim.isAlive { counts.kills += 1 }
      sim?.kill()
    case 1:
      if scheduler.buggify(.simStopped) {
        sim?.stop(forNs: scheduler.timeNs(1_000_000...10_000_000_000))
      }
    case 2:
      readers.randomElement(using: &scheduler.random)?.kill()
    case 3, 4:
      if scheduler.buggify(.readerStopped) {
        readers.randomElement(using: &scheduler.random)?
          .stop(forNs: scheduler.timeNs(1_000_000...60_000_000_000))
      }
    default:
      if readers.count < 8 { addReader() }
    }
  }
}
