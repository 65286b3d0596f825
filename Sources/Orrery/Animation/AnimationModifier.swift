// SPDX-License-Identifier: Apache-2.0

/// A modifier of an animation's time, or of its logical completion.
enum AnimationModifier: Hashable, Sendable {
  /// Seconds before it begins.
  case delay(Double)

  /// Factor of time.
  case speed(Double)

  /// Number of legs, nil if endless; with `autoreverses` every second one runs backwards.
  case repeats(count: Int?, autoreverses: Bool)

  /// Seconds until it is logically complete.
  case logicallyComplete(after: Double)

  /// Whether it changes the motion.
  var changesMotion: Bool {
    if case .logicallyComplete = self { false } else { true }
  }
}
