// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Changes of one channel of one view, and the motions that they begin.
extension Director {
  /// Changes a value, animated as the context says.
  func change(_ view: Int, _ channel: ViewChannel, to value: Double, _ context: Context) {
    guard let position = channels[channel], !state.views[view].isDestroyed else { return }
    let key = position * plan.views.count + view
    guard value != state.models[key] else { return }
    guard let animation = context.animation else {
      jump(view, channel, to: value)
      if state.episodeIndexes[key] >= 0 {
        finish(Int(state.episodeIndexes[key]), isFinished: false, at: context.time)
      }
      return
    }
    let episode = episode(key, view, channel)
    state.changeCount += 1
    if !state.episodes[episode].track.motions.isEmpty {
      // What is over has nothing more to give; the track would keep it.
      _ = state.episodes[episode].track.removeFinished(at: context.time)
    }
    let change = state.episodes[episode].track.set(
      value, animation: animation, at: context.time, id: state.changeCount)
    state.models[key] = value
    stage.setBase(channel, view, value)
    for gone in change.merged { drop(gone.id, episode) }
    for gone in change.replaced { drop(gone.id, episode) }
    if let motion = change.began { begin(motion, episode, context) }
  }

  /// Sets a value at rest.
  func jump(_ view: Int, _ channel: ViewChannel, to value: Double) {
    guard let position = channels[channel] else { return }
    state.models[position * plan.views.count + view] = value
    stage.setBase(channel, view, value)
  }

  /// The episode of a channel, which begins if there is none.
  private func episode(_ key: Int, _ view: Int, _ channel: ViewChannel) -> Int {
    if state.episodeIndexes[key] >= 0 { return Int(state.episodeIndexes[key]) }
    let track = AnimationTrack(state.models[key])
    let index: Int
    if let free = state.freeEpisodes.popLast() {
      index = Int(free)
      state.episodes[index].view = view
      state.episodes[index].channel = channel
      state.episodes[index].track = track
    } else {
      index = state.episodes.count
      state.episodes.append(Episode(view: view, channel: channel, track: track))
    }
    state.episodeIndexes[key] = Int32(index)
    return index
  }

  private func begin(_ motion: AnimationMotion<Double>, _ episode: Int, _ context: Context) {
    let (change, time) = (motion.id, context.time)
    state.episodes[episode].motions.append(RunningMotion(change: change))
    if motion.isFinished(at: time) {
      schedule(.end, at: time, change: change, episode: episode)
    } else {
      schedule(.end, at: motion.end, change: change, episode: episode)
      show(motion, episode, state.episodes[episode].motions.count - 1, at: time)
    }
    let isGrouped = context.group != CompletionGroups.none
    guard recordsEvents || isGrouped else { return }
    let awaitsRemoval = isGrouped && state.groups.isRemoval(context.group)
    if isGrouped { state.groups.enter(context.group) }
    if recordsEvents || !awaitsRemoval {
      schedule(.logicalEnd, at: motion.logicalEnd, change: change, episode: episode)
    }
    let firstLeg = recordsEvents ? scheduleLeg(motion.firstLeg, of: motion, episode) : nil
    state.episodes[episode].changes.append(
      UntoldChange(
        change: change, group: context.group, awaitsRemoval: awaitsRemoval, leg: firstLeg))
  }
}

// MARK: - Lanes

/// Lanes hold the contributions of a channel's motions in the order of their changes, whatever was ended
/// and begun on the way: sums of floats depend on their order.
extension Director {
  /// Lets lanes show a motion from a time on.
  private func show(
    _ motion: AnimationMotion<Double>, _ episode: Int, _ place: Int, at time: Double
  ) {
    let piece = pieces.piece(of: motion, at: time)
    let isLast = place == state.episodes[episode].motions.count - 1
    if isLast { endLane(episode, place) } else { endLanes(episode, from: place) }
    state.episodes[episode].motions[place].piece = piece
    beginLanes(episode, from: place)
    // A little early, and then once more: the next piece is not to be missed by a rounding.
    let next = piece.end - 4 * piece.end.ulp
    schedule(
      .piece, at: piece.end.isFinite ? max(next, time.nextUp) : .infinity, change: motion.id,
      episode: episode)
  }

  /// Tells lanes how a motion goes on: not the piece that follows but the one that holds at the tick that
  /// is played, so that a tick costs one piece however short they are.
  func goOn(_ cue: Cue, at time: Double) {
    let episode = Int(cue.index)
    guard let place = state.episodes[episode].place(of: cue.number),
      let motion = state.episodes[episode].motion(of: cue.number), !motion.isFinished(at: time)
    else { return }
    show(motion, episode, place, at: time)
  }

