// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Springs that take over the only motion of an episode: the episode goes on as one of one motion.
///
/// Of all changes that interrupt others, these are the most frequent, so they need no history: the state of the spring
/// is a few numbers beside the episode. Values are those that a history would show.
extension Director {
  /// Lets a change take over an episode.
  ///
  /// - Parameters:
  ///   - index: The episode.
  ///   - key: Index of its channel and view in `DirectorState.models`.
  ///   - value: The new value.
  ///   - context: Of the change.
  /// - Returns: False if the change needs a history; then nothing has changed.
  func takeOver(
    _ index: EpisodePool.Index, _ key: Int, to value: Double, _ context: Context
  ) -> Bool {
    // Others may wait for the completions of all changes of an episode, which a history counts.
    guard let shared = context.animation, let spring = shared.pointee.takingSpring,
      context.group == CompletionGroups.none, !recordsEvents
    else { return false }
    let episode = state.episodes[index]
    guard !episode.pointee.hasHistory, !episode.pointee.isChained,
      episode.pointee.group == CompletionGroups.none,
      !episode.pointee.options.contains(.isOver), let handle = episode.pointee.handle
    else { return false }
    let (model, other) = (state.models[key], memory[episode.pointee.animation])
    let hasTakenOver = episode.pointee.options.contains(.hasTakenOver)
    let cause = TakeoverKey(
      from: hasTakenOver
        ? TakeoverKey.Start(state.episodes.takeover(index))
        : TakeoverKey.Start(
          episode.pointee.start, interval: model - episode.pointee.from,
          unitPoints: episode.pointee.channel.unitPoints),
      old: other.pointee.index, new: shared.pointee.index, hasTakenOver: hasTakenOver,
      step: value - model, time: context.time)
    if cause != state.lastTakeover?.key {
      let takeover: SpringTakeover? =
        if hasTakenOver, let old = other.pointee.takingSpring {
          spring.takeOver(
            state.episodes.takeover(index), of: old, step: value - model, at: context.time)
        } else {
          spring.takeOver(
            other.pointee.course, from: episode.pointee.start,
            interval: model - episode.pointee.from, unitPoints: episode.pointee.channel.unitPoints,
            step: value - model, at: context.time)
            ?? spring.takeOver(motion(of: index, to: model), step: value - model, at: context.time)
        }
      guard let takeover else { return false }
      state.lastTakeover = (cause, takeover, TickTime(seconds: context.time, rate: rate))
    }
    guard let (_, takeover, start) = state.lastTakeover else { return false }
    state.episodes.setTakeover(index, takeover)
    state.changeCount += 1
    state.models[key] = value
    episode.pointee.takeOver(state.changeCount, at: context.time, shared)
    episode.pointee.handle = viewLanes.takeOver(
      episode.pointee.channel, episode.pointee.viewIndex, handle, spring.spring, start,
      base: value, remaining: takeover.remaining, velocity: -takeover.remainingVelocity)
    schedule(.end, at: takeover.end, change: episode.pointee.change, episode: index)
    return true
  }

  /// Lets commands of a series take over the springs of theirs, as long as each finds one.
  ///
  /// Most of it is waiting for memory that lies as far apart as the views do: it is asked for some members ahead.
  ///
  /// - Parameters:
  ///   - first: The first command.
  ///   - count: How many come after each other at this time.
  ///   - next: When the first one runs again; later than `time`.
  ///   - time: Seconds.
  /// - Returns: How many have run, from the first; they all run again at `next`.
  func takeOverTogether(_ first: Int, count: Int, next: Double?, at time: Double) -> Int {
    let transaction = commands[first].transaction
    guard let animation = transaction.animation, animation.pointee.takingSpring != nil,
      transaction.completion == nil, next.map({ $0 > time }) ?? true, state.tracks.isEmpty,
      let series = CommandSeries.containing(first, in: series),
      case .set(let firstView, let property, let value)? = transaction.actions.first,
      let channelIndex = channels[ViewChannel(property)]
    else { return 0 }
    let context = Context(animation: animation, at: time)
    let (firstKey, step) = (channelIndex * plan.views.count + firstView, series.viewStep)
    let (runCount, pushedDueCount) = (runCounts[first], state.queue.pushedDueCount)
    let count = min(count, series.end - first)
    var index = 0
    while index < count, state.queue.pushedDueCount == pushedDueCount {
      let key = firstKey + index * step
      prefetch(ViewChannel(property), firstView, firstKey, step: step, index, count: count)
      guard runCounts[first + index] == runCount,
        !state.views[firstView + index * step].isDestroyed, state.models[key] != value,
        case let running = episode(ofKey: key), running >= 0,
        takeOver(running, key, to: value, context)
      else { break }
      runCounts[first + index] += 1
      checkAfterEvent()
      index += 1
    }
    return index
  }

