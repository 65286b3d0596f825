// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Arithmetic of seamless loops.
enum Loop {
  /// `value` modulo `period`, exact and never negative.
  ///
  /// - Returns: In [0, period); 0 if the period is not positive or a number is not finite.
  static func wrap(_ value: Double, period: Double) -> Double {
    guard period > 0, period.isFinite, value.isFinite else { return 0 }
    let remainder = value.truncatingRemainder(dividingBy: period)
    if remainder >= 0 { return remainder }
    // For a tiny remainder the sum rounds to the period itself.
    let sum = remainder + period
    return sum < period ? sum : 0
  }

  /// A count as an `Int`, from 0 to the largest that a `Double` counts exactly.
  static func count(_ value: Double) -> Int {
    value > 0 ? Int(min(value, 0x1p53)) : 0
  }
}
