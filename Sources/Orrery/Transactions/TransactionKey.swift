// SPDX-License-Identifier: Apache-2.0

/// A value of one's own that a ``Transaction`` carries.
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
  /// What is carried.
  associatedtype Value

  /// The value in a transaction that has not been given one.
  static var defaultValue: Value { get }
}
