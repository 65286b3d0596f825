// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Episodes of several motions, and such as lanes show piece by piece.
extension Director {
  private typealias HistoryAddress = UnsafeMutablePointer<EpisodeHistory>

  private func history(_ index: EpisodePool.Index) -> UnsafeMutablePointer<EpisodeHistory> {
    state.histories[state.episodes[index].pointee.history]
  }

  /// Begins an episode that has a history, in which nothing has happened yet.
  func beginHistory(
    _ view: Int, _ channel: ViewChannel, from value: Double, _ play: SharedAnimation,
    at time: Double
  ) -> EpisodePool.Index {
    state.episodes.begin(
      Episode(
        change: state.changeCount, start: time, from: value, view: UInt32(view), play: play.index,
        history: state.histories.begin(at: value), channel: channel, options: []))
  }

  /// Writes the history of an episode of one motion, because it is going to have more.
  func unfold(_ index: EpisodePool.Index) {
    let episode = state.episodes[index].pointee
    guard episode.history == HistoryPool.none, let position = channels[episode.channel] else {
      return
    }
    let number = state.histories.begin(at: episode.from)
    state.episodes[index].pointee.history = number
    let history = state.histories[number]
    let model = state.models[position * plan.views.count + episode.viewIndex]
    let began = history.pointee.track.setNumber(
      model, animation: plays[episode.play].animation, at: episode.start, id: episode.change
    ).began
    guard let motion = began else { return }
    history.pointee.motions.append(
      RunningMotion(change: motion.id, shownTime: episode.start, handle: episode.handle))
    guard recordsEvents || episode.group != CompletionGroups.none else { return }
    let isComplete = episode.options.contains(.isComplete)
    if episode.options.contains(.completesAtEnd), !isComplete, recordsCompletion(episode) {
      schedule(.logicalEnd, at: motion.logicalEnd, change: motion.id, episode: index)
    }
    let recordsLeg = episode.options.contains(.recordsLeg)
    if recordsLeg { schedule(.leg, at: motion.end, change: motion.id, episode: index) }
    history.pointee.changes.append(
      UntoldChange(
        change: motion.id, group: episode.group,
        awaitsRemoval: episode.options.contains(.awaitsRemoval), isComplete: isComplete,
        leg: recordsLeg ? 0 : nil))
  }

  /// Changes a value whose episode has a history.
  func change(
    _ index: EpisodePool.Index, to value: Double, _ animation: Animation, _ context: Context
  ) {
    let history = history(index)
    // What is over has nothing more to give; the track would keep it.
    history.pointee.track.removeFinishedNumbers(at: context.time)
    let change = history.pointee.track.setNumber(
      value, animation: animation, at: context.time, id: state.changeCount)
    for gone in change.merged { drop(gone.id, index) }
    for gone in change.replaced { drop(gone.id, index) }
    if let motion = change.began { begin(motion, index, context) }
  }

