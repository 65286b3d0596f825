// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Changes of one channel of one view, their episodes, and the events of these episodes.
///
/// A few numbers describe an episode of one motion; see `Director+Histories` for all others.
extension Director {
  /// Changes a value, animated as the context says.
  func change(_ view: Int, _ channel: ViewChannel, to value: Double, _ context: Context) {
    guard let channelIndex = channels[channel], !state.views[view].isDestroyed else { return }
    let key = channelIndex * plan.views.count + view
    interruptTrack(channel, view, key, at: context.time)
    let from = state.models[key]
    guard value != from else { return }
    let running = episode(ofKey: key)
    if running >= 0, takeOver(running, key, to: value, context) { return }
    guard let shared = context.animation else {
      jump(view, channel, to: value)
      if running >= 0 { finish(running, isFinished: false, at: context.time) }
      return
    }
    shared.pointee.setStart(context.time, segments, recordsEvents: recordsEvents)
    let isOver = running < 0 || state.episodes[running].pointee.options.contains(.isOver)
    if isOver, shared.pointee.end <= context.time {
      // Over at once: it has no events.
      if running >= 0 { discard(running) }
      jump(view, channel, to: value)
      if channel == .away { finishTransition(view) }
      return
    }
    if running >= 0, join(running, key, shared, to: value, context) { return }
    if running >= 0 {
      addHistory(running)
      // The remaining motion of changes that are over goes on beside the new one.
      state.episodes[running].pointee.options.remove(.isOver)
    }
    state.changeCount += 1
    if running < 0 { state.counts.begins += 1 }
    state.models[key] = value
    if running < 0, shared.pointee.laneStart != nil, value - from != 0 {
      let episode = Episode(
        change: state.changeCount, start: context.time, from: from, view: UInt32(view),
        animation: shared.pointee.index, channel: channel, options: shared.pointee.options)
      state.episodeIndexes[key] = begin(episode, shared, to: value, context)
    } else {
      viewLanes.setBase(channel, view, value)
      let index =
        running >= 0
        ? running : beginHistory(view, channel, from: from, shared, at: context.time)
      state.episodeIndexes[key] = index
      change(index, to: value, shared.pointee.animation, context)
    }
  }

  /// Sets a value without animation.
  func jump(_ view: Int, _ channel: ViewChannel, to value: Double) {
    guard let channelIndex = channels[channel] else { return }
    state.models[channelIndex * plan.views.count + view] = value
    viewLanes.setBase(channel, view, value)
  }

  /// Begins an episode of one motion, which has a start in lanes.
  @inline(__always)
  func begin(
    _ episode: Episode, _ shared: SharedAnimation.Address, to value: Double, _ context: Context
  ) -> EpisodePool.Index {
    var episode = episode
    let isGrouped = context.group != CompletionGroups.none
    if isGrouped {
      episode.group = context.group
      if state.groups.isRemoval(context.group) { episode.options.insert(.awaitsRemoval) }
      state.groups.enter(context.group)
    }
    let interval = value - episode.from
    if shared.pointee.isTween {
      episode.handle = viewLanes.begin(
        episode.channel, episode.viewIndex, shared.pointee.tween, base: value, interval: interval)
    } else if let start = shared.pointee.laneStart {
      episode.handle = viewLanes.begin(
        episode.channel, episode.viewIndex, start, base: value, interval: interval)
    }
    let index = state.episodes.begin(episode)
    schedule(.end, at: shared.pointee.end, change: episode.change, episode: index)
    if !episode.options.contains(.completesAtEnd), recordsCompletion(episode) {
      schedule(.logicalEnd, at: shared.pointee.logicalEnd, change: episode.change, episode: index)
    }
    return index
  }

  /// Whether the logical completion of an episode of one motion is recorded, or a group waits for it.
  func recordsCompletion(_ episode: Episode) -> Bool {
    recordsEvents
      || episode.group != CompletionGroups.none && !episode.options.contains(.awaitsRemoval)
  }
}

// MARK: - Events of motions

