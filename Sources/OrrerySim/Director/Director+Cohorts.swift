// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Cohorts: how a part of a burst becomes one, how it ends, and how its members get episodes of their own.
extension Director {
  /// Smaller parts have an episode for each member.
  private static let cohortMin = 16

  /// Whether a part's changes make a cohort: from one value, with an end that leaves nothing to do but to report the
  /// completions; its views must come one after the other.
  func makesCohort(_ part: BurstPart, _ common: BurstCommon) -> Bool {
    guard part.count >= Self.cohortMin, part.hasOneStart, endsTogether else { return false }
    return common.shared.map { !$0.pointee.options.contains(.movesAtEnd) } ?? false
  }

  /// Makes a cohort of a part; its index is reserved.
  func makeCohort(
    _ part: BurstPart, _ burst: Burst, _ shared: SharedAnimation.Address, _ common: BurstCommon
  ) {
    guard let channelIndex = channels[part.channel] else { return }
    let tween = shared.pointee.tween
    let lane = Int(part.lanes[0].lane)
    var completion: (first: Int, step: Int)?
    var isRemoval = false
    if case .commands(let first) = burst, let series = common.series {
      let transaction = commands.elements[first + part.first].transaction
      completion = transaction.completion.map { ($0, series.completionStep) }
      isRemoval = transaction.isRemoval
    } else if common.context.group != CompletionGroups.none {
      isRemoval = state.groups.isRemoval(common.context.group)
    }
    let cohort = Cohort(
      change: part.change, start: common.context.time, end: shared.pointee.end, from: part.from,
      view: UInt32(part.block * Blocks.entityCount + lane),
      count: UInt32(part.count), group: common.context.group, completion: completion,
      isRemoval: isRemoval, animation: shared.pointee.index, channel: part.channel,
      options: shared.pointee.options)
    state.cohorts[part.cohort].initialize(to: cohort)
    let key = channelIndex * plan.views.count + Int(cohort.view)
    (state.episodeIndexes.elements + key).update(
      repeating: CohortPool.mark(part.cohort), count: part.count)
    if part.hasOneGoal {
      viewLanes.begin(
        part.channel, part.block, tween, lane..<lane + part.count, base: part.to,
        interval: part.to - part.from)
      (state.models.elements + key).update(repeating: part.to, count: part.count)
    } else {
      viewLanes.begin(part.channel, part.block, tween, part.lanes, count: part.count)
      for index in 0..<part.count { state.models[key + index] = part.lanes[index].base }
    }
    guard part.channel == .away else { return }
    let isShown = part.members[0].isShown
    (state.views.elements + Int(cohort.view)).update(
      repeating: .moving(isShown: isShown), count: part.count)
    viewLanes.setHidden(cohort.views, false)
    viewLanes.setTransition(cohort.views, isShown ? .insertion : .removal)
  }

  /// Ends the cohorts of a run.
  func endCohorts(_ run: EventQueue<Cue>.Event) {
    for index in 0..<run.count {
      let event = run.member(index)
      guard case .motion(_, let change) = CueNumber(event.number), let cohort = event.payload.cohort
      else { continue }
      endCohort(cohort, change, at: run.time)
      checkAfterEvent()
    }
  }

  /// Ends all motions of a cohort, if it has not been separated.
  private func endCohort(_ index: CohortPool.Index, _ change: UInt64, at time: Double) {
    let cohort = state.cohorts[index].pointee
    guard cohort.change == change, let channelIndex = channels[cohort.channel] else { return }
    let count = Int(cohort.count)
    state.cohorts.end(index)
    state.counts.ends += UInt64(count)
    // The queue has one event for all of them.
    state.counts.queued += UInt64(count)
    (state.episodeIndexes.elements + channelIndex * plan.views.count + Int(cohort.view)).update(
      repeating: EpisodePool.none, count: count)
    viewLanes.end(cohort.channel, cohort.views)
    if cohort.channel == .away {
      let isShown = state.views[Int(cohort.view)].isShown
      for view in cohort.views { state.views[view] = state.views[view].rested }
      viewLanes.setHidden(cohort.views, !isShown)
      viewLanes.setTransition(cohort.views, nil)
    }
    if let (first, step) = cohort.completion {
      for member in 0..<count { complete(first + member * step, at: time) }
    } else {
      for _ in 0..<count { leave(cohort.group, at: time) }
    }
  }

  /// The episode of a channel of a view.
  ///
  /// That of a cohort is separated from it first, with all others of it: so they still end in their order.
  ///
  /// - Parameter key: Index of both in `DirectorState.models`.
  /// - Returns: `EpisodePool.none` at rest.
  func episode(ofKey key: Int) -> EpisodePool.Index {
    if let cohort = CohortPool.index(of: state.episodeIndexes[key]) { separate(cohort) }
    return state.episodeIndexes[key]
  }

  /// Gives each member of a cohort an episode, and what belongs to it.
  private func separate(_ index: CohortPool.Index) {
    let cohort = state.cohorts[index].pointee
    guard let channelIndex = channels[cohort.channel] else { return }
    state.cohorts.end(index)
    let firstKey = channelIndex * plan.views.count + Int(cohort.view)
    for member in 0..<Int(cohort.count) {
      let view = Int(cohort.view) + member
      var (group, options) = (cohort.group, cohort.options)
      if let (first, step) = cohort.completion {
        group = state.groups.begin(first + member * step, isRemoval: cohort.isRemoval)
      }
      if cohort.isRemoval { options.insert(.awaitsRemoval) }
      state.episodeIndexes[firstKey + member] = state.episodes.begin(
        Episode(
          change: cohort.change + UInt64(member), start: cohort.start, from: cohort.from,
          view: UInt32(view), group: group, animation: cohort.animation,
          handle: viewLanes.firstTween(cohort.channel, view), channel: cohort.channel,
          options: options))
    }
    scheduleEnds(of: Int(cohort.count), change: cohort.change, at: cohort.end) {
      state.episodeIndexes[firstKey + $0]
    }
  }
}
