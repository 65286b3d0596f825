// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: springs move as their differential equation says, in every regime, with SwiftUI's
/// parameters.
///
/// Method: the numbers of the semantics (ids in brackets), laws on random springs, and an oracle
/// that integrates the equation in small Runge-Kutta steps.
@Suite struct SpringTests {
  static let ratios = [0.0, 0.2, 0.8, 0.999_999, 1, 1.000_001, 1.25, 4, 20]

  /// x″ = -k (x - target) - c x′ with mass 1, classical fourth order, 20,000 steps.
  static func integrated(
    _ spring: Spring, from: Double, to: Double, velocity: Double, time: Double
  ) -> (value: Double, velocity: Double) {
    let w = 2 * Double.pi / spring.response
    func pull(_ x: Double, _ v: Double) -> Double {
      -w * w * (x - to) - 2 * spring.dampingRatio * w * v
    }
    var (x, v) = (from, velocity)
    let h = time / 20_000
    for _ in 0..<20_000 {
      let a1 = pull(x, v)
      let (v2, a2) = (v + h / 2 * a1, pull(x + h / 2 * v, v + h / 2 * a1))
      let (v3, a3) = (v + h / 2 * a2, pull(x + h / 2 * v2, v + h / 2 * a2))
      let (v4, a4) = (v + h * a3, pull(x + h * v3, v + h * a3))
      x += h / 6 * (v + 2 * v2 + 2 * v3 + v4)
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    }
    return (x, v)
  }

  /// [P-01] Choices: negative bounce keeps the stiffness of its duration.
  @Test func parametersConvert() {
    let bouncing = Spring(duration: 0.4, bounce: 0.2)
    #expect(abs(bouncing.stiffness - 246.74011) < 1e-5)
    #expect(abs(bouncing.damping - 25.1327412) < 1e-7)
    #expect(abs(bouncing.dampingRatio - 0.8) < 1e-15)
    let creeping = Spring(duration: 0.6, bounce: -0.2)
    #expect(abs(creeping.stiffness - 109.662271) < 1e-6)
    #expect(abs(creeping.damping - 26.1799388) < 1e-7)
    #expect(creeping.dampingRatio == 1.25)
    #expect(Spring(duration: 0.5, bounce: -1).dampingRatio == .infinity)
    #expect(Spring(duration: 0.5, bounce: -7) == Spring(duration: 0.5, bounce: -1))
    #expect(Spring(duration: 0.5, bounce: 7).dampingRatio == 0)
    #expect(Spring() == Spring(duration: 0.5, bounce: 0))
    #expect(Spring().mass == 1)
  }

  /// [P-02] One number under two names.
  @Test func responseIsDuration() {
    let spring = Spring(response: 0.4, dampingRatio: 0.8)
    #expect(spring.duration == 0.4)
    #expect(spring.response == 0.4)
    #expect(abs(spring.bounce - 0.2) < 1e-15)
    for bounce in stride(from: -0.9, through: 1, by: 0.1) {
      #expect(abs(Spring(duration: 0.3, bounce: bounce).bounce - bounce) < 1e-14)
    }
  }

  /// [P-03] And Apple's own example: mass 1, stiffness 100, damping 10 is (0.63, 0.5).
  @Test func overdampingNeedsLeave() {
    #expect(Spring(mass: 1, stiffness: 144, damping: 60).dampingRatio == 1)
    let allowed = Spring(mass: 1, stiffness: 144, damping: 60, allowOverDamping: true)
    #expect(allowed.dampingRatio == 2.5)
    #expect(abs(allowed.bounce + 0.6) < 1e-15)
    let example = Spring(mass: 1, stiffness: 100, damping: 10)
    #expect(abs(example.duration - 0.63) < 0.005)
    #expect(abs(example.bounce - 0.5) < 1e-12)
    let heavy = Spring(mass: 3, stiffness: 48, damping: 6)
    #expect(heavy.mass == 3)
    #expect(abs(heavy.stiffness - 48) < 1e-12)
    #expect(abs(heavy.damping - 6) < 1e-12)
  }

