// SPDX-License-Identifier: Apache-2.0

/// The key of a custom value of a ``Transaction``.
///
///     struct SourceKey: TransactionKey {
///       static let defaultValue = "code"
///     }
///
///     extension Transaction {
///       var source: String {
///         get { self[SourceKey.self] }
///         set { self[SourceKey.self] = newValue }
///       }
///     }
public protocol TransactionKey {
  /// Type of the value.
  associatedtype Value

  /// The value in a transaction that does not set it.
  static var defaultValue: Value { get }
}
