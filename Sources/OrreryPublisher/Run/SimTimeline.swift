// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import OrrerySim

/// What a sim did in each tick, and in a tick that took too long or began too late also with what.
///
/// The loop hands in the times that it has read anyway; two more are read where views have events.
final class SimTimeline {
  private let timeline: ProgramTimeline
  private let hasEvents: Bool

  /// What had happened before the tick that is recorded next.
  private var counts = DirectorCounts()
  private var (eventCount, changeCount): (UInt64, UInt64) = (0, 0)

  /// Records into a timeline.
  init(_ timeline: ProgramTimeline, _ plan: ScenePlan, _ maker: any FrameMaker) {
    self.timeline = timeline
    hasEvents = plan.viewsBatch != nil
    maker.timesEvents = hasEvents
  }

  /// Records that commands were performed.
  func recordCommands(fromNs: UInt64) {
    timeline.begin()
    timeline.add(.commands, from: fromNs, to: Clock.monotonicNs())
    timeline.commit()
  }

  /// Records a tick that is over.
  ///
  /// - Parameters:
  ///   - course: The run.
  ///   - dueNs: When it was due; nil: at no time.
  ///   - beginNs: When it began; this and what follows is of the monotonic clock.
  ///   - computedNs: When its values were there.
  ///   - publishedNs: When readers could see them.
  func record(
    _ course: RunCourse, dueNs: UInt64?, beginNs: UInt64, computedNs: UInt64, publishedNs: UInt64
  ) {
    let frame = course.writer.sequence
    timeline.begin()
    let (tickNs, lateNs) = (course.clock.tickNs, dueNs.map { beginNs - min($0, beginNs) } ?? 0)
    let isOverBudget = publishedNs > beginNs + tickNs
    let (before, eventsBefore, changesBefore) = (counts, eventCount, changeCount)
    noteCounts(of: course)
    if isOverBudget || lateNs > tickNs {
      timeline.note(.tick, course.figures.newest.tick)
      timeline.note(.lateNs, lateNs)
      timeline.note(.entities, UInt64(course.maker.entityCount))
      timeline.note(.kinds, 1)
      timeline.note(.frameBytes, course.writer.layout.frameBytes)
      note(.events, eventCount, since: eventsBefore)
      note(.changes, changeCount, since: changesBefore)
      note(.begun, counts.begins, since: before.begins)
      note(.retargeted, counts.retargets, since: before.retargets)
      note(.ended, counts.ends, since: before.ends)
      note(.cut, counts.cuts, since: before.cuts)
      note(.completed, counts.completions, since: before.completions)
      timeline.add(isOverBudget ? .overBudget : .late, from: beginNs, to: publishedNs)
    }
    // Where no event was due, looking for one is part of computing.
    let handledNs =
      counts.queued == before.queued
      ? beginNs : min(max(course.maker.eventsHandledNs, beginNs), max(computedNs, beginNs))
    timeline.add(.events, from: beginNs, to: handledNs)
    timeline.add(.compute, from: handledNs, to: computedNs, frame: frame)
    timeline.add(.publish, from: computedNs, to: publishedNs)
    if eventCount != eventsBefore {
      timeline.add(.send, from: publishedNs, to: Clock.monotonicNs())
    }
    timeline.commit()
  }

  /// Notes what was added to a count; after a seek back it may be smaller than before.
  private func note(_ note: TimelineNote, _ count: UInt64, since before: UInt64) {
    timeline.note(note, count - min(before, count))
  }

  private func noteCounts(of course: RunCourse) {
    eventCount = course.publication.eventSender.numberedCount
    changeCount = UInt64(course.figures.changeCount)
    if hasEvents { counts = course.maker.viewCounts }
  }
}

extension TimelineOwner {
  /// A sim, with its entities by kind.
  package init(_ plan: ScenePlan, options: SimOptions) {
    self.init(
      program: "sim", run: options.run,
      kinds: plan.batches.map { "\($0.count) \($0.kind)" }.joined(separator: ", "))
  }
}