  private func begin(
    _ motion: AnimationMotion<Double>, _ index: EpisodePool.Index, _ context: Context
  ) {
    let (change, time) = (motion.id, context.time)
    let history = history(index)
    history.pointee.motions.append(RunningMotion(change: change))
    if motion.isFinished(at: time) {
      schedule(.end, at: time, change: change, episode: index)
    } else {
      schedule(.end, at: motion.end, change: change, episode: index)
      show(motion, index, history.pointee.motions.count - 1, at: time)
    }
    let isGrouped = context.group != CompletionGroups.none
    guard recordsEvents || isGrouped else { return }
    let awaitsRemoval = isGrouped && state.groups.isRemoval(context.group)
    if isGrouped { state.groups.enter(context.group) }
    if recordsEvents || !awaitsRemoval {
      schedule(.logicalEnd, at: motion.logicalEnd, change: change, episode: index)
    }
    let leg = recordsEvents ? scheduleLeg(motion.firstLeg, of: motion, index) : nil
    history.pointee.changes.append(
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
    endLanes(index, from: place)
    history(index).pointee.motions[place].shownTime = time
    let piece = beginLane(index, place, motion, at: time)
    beginLanes(index, from: place + 1)
    guard piece.end < .infinity else { return }
    // A little early, and then once more: the next piece is not to be missed by a rounding.
    schedule(
      .piece, at: max(piece.end - 4 * piece.end.ulp, time.nextUp), change: motion.id,
      episode: index)
  }

  /// Tells lanes how a motion goes on: not the piece that follows but the one that holds at the tick that
  /// is played, so that a tick costs one piece however short they are.
  func goOn(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    guard state.episodes[index].pointee.history != HistoryPool.none else { return }
    let history = history(index)
    guard let place = history.pointee.place(of: change),
      let motion = history.pointee.motion(of: change), !motion.isFinished(at: time)
    else { return }
    show(motion, index, place, at: time)
  }

  /// Takes a motion out of the lanes.
  private func drop(_ change: UInt64, _ index: EpisodePool.Index) {
    let history = history(index)
    guard let place = history.pointee.place(of: change) else { return }
    endLanes(index, from: place)
    history.pointee.motions.remove(at: place)
    beginLanes(index, from: place)
  }

  private func endLanes(_ index: EpisodePool.Index, from first: Int) {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    for place in first..<history.pointee.motions.count {
      for handle in [\RunningMotion.handle, \.heldHandle] {
        guard let lane = history.pointee.motions[place][keyPath: handle] else { continue }
        stage.end(episode.channel, episode.viewIndex, lane)
        history.pointee.motions[place][keyPath: handle] = nil
      }
    }
  }

  private func beginLanes(_ index: EpisodePool.Index, from first: Int) {
    let history = history(index)
    for place in first..<history.pointee.motions.count {
      guard let time = history.pointee.motions[place].shownTime,
        let motion = history.pointee.motion(of: history.pointee.motions[place].change)
      else { continue }
      _ = beginLane(index, place, motion, at: time)
    }
  }

  private func beginLane(
    _ index: EpisodePool.Index, _ place: Int, _ motion: AnimationMotion<Double>, at time: Double
  ) -> LaneSegment {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    let (view, channel) = (episode.viewIndex, episode.channel)
    let piece = pieces.piece(of: motion, at: time)
    history.pointee.motions[place].handle = stage.begin(
      channel, view, piece.motion, interval: piece.interval)
    if piece.held != 0 {
      history.pointee.motions[place].heldHandle = stage.begin(
        channel, view, .hold(progress: 0), interval: piece.held)
    }
    return piece
  }
}

// MARK: - What motions come to

extension Director {
  /// Puts the end of a leg into the queue.
  ///
  /// - Returns: The leg; nil if there is none to be told.
  private func scheduleLeg(
    _ leg: Int, of motion: AnimationMotion<Double>, _ index: EpisodePool.Index
  ) -> Int? {
    guard let end = motion.legEnd(leg) else { return nil }
    let start = leg > motion.firstLeg ? motion.legEnd(leg - 1) ?? 0 : motion.start
    if end - start < SharedAnimation.legMin { return nil }
    schedule(.leg, at: end, change: motion.id, episode: index)
    return leg
  }

  /// A leg has ended.
  func recordLeg(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let episode = state.episodes[index].pointee
    guard episode.history != HistoryPool.none else { return }
    let history = history(index)
    guard let untold = history.pointee.untold(change),
      let leg = history.pointee.changes[untold].leg,
      let motion = history.pointee.motion(of: change)
    else { return }
    record(time, .legEnded(view: episode.viewIndex, episode.channel, index: leg))
    history.pointee.changes[untold].leg = scheduleLeg(leg + 1, of: motion, index)
  }

  /// A change is as good as done, whatever came after it.
  func recordCompletionInHistory(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    guard let untold = history(index).pointee.untold(change) else { return }
    complete(untold, of: index, at: time)
  }

  /// Tells that a change is as good as done, and those who wait for that.
  private func complete(_ untold: Int, of index: EpisodePool.Index, at time: Double) {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    history.pointee.changes[untold].isComplete = true
    record(time, .logicallyComplete(view: episode.viewIndex, episode.channel))
    guard !history.pointee.changes[untold].awaitsRemoval else { return }
    let group = history.pointee.changes[untold].group
    history.pointee.changes[untold].group = CompletionGroups.none
    leave(group, at: time)
  }

  /// A motion has come to its end.
  func endInHistory(_ index: EpisodePool.Index, _ change: UInt64, at time: Double) {
    let history = history(index)
    guard let place = history.pointee.place(of: change) else { return }
    history.pointee.motions[place].isOver = true
    if !history.pointee.isRunning {
      finish(index, isFinished: true, at: time)
    } else if history.pointee.motion(of: change)?.endsElsewhere == true {
      schedule(.afterEnd, at: time.nextUp, change: change, episode: index)
    } else {
      drop(change, index)
    }
  }

  /// The end value of a motion was shown.
  func endLate(_ index: EpisodePool.Index, _ change: UInt64) {
    if state.episodes[index].pointee.history != HistoryPool.none { drop(change, index) }
  }

  /// Ends a history: what is left to tell of it is told now.
  func finishHistory(_ index: EpisodePool.Index, isFinished: Bool, at time: Double) {
    let (episode, history) = (state.episodes[index].pointee, history(index))
    endLanes(index, from: 0)
    if isFinished {
      for place in history.pointee.changes.indices
      where !history.pointee.changes[place].isComplete {
        complete(place, of: index, at: time)
      }
    }
    record(time, .removed(view: episode.viewIndex, episode.channel, isFinished: isFinished))
    for place in history.pointee.changes.indices {
      leave(history.pointee.changes[place].group, at: time)
    }
    state.histories.end(episode.history)
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
