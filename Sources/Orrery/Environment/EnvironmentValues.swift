// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The key of a value of ``EnvironmentValues``.
///
///     struct PaceKey: EnvironmentKey {
///       static let defaultValue = 1.0
///     }
///
///     extension EnvironmentValues {
///       var pace: Double {
///         get { self[PaceKey.self] }
///         set { self[PaceKey.self] = newValue }
///       }
///     }
public protocol EnvironmentKey {
  /// Type of the value.
  associatedtype Value

  /// The value where none is set.
  static var defaultValue: Value { get }
}

/// Values that an animation or a view can read from its surroundings, by key.
///
/// A program sets them on ``AnimationEngine/environment`` or ``ViewPlayer/environment``; a
/// ``CustomAnimation`` reads them as ``AnimationContext/environment``, a view as ``Environment``.
public struct EnvironmentValues: CustomStringConvertible {
  private var values: [ObjectIdentifier: Any] = [:]

  /// Makes an environment in which every key has its default.
  public init() {}

  /// The value of a key, or the key's default.
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Whether every key has its default.
  var isEmpty: Bool { values.isEmpty }

  /// These values with a layout direction; nil changes nothing.
  func with(_ layoutDirection: LayoutDirection?) -> EnvironmentValues {
    guard let layoutDirection else { return self }
    var values = self
    values.layoutDirection = layoutDirection
    return values
  }

  /// The values that were set, in no order.
  public var description: String {
    "[" + values.values.map { "\($0)" }.joined(separator: ", ") + "]"
  }
}

/// It moves from thread to thread with a running animation but is never shared: values should be value
/// types, or refer to nothing that other code changes.
extension EnvironmentValues: @unchecked Sendable {}
