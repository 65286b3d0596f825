// SPDX-License-Identifier: Apache-2.0

/// What holds for changes that are made together: the animation, who is told when it is over, and
/// values of one's own.
///
/// A transaction holds while the body of ``withTransaction(_:_:)`` or ``withAnimation(_:_:)`` runs,
/// on the thread that runs it: in what the body calls, but not in tasks and threads that it starts.
public struct Transaction {
  /// Values by their keys; what was not set is not there, and so hides nothing of an outer
  /// transaction.
  private var values: [ObjectIdentifier: Any] = [:]

  /// Who is told when the animations of the changes are over.
  private(set) var completions: [CompletionGroup] = []

  /// A transaction that changes nothing: in it, the outer one holds.
  public init() {}

  /// A transaction with an animation.
  ///
  /// - Parameter animation: How changes are animated; nil: not, whatever the outer transaction
  ///   says.
  public init(animation: Animation?) {
    self.animation = animation
  }

  /// The transaction of the running body with what outer ones set; outside any, one that sets
  /// nothing.
  ///
  /// SwiftUI shows it to its view modifiers.
  public static var current: Transaction { TransactionScope.current }

  /// How changes are animated; nil: not at all.
  public var animation: Animation? {
    get { self[AnimationKey.self] }
    set { self[AnimationKey.self] = newValue }
  }

  /// Whether implicit animations, those of an ``AnimationScope``, are to leave the transaction as
  /// it is.
  ///
  /// Its own animation still holds: descriptions of SwiftUI disagree here.
  public var disablesAnimations: Bool {
    get { self[DisablesAnimationsKey.self] }
    set { self[DisablesAnimationsKey.self] = newValue }
  }

  /// Whether the changes are parts of one action, such as the steps of a drag.
  public var isContinuous: Bool {
    get { self[IsContinuousKey.self] }
    set { self[IsContinuousKey.self] = newValue }
  }

  /// Whether the velocity of changes that are not animated is kept, for a spring that follows.
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

  /// Adds somebody to be told once, when all animations of the transaction's changes are over.
  ///
  /// If there are none when the body of the transaction ends, that is when; if the transaction is
  /// never used, never.
  ///
  /// - Parameters:
  ///   - criteria: When an animation is over.
  ///   - completion: Is called on the thread that advances the engine.
  public mutating func addAnimationCompletion(
    criteria: AnimationCompletionCriteria = .logicallyComplete, _ completion: @escaping () -> Void
  ) {
    completions.append(CompletionGroup(criteria: criteria, completion))
  }

  /// This transaction, with what an inner one sets.
  ///
  /// Values of the inner one win. Completions of both wait for the changes: what an inner body does
  /// is done in the outer body too.
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
