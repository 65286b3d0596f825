// SPDX-License-Identifier: Apache-2.0

/// Runs a body in a transaction that is merged into the current one: what it sets wins, what it
/// does not set still holds.
///
/// - Parameters:
///   - transaction: What to set.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated all the same.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try TransactionScope.run(transaction, body)
}

/// Runs a body in the current transaction with one value changed.
///
/// - Parameters:
///   - keyPath: Which value, such as `\.disablesAnimations` or one of one's own.
///   - value: What to set it to.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated all the same.
public func withTransaction<R, V>(
  _ keyPath: WritableKeyPath<Transaction, V>, _ value: V, _ body: () throws -> R
) rethrows -> R {
  var transaction = Transaction()
  transaction[keyPath: keyPath] = value
  return try TransactionScope.run(transaction, body)
}

/// Animates the changes that a body makes.
///
/// Of nested calls the inner one's animation holds.
///
/// - Parameters:
///   - animation: How; nil: not at all.
///   - body: Makes the changes.
/// - Returns: What the body returns.
/// - Throws: What the body throws; its changes until then are animated all the same.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try TransactionScope.run(Transaction(animation: animation), body)
}

/// Animates the changes that a body makes, and tells when that is over.
///
/// The completion is called exactly once, after the last of the animations, or right after the body
/// if it created none; never if one of them has no end and is not destroyed. Several properties
/// changed by one body have one completion. Changes in nested calls count, whatever animates them.
///
/// - Parameters:
///   - animation: How; nil: not at all.
///   - completionCriteria: When an animation is over.
///   - body: Makes the changes.
///   - completion: Is called at the exact time of the end, which the engine's
///     ``AnimationEngine/time``
///     then is.
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
