// SPDX-License-Identifier: Apache-2.0

/// What a kind of transition is like.
public struct TransitionProperties: Hashable, Sendable {
  /// Whether it moves or scales; if so, ``OpacityTransition`` stands in for it where motion is to
  /// be reduced.
  public var hasMotion: Bool

  /// Makes properties.
  ///
  /// - Parameter hasMotion: Whether it moves or scales.
  public init(hasMotion: Bool = true) {
    self.hasMotion = hasMotion
  }
}
