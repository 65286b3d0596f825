// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The current transaction of a thread.
///
/// It belongs to the thread and not to the task, because tasks that a body starts must not inherit
/// it: their changes may come long after the body's end.
final class TransactionScope {
  /// The outer transaction merged with the inner one.
  let transaction: Transaction

  private init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  /// The current transaction; outside any body, one that sets nothing.
  static var current: Transaction { top?.transaction ?? Transaction() }

  /// The scope of the running body, which differs from body to body; nil outside any.
  static var innermost: TransactionScope? { top }

  /// Runs a body in a transaction that is merged into the current one.
  static func run<Result>(
    _ inner: Transaction, _ body: () throws -> Result
  ) rethrows -> Result {
    for group in inner.completions { group.enter() }
    defer { for group in inner.completions { group.leave() } }
    return try run(in: TransactionScope(current.merging(inner)), body)
  }

  /// Runs a body outside any transaction.
  static func runOutside(_ body: () -> Void) {
    run(in: nil, body)
  }

  private static func run<Result>(
    in scope: TransactionScope?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = top
    top = scope
    defer { withExtendedLifetime(scope) { top = outer } }
    return try body()
  }

  /// The innermost scope of the thread, which the running body keeps alive.
  private static var top: TransactionScope? {
    get {
      pthread_getspecific(key).map {
        Unmanaged<TransactionScope>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set {
      let pointer = newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
      pthread_setspecific(key, pointer)
    }
  }

  /// Where each thread keeps its innermost scope.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key, nil)
    precondition(result == 0, "no thread-specific key: error \(result)")
    return key
  }()
}
