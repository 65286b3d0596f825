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
    while let run = state.queue.popRun(notAfter: limit) {
      if case .motion = CueNumber(run.number), run.payload.cohort != nil {
        endCohorts(run)
        continue
      }
      let handled =
        switch CueNumber(run.number) {
        case .command where Int(run.payload.index) < commands.count: runCommands(run)
        default: handle(run, limit: limit)
        }
      state.counts.queued += UInt64(handled)
      guard handled < run.count else { continue }
      var rest = run
      rest.removeFirst(handled)
      state.queue.putBack(rest)
    }
  }

  /// Handles the events of a run one after the other, until others come between them.
  ///
  /// - Returns: How many it has handled; at least one.
  private func handle(_ run: EventQueue<Cue>.Event, limit: Double) -> Int {
    let (time, count, pushedDueCount) = (run.time, run.count, state.queue.pushedDueCount)
    var (handled, single) = (0, 0)
    repeat {
      let event = run.member(handled)
      if count - handled >= Self.burstMin, handled >= single,
        case .motion(.end, let change) = CueNumber(event.number)
      {
        let ends = Burst.ends(
          EpisodePool.Index(bitPattern: event.payload.index), step: run.goesDown ? -1 : 1,
          change: change, changeStep: UInt64(run.stride))
        let done = handleTogether(ends, count: count - handled, Context(at: time)).handled
        handled += done
        single = handled + Self.burstMin
        if done > 0 { continue }
      }
      prefetch(run, handled)
      handle(event.payload, CueNumber(event.number), at: time, limit: limit)
      checkAfterEvent()
      handled += 1
    } while handled < count && state.queue.pushedDueCount == pushedDueCount
    return handled
  }

  /// Runs commands of the plan one after the other, until other events come between them.
  ///
  /// Their next runs are scheduled together if they come at the same time.
  ///
  /// - Returns: How many have run; at least one.
  private func runCommands(_ run: EventQueue<Cue>.Event) -> Int {
    let (time, pushedDueCount) = (run.time, state.queue.pushedDueCount)
    let (first, count) = (Int(run.payload.index), run.goesDown ? 1 : run.count)
    var (handled, single, scheduled) = (0, 0, 0)
    var next: Double?
    func schedule(through end: Int) {
      if let next, scheduled < end {
        state.queue.push(
          Cue(index: UInt32(first + scheduled)), runCount: end - scheduled, at: next,
          number: commands[first + scheduled].number, stride: run.stride)
      }
      scheduled = end
    }
    repeat {
      var (done, commandNext) = (0, timeAfterNext(first + handled))
      if count - handled >= Self.burstMin, handled >= single {
        (done, commandNext) = handleTogether(
          .commands(first + handled), count: count - handled, Context(at: time))
        single = handled + done + Self.burstMin
        if done == 0 { commandNext = timeAfterNext(first + handled) }
      }
      if commandNext != next {
        schedule(through: handled)
        next = commandNext
      }
      if done == 0, count - handled > 1 {
        done = takeOverTogether(
          first + handled, count: count - handled, next: commandNext, at: time)
      }
      if done > 0 {
        handled += done
        continue
      }
      prefetch(run, handled)
      let command = commands.elements + first + handled
      runCounts[first + handled] += 1
      // A time that has come must be seen before the command runs.
      if let next, next <= time { schedule(through: handled + 1) }
      self.run(command.pointee.transaction, at: time)
      checkAfterEvent()
      handled += 1
    } while handled < count && state.queue.pushedDueCount == pushedDueCount
    schedule(through: handled)
    return handled
  }

  /// When the run after a command's next one is due.
  func timeAfterNext(_ command: Int) -> Double? {
    commands[command].time(afterRuns: runCounts[command] + 1)
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
      state.trackCommands[own].runCount += 1
      let (command, runCount) = state.trackCommands[own]
      schedule(command.time(afterRuns: runCount), index, command.number)
      run(command.transaction, at: time)
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
    removeStaleEventsIfMany()
  }

  /// Removes events of motions that are gone, if they are many.
  func removeStaleEventsIfMany() {
    // An episode of one motion has four events at most, and a cohort has one.
    let liveCount = state.episodes.liveCount + state.cohorts.liveCount
    if state.queue.isLarge, state.queue.count > 4 * liveCount { removeStaleEvents() }
  }

  /// Removes events of motions that are gone: otherwise interrupted motions would keep memory until their
  /// planned ends.
  private func removeStaleEvents() {
    var queue = EventQueue<Cue>()
    swap(&queue, &state.queue)
    queue.removeAll { event in
      guard case .motion(let kind, let change) = CueNumber(event.number) else { return false }
      if let cohort = event.payload.cohort {
        return state.cohorts[cohort].pointee.change != change
      }
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
