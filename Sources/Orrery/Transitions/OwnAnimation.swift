// SPDX-License-Identifier: Apache-2.0

extension TransitionPart {
  /// The replacement of the transaction's animation: an animation that was attached to a transition, or the
  /// changes that modifiers of its body make to the transaction.
  struct OwnAnimation: Hashable, Sendable {
    /// A change of the transaction.
    enum Step: Hashable, Sendable {
      /// Another animation; nil for a change at once.
      case animation(Animation?)
      /// A closure.
      case transaction(TransactionChange)
    }

    private let steps: [Step]

    /// - Parameter animation: Nil for a change at once.
    init(animation: Animation?) { steps = [.animation(animation)] }

    /// Nil if there are no steps.
    ///
    /// - Parameter steps: From the outermost, which sees the transaction first.
    init?(_ steps: [Step]) {
      guard let last = steps.last else { return nil }
      // Changes outside of an animation do not matter.
      if case .animation = last { self.steps = [last] } else { self.steps = steps }
    }

    /// The animation, whatever the transaction; nil if that is not known.
    var animation: Animation?? {
      if case .animation(let animation) = steps.last { animation } else { nil }
    }

    /// The animation in a transaction.
    ///
    /// - Parameter animation: The transaction's.
    /// - Returns: The changed one.
    func applied(to animation: Animation?) -> Animation? {
      applied(to: Transaction(animation: animation)).animation
    }

    /// A transaction, changed.
    func applied(to transaction: Transaction) -> Transaction {
      steps.reduce(into: transaction) { transaction, step in
        switch step {
        case .animation(let animation):
          if !transaction.disablesAnimations { transaction.animation = animation }
        case .transaction(let change): change.change(&transaction)
        }
      }
    }
  }
}
