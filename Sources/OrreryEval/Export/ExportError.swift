// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Why a motion cannot be written for another tool.
package enum ExportError: Error, Equatable, CustomStringConvertible {
  /// A value of the motion is no finite number, at a share of its time.
  case notFinite(Double)

  /// The motion has so many turns or jumps that no list of points can show it.
  case tooManyTurns

  /// It takes more points than a list may have.
  case tooManyPoints(Int)

  /// The motion never ends, and nothing repeats in it.
  case endless

  /// Its text is measured to be farther away than was allowed.
  case notWithin(found: Double, allowed: Double)

  /// A keyframe track is written wrongly.
  case track(String)

  /// The whole motion takes longer than the other tool can say.
  case tooLong(Double)

  package var description: String {
    switch self {
    case .notFinite(let share):
      "the value is not a finite number at \(ShortDecimal.text(share * 100, places: 4))% of its time"
    case .tooManyTurns: "it turns or jumps too often for a list of points"
    case .tooManyPoints(let count):
      "it takes more than \(count) points; allow a larger error with --within"
    case .endless:
      "it never comes to rest, and nothing repeats in it; only a spring of the target can show that"
    case .notWithin(let found, let allowed):
      "no list of points is within \(JSONWriter.number(allowed, .answer));"
        + " the best is \(JSONWriter.number(found, .answer)) away"
    case .track(let reason): reason
    case .tooLong(let seconds):
      "it takes \(ShortDecimal.text(seconds, places: 3)) s, more than this target can say"
    }
  }
}
