// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// A sim's process: the real writer, its tick cut into steps between which anything may happen.
///
///     claim | part of the values | … | publish | announce | wait for the next tick
///
/// With look-ahead, parts of later frames are written among those of the next.
final class SimulatedSim {
  let writer: FrameWriter
  let contents: FrameContents

  /// Readers of this run that it counts on, by their number, and how far they say they are.
  private(set) var registered: [Int: Progress] = [:]

  private(set) var isDead = false
  private(set) var hasEnded = false

  /// Frames that were pinned.
  private(set) var sentCount = 0

  /// What to tell when a frame is there, or the process has gone.
  var announce: (_ sequence: UInt64) -> Void = { _ in }
  var noticeDeath: () -> Void = {}

  /// What a reader of a lockstep run told last, and when.
  struct Progress {
    var sequence: UInt64
    var sinceNs: UInt64
  }

  private enum Step {
    case claim
    case fill
    case publish
    case announce
  }

  private let scheduler: Scheduler
  private let plan: RunPlan
  private var step = Step.claim
  private var isStopped = false

  /// The frames that are being written.
  private var claimed: Claim?

  /// Parts that are written of frames that are claimed and not published.
  private var written: [UInt64: Set<Int>] = [:]
  private var nextTickNs: UInt64
  private let endsAfter: UInt64

  init(_ plan: RunPlan, generation: UInt64, scheduler: Scheduler) throws(FrameError) {
    self.plan = plan
    self.scheduler = scheduler
    contents = FrameContents(layout: plan.layout, seed: plan.sceneSeed)
    writer = try FrameWriter(
      layout: plan.layout, slotCount: plan.slotCount, spareCount: plan.spareCount,
      staticPart: contents.staticPart, generation: generation, delivery: plan.delivery,
      lookAhead: plan.lookAhead)
    endsAfter = UInt64(scheduler.number(1...plan.framesMost))
    nextTickNs = scheduler.nowNs + plan.tickNs
    scheduler.note("sim", "starts", generation)
    scheduleStep(plan.tickNs)
    if plan.spareCount > 0 { scheduleSending() }
  }

  var isAlive: Bool { !isDead && !hasEnded }

  var delivery: Delivery { plan.delivery }

  // MARK: - What others do to it

  func kill() {
    guard isAlive else { return }
    scheduler.note("sim", "is killed", writer.sequence)
    isDead = true
    noticeDeath()
  }

  func stop(forNs durationNs: UInt64) {
    guard isAlive, !isStopped else { return }
    scheduler.note("sim", "is stopped", durationNs)
    isStopped = true
    scheduler.after(durationNs) { [weak self] in self?.proceed() }
  }

  /// Ends the run in order at the next tick, whatever was planned.
  private(set) var shallEnd = false

  func finish() { shallEnd = true }

  /// A subscriber joins.
  ///
  /// - Returns: The newest frame; nil if the sim does not answer.
  func register(_ reader: Int) -> UInt64? {
    guard isAlive, !isStopped else { return nil }
    registered[reader] = Progress(sequence: writer.sequence, sinceNs: scheduler.nowNs)
    return writer.sequence
  }

  func report(_ reader: Int, sequence: UInt64) {
    guard isAlive, registered[reader] != nil else { return }
    registered[reader] = Progress(sequence: sequence, sinceNs: scheduler.nowNs)
  }

  /// A subscriber has gone, in whatever way: the kernel closes its connection.
  func forget(_ reader: Int) { registered[reader] = nil }

  func isRegistered(_ reader: Int) -> Bool { registered[reader] != nil }

  // MARK: - Steps

  private func scheduleStep(_ delayNs: UInt64) {
    scheduler.after(delayNs) { [weak self] in self?.run() }
  }

  private func proceed() {
    isStopped = false
    scheduleStep(0)
  }

  private func run() {
    guard isAlive, !isStopped else { return }
    switch step {
    case .claim: claim()
    case .fill: fill()
    case .publish: publish()
    case .announce:
      announce(writer.sequence)
      step = .claim
      nextTickNs += plan.tickNs
      scheduleStep(nextTickNs > scheduler.nowNs ? nextTickNs - scheduler.nowNs : 0)
    }
  }

