// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Changes of one channel of one view, and the motions that they begin.
extension Director {
  typealias EpisodeAddress = UnsafeMutablePointer<Episode>

  /// Changes a value, animated as the context says.
  func change(_ view: Int, _ channel: ViewChannel, to value: Double, _ context: Context) {
    guard let position = channels[channel], !state.views[view].isDestroyed else { return }
    let key = position * plan.views.count + view
    guard value != state.models[key] else { return }
    let running = state.episodeIndexes[key]
    guard let animation = context.animation else {
      jump(view, channel, to: value)
      if running >= 0 { finish(running, isFinished: false, at: context.time) }
      return
    }
    let index =
      running >= 0 ? running : state.episodes.begin(view: view, channel, at: state.models[key])
    state.episodeIndexes[key] = index
    state.models[key] = value
    state.changeCount += 1
    stage.setBase(channel, view, value)
    let episode = state.episodes[index]
    // What is over has nothing more to give; the track would keep it.
    if running >= 0 { episode.pointee.track.removeFinishedNumbers(at: context.time) }
    let change = episode.pointee.track.setNumber(
      value, animation: animation, at: context.time, id: state.changeCount)
    for gone in change.merged { drop(gone.id, episode) }
    for gone in change.replaced { drop(gone.id, episode) }
    if let motion = change.began { begin(motion, index, episode, context) }
  }

  /// Sets a value at rest.
  func jump(_ view: Int, _ channel: ViewChannel, to value: Double) {
    guard let position = channels[channel] else { return }
    state.models[position * plan.views.count + view] = value
    stage.setBase(channel, view, value)
  }

  private func begin(
    _ motion: AnimationMotion<Double>, _ index: EpisodePool.Index, _ episode: EpisodeAddress,
    _ context: Context
  ) {
    let (change, time) = (motion.id, context.time)
    episode.pointee.motions.append(RunningMotion(change: change))
    if motion.isFinished(at: time) {
      schedule(.end, at: time, change: change, episode: index)
    } else {
      schedule(.end, at: motion.end, change: change, episode: index)
      show(motion, index, episode.pointee.motions.count - 1, at: time)
    }
    let isGrouped = context.group != CompletionGroups.none
    guard recordsEvents || isGrouped else { return }
    let awaitsRemoval = isGrouped && state.groups.isRemoval(context.group)
    if isGrouped { state.groups.enter(context.group) }
    if recordsEvents || !awaitsRemoval {
      schedule(.logicalEnd, at: motion.logicalEnd, change: change, episode: index)
    }
    let leg = recordsEvents ? scheduleLeg(motion.firstLeg, of: motion, index) : nil
    episode.pointee.changes.append(
      UntoldChange(
        change: change, group: context.group, awaitsRemoval: awaitsRemoval, leg: leg))
  }
}

// MARK: - Lanes

/// Lanes hold the contributions of a channel's motions in the order of their changes, whatever was ended
/// and begun on the way: sums of floats depend on their order.
extension Director {
  /// Lets lanes show a motion from a time on.
  private func show(
    _ motion: AnimationMotion<Double>, _ index: EpisodePool.Index, _ place: Int, at time: Double
  ) {
    let episode = state.episodes[index]
    endLanes(episode, from: place)
    episode.pointee.motions[place].shownTime = time
    let piece = beginLane(episode, place, motion, at: time)
    beginLanes(episode, from: place + 1)
    guard piece.end < .infinity else { return }
    // A little early, and then once more: the next piece is not to be missed by a rounding.
    schedule(
      .piece, at: max(piece.end - 4 * piece.end.ulp, time.nextUp), change: motion.id,
      episode: index)
  }

  /// Tells lanes how a motion goes on: not the piece that follows but the one that holds at the tick that
  /// is played, so that a tick costs one piece however short they are.
  func goOn(_ cue: Cue, at time: Double) {
    let episode = state.episodes[cue.episode]
    guard let place = episode.pointee.place(of: cue.number),
      let motion = episode.pointee.motion(of: cue.number), !motion.isFinished(at: time)
    else { return }
    show(motion, cue.episode, place, at: time)
  }

  /// Takes a motion out of the lanes.
  private func drop(_ change: UInt64, _ episode: EpisodeAddress) {
    guard let place = episode.pointee.place(of: change) else { return }
    endLanes(episode, from: place)
    episode.pointee.motions.remove(at: place)
    beginLanes(episode, from: place)
  }

  private func endLanes(_ episode: EpisodeAddress, from first: Int) {
    let (view, channel) = (episode.pointee.view, episode.pointee.channel)
    for place in first..<episode.pointee.motions.count {
      if let handle = episode.pointee.motions[place].handle { stage.end(channel, view, handle) }
      if let handle = episode.pointee.motions[place].heldHandle {
        stage.end(channel, view, handle)
      }
      episode.pointee.motions[place].handle = nil
      episode.pointee.motions[place].heldHandle = nil
    }
  }