  /// Whether an episode that has taken over is over later than its event in the queue says, which is then repeated.
  func endsLater(_ index: EpisodePool.Index, than time: Double) -> Bool {
    var takeover = state.episodes.takeover(index)
    let episode = state.episodes[index]
    let shared = memory[episode.pointee.animation]
    guard !takeover.hasExactEnd, let spring = shared.pointee.takingSpring else { return false }
    // Those that were pushed on together end together.
    let key = TakeoverEndKey(
      motion: TakeoverKey.Start(takeover), length: takeover.length.bitPattern,
      animation: shared.pointee.index)
    if let last = state.lastEnd, last.key == key {
      takeover = last.1
    } else {
      spring.findEnd(of: &takeover)
      state.lastEnd = (key, takeover)
    }
    state.episodes.setTakeover(index, takeover)
    guard takeover.end > time else { return false }
    schedule(.end, at: takeover.end, change: episode.pointee.change, episode: index)
    return true
  }

  /// The motion of an episode without history, as the library has it.
  ///
  /// - Parameters:
  ///   - index: The episode.
  ///   - model: The value that it leads to.
  /// - Returns: The motion.
  func motion(of index: EpisodePool.Index, to model: Double) -> AnimationMotion<Double> {
    let episode = state.episodes[index].pointee
    let shared = memory[episode.animation]
    if episode.options.contains(.hasTakenOver), let spring = shared.pointee.takingSpring {
      return spring.motion(
        state.episodes.takeover(index), id: episode.change, shared.pointee.animation,
        shared.pointee.course,
        unitPoints: episode.channel.unitPoints)
    }
    return AnimationMotion(
      id: episode.change, animation: shared.pointee.animation, shared.pointee.course,
      start: episode.start,
      from: episode.options.contains(.hasCompany) ? nil : episode.from,
      interval: model - episode.from, unitPoints: episode.channel.unitPoints)
  }
}

/// All that a takeover is computed from: views that are pushed on together often have the same.
///
/// Numbers are compared by their bits, so that equal keys give equal bits.
struct TakeoverKey: Equatable, BitwiseCopyable {
  private let start: Start

  /// The animations of the old motion and of the new one.
  private let old: TransactionMemory.Index
  private let new: TransactionMemory.Index

  private let hasTakenOver: Bool

  /// New target minus old target, and the time.
  private let step: UInt64
  private let time: UInt64

  init(
    from start: Start, old: TransactionMemory.Index, new: TransactionMemory.Index,
    hasTakenOver: Bool, step: Double, time: Double
  ) {
    (self.start, self.old, self.new, self.hasTakenOver) = (start, old, new, hasTakenOver)
    (self.step, self.time) = (step.bitPattern, time.bitPattern)
  }

  /// The motion that is taken over, besides its animation.
  struct Start: Equatable, BitwiseCopyable {
    private let time: UInt64
    private let interval: UInt64
    /// The points of a distance of 1; or, of a motion that has taken over, what remained.
    private let unitOrRemaining: UInt64
    private let velocity: UInt64
    private let end: UInt64

    /// A motion that has taken nothing over itself.
    init(_ time: Double, interval: Double, unitPoints: Double) {
      (self.time, self.interval) = (time.bitPattern, interval.bitPattern)
      (unitOrRemaining, velocity, end) = (unitPoints.bitPattern, 0, 0)
    }

    /// A motion that has.
    init(_ old: SpringTakeover) {
      (time, interval) = (old.start.bitPattern, old.interval.bitPattern)
      unitOrRemaining = old.remaining.bitPattern
      (velocity, end) = (old.remainingVelocity.bitPattern, old.end.bitPattern)
    }
  }
}

/// All from which the end of a takeover is found.
struct TakeoverEndKey: Equatable, BitwiseCopyable {
  let motion: TakeoverKey.Start
  let length: UInt64
  let animation: TransactionMemory.Index
}
