// SPDX-License-Identifier: Apache-2.0

/// The changes of state that a body makes, each with its transaction.
///
/// Changes of one transaction show together. So the changes are undone, and then made again transaction by
/// transaction.
final class StateJournal {
  /// Changes of one transaction, in their order.
  struct Group {
    /// Nil outside any transaction.
    let scope: TransactionScope?
    var redo: [() -> Void] = []

    var transaction: Transaction { scope?.transaction ?? Transaction() }
  }

  /// Whether a body is running whose changes are to be noted.
  private(set) var isWriting = false

  private var groups: [Group] = []
  private var undo: [() -> Void] = []

  /// Notes the changes that a body makes, and undoes them.
  ///
  /// - Parameter body: Changes state.
  /// - Returns: The changes, and what the body returned or threw.
  func changes<Result, Failure: Error>(
    of body: () throws(Failure) -> Result
  ) -> (groups: [Group], result: Swift.Result<Result, Failure>) {
    isWriting = true
    let result: Swift.Result<Result, Failure>
    do { result = .success(try body()) } catch { result = .failure(error) }
    isWriting = false
    for undo in undo.reversed() { undo() }
    defer { (groups, undo) = ([], []) }
    return (groups, result)
  }

  /// Notes a change that has been made.
  func note(undo: @escaping () -> Void, redo: @escaping () -> Void) {
    let scope = TransactionScope.innermost
    if groups.isEmpty || groups[groups.count - 1].scope !== scope {
      groups.append(Group(scope: scope))
    }
    groups[groups.count - 1].redo.append(redo)
    self.undo.append(undo)
  }
}
