// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryFrame
import OrreryPublisher

/// One process of a shard from its start to its end: the real schedule and the real ring.
///
/// It computes nothing: what a frame holds is a function of shard and tick.
final class ShardProcess {
  /// What is wrong with a process from its start.
  struct Defect {
    /// Its wall time minus that of the others.
    var clockErrorNs: Int64 = 0

    /// Ticks by which its frames show a later one than their number says.
    var tickError: UInt64 = 0

    /// Whether it has to be started again for the run to be whole.
    var isGrave: Bool { tickError != 0 || abs(clockErrorNs) >= 100_000_000 }
  }

  let defect: Defect

  /// The ring, which outlives the process.
  let reader: FrameReader

  /// Frames that the others had published when this process came.
  let skippedCount: UInt64

  /// The newest frame.
  private(set) var sequence: UInt64

  private(set) var isDead = false
  private(set) var hasEnded = false

  private let shard: Int
  private let name: String
  private let plan: ShardPlan
  private let scheduler: Scheduler
  private var clock: TickClock

  /// The ring's writing end; nil when the process is over.
  private var writer: FrameWriter?
  private let clockOffsetNs: Int64
  private var stalledUntilNs: UInt64 = 0

  /// When each frame was published, from the first on, by the monotonic clock.
  private var publishedNs: [UInt64] = []

  init(
    _ shard: Int, _ plan: ShardPlan, staticPart: [UInt8], defect: Defect, scheduler: Scheduler
  ) throws(FrameError) {
    (self.shard, self.plan, self.defect, self.scheduler) = (shard, plan, defect, scheduler)
    name = "shard \(shard)"
    clockOffsetNs = Self.wallOffsetNs + defect.clockErrorNs
    let startNs = UInt64(Int64(plan.startNs) - defect.clockErrorNs)
    let nowNs = scheduler.nowNs
    skippedCount = nowNs > startNs ? plan.ticks(sinceStartNs: nowNs - startNs) : 0
    sequence = skippedCount
    clock = TickClock(rate: plan.rate, startNs: startNs, after: skippedCount, moves: false)
    let writer = try FrameWriter(
      layout: plan.layout(shard), slotCount: plan.slotCount, staticPart: staticPart,
      generation: scheduler.random.next(), delivery: .live, clockOffsetNs: clockOffsetNs)
    writer.begin(after: skippedCount)
    reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
    self.writer = writer
    scheduler.note(name, "starts after", skippedCount)
    schedule(atNs: clock.dueNs(sequence + 1))
  }

  /// Any time in this century.
  private static let wallOffsetNs: Int64 = 1_700_000_000_000_000_000

  var isRunning: Bool { !isDead && !hasEnded }

  // MARK: - What others do to it

  func kill() {
    guard isRunning else { return }
    scheduler.note(name, "is killed", sequence)
    isDead = true
    writer = nil
  }

  func stall(untilNs: UInt64) {
    scheduler.note(name, "stalls until", untilNs)
    stalledUntilNs = max(stalledUntilNs, untilNs)
  }

  // MARK: - Its loop

  private func schedule(atNs timeNs: UInt64) {
    // Sleeps end a little late, and seldom much.
    let lateNs = scheduler.timeNs(0...(scheduler.chance(8) ? 2_000_000 : 200_000))
    let delayNs = timeNs > scheduler.nowNs ? timeNs - scheduler.nowNs : 0
    scheduler.after(delayNs + lateNs) { [self] in step() }
  }

  private func step() {
    guard isRunning else { return }
    if scheduler.nowNs < stalledUntilNs { return schedule(atNs: stalledUntilNs) }
    if let dueNs = clock.wake(atNs: scheduler.nowNs) { return schedule(atNs: dueNs) }
    publish()
    if sequence >= plan.tickCount { return end() }
    schedule(atNs: clock.dueNs(sequence + 1))
  }

  private func publish() {
    guard let writer else { return }
    clock.begin(sequence + 1, atNs: scheduler.nowNs)
    let claim = writer.claim()
    let tick = tick(of: claim.sequence)
    let values = claim.memory + Int(writer.layout.columns[0].valuesOffset)
    values.storeBytes(of: plan.value(shard, tick: tick), as: Float.self)
    sequence = writer.publish(
      FrameStamp(
        tick: tick, simTimeNs: plan.rate.timeNs(tick: tick),
        publishTimeNs: dateNs(scheduler.nowNs), stateHash: plan.hash(shard, tick: tick)))
    publishedNs.append(scheduler.nowNs)
    scheduler.note(name, "publishes", sequence)
  }

  private func end() {
    writer?.end()
    writer = nil
    hasEnded = true
    scheduler.note(name, "ends", sequence)
  }

  // MARK: - What its frames are, told without the ring

  /// The tick that a frame shows.
  func tick(of sequence: UInt64) -> UInt64 { sequence + defect.tickError }

  /// Whether the ring has a frame now.
  func holds(_ sequence: UInt64) -> Bool {
    sequence > skippedCount && sequence <= self.sequence
      && sequence + plan.slotCount > self.sequence
  }

  /// When a frame was published, by the monotonic clock.
  func publishedNs(_ sequence: UInt64) -> UInt64 { publishedNs[Int(sequence - skippedCount) - 1] }

  /// A time of the monotonic clock as its frames have it.
  func dateNs(_ monotonicNs: UInt64) -> UInt64 {
    UInt64(bitPattern: Int64(monotonicNs) + clockOffsetNs)
  }
}
