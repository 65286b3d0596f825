// SPDX-License-Identifier: Apache-2.0

/// Limits of one request; `docs/reference/eval.md` lists them.
package enum EvalLimits {
  /// Bytes of one line, without its end.
  package static let lineBytesMax = 16 << 20

  /// Numbers in one list.
  package static let listCountMax = 1_000_000

  /// Events of one answer.
  package static let eventCountMax = 100_000

  /// Steps of a script.
  package static let scriptCountMax = 100_000

  /// Frames at which one request may evaluate custom animations.
  package static let frameCountMax = 1_000_000

  /// Properties of a script.
  package static let propertyCountMax = 10_000

  /// Samples of a script: the number of sampled properties multiplied by the number of times.
  package static let sampleCountMax = 1_000_000

  /// Implicit animations of a script.
  package static let implicitCountMax = 100

  /// Keyframes of a track.
  package static let keyframeCountMax = 100_000

  /// Phases of a round, and changes of its trigger.
  package static let phaseCountMax = 10_000

  /// Labels that one request measures.
  package static let labelCountMax = 10_000

  /// Moons of an orbit system.
  package static let moonCountMax = 1_000_000

  /// Entries of a schedule.
  package static let entryCountMax = 100_000
}
