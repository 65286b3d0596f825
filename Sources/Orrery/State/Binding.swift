// SPDX-License-Identifier: Apache-2.0

/// Reads and sets a value that is kept elsewhere, such as the ``State`` of an outer view.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  /// The transaction of changes through this binding, merged into the current one.
  public var transaction = Transaction()

  private let get: () -> Value
  private let set: (Value, Transaction) -> Void

  /// Makes a binding.
  ///
  /// - Parameters:
  ///   - get: Gives the value.
  ///   - set: Sets it.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(get: get) { value, transaction in withTransaction(transaction) { set(value) } }
  }

  /// Makes a binding.
  ///
  /// - Parameters:
  ///   - get: Gives the value.
  ///   - set: Sets it, in the binding's transaction.
  public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
    (self.get, self.set) = (get, set)
  }

  /// A binding to a value that is never changed.
  ///
  /// - Parameter value: The value.
  /// - Returns: The binding.
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(get: { value }, set: { (_: Value) in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue, transaction) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// Makes a binding of a binding.
  ///
  /// - Parameter projectedValue: The binding.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// A binding to a part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    var part = Binding<Subject>(
      get: { wrappedValue[keyPath: keyPath] },
      set: { subject, transaction in
        var value = get()
        value[keyPath: keyPath] = subject
        set(value, transaction)
      })
    part.transaction = transaction
    return part
  }

  /// This binding with another transaction.
  ///
  /// - Parameter transaction: The transaction of changes.
  /// - Returns: The binding.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    var binding = self
    binding.transaction = transaction
    return binding
  }

  /// This binding with an animation.
  ///
  /// - Parameter animation: The animation of changes; nil: not animated.
  /// - Returns: The binding.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    var binding = self
    binding.transaction.animation = animation
    return binding
  }
}

extension Binding {
  /// Makes a binding to an optional value.
  ///
  /// - Parameter base: A binding to the value; nil is never set.
  public init<V>(_ base: Binding<V>) where Value == V? {
    self.init(
      get: { base.wrappedValue },
      set: { value, transaction in
        if let value { base.transaction(transaction).wrappedValue = value }
      })
    transaction = base.transaction
  }

  /// Makes a binding to the value of an optional; nil if there is none now.
  ///
  /// - Parameter base: A binding to the optional.
  public init?(_ base: Binding<Value?>) {
    guard let now = base.wrappedValue else { return nil }
    self.init(
      get: { base.wrappedValue ?? now },
      set: { base.transaction($1).wrappedValue = $0 })
    transaction = base.transaction
  }
}

/// Its closures may be called on another thread, by one at a time.
extension Binding: @unchecked Sendable where Value: Sendable {}
