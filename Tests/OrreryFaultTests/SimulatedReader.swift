// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire

/// A subscriber's process: the real reader and the real account, interrupted wherever another process
/// could run.
///
/// What it does with frames is its `program`'s.
final class SimulatedReader {
  /// What a subscriber is made of besides reading.
  struct Program {
    let name: String
    let reading: Reading

    /// Whether it goes on with the next run when one is over.
    var follows = false

    /// Frames before the newest that it wants when it joins.
    var back: UInt64 = 0

    /// Reads the frame; nil if the process ended meanwhile.
    var use: (_ frame: FrameView, _ ring: InterruptedRing) -> Bool
    var keep: (_ sequence: UInt64) -> Void = { _ in }
    var miss: (_ gap: ClosedRange<UInt64>) -> Void = { _ in }
    var idle: () -> Void = {}
    var finish: (_ losses: Losses, _ simEnded: Bool) -> Void = { _, _ in }
    var join: (_ sim: SimulatedSim, _ ring: InterruptedRing) -> Void = { _, _ in }
    var leave: () -> Void = {}
  }

  let number: Int
  private(set) var isDead = false

  /// The run that it is joined to.
  private(set) var sim: SimulatedSim?

  /// Everything was read and reported.
  private(set) var isFinished = false

  private let scheduler: Scheduler
  private var program: Program
  private var reader: FrameReader?
  private var cursor = FrameCursor(joinedAfter: 0, reading: .every)
  private var isBusy = false
  private var isStopped = false
  private var isWaiting = false
  private var wakeCount = 0

  /// What it received and missed, counted apart from the cursor's account.
  private var received: [UInt64] = []
  private var missed: [ClosedRange<UInt64>] = []
  private var wasDropped = false

  /// What the program said of the frame that it used last.
  private var wasWhole = false

  init(_ number: Int, _ program: Program, scheduler: Scheduler) {
    self.number = number
    self.program = program
    self.scheduler = scheduler
  }

  var name: String { "\(program.name) \(number)" }

  // MARK: - What others do to it

  /// Joins a run.
  ///
  /// - Returns: False if nobody answered.
  func join(_ sim: SimulatedSim) -> Bool {
    guard !isDead, let newest = sim.register(number) else { return false }
    let reader: FrameReader
    do throws(FrameError) {
      reader = try FrameReader(
        descriptor: sim.writer.descriptor, segmentBytes: sim.writer.segmentBytes)
    } catch {
      scheduler.fail("\(name) cannot map the ring: \(error)")
      return false
    }
    self.reader = reader
    self.sim = sim
    isFinished = false
    wasDropped = false
    (received, missed) = ([], [])
    let joinedAfter =
      program.back == 0
      ? program.reading.begins(after: newest) : newest - min(program.back, newest)
    cursor = FrameCursor(
      joinedAfter: joinedAfter, reading: sim.delivery == .lockstep ? .every : program.reading)
    if program.back == 0 { sim.report(number, sequence: joinedAfter) }
    scheduler.note(name, "joins after", joinedAfter)
    program.join(sim, InterruptedRing(reader: reader, scheduler: scheduler))
    scheduleStep(0)
    return true
  }

  func kill() {
    guard !isDead else { return }
    scheduler.note(name, "is killed")
    isDead = true
    program.leave()
    // The kernel closes its connection.
    sim?.forget(number)
  }

  func stop(forNs durationNs: UInt64) {
    guard !isDead, !isStopped else { return }
    scheduler.note(name, "is stopped", durationNs)
    isStopped = true
    scheduler.after(durationNs) { [self] in
      isStopped = false
      scheduleStep(0)
    }
  }

  /// An announcement came, or the connection closed.
  func wake() {
    guard isWaiting, !isDead else { return }
    isWaiting = false
    scheduleStep(0)
  }

  // MARK: - Its loop

  private func scheduleStep(_ delayNs: UInt64) {
    wakeCount += 1
    let wake = wakeCount
    scheduler.after(delayNs) { [self] in
      guard wake == wakeCount else { return }
      step()
    }
  }

