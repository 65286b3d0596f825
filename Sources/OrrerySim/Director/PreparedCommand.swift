// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// A command as it runs.
struct PreparedCommand: BitwiseCopyable {
  /// Its number in the queue; see `CueNumber`.
  let number: UInt64

  /// As in `CommandPlan`.
  let time: Double

  /// Seconds from one run to the next, as far apart as they may be; 0: there is one run.
  let every: Double

  let transaction: PreparedTransaction

  init(_ command: CommandPlan, number: UInt64, _ memory: TransactionMemory) {
    self.number = number
    time = command.time
    every = command.every.map { $0 > 0 ? max($0, CommandPlan.everyMin) : 0 } ?? 0
    transaction = memory.prepare(command.transaction)
  }

  /// The commands of a plan: those of the same times one after the other, each in the order of the plan.
  ///
  /// So copies of a scene have the same command of all copies in successive places.
  static func all(of plan: ViewsPlan, _ memory: TransactionMemory) -> FixedArray<Self> {
    struct Times: Hashable {
      let first: Double
      let every: Double
    }
    var (ranks, ends): ([Times: Int], [Int]) = ([:], [])
    let prepared = plan.commands.enumerated().map { index, command in
      Self(command, number: CueNumber.command(index), memory)
    }
    let ranksOfAll = prepared.map { command in
      let times = Times(first: command.time, every: command.every)
      let rank = ranks[times] ?? ends.count
      if rank == ends.count {
        ranks[times] = rank
        ends.append(0)
      }
      ends[rank] += 1
      return rank
    }
    var next = ends.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let places = ranksOfAll.map { rank in
      defer { next[rank] += 1 }
      return next[rank]
    }
    var commands = prepared
    for (command, place) in zip(prepared, places) { commands[place] = command }
    return FixedArray(commands)
  }

  /// When the run after a number of runs is due, in seconds; nil if there is none, or never.
  func time(afterRuns count: UInt64) -> Double? {
    if count == 0 { return max(time, 0) }
    let time = every > 0 ? max(time, 0) + Double(count) * every : .infinity
    return time < .infinity ? time : nil
  }
}

/// A transaction as it runs, with its animation found once: to find it takes longer than most changes.
///
/// Made by `TransactionMemory.prepare`, and valid as long as that.
struct PreparedTransaction: BitwiseCopyable {
  let actions: UnsafeBufferPointer<ActionPlan>
  let animation: SharedAnimation.Address?

  /// As in `TransactionPlan`.
  let completion: Int?

  /// Whether the completion waits for the removal of the animations.
  let isRemoval: Bool
}

/// The animations of a view's transition.
///
/// Nil: the transition has none of its own, and takes the transaction's. One that is nil itself has no closed form.
struct TransitionAnimations: BitwiseCopyable, Hashable {
  let insertion: SharedAnimation.Address??
  let removal: SharedAnimation.Address??

  init(_ transition: TransitionPlan, _ memory: TransactionMemory) {
    insertion = transition.insertionAnimation.map(memory.shared)
    removal = transition.removalAnimation.map(memory.shared)
  }
}

/// The animations of all views' transitions, each pair once: four bytes for each view.
struct TransitionAnimationTable: ~Copyable {
  private var different: [TransitionAnimations] = []

  /// By view: 1 plus its index; 0 without a transition.
  private let indexes: FixedArray<UInt32>

  init(_ views: [ViewPlan], _ memory: TransactionMemory) {
    indexes = FixedArray(repeating: 0, count: views.count)
    var known: [TransitionAnimations: UInt32] = [:]
    for (view, plan) in views.enumerated() {
      guard let transition = plan.transition else { continue }
      let animations = TransitionAnimations(transition, memory)
      if known[animations] == nil {
        different.append(animations)
        known[animations] = UInt32(different.count)
      }
      indexes[view] = known[animations] ?? 0
    }
  }

  /// Whether successive views have the same.
  func areEqual(_ view: Int, count: Int) -> Bool {
    OrrerySim.areEqual(indexes.elements + view, count: count) { $0 }
  }

  /// Those of a view; nil without a transition.
  subscript(view: Int) -> TransitionAnimations? {
    let index = Int(indexes[view])
    return index > 0 ? different[index - 1] : nil
  }
}
