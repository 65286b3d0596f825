// SPDX-License-Identifier: Apache-2.0

import CDelta

/// How the floats of a block are predicted: a number from 1 to 7, as blocks name it.
///
/// | number | expected                                                | frames before |
/// |--------|---------------------------------------------------------|---------------|
/// | 1 … 5  | on the polynomial through as many frames                | as many       |
/// | 6      | the last value and the middle one of the last three steps | 4           |
/// | 7      | by the recurrence of two steps that each value follows  | 5             |
enum Predictor {
  /// What a block has after a keyframe, until it names another.
  static let first: UInt8 = 4

  /// All numbers.
  static let all: ClosedRange<UInt8> = 1...7

  /// Finds the predictor that a block has while few frames have come since the keyframe, which is the first.
  ///
  /// - Parameters:
  ///   - predictor: The block's.
  ///   - known: Frames to predict from, 1 … 5.
  /// - Returns: The block's, or the order that they allow.
  static func usable(_ predictor: UInt8, known: Int) -> UInt8 {
    switch Int(predictor) {
    case DELTA_MEDIAN: known < 4 ? UInt8(min(known, 2)) : predictor
    case DELTA_RECURRENCE: known < 5 ? UInt8(known) : predictor
    default: min(predictor, UInt8(known))
    }
  }
}
