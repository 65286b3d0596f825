// SPDX-License-Identifier: Apache-2.0

/// How much one request may ask for; `docs/eval.md` lists these.
package enum EvalLimits {
  /// Bytes of one line, without its end.
  package static let lineBytes = 16 << 20

  /// Numbers in one list.
  package static let listCount = 1_000_000

  /// Events of one answer.
  package static let eventCount = 100_000

  /// Steps of a script.
  package static let scriptCount = 100_000

  /// Properties of a script.
  package static let propertyCount = 10_000

  /// Samples of a script: properties asked for, times times.
  package static let sampleCount = 1_000_000

  /// Keyframes of a track.
  package static let keyframeCount = 100_000

  /// Moons of an orbit system.
  package static let moonCount = 1_000_000

  /// Entries of a schedule.
  package static let entryCount = 100_000
}
