// SPDX-License-Identifier: Apache-2.0

/// Values that a ``CustomAnimation`` remembers, by key.
public struct AnimationState<Value: VectorArithmetic> {
  private var values: [ObjectIdentifier: Any] = [:]

  /// Makes an empty state.
  public init() {}

  /// The value of a key, or the key's default.
  public subscript<K: AnimationStateKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A running animation may move from thread to thread but is never shared; ``AnimationStateKey``
/// requires values that allow this.
extension AnimationState: @unchecked Sendable where Value: Sendable {}

/// A key of an ``AnimationState``.
///
/// Values may move to another thread with the animation. So they should be value types, or refer to
/// nothing that other code changes.
public protocol AnimationStateKey {
  /// Type of the value.
  associatedtype Value

  /// The value before one is set.
  static var defaultValue: Value { get }
}