extension Director {
  /// Records the logical completion of a change, whatever changes came after it.
  func recordCompletion(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index]
    if episode.pointee.hasHistory {
      recordCompletionInHistory(index, change, at: time)
    } else if episode.pointee.change == change {
      complete(episode, at: time)
    }
  }

  /// Records the logical completion of an episode of one motion, and releases its completion group.
  @inline(__always)
  private func complete(_ episode: UnsafeMutablePointer<Episode>, at time: Double) {
    episode.pointee.options.insert(.isComplete)
    record(time, .logicallyComplete(view: episode.pointee.viewIndex, episode.pointee.channel))
    guard !episode.pointee.options.contains(.awaitsRemoval) else { return }
    let group = episode.pointee.group
    episode.pointee.group = CompletionGroups.none
    leave(group, at: time)
  }

  /// Ends a motion.
  func end(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index]
    if episode.pointee.hasHistory {
      endInHistory(index, change, at: time)
      return
    }
    guard episode.pointee.change == change, !episode.pointee.options.contains(.isOver) else {
      return
    }
    if episode.pointee.isChained {
      endInChain(index, at: time)
      return
    }
    if episode.pointee.options.contains(.hasTakenOver), endsLater(index, than: time) { return }
    let reactionCount = state.reactionCount
    recordRemaining(episode, at: time)
    if state.reactionCount == reactionCount {
      if endsPlainly(episode), episode.pointee.group == CompletionGroups.none {
        let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
        state.counts.ends += 1
        discard(index)
        if channel == .away { finishTransition(view) }
        return
      }
      finish(index, isFinished: true, at: time)
    } else {
      // Reactions to the completion come before the removal.
      schedule(.end, at: time, change: change, episode: index)
    }
  }

  /// Whether ends of the same time may be handled together: reactions to a completion come before the next end, and
  /// recorded events between two.
  var endsTogether: Bool { !recordsEvents && plan.reactions.isEmpty }

  /// Whether nothing is left to do at the end of an episode of one motion but to leave its group and to forget it.
  func endsPlainly(_ episode: UnsafeMutablePointer<Episode>) -> Bool {
    !recordsEvents && !episode.pointee.options.contains(.movesAtEnd)
      && !episode.pointee.options.contains(.hasTakenOver)
  }

  /// Records the remaining events of an episode of one motion that has ended.
  @inline(__always)
  private func recordRemaining(_ episode: UnsafeMutablePointer<Episode>, at time: Double) {
    if episode.pointee.options.contains(.recordsLeg) {
      episode.pointee.options.remove(.recordsLeg)
      record(time, .legEnded(view: episode.pointee.viewIndex, episode.pointee.channel, index: 0))
    }
    if !episode.pointee.options.contains(.isComplete) { complete(episode, at: time) }
  }

  /// Ends an episode, and records its remaining events.
  ///
  /// Springs that are not at rest move on, except in a view that has gone.
  func finish(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let episode = state.episodes[index]
    if episode.pointee.options.contains(.isOver) {
      discard(index)
      return
    }
    if isFinished { state.counts.ends += 1 } else { state.counts.cuts += 1 }
    if episode.pointee.isChained { addHistory(index) }
    let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
    let movesOn = isFinished && (channel != .away || state.views[view].isShown)
    var rest = time
    if episode.pointee.hasHistory {
      finishHistory(index, isFinished: isFinished, at: time)
      if movesOn { rest = restOfHistory(index, at: time) }
    } else {
      if movesOn, episode.pointee.options.contains(.movesAtEnd) { rest = self.rest(of: index) }
      if rest <= time { endLane(episode) }
      if isFinished { recordRemaining(episode, at: time) }
      record(time, .removed(view: view, channel, isFinished: isFinished))
      leave(episode.pointee.group, at: time)
      episode.pointee.group = CompletionGroups.none
      if rest > time { schedule(.rest, at: rest, change: episode.pointee.change, episode: index) }
    }
    if rest > time {
      episode.pointee.options.insert(.isOver)
    } else {
      discard(index)
      if channel == .away, isFinished { finishTransition(view) }
    }
  }

  /// When the motion of an episode of one motion can no longer be seen, in seconds.
  private func rest(of index: EpisodePool.Index) -> Double {
    let episode = state.episodes[index]
    let channel = episode.pointee.channel
    guard let channelIndex = channels[channel] else { return 0 }
    let model = state.models[channelIndex * plan.views.count + episode.pointee.viewIndex]
    if episode.pointee.options.contains(.hasTakenOver) { return motion(of: index, to: model).rest }
    let length = abs(model - episode.pointee.from) * channel.unitPoints
    return episode.pointee.start
      + memory[episode.pointee.animation].pointee.course.rest(length: length)
  }

  /// Removes an episode, and its contributions to its lane.
  func discard(_ index: EpisodePool.Index) {
    let episode = state.episodes[index]
    let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
    if let channelIndex = channels[channel] {
      state.episodeIndexes[channelIndex * plan.views.count + view] = EpisodePool.none
    }
    if episode.pointee.hasHistory {
      discardHistory(index)
    } else {
      endLane(episode)
    }
    state.episodes.end(index)
  }

  /// Ends the contribution of an episode without history to its lane.
  @inline(__always)
  func endLane(_ episode: UnsafeMutablePointer<Episode>) {
    guard let handle = episode.pointee.handle else { return }
    viewLanes.end(episode.pointee.channel, episode.pointee.viewIndex, handle)
    episode.pointee.handle = nil
  }

  /// Removes the remaining motion of a change that is over from its lane; the last one frees the episode.
  func rest(_ index: EpisodePool.Index, _ change: UInt64) {
    let episode = state.episodes[index]
    if episode.pointee.hasHistory {
      guard restInHistory(index, change) else { return }
    } else {
      guard episode.pointee.change == change, episode.pointee.options.contains(.isOver) else {
        return
      }
    }
    let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
    discard(index)
    if channel == .away { finishTransition(view) }
  }
}
