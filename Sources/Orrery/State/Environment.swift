// SPDX-License-Identifier: Apache-2.0

/// A value of the environment that a view or modifier reads, such as that of an engine.
///
///     struct Badge: View {
///       @Environment(\.accessibilityReduceMotion) private var reduceMotion
///
///       var body: some View { EmptyView().opacity(reduceMotion ? 1 : 0.5) }
///     }
///
///     var badge = ViewPlayer(Badge(), environment: engine.environment)
@propertyWrapper
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let box = EnvironmentBox()

  /// Makes the property.
  ///
  /// - Parameter keyPath: The value to read.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value; the key's default before a body of the view was evaluated.
  public var wrappedValue: Value { box.values[keyPath: keyPath] }
}

extension Environment: ConnectedProperty {
  func connect(_ moment: ViewMoment) { box.values = moment.environment }
}

/// A view goes from thread to thread but is used by one at a time.
extension Environment: @unchecked Sendable where Value: Sendable {}

/// What copies of one view share.
private final class EnvironmentBox {
  var values = EnvironmentValues()
}
