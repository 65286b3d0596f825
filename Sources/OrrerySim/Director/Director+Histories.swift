// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Episodes that have more than one motion, or that lanes show in several segments.
extension Director {
  private func history(_ index: EpisodePool.Index) -> UnsafeMutablePointer<EpisodeHistory> {
    state.histories[state.episodes[index].pointee.history]
  }

  /// Begins an episode with an empty history.
  func beginHistory(
    _ view: Int, _ channel: ViewChannel, from value: Double, _ animation: SharedAnimation.Address,
    at time: Double
  ) -> EpisodePool.Index {
    state.episodes.begin(
      Episode(
        change: state.changeCount, start: time, from: value, view: UInt32(view),
        animation: animation.pointee.index,
        history: state.histories.begin(AnimationTrack(value, unitPoints: channel.unitPoints)),
        channel: channel, options: []))
  }

  /// Writes the history of an episode of one motion, or of a chain, before it gets another motion.
  func addHistory(_ index: EpisodePool.Index) {
    let episode = state.episodes[index].pointee
    guard !episode.hasHistory, let channelIndex = channels[episode.channel] else {
      return
    }
    let model = state.models[channelIndex * plan.views.count + episode.viewIndex]
    let earlier = takeEarlier(index)
    var running = earlier.map(\.motion)
    if episode.handle != nil { running.append(motion(of: index, to: model)) }
    let historyIndex = state.histories.begin(AnimationTrack(model, movedBy: running))
    state.episodes[index].pointee.history = historyIndex
    let history = state.histories[historyIndex]
    for (motion, handle) in earlier {
      history.pointee.add(motion, shownBy: handle)
      schedule(.end, at: motion.end, change: motion.id, episode: index)
    }
    guard let handle = episode.handle, let motion = running.last else { return }
    if episode.options.contains(.hasTakenOver), !episode.options.contains(.isOver),
      state.episodes.takeover(index).end < motion.end
    {
      // The event in the queue comes too soon.
      schedule(.end, at: motion.end, change: motion.id, episode: index)
    }
    history.pointee.add(
      motion, shownBy: handle, leg: episode.options.contains(.recordsLeg) ? 0 : nil,
      isOver: episode.options.contains(.isOver))
    if episode.options.contains(.recordsLeg) {
      schedule(.leg, at: motion.end, change: motion.id, episode: index)
    }
    if episode.group != CompletionGroups.none {
      history.pointee.account.wait(
        episode.group, for: motion.id, awaitsRemoval: episode.options.contains(.awaitsRemoval))
    }
    guard recordsCompletion(episode), !episode.options.contains(.isComplete) else { return }
    history.pointee.account.expect(motion.id)
    if episode.options.contains(.completesAtEnd) {
      schedule(.logicalEnd, at: motion.logicalEnd, change: motion.id, episode: index)
    }
  }

  /// Changes a value whose episode has a history.
  func change(
    _ index: EpisodePool.Index, to value: Double, _ animation: Animation, _ context: Context
  ) {
    let history = history(index)
    let change = history.pointee.track.setNumber(
      value, animation: animation, at: context.time, id: state.changeCount)
    for gone in change.merged {
      drop(gone.id, index)
      if gone.isEndless, history.pointee.account.isIncomplete(gone.id) {
        history.pointee.takenOver.append((gone.id, gone.logicalEnd))
        scheduleCompletion(gone, index)
      }
    }
    for motion in change.stopped {
      schedule(.end, at: motion.end, change: motion.id, episode: index)
      scheduleCompletion(motion, index)
    }
    for gone in change.replaced {
      drop(gone.id, index)
      history.pointee.account.replace(gone.id, by: state.changeCount)
    }
    if let motion = change.began, !motion.isFinished(at: context.time) {
      begin(motion, index, context)
    } else {
      endAtOnce(index, isFinished: change.began != nil, at: context.time)
    }
  }

  /// Ends a change that moves nothing: it takes no time, or leads back to where its instant began.
  ///
  /// It has no events, and groups of replaced changes have nothing to wait for. A change that takes no time
  /// ends the episode. A change that leads back does so if nothing else moves; the episode then counts as
  /// cancelled.
  private func endAtOnce(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let episode = state.episodes[index].pointee
    if !isFinished, history(index).pointee.isRunning {
      leaveGroups(of: state.changeCount, index, isRemoved: true, at: time)
    } else {
      finish(index, isFinished: isFinished, at: time)
      if episode.channel == .away, !isFinished { finishTransition(episode.viewIndex) }
    }
  }

  private func begin(
    _ motion: AnimationMotion<Double>, _ index: EpisodePool.Index, _ context: Context
  ) {
    let (change, time) = (motion.id, context.time)
    let history = history(index)
    let motionIndex = history.pointee.motions.count
    let leg = recordsEvents ? scheduleLeg(motion.firstLeg, of: motion, index) : nil
    add(motion, to: index, leg: leg)
    schedule(.end, at: motion.end, change: change, episode: index)
    show(motion, index, motionIndex, at: time)
    if context.group != CompletionGroups.none {
      state.groups.enter(context.group)
      history.pointee.account.wait(
        context.group, for: change, awaitsRemoval: state.groups.isRemoval(context.group))
    }
    if recordsEvents || history.pointee.account.isAwaited(change) {
      history.pointee.account.expect(change)
      schedule(.logicalEnd, at: motion.logicalEnd, change: change, episode: index)
    }
  }