  private func scheduleNext() {
    scheduleStep(scheduler.chance(2) ? 0 : scheduler.timeNs(0...plan.tickNs / 8))
  }

  private func claim() {
    if shallEnd || writer.sequence >= endsAfter { return end() }
    let ahead = scheduler.number(0...Int(plan.lookAhead))
    let last = writer.sequence + 1 + UInt64(ahead)
    if plan.delivery == .lockstep, last > plan.slotCount, !hasRoom(for: last) {
      return scheduleStep(plan.tickNs)
    }
    claimed = writer.claim(ahead: ahead)
    step = .fill
    scheduleNext()
  }

  /// Whether every reader is done with the frame whose slot the frame `last` takes; readers that say
  /// nothing for too long are dropped.
  private func hasRoom(for last: UInt64) -> Bool {
    let needed = last - plan.slotCount
    // In an order that is the same in every process.
    for (reader, progress) in registered.sorted(by: { $0.key < $1.key })
    where progress.sequence < needed {
      guard scheduler.nowNs > progress.sinceNs + plan.stallLimitNs else { return false }
      scheduler.note("sim", "drops reader", UInt64(reader))
      forget(reader)
    }
    return true
  }

  /// Writes one part of a frame that was claimed: mostly of the next.
  private func fill() {
    guard let claimed else { return }
    fillOnePart(of: claimed, ahead: scheduler.chance(3) ? scheduler.number(0...claimed.ahead) : 0)
    if written[claimed.sequence]?.count == contents.parts.count { step = .publish }
    scheduleNext()
  }

  private func fillOnePart(of claim: Claim, ahead: Int) {
    let sequence = claim.sequence + UInt64(ahead)
    let done = written[sequence, default: []]
    guard let part = contents.parts.indices.first(where: { !done.contains($0) }) else { return }
    let frame = writer.place(at: claim.place(ahead: ahead))
    contents.write(contents.parts[part], sequence: sequence, to: frame)
    written[sequence, default: []].insert(part)
  }

  private func publish() {
    let next = writer.sequence + 1
    writer.publish(contents.stamp(sequence: next))
    written[next] = nil
    scheduler.note("sim", "publishes", next)
    step = .announce
    scheduleNext()
  }

  // MARK: - Frames on their way to other machines

  /// Pins a frame now and then, as the thread that sends does, and lets go of it a while later: it must
  /// not have changed, whatever was published meanwhile.
  private func scheduleSending() {
    scheduler.after(scheduler.timeNs(0...10 * plan.tickNs)) { [weak self] in self?.send() }
  }

  private func send() {
    guard isAlive else { return }
    scheduleSending()
    let newest = writer.sequence
    guard newest > 0, !isStopped else { return }
    let back = scheduler.chance(2) ? 0 : UInt64(scheduler.number(0...Int(plan.slotCount)))
    let sequence = newest - min(back, newest - 1)
    guard let frame = writer.pin(sequence) else {
      return checkRefusal(of: sequence)
    }
    sentCount += 1
    let ticks = scheduler.buggify(.stalledPin) ? 100 : 4
    let heldNs = scheduler.timeNs(0...plan.tickNs * UInt64(ticks))
    // It keeps the process's memory, as the kernel does while a message is being written.
    scheduler.after(heldNs) { [self] in
      let expected = contents.bytes(sequence: sequence, generation: writer.generation)
      if !frame.bytes.elementsEqual(expected) {
        scheduler.fail("frame \(sequence) changed while it was being sent")
      }
      writer.unpin(place: frame.place)
    }
  }

  /// A frame may be refused if it is overwritten or if the spare places are in use.
  private func checkRefusal(of sequence: UInt64) {
    let isThere = sequence + plan.slotCount > writer.sequence + 1 + plan.lookAhead
    if isThere, writer.pinnedPlaceCount < plan.spareCount {
      scheduler.fail("frame \(sequence) was not pinned with \(writer.sequence) published")
    }
  }

  private func end() {
    writer.end()
    hasEnded = true
    scheduler.note("sim", "ends", writer.sequence)
    announce(writer.sequence)
    noticeDeath()
  }
}
