// SPDX-License-Identifier: Apache-2.0

/// What a ``CustomAnimation`` remembers, by keys.
public struct AnimationState<Value: VectorArithmetic> {
  private var values: [ObjectIdentifier: Any] = [:]

  /// Nothing is remembered yet.
  public init() {}

  /// What is remembered under a key, or the key's default.
  public subscript<K: AnimationStateKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A running animation may be handed from thread to thread, never shared: ``AnimationStateKey``
/// asks that values allow this.
extension AnimationState: @unchecked Sendable where Value: Sendable {}

/// A key of an ``AnimationState``.
///
/// What is remembered moves to another thread with the animation, so it should be a value, or refer
/// to nothing that others change.
public protocol AnimationStateKey {
  /// Type of what is remembered.
  associatedtype Value

  /// What is there before anything has been remembered.
  static var defaultValue: Value { get }
}
