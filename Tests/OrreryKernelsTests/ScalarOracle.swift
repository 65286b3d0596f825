// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One entity in `Double`, from the formulas of its kind and not from the kernels.
enum ScalarOracle {
  /// The fraction of a turn after some ticks, without integer overflow: exact while
  /// `elapsed` < 2^20.
  static func turns(phase: UInt32, step: UInt32, elapsed: UInt32) -> Double {
    let sum = Double(phase) + Double(step) * Double(elapsed)
    return (sum / 0x1p32).truncatingRemainder(dividingBy: 1)
  }

  /// A marquee's offset: it moves left through (-period, 0] or right through [0, period).
  static func marquee(turns: Double, period: Double, movesLeft: Bool) -> Double {
    movesLeft ? -(turns * period) : turns * period
  }

  /// A linear tween's value at a progress in [0, 1).
  static func tween(progress: Double, from: Double, to: Double) -> Double {
    (1 - progress) * from + progress * to
  }

  /// A timer's offset, by doing what the timer does: add, then compare, then perhaps reset.
  static func timer(start: Double, step: Double, resetAt: Double, timerTicks: Int) -> Double {
    var offset = start
    for _ in 0..<timerTicks {
      offset += step
      if offset >= resetAt { offset = start }
    }
    return offset
  }

  /// A body's place on its circle.
  static func orbit(turns: Double, radius: Double) -> (x: Double, y: Double) {
    let angle = 2 * Double.pi * turns
    return (radius * cos(angle), radius * sin(angle))
  }

  /// Distance of two places on a loop, either way round.
  static func distance(_ a: Double, _ b: Double, onLoopOf length: Double) -> Double {
    let direct = abs(a - b)
    return min(direct, abs(abs(length) - direct))
  }
}
