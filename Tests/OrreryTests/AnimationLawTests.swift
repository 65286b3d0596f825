// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// What a modifier of a random animation is, for an oracle that knows nothing of the library's.
private enum Wrapping {
  case delay(Double), speed(Double)
  case repeats(Int, autoreverses: Bool)
}

/// A random animation, with what it is made of.
private struct RandomAnimation {
  var animation: Animation
  var wrappings: [Wrapping] = []
  let shape: @Sendable (Double) -> Double
  let seconds: Double
  /// Whether all legs, and so the end, lead to 1.
  var endsAtOne = true

  init(_ random: inout SeededRandom, depth: Int = 4, springs: Bool = true) {
    switch Int.random(in: 0..<(springs ? 4 : 2), using: &random) {
    case 0:
      let seconds = random.number(in: 0.05...3)
      self.seconds = seconds
      animation = .linear(duration: seconds)
      shape = { $0 / seconds }
    case 1:
      let seconds = random.number(in: 0.05...3)
      self.seconds = seconds
      animation = .easeInOut(duration: seconds)
      shape = { UnitCurve.easeInOut.value(at: $0 / seconds) }
    case 2:
      let spring = Spring(
        duration: random.number(in: 0.1...2), bounce: random.number(in: -0.5...0.9))
      seconds = spring.settlingBound
      animation = .spring(spring)
      shape = { spring.value(target: 1, time: $0) }
    default:
      let spring = Spring(
        duration: random.number(in: 0.1...2), bounce: random.number(in: 0...0.9))
      seconds = spring.settlingBound
      animation = .interpolatingSpring(spring)
      shape = { spring.value(target: 1, time: $0) }
    }
    for _ in 0..<Int.random(in: 0...depth, using: &random) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let delay = random.number(in: 0...2)
        animation = animation.delay(delay)
        wrappings.append(.delay(delay))
      case 1:
        let speed = random.number(in: 0.2...5)
        animation = animation.speed(speed)
        wrappings.append(.speed(speed))
      default:
        let count = Int.random(in: 1...4, using: &random)
        let autoreverses = Bool.random(using: &random)
        animation = animation.repeatCount(count, autoreverses: autoreverses)
        wrappings.append(.repeats(count, autoreverses: autoreverses))
        if autoreverses { endsAtOne = false }
      }
    }
  }

  /// Length and progress, from the outside in; progress is nil close to where legs meet.
  func length(_ depth: Int) -> Double {
    guard depth > 0 else { return seconds }
    let inner = length(depth - 1)
    switch wrappings[depth - 1] {
    case .delay(let delay): return inner + delay
    case .speed(let speed): return inner / speed
    case .repeats(let count, _): return inner * Double(count)
    }
  }

  func progress(_ time: Double, _ depth: Int) -> Double? {
    guard depth > 0 else { return time > seconds - 1e-9 ? nil : shape(time) }
    switch wrappings[depth - 1] {
    case .delay(let delay): return progress(max(0, time - delay), depth - 1)
    case .speed(let speed): return progress(time * speed, depth - 1)
    case .repeats(_, let autoreverses):
      let inner = length(depth - 1)
      var (rest, isBack) = (time, false)
      while rest > inner {
        rest -= inner
        isBack.toggle()
      }
      if rest < 1e-9 || rest > inner - 1e-9 { return nil }
      let progress = progress(rest, depth - 1)
      return isBack && autoreverses ? progress.map { 1 - $0 } : progress
    }
  }
}

