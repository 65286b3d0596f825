// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Curves that interrupt curves: each goes on beside those before it, as an episode of its own.
///
/// The episodes of a channel form a chain, which needs no history; the channel names the newest. An episode whose motion
/// is over leaves the chain when it is the oldest. Values are those that a history would show.
extension Director {
  /// Lets a change begin beside what runs.
  ///
  /// - Parameters:
  ///   - index: The newest episode of the channel.
  ///   - key: Index of its channel and view in `DirectorState.models`.
  ///   - shared: How the change moves, set to the time of the change.
  ///   - value: The new value.
  ///   - context: Of the change.
  /// - Returns: False if the change needs a history; then nothing has changed.
  func join(
    _ index: EpisodePool.Index, _ key: Int, _ shared: SharedAnimation.Address, to value: Double,
    _ context: Context
  ) -> Bool {
    // Others may wait for the completions of all changes of an episode, which a history counts.
    guard shared.pointee.isPlainCurve, shared.pointee.laneStart != nil,
      context.group == CompletionGroups.none, !recordsEvents
    else { return false }
    let old = state.episodes[index]
    let from = state.models[key]
    // A change of the same instant replaces the one before it.
    guard !old.pointee.hasHistory, old.pointee.group == CompletionGroups.none,
      memory[old.pointee.animation].pointee.isPlainCurve, old.pointee.start < context.time,
      value - from != 0
    else { return false }
    state.changeCount += 1
    state.models[key] = value
    var episode = Episode(
      change: state.changeCount, start: context.time, from: from, view: old.pointee.view,
      animation: shared.pointee.index, channel: old.pointee.channel,
      options: shared.pointee.options.union(.hasCompany))
    episode.earlier = index
    let new = begin(episode, shared, to: value, context)
    old.pointee.later = new
    old.pointee.options.insert(.hasCompany)
    state.episodeIndexes[key] = new
    return true
  }

  /// Ends the motion of an episode of a chain; the last motion ends the chain.
  func endInChain(_ index: EpisodePool.Index, at time: Double) {
    endLane(state.episodes[index])
    var oldest = index
    guard state.episodes[oldest].pointee.earlier == EpisodePool.none else { return }
    while state.episodes[oldest].pointee.handle == nil {
      let later = state.episodes[oldest].pointee.later
      if later == EpisodePool.none {
        finish(oldest, isFinished: true, at: time)
        return
      }
      state.episodes.end(oldest)
      state.episodes[later].pointee.earlier = EpisodePool.none
      oldest = later
    }
  }

  /// Takes the earlier episodes out of a chain.
  ///
  /// - Parameter newest: The newest episode; it stays, alone.
  /// - Returns: Their motions, with their contributions to the lane; the oldest comes first.
  func takeEarlier(
    _ newest: EpisodePool.Index
  ) -> [(motion: AnimationMotion<Double>, handle: ViewLanes.Handle)] {
    var taken: [(motion: AnimationMotion<Double>, handle: ViewLanes.Handle)] = []
    var model = state.episodes[newest].pointee.from
    var index = state.episodes[newest].pointee.earlier
    state.episodes[newest].pointee.earlier = EpisodePool.none
    while index != EpisodePool.none {
      let episode = state.episodes[index].pointee
      if let handle = episode.handle { taken.append((motion(of: index, to: model), handle)) }
      state.episodes.end(index)
      (model, index) = (episode.from, episode.earlier)
    }
    return taken.reversed()
  }
}