  private func beginLanes(_ episode: EpisodeAddress, from first: Int) {
    for place in first..<episode.pointee.motions.count {
      guard let time = episode.pointee.motions[place].shownTime,
        let motion = episode.pointee.motion(of: episode.pointee.motions[place].change)
      else { continue }
      _ = beginLane(episode, place, motion, at: time)
    }
  }

  private func beginLane(
    _ episode: EpisodeAddress, _ place: Int, _ motion: AnimationMotion<Double>, at time: Double
  ) -> LanePiece {
    let (view, channel) = (episode.pointee.view, episode.pointee.channel)
    let piece = pieces.piece(of: motion, at: time)
    episode.pointee.motions[place].handle = stage.begin(
      channel, view, piece.motion, interval: piece.interval)
    if piece.held != 0 {
      episode.pointee.motions[place].heldHandle = stage.begin(
        channel, view, .hold(progress: 0), interval: piece.held)
    }
    return piece
  }
}

// MARK: - What motions come to

extension Director {
  /// Legs shorter than this are not told, in seconds.
  private static let legMin = 1e-4

  /// Puts the end of a leg into the queue.
  ///
  /// - Returns: The leg; nil if there is none to be told.
  private func scheduleLeg(
    _ leg: Int, of motion: AnimationMotion<Double>, _ index: EpisodePool.Index
  ) -> Int? {
    guard let end = motion.legEnd(leg) else { return nil }
    let start = leg > motion.firstLeg ? motion.legEnd(leg - 1) ?? 0 : motion.start
    if end - start < Self.legMin { return nil }
    schedule(.leg, at: end, change: motion.id, episode: index)
    return leg
  }

  /// A leg has ended.
  func tellLeg(_ cue: Cue, at time: Double) {
    let episode = state.episodes[cue.episode]
    guard let index = episode.pointee.untold(cue.number),
      let leg = episode.pointee.changes[index].leg,
      let motion = episode.pointee.motion(of: cue.number)
    else { return }
    record(time, .legEnded(view: episode.pointee.view, episode.pointee.channel, index: leg))
    episode.pointee.changes[index].leg = scheduleLeg(leg + 1, of: motion, cue.episode)
  }

  /// A change is as good as done, whatever came after it.
  func tellCompletion(_ cue: Cue, at time: Double) {
    let episode = state.episodes[cue.episode]
    guard let index = episode.pointee.untold(cue.number) else { return }
    complete(index, of: episode, at: time)
  }

  /// Tells that a change is as good as done, and those who wait for that.
  private func complete(_ index: Int, of episode: EpisodeAddress, at time: Double) {
    episode.pointee.changes[index].isComplete = true
    record(time, .logicallyComplete(view: episode.pointee.view, episode.pointee.channel))
    guard !episode.pointee.changes[index].awaitsRemoval else { return }
    let group = episode.pointee.changes[index].group
    episode.pointee.changes[index].group = CompletionGroups.none
    leave(group, at: time)
  }

  /// A motion has come to its end.
  func end(_ cue: Cue, at time: Double) {
    let episode = state.episodes[cue.episode]
    guard let place = episode.pointee.place(of: cue.number) else { return }
    episode.pointee.motions[place].isOver = true
    if !episode.pointee.isRunning {
      finish(cue.episode, isFinished: true, at: time)
    } else if episode.pointee.motion(of: cue.number)?.endsElsewhere == true {
      schedule(.afterEnd, at: time.nextUp, change: cue.number, episode: cue.episode)
    } else {
      drop(cue.number, episode)
    }
  }

  /// The end value of a motion was shown.
  func endLate(_ cue: Cue) { drop(cue.number, state.episodes[cue.episode]) }

  /// Ends an episode: what is left to tell of it is told now.
  func finish(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let episode = state.episodes[index]
    let (view, channel) = (episode.pointee.view, episode.pointee.channel)
    endLanes(episode, from: 0)
    if let position = channels[channel] {
      state.episodeIndexes[position * plan.views.count + view] = -1
    }
    if isFinished {
      for place in episode.pointee.changes.indices
      where !episode.pointee.changes[place].isComplete {
        complete(place, of: episode, at: time)
      }
    }
    record(time, .removed(view: view, channel, isFinished: isFinished))
    for place in episode.pointee.changes.indices {
      leave(episode.pointee.changes[place].group, at: time)
    }
    state.episodes.end(index)
    if channel == .away, isFinished { settle(view) }
  }
}

extension AnimationMotion<Double> {
  /// Whether it shows another value than its target at exactly its end.
  fileprivate var endsElsewhere: Bool {
    switch form {
    case .course(let course, _): course.progress(at: course.end) != 1
    case .spring(let run):
      run.laterLegsOrigin == nil
        ? run.isReversed : run.course.progress(at: run.course.end) != 1
    case .custom: false
    }
  }
}