/// Goal: laws that hold for every animation.
///
/// Method: random animations, and an oracle that walks through modifiers leg by leg. The seed is in
/// the test's arguments.
@Suite struct AnimationLawTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func coursesAgreeWithTheOracle(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var compared = 0
    for _ in 0..<300 {
      let sample = RandomAnimation(&random)
      let course = try #require(sample.animation.course())
      let depth = sample.wrappings.count
      #expect(abs(course.end - sample.length(depth)) < 1e-9 * course.end, "\(sample.animation)")
      for _ in 0..<10 {
        let time = random.number(in: 0...course.end)
        guard let expected = sample.progress(time, depth) else { continue }
        compared += 1
        #expect(abs(course.progress(at: time) - expected) < 1e-6, "\(sample.animation) \(time)")
      }
      // A length of 0 is at rest at the end.
      if sample.endsAtOne { #expect(course.progress(at: course.end, length: 0) == 1) }
      #expect(course.progress(at: course.rest(length: 1).nextUp) == 1)
      #expect(course.legCount.flatMap { course.legEnd($0 - 1) } == course.end)
    }
    #expect(compared > 2000)
  }

  @Test(arguments: [4, 5] as [UInt64]) func velocityIsTheSlope(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let sample = RandomAnimation(&random)
      let course = try #require(sample.animation.course())
      let time = random.number(in: 0...course.end)
      let h = 1e-5
      let segment = course.segment(at: time)
      guard time - h > segment.start, time + h < segment.end else { continue }
      let (before, after) = (course.progress(at: time - h), course.progress(at: time + h))
      if case .cycle = segment.shape { continue }
      let slope = (after - before) / (2 * h)
      #expect(abs(course.velocity(at: time) - slope) < 1e-3 * max(1, abs(slope)))
    }
  }

  @Test(arguments: [6, 7] as [UInt64]) func segmentsFollowEachOther(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let sample = RandomAnimation(&random)
      let course = try #require(sample.animation.course())
      var time = 0.0
      var count = 0
      while time < course.end {
        let segment = course.segment(at: time)
        #expect(segment.start <= time, "\(sample.animation)")
        #expect(segment.end > time, "\(sample.animation)")
        guard segment.end > time else { break }
        for _ in 0..<3 {
          let end = min(segment.end, course.end)
          let now = random.number(in: time...end)
          // Beside the borders of legs, where one rounding decides.
          guard now > time + 1e-9, now < end - 1e-9 else { continue }
          let progress = course.progress(at: now)
          let difference = abs(segment.progress(at: now) - progress)
          var isNearBorder = false
          if case .cycle(_, let start, let leg, _, _) = segment.shape {
            let turns = (now - start) / leg
            isNearBorder = abs(turns - turns.rounded()) < 1e-9
          }
          #expect(difference < 1e-6 || isNearBorder, "\(sample.animation) \(now)")
        }
        time = segment.end
        count += 1
        #expect(count < 2000)
      }
      let rest = course.segment(at: course.end.nextUp)
      #expect(rest.shape == .hold(1))
      #expect(rest.end == .infinity)
    }
  }

  /// Roundings at the borders make no segments of their own.
  @Test func everyLegIsOneHoldAndOneMotion() throws {
    var random = SeededRandom(seed: 14)
    for _ in 0..<100 {
      let spring = Spring(duration: random.number(in: 0.1...2), bounce: 0.3)
      let animation = Animation.spring(spring).speed(random.number(in: 0.2...5))
        .delay(random.number(in: 0.1...1)).repeatCount(4).speed(random.number(in: 0.2...5))
        .repeatCount(5, autoreverses: false)
      let course = try #require(animation.course())
      var (time, count) = (0.0, 0)
      while time < course.end, count < 100 {
        time = course.segment(at: time).end
        count += 1
      }
      #expect(count == 40, "\(animation)")
      #expect(time == course.end, "\(animation)")
    }
  }

  /// A million legs of a curve are one segment.
  @Test func repeatedCurveIsOneSegment() throws {
    let course = try #require(
      Animation.easeIn(duration: 0.4).delay(0.1).repeatForever().speed(2).delay(1).course())
    #expect(course.segment(at: 0.5).shape == .hold(0))
    #expect(course.segment(at: 0.5).end == 1)
    let segment = course.segment(at: 1e6)
    #expect(segment.start == 1)
    #expect(segment.end == .infinity)
    #expect(
      segment.shape
        == .cycle(.easeIn, start: 1, legDuration: 0.25, delayInLeg: 0.05, autoreverses: true))
  }

  /// The displayed value is continuous at every change, and with springs its velocity too.
  @Test(arguments: [8, 9, 10] as [UInt64]) func changesDoNotJump(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<150 {
      var track = AnimationTrack(AnimatablePair(0.0, 0.0))
      var time = 0.0
      for id in 0..<8 as Range<UInt64> {
        time += random.number(in: 0.01...0.6)
        let sample = RandomAnimation(&random, depth: 2)
        let target = AnimatablePair(
          random.number(in: -100...100), random.number(in: -100...100))
        let before = (track.value(at: time), track.velocity(at: time))
        track.set(target, animation: sample.animation, at: time, id: id)
        let jump = track.value(at: time) - before.0
        #expect(jump.magnitudeSquared < 1e-18, "\(sample.animation)")
        if case .spring = track.motions.last?.kind, track.motions.count == 1 {
          let kink = track.velocity(at: time) - before.1
          #expect(kink.magnitudeSquared < 1e-12 * max(1, before.1.magnitudeSquared))
        }
      }
      #expect(track.model == track.value(at: 1e6))
      #expect(!track.removeFinished(at: 1e6).isEmpty)
      #expect(track.motions.isEmpty)
    }
  }

  /// [N-03] Looking more often changes nothing.
  @Test func valuesDoNotDependOnSteps() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<50 {
      let first = RandomAnimation(&random, depth: 2).animation
      let second = RandomAnimation(&random, depth: 2).animation
      var results: [[Double]] = []
      for ticks in [1, 7, 60, 1000] {
        var track = AnimationTrack(0.0)
        track.set(10, animation: first, at: 0, id: 0)
        track.set(-3, animation: second, at: 0.05, id: 1)
        for tick in 1...ticks {
          let time = 0.05 + 0.95 * Double(tick) / Double(ticks)
          _ = track.removeFinished(at: time)
          _ = track.value(at: time)
        }
        results.append([track.value(at: 1), track.velocity(at: 1), Double(track.motions.count)])
      }
      #expect(Set(results).count == 1, "\(first) \(second)")
    }
  }

  /// Whatever numbers are written, nothing traps, and what has an end ends.
  @Test(arguments: [12, 13] as [UInt64]) func oddNumbersAreSurvived(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let odd: [Double] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .nan, 1e300, -1e300, .leastNonzeroMagnitude, .ulpOfOne,
      0.5,
    ]
    func number() -> Double { odd.randomElement(using: &random) ?? 0 }
    for _ in 0..<5000 {
      var animation: Animation
      switch Int.random(in: 0..<5, using: &random) {
      case 0: animation = .linear(duration: number())
      case 1: animation = .timingCurve(number(), number(), number(), number(), duration: number())
      case 2:
        animation = .spring(
          response: number(), dampingFraction: number(), blendDuration: number())
      case 3: animation = .spring(duration: number(), bounce: number(), blendDuration: number())
      default:
        animation = .interpolatingSpring(
          mass: number(), stiffness: number(), damping: number(), initialVelocity: number())
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: animation = animation.delay(number())
        case 1: animation = animation.speed(number())
        case 2:
          animation = animation.repeatCount(
            [.min, 0, 2, .max].randomElement(using: &random) ?? 1,
            autoreverses: Bool.random(using: &random))
        default: animation = animation.logicallyComplete(after: number())
        }
      }
      let course = try #require(animation.course(initialVelocity: number()))
      #expect(course.end >= 0, "\(animation)")
      #expect(course.logicalEnd <= course.end, "\(animation)")
      for time in [0, 0.3, 1e9, Double.infinity, .nan, -1, course.end] {
        _ = (course.progress(at: time), course.velocity(at: time))
        let segment = course.segment(at: time)
        #expect(segment.end >= segment.start, "\(animation) \(time)")
        if time >= 0, time < course.end { #expect(segment.end > time, "\(animation) \(time)") }
        _ = segment.progress(at: time)
      }
      _ = (course.legEnd(0), course.legEnd(1), course.legEnd(.max), course.legEnd(-1))
      var track = AnimationTrack(0.0)
      track.set(number(), animation: animation, at: 0, id: 0)
      track.set(3, animation: animation, at: 0.5, id: 1)
      track.set(number(), animation: .interactiveSpring, at: 0.6, id: 2)
      _ = (track.value(at: 0.7), track.velocity(at: 0.7))
      track.set(4, animation: animation, at: 0.8, id: 3)
      for motion in track.motions { #expect(motion.logicalEnd <= motion.end, "\(animation)") }
      _ = track.removeFinished(at: 1e12)
    }
  }
}
