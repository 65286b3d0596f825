// SPDX-License-Identifier: Apache-2.0

/// Runs a body in a transaction that is merged into the current one: values that it sets win, other
/// values of the current one still apply.
///
/// - Parameters:
///   - transaction: The transaction.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated nevertheless.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try TransactionScope.run(transaction, body)
}

/// Runs a body in the current transaction with one value changed.
///
/// - Parameters:
///   - keyPath: The value to set, such as `\.disablesAnimations` or a custom one.
///   - value: Its new value.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated nevertheless.
public func withTransaction<R, V>(
  _ keyPath: WritableKeyPath<Transaction, V>, _ value: V, _ body: () throws -> R
) rethrows -> R {
  var transaction = Transaction()
  transaction[keyPath: keyPath] = value
  return try TransactionScope.run(transaction, body)
}

/// Animates the changes that a body makes.
///
/// In nested calls the inner animation applies.
///
/// - Parameters:
///   - animation: The animation; nil: none.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated nevertheless.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try TransactionScope.run(Transaction(animation: animation), body)
}

/// Animates the changes that a body makes, and calls a completion when the animations are over.
///
/// The completion is called exactly once: after the last of the animations, or right after the body
/// if there are none. It is never called if one of them has no end and is not destroyed. All
/// properties changed by one body share the completion. Changes in nested calls count, whatever
/// animates them.
///
/// - Parameters:
///   - animation: The animation; nil: none.
///   - completionCriteria: When an animation is over.
///   - body: Makes the changes.
///   - completion: Called at the exact time of the end, which is then the engine's
///     ``AnimationEngine/time``.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated all the same, and completed.
public func withAnimation<Result>(
  _ animation: Animation? = .default,
  completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
  _ body: () throws -> Result, completion: @escaping () -> Void
) rethrows -> Result {
  var transaction = Transaction(animation: animation)
  transaction.addAnimationCompletion(criteria: completionCriteria, completion)
  return try TransactionScope.run(transaction, body)
}
