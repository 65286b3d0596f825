// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// A command as it runs.
struct PreparedCommand: BitwiseCopyable {
  /// As in `CommandPlan`.
  let time: Double

  /// Seconds from one run to the next, as far apart as they may be; 0: there is one run.
  let every: Double

  let transaction: PreparedTransaction

  init(_ command: CommandPlan, _ memory: TransactionMemory) {
    time = command.time
    every = command.every.map { $0 > 0 ? max($0, CommandPlan.everyMin) : 0 } ?? 0
    transaction = memory.prepare(command.transaction)
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

  /// Those of a view; nil without a transition.
  subscript(view: Int) -> TransitionAnimations? {
    let index = Int(indexes[view])
    return index > 0 ? different[index - 1] : nil
  }
}
