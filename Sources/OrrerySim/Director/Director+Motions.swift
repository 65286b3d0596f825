// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Changes of one channel of one view, the episodes that they begin, and what those come to.
///
/// An episode of one motion is known from a few numbers; see `Director+Histories` for all others.
extension Director {
  /// Changes a value, animated as the context says.
  func change(_ view: Int, _ channel: ViewChannel, to value: Double, _ context: Context) {
    guard let position = channels[channel], !state.views[view].isDestroyed else { return }
    let key = position * plan.views.count + view
    let from = state.models[key]
    guard value != from else { return }
    let running = state.episodeIndexes[key]
    guard let play = context.play else {
      jump(view, channel, to: value)
      if running >= 0 { finish(running, isFinished: false, at: context.time) }
      return
    }
    play.prepare(at: context.time, pieces, recordsEvents: recordsEvents)
    if running >= 0 { unfold(running) }
    state.changeCount += 1
    state.models[key] = value
    if running < 0, let start = play.laneStart, value - from != 0 {
      let episode = Episode(
        change: state.changeCount, start: context.time, from: from, view: UInt32(view),
        play: play.index, channel: channel, options: play.options)
      state.episodeIndexes[key] = begin(episode, play, start, to: value, context)
    } else {
      stage.setBase(channel, view, value)
      let index =
        running >= 0
        ? running : beginHistory(view, channel, from: from, play, at: context.time)
      state.episodeIndexes[key] = index
      change(index, to: value, play.animation, context)
    }
  }

  /// Sets a value at rest.
  func jump(_ view: Int, _ channel: ViewChannel, to value: Double) {
    guard let position = channels[channel] else { return }
    state.models[position * plan.views.count + view] = value
    stage.setBase(channel, view, value)
  }

  /// Begins an episode of one motion.
  private func begin(
    _ episode: Episode, _ play: SharedAnimation, _ start: LaneStart, to value: Double,
    _ context: Context
  ) -> EpisodePool.Index {
    var episode = episode
    let isGrouped = context.group != CompletionGroups.none
    if isGrouped {
      episode.group = context.group
      if state.groups.isRemoval(context.group) { episode.options.insert(.awaitsRemoval) }
      state.groups.enter(context.group)
    }
    episode.handle = stage.begin(
      episode.channel, episode.viewIndex, start, base: value, interval: value - episode.from)
    let index = state.episodes.begin(episode)
    schedule(.end, at: play.end, change: episode.change, episode: index)
    if !episode.options.contains(.completesAtEnd), recordsCompletion(episode) {
      schedule(.logicalEnd, at: play.logicalEnd, change: episode.change, episode: index)
    }
    return index
  }

  /// Whether somebody is told when an episode of one motion is as good as done.
  func recordsCompletion(_ episode: Episode) -> Bool {
    recordsEvents
      || episode.group != CompletionGroups.none && !episode.options.contains(.awaitsRemoval)
  }
}

// MARK: - What motions come to

extension Director {
  /// A change is as good as done, whatever came after it.
  func recordCompletion(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index]
    if episode.pointee.history != HistoryPool.none {
      recordCompletionInHistory(index, change, at: time)
    } else if episode.pointee.change == change {
      complete(episode, at: time)
    }
  }

  /// Tells that an episode of one motion is as good as done, and those who wait for that.
  private func complete(_ episode: UnsafeMutablePointer<Episode>, at time: Double) {
    episode.pointee.options.insert(.isComplete)
    record(time, .logicallyComplete(view: episode.pointee.viewIndex, episode.pointee.channel))
    guard !episode.pointee.options.contains(.awaitsRemoval) else { return }
    let group = episode.pointee.group
    episode.pointee.group = CompletionGroups.none
    leave(group, at: time)
  }

  /// A motion has come to its end.
  func end(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index]
    if episode.pointee.history != HistoryPool.none {
      endInHistory(index, change, at: time)
      return
    }
    guard episode.pointee.change == change else { return }
    let reactionCount = state.reactionCount
    recordRest(episode, at: time)
    if state.reactionCount == reactionCount {
      finish(index, isFinished: true, at: time)
    } else {
      // What follows from the completion comes before the removal.
      schedule(.end, at: time, change: change, episode: index)
    }
  }

  /// Tells what is left to be told of an episode of one motion that has come to its end.
  private func recordRest(_ episode: UnsafeMutablePointer<Episode>, at time: Double) {
    if episode.pointee.options.contains(.recordsLeg) {
      episode.pointee.options.remove(.recordsLeg)
      record(time, .legEnded(view: episode.pointee.viewIndex, episode.pointee.channel, index: 0))
    }
    if !episode.pointee.options.contains(.isComplete) { complete(episode, at: time) }
  }

  /// Ends an episode: what is left to tell of it is told now.
  func finish(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let episode = state.episodes[index]
    let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
    let history = episode.pointee.history
    if let position = channels[channel] {
      state.episodeIndexes[position * plan.views.count + view] = EpisodePool.none
    }
    if history != HistoryPool.none {
      finishHistory(index, isFinished: isFinished, at: time)
    } else {
      if let handle = episode.pointee.handle { stage.end(channel, view, handle) }
      if isFinished { recordRest(episode, at: time) }
      record(time, .removed(view: view, channel, isFinished: isFinished))
      leave(episode.pointee.group, at: time)
    }
    state.episodes.end(index)
    if channel == .away, isFinished { settle(view) }
  }
}