  /// [P-04] [N-10] and [P-18] in the last row: it oscillates for ever.
  @Test(
    arguments: [
      (0.4, 0, 0.08, 0.357739556, 5.6179672), (0.4, 0, 0.3, 0.948683947, 0.664961464),
      (0.4, 0.2, 0.08, 0.399251268, 6.55800181), (0.4, 0.2, 0.3, 1.01242695, 0.186508816),
      (0.6, -0.2, 0.3, 0.723449712, 1.43823601), (0.6, -0.2, 0.9, 0.988022281, 0.0627151569),
      (0.7, 0.15, 0.9, 1.00196854, -0.0159339937), (0.4, 1, 0.2, 2, 0),
    ] as [(Double, Double, Double, Double, Double)])
  func knownMotion(_ row: (Double, Double, Double, Double, Double)) {
    let spring = Spring(duration: row.0, bounce: row.1)
    #expect(abs(spring.value(target: 1, time: row.2) - row.3) < 6e-9)
    #expect(abs(spring.velocity(target: 1, time: row.2) - row.4) < 6e-8)
  }

  /// [P-05] Positive is toward larger values.
  @Test func velocityHasTheSignOfItsWay() {
    let spring = Spring(duration: 0.4, bounce: 0)
    for (v, value) in [(5.0, 0.299953), (0, 0.185969), (-5, 0.071984)] {
      #expect(abs(spring.value(target: 1, initialVelocity: v, time: 0.05) - value) < 1e-6)
      let shifted = spring.value(fromValue: 7, toValue: 8, initialVelocity: v, time: 0.05)
      #expect(abs(shifted - 7 - value) < 1e-6)
      #expect(spring.velocity(target: 1, initialVelocity: v, time: 0) == v)
      #expect(spring.value(fromValue: 0.1, toValue: 0.7, initialVelocity: v, time: 0) == 0.1)
    }
  }

  /// [P-04] Every regime against the oracle, with a velocity.
  @Test(arguments: ratios) func motionMatchesIntegration(ratio: Double) {
    let spring = Spring(response: 0.5, dampingRatio: ratio)
    for time in [0.01, 0.1, 0.37, 1, 3] {
      let oracle = Self.integrated(spring, from: -2, to: 3, velocity: -11, time: time)
      let value = spring.value(fromValue: -2, toValue: 3, initialVelocity: -11, time: time)
      let speed = spring.velocity(fromValue: -2, toValue: 3, initialVelocity: -11, time: time)
      #expect(abs(value - oracle.value) < 1e-9, "at \(time)")
      #expect(abs(speed - oracle.velocity) < 1e-8, "at \(time)")
    }
  }

