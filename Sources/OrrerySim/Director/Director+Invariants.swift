// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Invariants that hold between two events.
extension Director {
  /// Checks the invariants after an event, if compiled with `ORRERY_INVARIANTS`.
  func checkAfterEvent() {
    #if ORRERY_INVARIANTS
      checkInvariants()
    #endif
  }

  /// Traps if the state contradicts itself.
  ///
  /// Tests call it after each tick. If the module is compiled with `ORRERY_INVARIANTS`, as `tools/check`
  /// does, each event ends with it.
  ///
  /// - Complexity: O(views).
  package func checkInvariants() {
    var waitingCounts = state.groups.waitingCounts.map { _ in 0 }
    var episodeCount = 0
    for (channelIndex, channel) in channels.all.enumerated() {
      for view in plan.views.indices {
        let index = state.episodeIndexes[channelIndex * plan.views.count + view]
        guard index != EpisodePool.none else { continue }
        episodeCount += 1
        let episode = state.episodes[index].pointee
        precondition(
          episode.viewIndex == view && episode.channel == channel,
          "\(channel) of view \(view) has the episode of \(episode.channel) of \(episode.viewIndex)"
        )
        precondition(!state.views[view].isDestroyed, "destroyed view \(view) is animated")
        check(episode, &waitingCounts)
      }
    }
    precondition(
      episodeCount == state.episodes.liveCount,
      "\(state.episodes.liveCount) episodes, of which channels name \(episodeCount)")
    precondition(
      waitingCounts == state.groups.waitingCounts,
      "groups wait for \(state.groups.waitingCounts), and \(waitingCounts) are pending")
    for (view, state) in state.views.enumerated() {
      precondition(state.isAlive || !state.isShown, "view \(view) is shown and does not exist")
      precondition(!state.isDestroyed || !state.isAlive, "view \(view) is destroyed and exists")
    }
    viewLanes.checkInvariants()
    for (accordion, row) in state.openRows.enumerated() {
      let isPossible = row.map(plan.accordions[accordion].panels.indices.contains) ?? true
      precondition(isPossible, "row \(row ?? -1) of accordion \(accordion) is open")
    }
  }

  /// Checks an episode, and counts the groups that wait for it.
  private func check(_ episode: Episode, _ waitingCounts: inout [Int]) {
    func count(_ group: CompletionGroups.Index, isComplete: Bool, awaitsRemoval: Bool) {
      guard group != CompletionGroups.none else { return }
      waitingCounts[Int(group)] += 1
      precondition(
        awaitsRemoval == state.groups.isRemoval(group), "group \(group) awaits something else")
      precondition(!isComplete || awaitsRemoval, "group \(group) waits for a completed change")
    }
    precondition(
      episode.change > 0 && episode.change <= state.changeCount,
      "change \(episode.change) of \(state.changeCount)")
    guard episode.history != HistoryPool.none else {
      precondition(episode.handle != nil, "the episode of change \(episode.change) has no lane")
      count(
        episode.group, isComplete: episode.options.contains(.isComplete),
        awaitsRemoval: episode.options.contains(.awaitsRemoval))
      return
    }
    let history = state.histories[episode.history]
    let (motions, changes) = (history.pointee.motions, history.pointee.changes)
    precondition(history.pointee.isRunning, "the episode of change \(episode.change) is over")
    for (earlier, later) in zip(motions, motions.dropFirst()) {
      precondition(earlier.change < later.change, "motions \(earlier.change), \(later.change)")
    }
    for motion in motions {
      precondition(
        motion.shownTime != nil || motion.handle == nil && motion.heldHandle == nil,
        "motion \(motion.change) has a lane and is not shown")
    }
    for (earlier, later) in zip(changes, changes.dropFirst()) {
      precondition(earlier.change < later.change, "changes \(earlier.change), \(later.change)")
    }
    for change in changes {
      count(change.group, isComplete: change.isComplete, awaitsRemoval: change.awaitsRemoval)
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
      let moving = views.filter { transitionOrdinals.values[$0] > 0 }
      precondition(
        moving.count == transitions[block].lanes.count,
        "\(moving.count) transitions in block \(block)")
      for view in moving {
        let lane = transitions[block].lanes[Int(transitionOrdinals.values[view]) - 1]
        precondition(lane == view - views.lowerBound, "view \(view) has the transition of \(lane)")
      }
    }
  }
}
