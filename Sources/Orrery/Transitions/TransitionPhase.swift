// SPDX-License-Identifier: Apache-2.0

/// Where a view stands in its transition.
public enum TransitionPhase: Hashable, Sendable {
  /// Not there yet: what an insertion starts from.
  case willAppear
  /// There, as it is without a transition.
  case identity
  /// No longer there: what a removal leads to.
  case didDisappear

  /// Whether the view is there and not changed.
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