  /// [P-06] [N-03] [N-04] Many steps equal one; no time changes nothing.
  @Test(arguments: [UInt64(1), 2, 3]) func stepsAddUp(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let ratio = Self.ratios.randomElement(using: &random) ?? 1
      let spring = Spring(
        response: Double.random(in: 0.05...2, using: &random), dampingRatio: ratio)
      let target = Double.random(in: -9...9, using: &random)
      let (value, velocity) = (1.5, Double.random(in: -20...20, using: &random))
      var (one, oneVelocity, many, manyVelocity) = (value, velocity, value, velocity)
      spring.update(value: &one, velocity: &oneVelocity, target: target, deltaTime: 0)
      #expect(one == value)
      #expect(oneVelocity == velocity)
      spring.update(value: &one, velocity: &oneVelocity, target: target, deltaTime: 0.3)
      for _ in 0..<18 {
        spring.update(
          value: &many, velocity: &manyVelocity, target: target, deltaTime: 0.3 / 18)
      }
      #expect(abs(one - many) < 1e-9, "seed \(seed): \(spring)")
      #expect(abs(oneVelocity - manyVelocity) < 1e-9 * 130, "seed \(seed): \(spring)")
      let formula = spring.value(
        fromValue: value, toValue: target, initialVelocity: velocity, time: 0.3)
      #expect(one == formula, "seed \(seed): \(spring)")
    }
  }

  /// [P-07] Two terms.
  @Test func forceIsHookesAndFriction() {
    let spring = Spring(mass: 1, stiffness: 144, damping: 12)
    #expect(abs(spring.force(target: 1, position: 0.5, velocity: 2) - 48) < 1e-12)
    let between = spring.force(fromValue: 9, toValue: 1, position: 0.5, velocity: 2)
    #expect(abs(between - 48) < 1e-12)
    let heavy = Spring(mass: 2, stiffness: 50, damping: 8)
    #expect(abs(heavy.force(target: 1, position: 0, velocity: 1) - 42) < 1e-12)
  }

  /// [P-08] Three presets, plain and tuned.
  @Test func presets() {
    #expect(Spring.smooth == Spring(duration: 0.5, bounce: 0))
    #expect(Spring.snappy == Spring(duration: 0.5, bounce: 0.15))
    #expect(Spring.bouncy == Spring(duration: 0.5, bounce: 0.3))
    #expect(abs(Spring.bouncy(extraBounce: 0.1).dampingRatio - 0.6) < 1e-15)
    #expect(Spring.snappy(duration: 0.4).dampingRatio == 0.85)
    #expect(Spring.snappy(duration: 0.4).response == 0.4)
    #expect(Spring.smooth(duration: 0.4, extraBounce: 0.2) == Spring(duration: 0.4, bounce: 0.2))
  }

  /// [P-13] The right limit of a short response.
  @Test func noResponseSnaps() {
    let spring = Spring(response: 0, dampingRatio: 1)
    #expect(spring.value(target: 3, time: 0) == 0)
    #expect(spring.value(target: 3, initialVelocity: 50, time: 1e-9) == 3)
    #expect(spring.velocity(target: 3, initialVelocity: 50, time: 1e-9) == 0)
    #expect(spring.settlingBound == 0)
  }

  /// [P-01] Infinite damping is the limit of much damping.
  @Test func infiniteDampingStandsStill() {
    for spring in [Spring(bounce: -1), Spring(response: 0.5, dampingRatio: 1e12)] {
      let value = spring.value(fromValue: 2, toValue: 3, initialVelocity: 5, time: 1)
      #expect(abs(value - 2) < 1e-9)
      #expect(abs(spring.velocity(target: 3, initialVelocity: 5, time: 1)) < 1e-9)
    }
    #expect(Spring(bounce: -1).settlingBound == .infinity)
  }

  /// [P-17] Position, velocity and settling time on both sides of critical damping.
  @Test(arguments: [0.0, 1e-15, 1e-12, 1e-10, 1e-8]) func criticalDampingIsNoSeam(_ gap: Double) {
    let springs = [1 - gap, 1, 1 + gap].map { Spring(response: 0.4, dampingRatio: $0) }
    for time in stride(from: 0.0, through: 3, by: 0.01) {
      let values = springs.map { $0.value(target: 1, initialVelocity: 40, time: time) }
      let speeds = springs.map { $0.velocity(target: 1, initialVelocity: 40, time: time) }
      #expect(abs(values[0] - values[2]) < 1e-12 + 10 * gap, "at \(time)")
      #expect(abs(values[0] - values[1]) < 1e-12 + 10 * gap, "at \(time)")
      #expect(abs(speeds[0] - speeds[2]) < 1e-10 + 200 * gap, "at \(time)")
    }
    let settled = springs.map { $0.settlingBound(target: 1, epsilon: 0.001) }
    #expect(abs(settled[0] - settled[2]) < 1e-9 + 10 * gap)
    let made = [1 - gap, 1].map { Spring(settlingDuration: 1, dampingRatio: $0).response }
    #expect(abs(made[0] - made[1]) < 1e-12 + 10 * gap)
  }

  /// Energy of a spring never grows; in one without damping it stays.
  @Test(arguments: ratios) func energyNeverGrows(ratio: Double) {
    let spring = Spring(response: 0.5, dampingRatio: ratio)
    var (value, velocity, before) = (-1.0, 3.0, Double.infinity)
    for tick in 0..<2_000 {
      let energy = spring.stiffness * value * value / 2 + velocity * velocity / 2
      #expect(energy <= before * (1 + 1e-13) + 1e-300, "tick \(tick)")
      if ratio == 0, tick > 0 { #expect(abs(energy / before - 1) < 1e-12, "tick \(tick)") }
      before = energy
      spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: 1.0 / 60)
    }
  }

  /// [P-09] Choices: what the definition demands, for random springs.
  @Test(arguments: [UInt64(1), 2, 3]) func settledStaysSettled(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let ratio = Double.random(in: 0.05...3, using: &random)
      let response = Double.random(in: 0.05...5, using: &random)
      let spring = Spring(response: response, dampingRatio: ratio)
      let velocity = Double.random(in: -50...50, using: &random)
      let epsilon = pow(10, Double.random(in: -6...1, using: &random))
      let seconds = spring.settlingBound(
        target: 2, initialVelocity: velocity, epsilon: epsilon)
      #expect(seconds >= 0, "seed \(seed): \(spring)")
      #expect(seconds < 10_000, "seed \(seed): \(spring)")
      for step in 0..<500 {
        let time = seconds + Double(step) * response / 40
        let value = spring.value(target: 2, initialVelocity: velocity, time: time)
        let distance: Double = abs(value - 2)
        #expect(distance < epsilon * (1 + 1e-6), "seed \(seed): \(spring) \(velocity)")
      }
    }
  }

  /// [P-09] A critically damped spring settles where (|target| + b t) e^(-w t) falls below epsilon: neither earlier, nor
  /// more than a few digits later.
  @Test(arguments: [UInt64(4), 5]) func criticalSpringsSettleAtTheMoment(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      let spring = Spring(response: pow(10, .random(in: -3...3, using: &random)), dampingRatio: 1)
      let rate = 2 * .pi / spring.response
      let target = pow(10, Double.random(in: -3...6, using: &random))
      let velocity = rate * pow(10, Double.random(in: -6...6, using: &random))
      let epsilon = pow(10, Double.random(in: -9...2, using: &random))
      func bound(_ time: Double) -> Double {
        (target + abs(target * rate - velocity) * time) * exp(-rate * time)
      }
      let seconds = spring.settlingBound(
        target: target, initialVelocity: velocity, epsilon: epsilon)
      #expect(bound(seconds) < epsilon * (1 + 1e-12), "seed \(seed): \(spring) \(velocity)")
      guard seconds > 0 else { continue }
      // Where the bound is flat, rounding moves the moment farther.
      let before = min(seconds * (1 - 1e-9), seconds - 1e-6 / rate)
      #expect(bound(before) >= epsilon, "seed \(seed): \(spring) \(velocity) \(seconds)")
    }
  }

  /// What is found without a logarithm is never too late, and seldom much too soon.
  @Test(arguments: [UInt64(6), 7]) func settlingMinimumIsNotAfterTheBound(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var shares: [Double] = []
    for round in 0..<20_000 {
      let ratio = round % 4 == 0 ? 1 : pow(10, Double.random(in: -9...0.2, using: &random))
      let spring = Spring(
        response: pow(10, .random(in: -6...6, using: &random)),
        dampingRatio: round % 4 == 1 ? 1 - ratio * 1e-3 : ratio)
      let distance = pow(10, Double.random(in: -9...6, using: &random))
      let drift = spring.decay * distance * pow(10, .random(in: -9...9, using: &random))
      let epsilon = pow(10, Double.random(in: -9...2, using: &random))
      let bound = spring.settlingDuration(distance: distance, drift: drift, epsilon: epsilon)
      let minimum = spring.settlingMinimum(distance: distance, drift: drift, epsilon: epsilon)
      #expect(minimum <= bound, "seed \(seed): \(spring) \(distance) \(drift) \(epsilon)")
      if minimum > 0 { shares.append(minimum / bound) }
    }
    #expect(shares.count > 8_000)
    #expect(shares.sorted()[shares.count / 2] > 0.9)
    let usual = Spring(duration: 0.5)
    let share =
      usual.settlingMinimum(distance: 1, drift: usual.decay, epsilon: 0.001)
      / usual.settlingDuration(distance: 1, drift: usual.decay, epsilon: 0.001)
    #expect(share > 0.95 && share <= 1)
  }

  /// [P-09] Core Animation's numbers, and no more than SwiftUI's.
  @Test func knownSettlingDurations() {
    let spring = Spring(duration: 0.6, bounce: 0.25)
    #expect(abs(spring.settlingBound - 0.976028) < 1e-6)
    #expect(spring.settlingBound <= 1.157199)
    let textbook = Spring(mass: 1, stiffness: 144, damping: 12)
    #expect(abs(textbook.settlingBound - 1.227250) < 1e-6)
    #expect(Spring(duration: 0.6, bounce: 1).settlingBound == .infinity)
    let shifted = spring.settlingBound(
      fromValue: 5, toValue: 6, initialVelocity: 0, epsilon: 0.001)
    #expect(shifted == spring.settlingBound)
    #expect(spring.settlingBound(target: 0.0001, epsilon: 0.001) == 0)
    let farther = spring.settlingBound(target: 1_000, epsilon: 1)
    #expect(abs(farther - spring.settlingBound) < 1e-12)
  }

  /// [P-09] Critical and overdamped from rest: the very moment.
  @Test(arguments: [1, 1.25, 4]) func slowSpringsSettleAtTheMoment(ratio: Double) {
    let spring = Spring(response: 0.5, dampingRatio: ratio)
    for epsilon in [1e-9, 0.001, 0.5, 0.9] {
      let seconds = spring.settlingBound(target: 1, epsilon: epsilon)
      #expect(abs(1 - spring.value(target: 1, time: seconds) - epsilon) < 1e-12)
    }
  }

  /// [P-04] The slow rate of a heavily damped spring keeps its digits: it is w/(2 z), nearly.
  @Test func creepKeepsItsDigits() {
    let spring = Spring(response: 0.5, dampingRatio: 1e9)
    let time = 2 * spring.dampingRatio * spring.response / (2 * Double.pi)
    #expect(abs(spring.value(target: 1, time: time) - (1 - exp(-1))) < 1e-12)
  }

  /// [P-10] From a settling duration to a spring.
  @Test func settlingDurationMakesASpring() {
    let spring = Spring(settlingDuration: 1.2, dampingRatio: 0.6)
    #expect(abs(spring.response - 0.683360) < 1e-6)
    let critical = Spring(settlingDuration: 1.2, dampingRatio: 4)
    #expect(critical.dampingRatio == 1)
    #expect(abs(critical.settlingBound - 1.2) < 1e-9)
    #expect(Spring(settlingDuration: 99, dampingRatio: 0.6).response > spring.response)
    let clamped = Spring(settlingDuration: 10, dampingRatio: 0.6)
    #expect(Spring(settlingDuration: 99, dampingRatio: 0.6) == clamped)
    #expect(Spring(settlingDuration: -1, dampingRatio: 0.6).response > 0)
    for ratio in [-1, 0, 1e-9, 0.000_5, 0.01, 0.99, 0.999, 1 - 1e-12] {
      for epsilon in [1e-9, 0.001, 0.5, 2] {
        let spring = Spring(settlingDuration: 1, dampingRatio: ratio, epsilon: epsilon)
        #expect(spring.response > 0, "\(ratio) \(epsilon)")
        #expect(spring.response < 10, "\(ratio) \(epsilon)")
      }
    }
  }

  /// [N-06] NaN does not hang, and does not hide.
  @Test func notANumberStays() {
    let spring = Spring(duration: .nan, bounce: 0)
    #expect(spring.value(target: 1, time: 1).isNaN)
    #expect(spring.settlingBound.isNaN)
    #expect(Spring().value(target: .nan, time: 1).isNaN)
    #expect(Spring().settlingBound(target: .nan, epsilon: 0.001).isNaN)
  }

  /// [P-04] After a very long time a spring rests exactly at its target.
  @Test(arguments: [0.2, 1, 4]) func endIsExact(ratio: Double) {
    let spring = Spring(response: 0.5, dampingRatio: ratio)
    #expect(spring.value(fromValue: 0.1, toValue: 0.7, initialVelocity: 3, time: 1e9) == 0.7)
    #expect(spring.value(target: 0.7, time: .infinity) == 0.7)
  }

  /// [A-20] [S2-02] Vectors and animatable values move component by component.
  @Test func vectorsMoveAsNumbers() {
    let spring = Spring(duration: 0.6, bounce: 0.3)
    typealias Pair = AnimatablePair<Double, Double>
    let (target, speed) = (Pair(3, -4), Pair(-1, 20))
    let value = spring.value(target: target, initialVelocity: speed, time: 0.2)
    let velocity = spring.velocity(target: target, initialVelocity: speed, time: 0.2)
    #expect(abs(value.first - spring.value(target: 3, initialVelocity: -1, time: 0.2)) < 1e-14)
    #expect(abs(value.second - spring.value(target: -4, initialVelocity: 20, time: 0.2)) < 1e-14)
    let first = spring.velocity(target: 3, initialVelocity: -1, time: 0.2)
    #expect(abs(velocity.first - first) < 1e-13)
    var (moved, movedSpeed) = (Pair(0, 0), speed)
    spring.update(value: &moved, velocity: &movedSpeed, target: target, deltaTime: 0.2)
    #expect(moved == value)
    #expect(movedSpeed == velocity)
    let force = spring.force(target: target, position: .zero, velocity: speed)
    #expect(abs(force.second - spring.force(target: -4, position: 0, velocity: 20)) < 1e-9)
    let start = CGPoint(x: 1, y: 2)
    let end = spring.value(
      fromValue: start, toValue: CGPoint(x: 4, y: -2), initialVelocity: CGPoint(x: -1, y: 20),
      time: 0.2)
    #expect(abs(end.x - 1 - value.first) < 1e-14)
    #expect(abs(end.y - 2 - value.second) < 1e-14)
    let along = spring.settlingBound(target: Pair(3, -4), epsilon: 0.001)
    #expect(abs(along - spring.settlingBound(target: 5, epsilon: 0.001)) < 1e-14)
  }

  /// What shows in a few operations that a spring is at rest after a time is never wrong, and seldom silent.
  @Test func restIsKnownBeforehand() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<5_000 {
      let spring = Spring(
        response: random.number(in: 0.01...3), dampingRatio: random.number(in: 0.01...4))
      let seconds = spring.settlingBound(target: 1, epsilon: 1e-5)
      #expect(!spring.isAtRest(after: seconds * 0.9999, length: 2000), "\(spring)")
      #expect(!spring.isAtRest(after: 1e9, length: 2001), "\(spring)")
      // Near a damping ratio of 1 from below the logarithm says too much.
      if spring.dampingRatio < 0.9 || spring.dampingRatio >= 1 {
        #expect(spring.isAtRest(after: seconds * 1.4, length: 2000), "\(spring)")
      }
    }
    let still = Spring(response: 1, dampingRatio: .infinity)
    let snap = Spring(response: 0, dampingRatio: 1)
    for spring in [
      still, snap, Spring(response: 1, dampingRatio: 0), Spring(response: .nan, dampingRatio: 1),
    ] {
      #expect(!spring.isAtRest(after: 1e9, length: 1), "\(spring)")
    }
  }

  /// [P-10] What is out of range counts as the nearest number in it: 0.01...10 s, a damping ratio up to 1,
  /// an epsilon from 1e-15.
  @Test func partsOfASettlingSpringAreClamped() {
    func spring(_ seconds: Double, _ ratio: Double = 0.6, _ epsilon: Double = 0.001) -> Spring {
      Spring(settlingDuration: seconds, dampingRatio: ratio, epsilon: epsilon)
    }
    #expect(spring(0.005) == spring(0.01))
    #expect(spring(0.01) != spring(0.011))
    #expect(spring(10.5) == spring(10))
    #expect(spring(9.99) != spring(10))
    #expect(spring(1, 1.5) == spring(1, 1))
    #expect(spring(1, 1) != spring(1, 0.99))
    #expect(spring(1, -1) == spring(1, .ulpOfOne))
    #expect(spring(1, 0).dampingRatio == .ulpOfOne)
    #expect(spring(1, 0.6, 1e-16) == spring(1, 0.6, 1e-15))
    #expect(spring(1, 0.6, 2e-15) != spring(1, 0.6, 1e-15))
    #expect(abs(spring(1.2, 0.6, 0.01).response - 1.047806803911252) < 1e-12)
    #expect(abs(spring(1.2).response - 0.6833600294188164) < 1e-12)
    // The response is in proportion to the time.
    #expect(abs(spring(2.4).response / spring(1.2).response - 2) < 1e-12)
  }

  /// Animatable values as their data, with all else taken from where they are going.
  @Test func animatableValuesMoveByTheirData() {
    struct Dot: Animatable {
      var x: Double
      var name: String
      var animatableData: Double {
        get { x }
        set { x = newValue }
      }
    }
    let spring = Spring(duration: 0.6, bounce: 0.3)
    let (from, to) = (Dot(x: 1, name: "from"), Dot(x: 4, name: "to"))
    let speed = Dot(x: -2, name: "speed")
    let start = spring.value(fromValue: from, toValue: to, initialVelocity: speed, time: 0)
    #expect(start.x == 1)
    #expect(start.name == "to")
    let value = spring.value(fromValue: from, toValue: to, initialVelocity: speed, time: 0.2)
    let exact = spring.value(fromValue: 1.0, toValue: 4, initialVelocity: -2, time: 0.2)
    #expect(abs(value.x - exact) < 1e-14)
    #expect(value.name == "to")
    let velocity = spring.velocity(fromValue: from, toValue: to, initialVelocity: speed, time: 0.2)
    let exactVelocity = spring.velocity(fromValue: 1.0, toValue: 4, initialVelocity: -2, time: 0.2)
    #expect(abs(velocity.x - exactVelocity) < 1e-12)
    #expect(velocity.name == "to")
    let place = Dot(x: 3, name: "place")
    let force = spring.force(fromValue: from, toValue: to, position: place, velocity: speed)
    #expect(abs(force.x - spring.force(target: 4, position: 3, velocity: -2)) < 1e-9)
    #expect(force.name == "to")
    let seconds = spring.settlingBound(
      fromValue: from, toValue: to, initialVelocity: speed, epsilon: 0.01)
    #expect(seconds == spring.settlingBound(target: 3, initialVelocity: -2, epsilon: 0.01))
    #expect(seconds > 0)
    let numbers = spring.settlingBound(
      fromValue: 1.0, toValue: 4, initialVelocity: -2, epsilon: 0.01)
    #expect(numbers == seconds)
  }

  /// A vector is at its start at time 0 bit for bit, and a step of no time leaves it and its velocity.
  @Test func vectorsBeginWhereTheyAre() {
    typealias Pair = AnimatablePair<Double, Double>
    let spring = Spring(duration: 0.6, bounce: 0.3)
    let (target, speed) = (Pair(3, -4), Pair(-1, 20))
    #expect(spring.value(target: target, initialVelocity: speed, time: 0) == .zero)
    #expect(spring.velocity(target: target, initialVelocity: speed, time: 0) == speed)
    var (value, velocity) = (Pair(0.1, 0.7), speed)
    spring.update(value: &value, velocity: &velocity, target: target, deltaTime: 0)
    #expect(value == Pair(0.1, 0.7))
    #expect(velocity == speed)
    let slow = spring.settlingBound(target: target, epsilon: 0.001)
    let fast = spring.settlingBound(
      target: target, initialVelocity: Pair(300, -400), epsilon: 0.001)
    #expect(fast > slow)
    #expect(
      abs(fast - spring.settlingBound(target: 5, initialVelocity: 500, epsilon: 0.001)) < 1e-12)
  }

  /// Numbers below 0 are 0, and not a negative zero.
  @Test func negativePartsAreNone() {
    let spring = Spring(response: -1, dampingRatio: -0.0)
    #expect(spring.response.bitPattern == 0)
    #expect(spring.dampingRatio.bitPattern == 0)
    #expect(Spring(response: 1, dampingRatio: -3).dampingRatio == 0)
    #expect(Spring(duration: 0.5, bounce: 1.0.nextDown).dampingRatio > 0)
    // Critical damping itself is not above it.
    let exact = Spring(mass: 1, stiffness: 100, damping: 20)
    #expect(exact.dampingRatio == 1)
    #expect(Spring(mass: 1, stiffness: 100, damping: 19).dampingRatio == 0.95)
  }
}
