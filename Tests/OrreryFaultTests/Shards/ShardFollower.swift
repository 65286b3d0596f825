// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// A subscriber of one shard alone, and of its next process when one has died: the real reader and the real
/// account.
final class ShardFollower {
  private(set) var counts = (received: 0, missed: 0)

  /// Everything was read after the shard had ended.
  private(set) var isFinished = false

  let name: String
  private let shard: Int
  private let plan: ShardPlan
  private let processes: SimulatedShard
  private let scheduler: Scheduler

  /// The process that it has joined; nil: it looks for one.
  private var process: ShardProcess?
  private var cursor = FrameCursor(joinedAfter: 0, reading: .every)

  /// Frames of this process, counted apart from the cursor.
  private var (receivedCount, missedCount, last): (UInt64, UInt64, UInt64) = (0, 0, 0)

  init(_ shard: Int, _ plan: ShardPlan, _ processes: SimulatedShard, scheduler: Scheduler) {
    name = "follower of \(shard)"
    (self.shard, self.plan, self.processes, self.scheduler) = (shard, plan, processes, scheduler)
    scheduler.after(scheduler.timeNs(0...plan.calmNs)) { [self] in step() }
  }

  private func step() {
    guard let process else { return join() }
    // In this order: what is published before the end was whole when the process ended.
    let isOver = process.isDead || process.reader.hasEnded
    if scheduler.nowNs < plan.calmNs { scheduler.interrupt() }
    switch cursor.find(in: process.reader) {
    case .frame(let view):
      if !process.holds(view.sequence) || view.sequence <= last {
        fail("found frame \(view.sequence) after \(last) of \(process.sequence)")
      }
      let isLong = scheduler.nowNs < plan.calmNs && scheduler.chance(8)
      let useNs = isLong ? scheduler.timeNs(0...4 * plan.tickNs) : 0
      scheduler.after(useNs) { [self] in end(view, process) }
    case .event(let event):
      record(event, process)
      scheduleStep(0)
    case nil where isOver:
      finish(process)
    case nil:
      scheduleStep(scheduler.timeNs(100_000...plan.tickNs))
    }
  }

  private func scheduleStep(_ delayNs: UInt64) {
    scheduler.after(delayNs) { [self] in step() }
  }

  private func join() {
    let process = processes.process
    if process.hasEnded {
      isFinished = true
    } else if process.isDead {
      scheduleStep(scheduler.timeNs(1_000_000...100_000_000))
    } else {
      self.process = process
      cursor = FrameCursor(
        joinedAfter: process.sequence, reading: scheduler.chance(3) ? .newest : .every)
      (receivedCount, missedCount, last) = (0, 0, process.sequence)
      scheduler.note(name, "joins after", last)
      scheduleStep(0)
    }
  }

  /// Reads the frame when it was used.
  private func end(_ view: FrameView, _ process: ShardProcess) {
    let stamp = view.stamp()
    let value = view.values(process.reader.layout.columns[0])[0]
    let isWhole = process.reader.isWhole(view)
    if isWhole != process.holds(view.sequence) {
      fail("takes frame \(view.sequence) for \(isWhole ? "whole" : "overwritten")")
    }
    let tick = process.tick(of: view.sequence)
    if isWhole,
      stamp.tick != tick || stamp.stateHash != plan.hash(shard, tick: tick)
        || value != plan.value(shard, tick: tick)
    {
      fail("frame \(view.sequence) is another's: \(stamp), \(value)")
    }
    record(cursor.record(view.sequence, isWhole: isWhole), process)
    scheduleStep(scheduler.timeNs(0...1_000_000))
  }

  private func record(_ event: SubscriptionEvent, _ process: ShardProcess) {
    switch event {
    case .frame(let sequence):
      scheduler.note(name, "receives", sequence)
      last = sequence
      receivedCount += 1
      counts.received += 1
    case .missed(let gap):
      scheduler.note(name, "misses up to", gap.upperBound)
      if cursor.reading == .every, gap.upperBound + plan.slotCount > process.sequence + 1 {
        fail("missed frames \(gap) of \(process.sequence)")
      }
      last = gap.upperBound
      missedCount += UInt64(gap.count)
      counts.missed += gap.count
    default:
      fail("got \(event)")
    }
    let losses = cursor.losses
    if losses.last != last || losses.receivedCount != receivedCount
      || losses.missedCount != missedCount
      || receivedCount + missedCount != last - losses.joinedAfter
    {
      fail("\(receivedCount) received, \(missedCount) missed up to \(last): \(losses)")
    }
  }

  private func finish(_ process: ShardProcess) {
    if last != process.sequence { fail("has \(last) of \(process.sequence) frames") }
    self.process = nil
    scheduleStep(0)
  }

  private func fail(_ problem: String) { scheduler.fail("\(name): \(problem)") }
}
