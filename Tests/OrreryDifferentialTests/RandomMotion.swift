// SPDX-License-Identifier: Apache-2.0

import Orrery
import TestSupport

/// Draws animations, curves and springs, short and long, plain and modified.
struct RandomMotion {
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func number(_ range: ClosedRange<Double>) -> Double { random.number(in: range) }

  mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func pick<T>(_ all: [T]) -> T { all[count(0...all.count - 1)] }

  mutating func flip() -> Bool { Bool.random(using: &random) }

  /// A whole number of ways, so that sums of values are exact.
  mutating func way(_ limit: Double = 400) -> Double { number(-limit...limit).rounded() }

  mutating func curve() -> UnitCurve {
    switch count(0...8) {
    case 0: .linear
    case 1: .easeIn
    case 2: .easeOut
    case 3: .easeInOut
    case 4: .circularEaseIn
    case 5: .circularEaseOut
    case 6: .circularEaseInOut
    case 7:
      .bezier(
        startControlPoint: UnitPoint(x: number(0...1), y: number(-0.5...1.5)),
        endControlPoint: UnitPoint(x: number(0...1), y: number(-0.5...1.5)))
    default:
      .bezier(
        startControlPoint: UnitPoint(x: 0, y: number(0...1.5)),
        endControlPoint: UnitPoint(x: 1, y: number(-0.5...1)))
    }
  }

  /// Curves without vertical tangents, whose values one step of a single-precision phase does not move.
  mutating func gentleCurve() -> UnitCurve {
    pick([.linear, .easeIn, .easeOut, .easeInOut])
  }

  mutating func spring() -> Spring {
    Spring(duration: number(0.1...1), bounce: number(-0.6...0.6))
  }

  mutating func animation() -> Animation {
    let plain: Animation
    switch count(0...6) {
    case 0: plain = .timingCurve(gentleCurve(), duration: number(0.05...2))
    case 1: plain = .timingCurve(0.3, -0.4, 0.6, 1.5, duration: number(0.05...2))
    case 2: plain = .spring(duration: number(0.1...1), bounce: number(-0.5...0.6))
    case 3: plain = .interpolatingSpring(duration: number(0.1...1), bounce: number(-0.5...0.6))
    case 4:
      plain = .interpolatingSpring(stiffness: 144, damping: 12, initialVelocity: number(-5...5))
    case 5:
      plain = .spring(
        response: number(0.1...1), dampingFraction: number(0.4...1.5), blendDuration: 0.2)
    default: plain = pick([.smooth, .snappy, .bouncy, .default, .interactiveSpring()])
    }
    return switch count(0...13) {
    case 0: plain.delay(number(0...0.5))
    case 1: plain.speed(number(0.3...3))
    case 2: plain.repeatCount(3)
    case 3: plain.repeatCount(2, autoreverses: true).delay(0.2)
    case 4: plain.delay(0.1).repeatCount(2, autoreverses: false).speed(1.5)
    case 5: plain.repeatForever()
    case 6: plain.logicallyComplete(after: 0.07)
    default: plain
    }
  }

  /// An animation that never ends by itself, one that takes no time, or any other.
  mutating func endlessOrInstantAnimation() -> Animation {
    switch count(0...9) {
    case 0, 1:
      .timingCurve(gentleCurve(), duration: number(0.2...2)).repeatForever(autoreverses: flip())
    case 2: .spring(duration: number(0.1...1), bounce: number(-0.5...0.6)).repeatForever()
    case 3: .linear(duration: number(0.2...2)).delay(0.3).repeatForever()
    case 4: .linear(duration: 0)
    case 5: .easeInOut(duration: 0).delay(number(0...0.5))
    case 6: .linear.speed(pick([0, 1e300]))
    default: animation()
    }
  }

  /// An animation that ends.
  mutating func finiteAnimation() -> Animation {
    while true {
      let animation = animation()
      if let course = animation.course(), course.end < 20 { return animation }
    }
  }
}
