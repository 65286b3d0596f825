// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The queue of events: their times, and their order at the same time.
extension Director {
  /// Largest number of reactions in one millisecond of the scene's time, besides one for each of the
  /// plan's.
  ///
  /// It stops endless loops of completions that take no time.
  private static let reactionsMax = 10_000

  /// Handles the events that are due up to a time.
  func handleQueue(through limit: Double) {
    while let event = state.queue.pop(notAfter: limit) {
      state.counts.queued += 1
      prefetch()
      handle(event.payload, CueNumber(event.number), at: event.time, limit: limit)
      checkAfterEvent()
    }
  }

  private func handle(_ cue: Cue, _ number: CueNumber, at time: Double, limit: Double) {
    let index = Int(cue.index)
    switch number {
    case .motion(let kind, let change):
      let episode = EpisodePool.Index(bitPattern: cue.index)
      guard state.episodes[episode].pointee.change > 0 else { return }
      switch kind {
      case .segment: continueMotion(episode, change, at: limit)
      case .leg: recordLeg(episode, change, at: time)
      case .logicalEnd: recordCompletion(episode, change, at: time)
      case .end: end(episode, change, at: time)
      case .afterEnd: dropAfterEnd(episode, change)
      case .rest: rest(episode, change)
      }
    case .command:
      let own = index - commands.count
      if own < 0 {
        let command = commands.elements + index
        command.pointee.runCount += 1
        schedule(command.pointee.nextTime, index, CueNumber.command(index))
        run(command.pointee.transaction, at: time)
      } else {
        state.trackCommands[own].command.runCount += 1
        let (number, command) = state.trackCommands[own]
        schedule(command.nextTime, index, number)
        run(command.transaction, at: time)
      }
    case .reaction: react(reactionTransactions[index], at: time)
    }
  }

  /// Schedules a run of a command.
  ///
  /// - Parameters:
  ///   - time: When it is due, in seconds; nil: never.
  ///   - index: Its index among those of the plan and, behind them, `trackCommands`.
  ///   - number: Its number in the queue.
  func schedule(_ time: Double?, _ index: Int, _ number: UInt64) {
    guard let time, time < .infinity else { return }
    state.queue.push(Cue(index: UInt32(index)), at: time, number: number)
  }

  /// Schedules an event of a motion.
  func schedule(
    _ kind: CueNumber.Kind, at time: Double, change: UInt64, episode: EpisodePool.Index
  ) {
    guard time < .infinity else { return }
    state.queue.push(
      Cue(index: UInt32(bitPattern: episode)), at: max(time, 0),
      number: CueNumber.motion(kind, of: change))
    // An episode of one motion has four events at most.
    if state.queue.isLarge, state.queue.count > 4 * state.episodes.liveCount { removeStaleEvents() }
  }

  /// Removes events of motions that are gone: otherwise interrupted motions would keep memory until their
  /// planned ends.
  private func removeStaleEvents() {
    var queue = EventQueue<Cue>()
    swap(&queue, &state.queue)
    queue.removeAll { event in
      guard case .motion(let kind, let change) = CueNumber(event.number) else { return false }
      let episode = state.episodes[EpisodePool.Index(bitPattern: event.payload.index)].pointee
      if episode.change == 0 { return true }
      guard episode.hasHistory else { return episode.change != change }
      let history = state.histories[episode.history]
      return kind == .logicalEnd
        ? !history.pointee.account.isIncomplete(change)
        : history.pointee.motionIndex(of: change) == nil
    }
    swap(&queue, &state.queue)
  }

  /// Records a completion, and schedules the reactions to it.
  func complete(_ completion: Int, at time: Double) {
    state.counts.completions += 1
    record(time, completed: completion)
    guard reactions.indices.contains(completion) else { return }
    for index in reactions[completion] {
      let delay = plan.reactions[index].delay
      let isDelayed = delay > 0 && time + delay > time
      guard !isDelayed || time + delay < .infinity else { continue }
      state.reactionCount += 1
      state.queue.push(
        Cue(index: UInt32(index)), at: isDelayed ? time + delay : time,
        number: CueNumber.reaction(state.reactionCount, isDelayed: isDelayed))
    }
  }

  private func react(_ transaction: PreparedTransaction, at time: Double) {
    let millisecond = (time * 1000).rounded(.down)
    if millisecond != state.millisecond {
      (state.millisecond, state.reactionsInMillisecond) = (millisecond, 0)
    }
    guard state.reactionsInMillisecond < Self.reactionsMax + plan.reactions.count else {
      droppedReactionCount += 1
      return
    }
    state.reactionsInMillisecond += 1
    run(transaction, at: time)
  }
}
