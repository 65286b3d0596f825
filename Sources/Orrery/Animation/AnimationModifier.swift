// SPDX-License-Identifier: Apache-2.0

/// What changes the time that an animation sees, or when it counts as complete.
enum AnimationModifier: Hashable, Sendable {
  /// Seconds before it begins.
  case delay(Double)

  /// Factor of time.
  case speed(Double)

  /// Legs, nil for endless ones; with `autoreverses` every second one runs backwards.
  case repeats(count: Int?, autoreverses: Bool)

  /// Seconds until it counts as complete.
  case logicallyComplete(after: Double)

  /// Whether the motion is another one with it.
  var changesMotion: Bool {
    if case .logicallyComplete = self { false } else { true }
  }
}
