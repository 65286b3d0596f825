// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// A command as it runs, with its animation found once.
struct PreparedCommand {
  /// As in `CommandPlan`.
  let time: Double
  let every: Double?
  let transaction: PreparedTransaction

  init(_ command: CommandPlan, _ animations: SharedAnimations) {
    (time, every) = (command.time, command.every)
    transaction = PreparedTransaction(command.transaction, animations)
  }
}

/// A transaction as it runs, with its animation found once: to find it takes longer than most changes.
struct PreparedTransaction {
  let actions: [ActionPlan]
  let animation: SharedAnimation?

  /// As in `TransactionPlan`.
  let completion: Int?

  /// Whether the completion waits for the removal of the animations.
  let isRemoval: Bool

  init(_ transaction: TransactionPlan, _ animations: SharedAnimations) {
    actions = transaction.actions
    animation = animations.shared(transaction.animation)
    completion = transaction.completion
    isRemoval = transaction.criteria == .removed
  }
}
