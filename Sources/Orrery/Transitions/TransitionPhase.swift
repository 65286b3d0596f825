// SPDX-License-Identifier: Apache-2.0

/// A phase of a view's transition.
public enum TransitionPhase: Hashable, Sendable {
  /// Not present yet: an insertion starts here.
  case willAppear
  /// Present, as without a transition.
  case identity
  /// No longer present: a removal ends here.
  case didDisappear

  /// Whether the view is present and not changed.
  public var isIdentity: Bool { self == .identity }

  /// -1 before, 0 at identity, 1 after: enough for a transition whose two halves mirror each other.
  public var value: Double {
    switch self {
    case .willAppear: -1
    case .identity: 0
    case .didDisappear: 1
    }
  }
}
