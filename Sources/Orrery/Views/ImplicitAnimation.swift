// SPDX-License-Identifier: Apache-2.0

/// A change of the transaction by a view's modifier, for the content of the modifier.
struct ImplicitAnimation {
  /// What is done to the transaction.
  let step: TransitionPart.OwnAnimation.Step

  /// It applies only if this value has changed; nil: always.
  let value: AnyEquatable?

  /// The changes that apply from one state of a view to another one.
  ///
  /// - Parameters:
  ///   - new: Of the new state, from the innermost.
  ///   - old: Of the old state.
  /// - Returns: From the outermost, which sees the transaction first.
  static func steps(
    _ new: [ImplicitAnimation], from old: [ImplicitAnimation]
  ) -> [TransitionPart.OwnAnimation.Step] {
    new.enumerated().reversed().compactMap { index, implicit in
      guard let value = implicit.value else { return implicit.step }
      guard index < old.count, let before = old[index].value, before != value else { return nil }
      return implicit.step
    }
  }
}

/// A value of any type that can be compared.
struct AnyEquatable: Equatable {
  private let base: any Equatable

  init(_ base: some Equatable) { self.base = base }

  static func == (lhs: AnyEquatable, rhs: AnyEquatable) -> Bool {
    func equals<T: Equatable>(_ value: T) -> Bool { value == rhs.base as? T }
    return equals(lhs.base)
  }
}

/// A change of a transaction by a closure; a copy is equal.
///
/// The closure may be called on another thread, by one at a time; it must not refer to objects that other
/// code changes.
final class TransactionChange: @unchecked Sendable {
  let change: (inout Transaction) -> Void

  init(_ change: @escaping (inout Transaction) -> Void) { self.change = change }
}

extension TransactionChange: Hashable {
  static func == (lhs: TransactionChange, rhs: TransactionChange) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