  /// Takes a motion out of the lanes.
  private func drop(_ change: UInt64, _ episode: Int) {
    guard let place = state.episodes[episode].place(of: change) else { return }
    endLanes(episode, from: place)
    state.episodes[episode].motions.remove(at: place)
    beginLanes(episode, from: place)
  }

  private func endLanes(_ episode: Int, from first: Int) {
    for place in first..<state.episodes[episode].motions.count { endLane(episode, place) }
  }

  private func endLane(_ episode: Int, _ place: Int) {
    let (view, channel) = (state.episodes[episode].view, state.episodes[episode].channel)
    let motion = state.episodes[episode].motions[place]
    if let handle = motion.handle { stage.end(channel, view, handle) }
    if let handle = motion.heldHandle { stage.end(channel, view, handle) }
    state.episodes[episode].motions[place].handle = nil
    state.episodes[episode].motions[place].heldHandle = nil
  }

  private func beginLanes(_ episode: Int, from first: Int) {
    let (view, channel) = (state.episodes[episode].view, state.episodes[episode].channel)
    for place in first..<state.episodes[episode].motions.count {
      guard let piece = state.episodes[episode].motions[place].piece else { continue }
      state.episodes[episode].motions[place].handle = stage.begin(
        channel, view, piece.motion, interval: piece.interval)
      guard piece.held != 0 else { continue }
      state.episodes[episode].motions[place].heldHandle = stage.begin(
        channel, view, .hold(progress: 0), interval: piece.held)
    }
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
    _ leg: Int, of motion: AnimationMotion<Double>, _ episode: Int
  ) -> Int? {
    guard let end = motion.legEnd(leg),
      !(end - (leg > motion.firstLeg ? motion.legEnd(leg - 1) ?? 0 : motion.start) < Self.legMin)
    else { return nil }
    schedule(.leg, at: end, change: motion.id, episode: episode)
    return leg
  }

  /// A leg has ended.
  func tellLeg(_ cue: Cue, at time: Double) {
    let episode = Int(cue.index)
    guard let index = state.episodes[episode].changes.firstIndex(where: { $0.change == cue.number }),
      let leg = state.episodes[episode].changes[index].leg,
      let motion = state.episodes[episode].motion(of: cue.number)
    else { return }
    record(
      time,
      .legEnded(
        view: state.episodes[episode].view, state.episodes[episode].channel, index: leg))
    state.episodes[episode].changes[index].leg = scheduleLeg(leg + 1, of: motion, episode)
  }

  /// A change is as good as done, whatever came after it.
  func tellCompletion(_ cue: Cue, at time: Double) {
    let episode = Int(cue.index)
    guard let index = state.episodes[episode].changes.firstIndex(where: { $0.change == cue.number })
    else { return }
    complete(index, of: episode, at: time)
  }

  /// Tells that a change is as good as done, and those who wait for that.
  private func complete(_ index: Int, of episode: Int, at time: Double) {
    let change = state.episodes[episode].changes[index]
    state.episodes[episode].changes[index].isComplete = true
    record(
      time,
      .logicallyComplete(
        view: state.episodes[episode].view, state.episodes[episode].channel))
    guard !change.awaitsRemoval else { return }
    state.episodes[episode].changes[index].group = CompletionGroups.none
    leave(change.group, at: time)
  }

  /// A motion has come to its end.
  func end(_ cue: Cue, at time: Double) {
    let episode = Int(cue.index)
    guard let place = state.episodes[episode].place(of: cue.number) else { return }
    state.episodes[episode].motions[place].isOver = true
    if !state.episodes[episode].isRunning {
      finish(episode, isFinished: true, at: time)
    } else if state.episodes[episode].motion(of: cue.number)?.endsElsewhere == true {
      schedule(.afterEnd, at: time.nextUp, change: cue.number, episode: episode)
    } else {
      drop(cue.number, episode)
    }
  }

  /// The end value of a motion was shown.
  func endLate(_ cue: Cue) { drop(cue.number, Int(cue.index)) }

  /// Ends an episode: what is left to tell of it is told now.
  func finish(_ index: Int, isFinished: Bool, at time: Double) {
    endLanes(index, from: 0)
    let (view, channel) = (state.episodes[index].view, state.episodes[index].channel)
    state.episodes[index].motions.removeAll(keepingCapacity: true)
    if let position = channels[channel] {
      state.episodeIndexes[position * plan.views.count + view] = -1
    }
    for place in state.episodes[index].changes.indices
    where isFinished && !state.episodes[index].changes[place].isComplete {
      complete(place, of: index, at: time)
    }
    record(time, .removed(view: view, channel, isFinished: isFinished))
    for place in state.episodes[index].changes.indices {
      leave(state.episodes[index].changes[place].group, at: time)
    }
    state.episodes[index].changes.removeAll(keepingCapacity: true)
    state.freeEpisodes.append(Int32(index))
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
