// SPDX-License-Identifier: Apache-2.0

/// The settings of changes that are made together: the animation, its completions, and custom
/// values.
///
/// A transaction is current while the body of ``withTransaction(_:_:)`` or ``withAnimation(_:_:)``
/// runs, on the thread that runs it: in functions that the body calls, but not in tasks and threads
/// that it starts.
public struct Transaction {
  /// Values by their keys; a value that was not set is absent, so it hides no value of an outer
  /// transaction.
  private var values: [ObjectIdentifier: Any] = [:]

  /// Groups to release when the animations of the changes are over.
  private(set) var completions: [CompletionGroup] = []

  /// A transaction that sets nothing: the outer one applies.
  public init() {}

  /// A transaction with an animation.
  ///
  /// - Parameter animation: The animation of changes; nil: none, whatever the outer transaction
  ///   sets.
  public init(animation: Animation?) {
    self.animation = animation
  }

  /// The transaction of the running body, merged into the outer ones; outside any, one that sets
  /// nothing.
  ///
  /// SwiftUI passes it to its view modifiers.
  public static var current: Transaction { TransactionScope.current }

  /// The animation of changes; nil: none.
  public var animation: Animation? {
    get { self[AnimationKey.self] }
    set { self[AnimationKey.self] = newValue }
  }

  /// Whether implicit animations, those of an ``AnimationScope``, must not change the transaction.
  ///
  /// Its own animation still applies: descriptions of SwiftUI disagree here.
  public var disablesAnimations: Bool {
    get { self[DisablesAnimationsKey.self] }
    set { self[DisablesAnimationsKey.self] = newValue }
  }

  /// Whether the changes are parts of one action, such as the steps of a drag.
  public var isContinuous: Bool {
    get { self[IsContinuousKey.self] }
    set { self[IsContinuousKey.self] = newValue }
  }

  /// Whether the velocity of changes that are not animated is tracked, for a spring that follows.
  ///
  /// Changes of more than 0.1 s ago, and those before a hold, count for nothing; see ``VelocityTracker``.
  public var tracksVelocity: Bool {
    get { self[TracksVelocityKey.self] }
    set { self[TracksVelocityKey.self] = newValue }
  }

  /// The value of a key.
  ///
  /// - Parameter key: The key's type.
  public subscript<K: TransactionKey>(key: K.Type) -> K.Value {
    get {
      guard let value = values[ObjectIdentifier(key)] else { return key.defaultValue }
      return value as? K.Value ?? key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Adds a completion, called once when all animations of the transaction's changes are over.
  ///
  /// If there are no animations, it is called when the body of the transaction ends; if the
  /// transaction is never used, it is never called.
  ///
  /// - Parameters:
  ///   - criteria: When an animation is over.
  ///   - completion: Called on the thread that advances the engine.
  public mutating func addAnimationCompletion(
    criteria: AnimationCompletionCriteria = .logicallyComplete, _ completion: @escaping () -> Void
  ) {
    completions.append(CompletionGroup(criteria: criteria, completion))
  }

  /// This transaction merged with an inner one.
  ///
  /// Values of the inner one win. Completions of both wait for the changes: a change in an inner
  /// body is also a change in the outer body.
  func merging(_ inner: Transaction) -> Transaction {
    var result = self
    result.values.merge(inner.values) { $1 }
    result.completions += inner.completions
    return result
  }
}

@available(*, unavailable)
extension Transaction: Sendable {}

private struct AnimationKey: TransactionKey {
  static var defaultValue: Animation? { nil }
}

private struct DisablesAnimationsKey: TransactionKey {
  static var defaultValue: Bool { false }
}

private struct IsContinuousKey: TransactionKey {
  static var defaultValue: Bool { false }
}

private struct TracksVelocityKey: TransactionKey {
  static var defaultValue: Bool { false }
}
