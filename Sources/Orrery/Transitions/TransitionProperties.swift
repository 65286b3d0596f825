// SPDX-License-Identifier: Apache-2.0

/// Properties of a kind of transition.
public struct TransitionProperties: Hashable, Sendable {
  /// Whether it moves or scales; if so, ``OpacityTransition`` replaces it when motion is reduced.
  public var hasMotion: Bool

  /// Makes properties.
  ///
  /// - Parameter hasMotion: Whether it moves or scales.
  public init(hasMotion: Bool = true) {
    self.hasMotion = hasMotion
  }
}