  private func step() {
    guard !isDead, !isStopped, !isBusy, !isFinished, let sim, let reader else { return }
    isBusy = true
    isWaiting = false
    defer { isBusy = false }
    // In this order: what is published afterwards was whole when the sim ended.
    let isLeaseOver = sim.isDead || (sim.hasEnded && scheduler.chance(2))
    wasDropped = wasDropped || (sim.isAlive && !sim.isRegistered(number))
    scheduler.interrupt()
    let hasEnded = reader.hasEnded
    scheduler.interrupt()
    let ring = InterruptedRing(reader: reader, scheduler: scheduler)
    let event: SubscriptionEvent? =
      switch cursor.find(in: ring) {
      case .frame(let frame): cursor.record(frame.sequence, isWhole: use(frame, ring))
      case .event(let event): event
      case nil: nil
      }
    if isDead { return }
    switch event {
    case .frame(let sequence):
      check(received: sequence)
      program.keep(sequence)
      sim.report(number, sequence: sequence)
      scheduleSoon()
    case .missed(let gap):
      check(missed: gap)
      program.miss(gap)
      scheduleSoon()
    default:
      if hasEnded || isLeaseOver { return finish(simEnded: hasEnded) }
      program.idle()
      isWaiting = true
      scheduleStep(Self.pollNs)
    }
    if isDead { return }
    if isStopped { isWaiting = false }
  }

  /// Longest sleep between two looks at the ring, as in `Subscription`.
  private static let pollNs: UInt64 = 100_000_000

  private func scheduleSoon() {
    scheduleStep(scheduler.chance(2) ? 0 : scheduler.timeNs(0...2_000_000))
  }

  private func use(_ frame: FrameView, _ ring: InterruptedRing) -> Bool {
    if scheduler.buggify(.slowUse) { scheduler.interrupt() }
    wasWhole = program.use(frame, ring)
    return wasWhole
  }

  private func finish(simEnded: Bool) {
    guard let sim else { return }
    isFinished = true
    let losses = cursor.losses
    scheduler.note(name, simEnded ? "sees the end" : "sees the death", losses.last)
    checkAccount(losses, published: sim.writer.sequence)
    program.finish(losses, simEnded)
    program.leave()
    sim.forget(number)
    reader = nil
    if program.follows { self.sim = nil }
  }

  var wantsToJoin: Bool { !isDead && sim == nil }

  // MARK: - Checks

  private func check(received sequence: UInt64) {
    received.append(sequence)
    if !wasWhole { scheduler.fail("\(name) received frame \(sequence), which was overwritten") }
    guard let sim, sequence <= sim.writer.sequence else {
      return scheduler.fail("\(name) received frame \(sequence), which was not published")
    }
  }

  /// A frame is missed only if it is overwritten, may be at the next claim, or was skipped on purpose.
  private func check(missed gap: ClosedRange<UInt64>) {
    missed.append(gap)
    guard let sim else { return }
    let writer = sim.writer
    if cursor.reading == .every,
      gap.upperBound + writer.slotCount > writer.sequence + 1 + writer.lookAhead
    {
      scheduler.fail("\(name) missed frames \(gap), with \(writer.sequence) published")
    }
    if sim.delivery == .lockstep, !wasDropped, program.back == 0, !sim.isDead,
      sim.isRegistered(number)
    {
      scheduler.fail("\(name) missed frames \(gap) in lockstep")
    }
  }

  /// published == received + missed, and each frame is one of them.
  private func checkAccount(_ losses: Losses, published: UInt64) {
    let missedCount = missed.reduce(0) { $0 + UInt64($1.count) }
    if losses.last != published
      || losses.receivedCount + losses.missedCount != published - losses.joinedAfter
      || losses.receivedCount != UInt64(received.count) || losses.missedCount != missedCount
    {
      scheduler.fail("\(name) of \(published) published has \(losses)")
    }
    var all = Set(received)
    for gap in missed { all.formUnion(gap) }
    if UInt64(all.count) != losses.receivedCount + losses.missedCount {
      scheduler.fail("\(name) counted a frame twice")
    }
  }
}

/// A ring whose reader can lose the processor before and after each look at it.
struct InterruptedRing: FrameRing {
  let reader: FrameReader
  let scheduler: Scheduler

  var published: UInt64 {
    scheduler.interrupt()
    let published = reader.published
    scheduler.interrupt()
    return published
  }

  func acquire(_ sequence: UInt64) -> FrameAcquisition {
    scheduler.interrupt()
    let found = reader.acquire(sequence)
    scheduler.interrupt()
    return found
  }

  func isWhole(_ view: FrameView) -> Bool {
    scheduler.interrupt()
    let isWhole = reader.isWhole(view)
    scheduler.interrupt()
    return isWhole
  }
}
