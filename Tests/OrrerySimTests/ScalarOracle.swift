// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryScene

/// One entity at a tick in `Double`, from the formulas of its kind and not from the kernels.
///
/// The time of a tick is a product of whole numbers and one division; turns are reduced before they
/// are multiplied by anything, so a day of ticks costs no more than 2^-30 turns.
enum ScalarOracle {
  static func seconds(_ tick: UInt64, _ rate: TickRate) -> Double {
    Double(tick * rate.denominator) / Double(rate.numerator)
  }

  /// -(v·t mod P) to the left, v·t mod P to the right.
  static func marquee(_ spec: MarqueeSpec, seconds: Double) -> Double {
    let way = spec.phase * spec.period + spec.speed * seconds
    let offset = way.truncatingRemainder(dividingBy: spec.period)
    return spec.direction == .left ? -offset : offset
  }

  /// from + (to - from)·frac(t/D).
  static func tween(_ spec: TweenSpec, seconds: Double) -> Double {
    let progress = seconds.truncatingRemainder(dividingBy: spec.period) / spec.period
    return spec.from + (spec.to - spec.from) * progress
  }

  /// r·(cos a, sin a) with a = 2π·frac(phase + t/T).
  static func orbit(_ spec: OrbitSpec, seconds: Double) -> (x: Double, y: Double) {
    let turns = spec.phase + seconds.truncatingRemainder(dividingBy: spec.period) / spec.period
    let angle = 2 * Double.pi * turns
    return (spec.radius * cos(angle), spec.radius * sin(angle))
  }

  /// Adds and resets as often as the timer has fired by that time, by whole numbers.
  static func timer(_ spec: TimerSpec, tick: UInt64, rate: TickRate) -> Double {
    let (above, below) = (UInt128(spec.interval.numerator), spec.interval.denominator)
    let fired =
      UInt128(tick) * UInt128(rate.denominator) * below / (UInt128(rate.numerator) * above)
    var offset = spec.start
    for _ in 0..<fired {
      offset += spec.step
      if offset >= spec.resetAt { offset = spec.start }
    }
    return offset
  }

  /// Distance of two places on a loop, either way round.
  static func distance(_ a: Double, _ b: Double, onLoopOf length: Double) -> Double {
    let direct = abs(a - b)
    return min(direct, abs(abs(length) - direct))
  }
}
