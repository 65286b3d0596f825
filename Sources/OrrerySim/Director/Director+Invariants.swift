// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Invariants that hold between two events.
extension Director {
  /// Checks the invariants after an event, if compiled with `ORRERY_INVARIANTS`.
  ///
  /// With many views, several events share a check, so that it costs at most 64 views for each event.
  func checkAfterEvent() {
    #if ORRERY_INVARIANTS
      checkCountdown -= 1
      guard checkCountdown <= 0 else { return }
      checkCountdown = plan.views.count / 64
      checkInvariants()
    #endif
  }

  /// Traps if the state contradicts itself.
  ///
  /// Tests call it after each tick; compiled with `ORRERY_INVARIANTS`, as by `tools/check`, events end
  /// with it.
  ///
  /// - Complexity: O(views).
  package func checkInvariants() {
    var memberCounts = state.groups.memberCounts.map { _ in 0 }
    var episodeCount = 0
    for (channelIndex, channel) in channels.all.enumerated() {
      for view in plan.views.indices {
        var index = state.episodeIndexes[channelIndex * plan.views.count + view]
        var later = EpisodePool.none
        if let cohort = CohortPool.index(of: index) {
          check(state.cohorts[cohort].pointee, view, channel, &memberCounts)
          continue
        }
        while index != EpisodePool.none {
          episodeCount += 1
          let episode = state.episodes[index].pointee
          precondition(
            episode.viewIndex == view && episode.channel == channel,
            "\(channel) of view \(view) has the episode of \(episode.channel) of \(episode.viewIndex)"
          )
          precondition(!state.views[view].isDestroyed, "destroyed view \(view) is animated")
          precondition(episode.later == later, "episode \(index) is not the one before \(later)")
          check(episode, &memberCounts)
          (index, later) = (episode.earlier, index)
        }
      }
    }
    precondition(
      episodeCount == state.episodes.liveCount,
      "\(state.episodes.liveCount) episodes, of which channels name \(episodeCount)")
    precondition(
      memberCounts == state.groups.memberCounts,
      "groups wait for \(state.groups.memberCounts), and \(memberCounts) are pending")
    for view in state.views.indices {
      let state = state.views[view]
      precondition(state.isAlive || !state.isShown, "view \(view) is shown and does not exist")
      precondition(!state.isDestroyed || !state.isAlive, "view \(view) is destroyed and exists")
    }
    viewLanes.checkInvariants()
    for (accordion, row) in state.openRows.enumerated() {
      let isPossible = row.map(plan.accordions[accordion].panels.indices.contains) ?? true
      precondition(isPossible, "row \(row ?? -1) of accordion \(accordion) is open")
    }
  }

  /// Checks the cohort of a view's channel, and counts that its group waits for the view.
  private func check(
    _ cohort: Cohort, _ view: Int, _ channel: ViewChannel, _ memberCounts: inout [Int]
  ) {
    precondition(
      cohort.change > 0 && cohort.change + UInt64(cohort.count) - 1 <= state.changeCount,
      "changes from \(cohort.change) on, of \(state.changeCount)")
    precondition(
      cohort.views.contains(view) && cohort.channel == channel,
      "\(channel) of view \(view) has the cohort of \(cohort.channel) of \(cohort.views)")
    precondition(!state.views[view].isDestroyed, "destroyed view \(view) is animated")
    if cohort.group != CompletionGroups.none { memberCounts[Int(cohort.group)] += 1 }
  }

  /// Checks an episode, and counts the groups that wait for it.
  private func check(_ episode: Episode, _ memberCounts: inout [Int]) {
    func count(_ group: CompletionGroups.Index, awaitsRemoval: Bool) {
      memberCounts[Int(group)] += 1
      precondition(
        awaitsRemoval == state.groups.isRemoval(group), "group \(group) awaits something else")
    }
    precondition(
      episode.change > 0 && episode.change <= state.changeCount,
      "change \(episode.change) of \(state.changeCount)")
    guard episode.hasHistory else {
      precondition(
        episode.handle != nil || episode.earlier != EpisodePool.none,
        "the episode of change \(episode.change) has no lane")
      guard episode.group != CompletionGroups.none else { return }
      let awaitsRemoval = episode.options.contains(.awaitsRemoval)
      count(episode.group, awaitsRemoval: awaitsRemoval)
      precondition(
        awaitsRemoval || !episode.options.contains(.isComplete),
        "group \(episode.group) waits for a completed change")
      return
    }
    let history = state.histories[episode.history]
    let motions = history.pointee.motions
    let isOver = episode.options.contains(.isOver)
    precondition(
      history.pointee.isRunning != isOver, "the episode of change \(episode.change) is over")
    precondition(
      !isOver || !motions.isEmpty && history.pointee.account.waits.isEmpty,
      "the episode of change \(episode.change) is over, and waits")
    for (earlier, later) in zip(motions, motions.dropFirst()) {
      precondition(earlier.change < later.change, "motions \(earlier.change), \(later.change)")
    }
    for layers in [motions.compactMap(\.tweenLayer), motions.compactMap(\.springLayer)] {
      precondition(Set(layers).count == layers.count, "motions share layers: \(layers)")
    }
    history.pointee.account.checkInvariants()
    for wait in history.pointee.account.waits {
      count(wait.group, awaitsRemoval: wait.awaitsRemoval)
    }
  }
}

extension ViewLanes {
  /// Traps where lanes, hidden views and transitions contradict each other.
  func checkInvariants() {
    for block in fieldBlocks + awayBlocks { block.checkInvariants() }
    for block in 0..<blockCount {
      let views = Blocks.range(block, entities: plan.views.count)
      let hiddenViews = views.count { isHidden.values[$0] > 0 }
      precondition(
        hiddenViews == Int(hiddenCount.values[block]),
        "\(hiddenViews) hidden views in block \(block), counted \(hiddenCount.values[block])")
      guard hasTransitions else { continue }
      let movingCount = views.count(where: isInTransition)
      precondition(
        movingCount == transitions[block].count,
        "\(movingCount) transitions in block \(block), counted \(transitions[block].count)")
    }
  }
}
