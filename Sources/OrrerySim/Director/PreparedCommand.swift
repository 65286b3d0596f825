// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// A command as it runs.
struct PreparedCommand: BitwiseCopyable {
  /// As in `CommandPlan`.
  let time: Double
  let every: Double?
  let transaction: PreparedTransaction

  init(_ command: CommandPlan, _ memory: TransactionMemory) {
    (time, every) = (command.time, command.every)
    transaction = memory.prepare(command.transaction)
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
struct TransitionAnimations: BitwiseCopyable {
  let insertion: SharedAnimation.Address??
  let removal: SharedAnimation.Address??

  init(_ transition: TransitionPlan, _ memory: TransactionMemory) {
    insertion = transition.insertionAnimation.map(memory.shared)
    removal = transition.removalAnimation.map(memory.shared)
  }
}