  /// Schedules the completion of a change whose motion a later change ends, if it is due.
  private func scheduleCompletion(_ motion: AnimationMotion<Double>, _ index: EpisodePool.Index) {
    guard history(index).pointee.account.isIncomplete(motion.id) else { return }
    schedule(.logicalEnd, at: motion.logicalEnd, change: motion.id, episode: index)
  }
}

// MARK: - Lanes

/// A lane adds up the contributions of a channel's motions, layer by layer.
///
/// Sums of floats depend on their order. So a motion has its layers from its beginning to its end: then the
/// values do not depend on which of its segments were shown before, and no motion is begun again because
/// another one ends.
extension Director {
  /// Adds a motion to a history.
  private func add(
    _ motion: AnimationMotion<Double>, to index: EpisodePool.Index, leg: Int?
  ) {
    let history = history(index)
    let kinds = segments.layerKinds(of: motion)
    history.pointee.motions.append(
      RunningMotion(
        change: motion.id, tweenLayer: kinds.tween ? history.pointee.tweenLayers.take() : nil,
        springLayer: kinds.spring ? history.pointee.springLayers.take() : nil, leg: leg))
  }

  /// Shows a motion in its lane from a time on.
  private func show(
    _ motion: AnimationMotion<Double>, _ index: EpisodePool.Index, _ motionIndex: Int,
    at time: Double
  ) {
    endLane(index, motionIndex)
    let (episode, history) = (state.episodes[index].pointee, history(index))
    let (view, channel) = (episode.viewIndex, episode.channel)
    let segment = segments.segment(of: motion, at: time)
    history.pointee.motions[motionIndex].handle = viewLanes.begin(
      channel, view, segment.motion, interval: segment.interval,
      layer: history.pointee.layer(of: motionIndex, isSpring: segment.motion.isSpring))
    if segment.held != 0 {
      history.pointee.motions[motionIndex].heldHandle = viewLanes.begin(
        channel, view, .hold(progress: 0), interval: segment.held,
        layer: history.pointee.layer(of: motionIndex, isSpring: false))
    }
    // A little early, and then once more: rounding must not miss the next segment.
    let next = max(segment.end - 4 * segment.end.ulp, time.nextUp)
    // No segment begins at the motion's end or after it: the last one goes on.
    guard next < motion.end else { return }
    schedule(.segment, at: next, change: motion.id, episode: index)
  }

  /// Shows a motion's segment at the handled tick; segments in between are skipped.
  ///
  /// So a tick costs one segment for each motion, however short the segments are.
  func continueMotion(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    guard state.episodes[index].pointee.hasHistory else { return }
    let history = history(index)
    guard let motionIndex = history.pointee.motionIndex(of: change),
      let motion = history.pointee.motion(of: change)
    else { return }
    if !motion.isFinished(at: time) {
      show(motion, index, motionIndex, at: time)
    } else if motion.rest > time {
      // It moves on after its end: its last segment is shown.
      show(motion, index, motionIndex, at: max(motion.start, motion.end.nextDown))
    }
  }

  /// Removes a motion, and takes it from its lane.
  private func drop(_ change: UInt64, _ index: EpisodePool.Index) {
    let history = history(index)
    guard let motionIndex = history.pointee.motionIndex(of: change) else { return }
    endLane(index, motionIndex)
    let gone = history.pointee.motions.remove(at: motionIndex)
    if let layer = gone.tweenLayer { history.pointee.tweenLayers.free(layer) }
    if let layer = gone.springLayer { history.pointee.springLayers.free(layer) }
  }

  private func endLane(_ index: EpisodePool.Index, _ motionIndex: Int) {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    for handle in [\RunningMotion.handle, \.heldHandle] {
      guard let lane = history.pointee.motions[motionIndex][keyPath: handle] else { continue }
      viewLanes.end(episode.channel, episode.viewIndex, lane)
      history.pointee.motions[motionIndex][keyPath: handle] = nil
    }
  }
}

// MARK: - Events of motions

extension Director {
  /// Schedules the end of a leg.
  ///
  /// - Returns: The leg; nil if there is none to record.
  private func scheduleLeg(
    _ leg: Int, of motion: AnimationMotion<Double>, _ index: EpisodePool.Index
  ) -> Int? {
    guard let end = motion.legEnd(leg) else { return nil }
    let start = leg > motion.firstLeg ? motion.legEnd(leg - 1) ?? 0 : motion.start
    if end - start < SharedAnimation.legMin { return nil }
    schedule(.leg, at: end, change: motion.id, episode: index)
    return leg
  }

