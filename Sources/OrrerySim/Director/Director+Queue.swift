// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// What is due when, and in which order at one time.
extension Director {
  /// The first number of each class of cues; see `Director`.
  private enum Order {
    static let motion: UInt64 = 1 << 60
    static let command: UInt64 = 1 << 62
    static let delayedReaction: UInt64 = 1 << 63
  }

  /// Reactions that may come within one millisecond of the scene's time, besides one for each of the
  /// plan's: endless loops of completions that take no time end there.
  private static let reactionsMax = 10_000

  /// The shortest time between two plays of a command, in seconds.
  private static let everyMin = 0.001

  /// Plays what is due by a time.
  func playQueue(to limit: Double) {
    while let event = state.queue.pop(notAfter: limit) {
      let (cue, time) = (event.payload, event.time)
      switch cue.kind {
      case .command:
        let command = plan.commands[Int(cue.index)]
        schedule(command, Int(cue.index), count: cue.number + 1)
        run(command.transaction, at: time)
      case .reaction: react(plan.reactions[Int(cue.index)].transaction, at: time)
      case .piece: goOn(cue, at: limit)
      case .leg: tellLeg(cue, at: time)
      case .logicalEnd: tellCompletion(cue, at: time)
      case .end: end(cue, at: time)
      case .afterEnd: endLate(cue)
      }
    }
  }

  /// Puts a command's next play into the queue.
  ///
  /// - Parameters:
  ///   - command: One of the plan's.
  ///   - index: Its index there.
  ///   - count: How often it was played before.
  func schedule(_ command: CommandPlan, _ index: Int, count: UInt64) {
    var time = command.time
    if count > 0 {
      guard let every = command.every, every > 0 else { return }
      time = max(time, 0) + Double(count) * max(every, Self.everyMin)
    }
    guard time < .infinity else { return }
    state.queue.push(
      Cue(kind: .command, index: UInt32(index), number: count), at: max(time, 0),
      number: Order.command + UInt64(index))
  }

  /// Puts what a motion comes to into the queue.
  func schedule(_ kind: Cue.Kind, at time: Double, change: UInt64, episode: EpisodePool.Index) {
    guard time < .infinity else { return }
    state.queue.push(
      Cue(kind: kind, index: UInt32(bitPattern: episode), number: change), at: max(time, 0),
      number: Order.motion + change << 3 + UInt64(kind.rawValue))
  }

  /// A completion: it is told, and what follows from it is put into the queue.
  func complete(_ completion: Int, at time: Double) {
    record(time, .completed(completion))
    guard reactions.indices.contains(completion) else { return }
    for index in reactions[completion] {
      let delay = plan.reactions[index].delay
      let isDelayed = delay > 0 && time + delay > time
      guard !isDelayed || time + delay < .infinity else { continue }
      state.reactionCount += 1
      state.queue.push(
        Cue(kind: .reaction, index: UInt32(index), number: 0), at: isDelayed ? time + delay : time,
        number: state.reactionCount + (isDelayed ? Order.delayedReaction : 0))
    }
  }

  private func react(_ transaction: TransactionPlan, at time: Double) {
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