  /// Records the end of a leg, and schedules the next one.
  func recordLeg(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index].pointee
    guard episode.hasHistory else { return }
    let history = history(index)
    guard let motionIndex = history.pointee.motionIndex(of: change),
      let leg = history.pointee.motions[motionIndex].leg,
      let motion = history.pointee.motion(of: change)
    else { return }
    record(time, .legEnded(view: episode.viewIndex, episode.channel, index: leg))
    history.pointee.motions[motionIndex].leg = scheduleLeg(leg + 1, of: motion, index)
  }

  /// Records the logical completion of a change, whatever changes came later.
  func recordCompletionInHistory(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let history = history(index)
    // The event is stale if the change that would have ended its motion was replaced, or if another change
    // took its motion over.
    if let end = history.pointee.logicalEnd(of: change), end > time { return }
    complete(change, index, at: time)
  }

  private func complete(_ change: UInt64, _ index: EpisodePool.Index, at time: Double) {
    let history = history(index)
    guard history.pointee.account.complete(change) else { return }
    if !history.pointee.takenOver.isEmpty {
      history.pointee.takenOver.removeAll { $0.change == change }
    }
    let episode = state.episodes[index].pointee
    record(time, .logicallyComplete(view: episode.viewIndex, episode.channel))
    leaveGroups(of: change, index, isRemoved: false, at: time)
  }

  /// Leaves the groups that a change releases; see `EpisodeAccount.takeGroup(of:isRemoved:)`.
  private func leaveGroups(
    of change: UInt64, _ index: EpisodePool.Index, isRemoved: Bool, at time: Double
  ) {
    let history = history(index)
    while let group = history.pointee.account.takeGroup(of: change, isRemoved: isRemoved) {
      leave(group, at: time)
    }
  }

  /// Ends a motion; the last one ends the episode.
  func endInHistory(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let history = history(index)
    let motion = history.pointee.motion(of: change)
    // As with completions, the event may be stale.
    if let motion, motion.end > time { return }
    guard let motionIndex = history.pointee.motionIndex(of: change) else { return }
    history.pointee.motions[motionIndex].isOver = true
    let rest = motion?.rest ?? time
    if rest > time { schedule(.rest, at: rest, change: change, episode: index) }
    if !history.pointee.isRunning {
      finish(index, isFinished: true, at: time)
    } else if rest > time {
      return
    } else if motion?.endsElsewhere == true {
      schedule(.afterEnd, at: time.nextUp, change: change, episode: index)
    } else {
      drop(change, index)
    }
  }

  /// Removes an ended motion whose value at exactly its end was shown.
  func dropAfterEnd(_ index: EpisodePool.Index, _ change: UInt64) {
    if state.episodes[index].pointee.hasHistory { drop(change, index) }
  }

  /// Ends a history, and records its remaining events.
  func finishHistory(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    if isFinished {
      while let change = history.pointee.account.incomplete.first {
        complete(change, index, at: time)
      }
    }
    record(time, .removed(view: episode.viewIndex, episode.channel, isFinished: isFinished))
    for waitIndex in history.pointee.account.waits.indices {
      leave(history.pointee.account.waits[waitIndex].group, at: time)
    }
    history.pointee.account.removeAll()
  }

  /// Keeps the motions that move on from a history that is over.
  ///
  /// - Returns: When the last of them is at rest, in seconds; not after `time` if nothing moves on.
  func restOfHistory(_ index: EpisodePool.Index, at time: Double) -> Double {
    let history = history(index)
    var latest = time
    for running in history.pointee.motions {
      let rest = history.pointee.motion(of: running.change)?.rest ?? time
      if rest <= time { drop(running.change, index) }
      latest = max(latest, rest)
    }
    return latest
  }

  /// Removes the remaining motion of a change that is over from its lane.
  ///
  /// - Returns: Whether the episode is over and nothing remains of it.
  func restInHistory(_ index: EpisodePool.Index, _ change: UInt64) -> Bool {
    let history = history(index)
    guard let motionIndex = history.pointee.motionIndex(of: change),
      history.pointee.motions[motionIndex].isOver
    else { return false }
    drop(change, index)
    return state.episodes[index].pointee.options.contains(.isOver)
      && history.pointee.motions.isEmpty
  }

  /// Forgets a history.
  func discardHistory(_ index: EpisodePool.Index) {
    for motionIndex in history(index).pointee.motions.indices { endLane(index, motionIndex) }
    state.histories.end(state.episodes[index].pointee.history)
  }
}

extension AnimationMotion<Double> {
  /// Whether its value at exactly its end differs from its target, its value at rest.
  fileprivate var endsElsewhere: Bool {
    if isStopped { return false }
    return switch kind {
    case .course(let course, _): course.progress(at: course.end, length: 0) != 1
    case .spring(let run):
      run.laterLegsOrigin == nil
        ? run.isReversed : run.course.progress(at: run.course.end, length: 0) != 1
    case .custom: false
    }
  }
}
