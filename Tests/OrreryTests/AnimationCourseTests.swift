// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: an animation of the unit interval is where its semantics say, at any time.
///
/// Method: the numbers of the semantics, ids in brackets.
@Suite struct AnimationCourseTests {
  static func course(_ animation: Animation) throws -> AnimationCourse {
    try #require(animation.course())
  }

  /// And every other curve without a duration.
  @Test func curvesLast035SecondsByDefault() throws {
    #expect(try abs(Self.course(.linear).progress(at: 0.07) - 0.2) < 1e-15)
    let animations: [Animation] = [
      .linear, .easeIn, .easeOut, .easeInOut, .linear(), .easeIn(), .easeOut(), .easeInOut(),
      .timingCurve(0.1, 0.2, 0.3, 0.4),
    ]
    for animation in animations { #expect(try Self.course(animation).end == 0.35) }
  }

  /// The presets, through the animation.
  @Test func presetsHaveTheirControlPoints() throws {
    let rows: [(Animation, [Double])] = [
      (.easeIn(duration: 1), [0.062282, 0.214861, 0.429120]),
      (.easeOut(duration: 1), [0.308366, 0.570880, 0.785139]),
      (.easeInOut(duration: 1), [0.081660, 0.331884, 0.668116]),
      (.timingCurve(0.1, 0.75, 0.85, 0.35, duration: 1), [0.400458, 0.508322, 0.578731]),
    ]
    for (animation, expected) in rows {
      let course = try Self.course(animation)
      for (x, y) in zip([0.2, 0.4, 0.6], expected) {
        #expect(abs(course.progress(at: x) - y) < 2e-6)
      }
    }
  }

  /// Durations that are not greater than 0 are over at once.
  @Test func endValueIsShownAtTheEnd() throws {
    let course = try Self.course(.linear(duration: 1))
    #expect(course.end == 1)
    #expect(course.progress(at: 1) == 1)
    var track = AnimationTrack(0.0)
    track.set(1, animation: .linear(duration: 1), at: 0, id: 7)
    #expect(track.removeFinished(at: 1).isEmpty)
    #expect(track.value(at: 1) == 1)
    #expect(track.motions.map(\.id) == [7])
    #expect(track.removeFinished(at: 1.0001).map(\.id) == [7])
    #expect(track.motions.isEmpty)
    for duration in [0, -1, -Double.infinity, .nan] {
      let change = track.set(
        track.model + 1, animation: .linear(duration: duration), at: 2, id: 8)
      #expect(change.began?.end == 2)
      #expect(track.value(at: 2) == track.model)
      #expect(track.motions.isEmpty)
    }
  }

  /// A delay is before the motion.
  @Test func delayHoldsTheStart() throws {
    let course = try Self.course(.linear(duration: 1).delay(0.3))
    #expect(course.progress(at: 0.2) == 0)
    #expect(course.velocity(at: 0.2) == 0)
    #expect(abs(course.progress(at: 0.8) - 0.5) < 1e-15)
    #expect(course.end == 1.3)
  }

  /// Speed 0, and below, freezes.
  @Test func speedScalesTime() throws {
    let course = try Self.course(.linear(duration: 1).speed(4))
    #expect(course.progress(at: 0.1) == 0.4)
    #expect(course.end == 0.25)
    #expect(course.velocity(at: 0.1) == 4)
    for speed in [0, -2, Double.nan] {
      let frozen = try Self.course(.linear(duration: 1).speed(speed))
      #expect(frozen.end == .infinity)
      #expect(frozen.progress(at: 1e9) == 0)
      #expect(frozen.legEnd(0) == nil)
      #expect(frozen.velocity(at: 1) == 0)
    }
    #expect(try Self.course(.linear(duration: 1).speed(.infinity)).end == 0)
  }

  /// So do speeds whose product is too small for a number, repeated or not.
  @Test func speedsThatAreTooSmallFreeze() throws {
    let slow = Animation.linear(duration: 1e-300).speed(1e-200).speed(1e-200)
    for animation in [slow, slow.repeatForever()] {
      #expect(try Self.course(animation).segment(at: 0).shape == .hold(0))
    }
  }

  /// The outermost modifier sees real time.
  @Test func modifiersNest() throws {
    #expect(try Self.course(.linear(duration: 1).delay(2).speed(4)).end == 0.75)
    #expect(try Self.course(.linear(duration: 1).speed(4).delay(2)).end == 2.25)
  }

  /// Legs there and back.
  @Test func oddLegsRunBackwards() throws {
    let course = try Self.course(.linear(duration: 1).repeatCount(3))
    #expect(course.progress(at: 1.25) == 0.75)
    #expect(course.velocity(at: 1.25) == -1)
    #expect(course.progress(at: 2.25) == 0.25)
    #expect(course.end == 3)
    #expect((0..<4).map { course.legEnd($0) } == [1, 2, 3, nil])
  }

  /// The value at the very end is the old one.
  @Test func evenLegsEndAtTheStartAndSnap() throws {
    let course = try Self.course(.linear(duration: 1).repeatCount(2))
    #expect(abs(course.progress(at: 1.99) - 0.01) < 1e-12)
    #expect(course.progress(at: 2) == 0)
    #expect(course.progress(at: 2.01) == 1)
    var track = AnimationTrack(3.0)
    track.set(4, animation: .linear(duration: 1).repeatCount(2), at: 0, id: 0)
    #expect(track.value(at: 2) == 3)
    #expect(track.value(at: 2.01) == 4)
  }

  /// A delay inside recurs, one outside does not.
  @Test func delayInsideARepetitionRecurs() throws {
    let inside = try Self.course(
      .linear(duration: 1).delay(0.5).repeatForever(autoreverses: false))
    #expect((0..<3).map { inside.legEnd($0) } == [1.5, 3, 4.5])
    #expect(inside.progress(at: 3.25) == 0)
    #expect(inside.progress(at: 4) == 0.5)
    let outside = try Self.course(
      .linear(duration: 1).repeatForever(autoreverses: false).delay(0.5))
    #expect((0..<3).map { outside.legEnd($0) } == [1.5, 2.5, 3.5])
    #expect(outside.progress(at: 3.25) == 0.75)
    #expect(inside.end == .infinity)
    #expect(inside.logicalEnd == .infinity)
    #expect(inside.legCount == nil)
  }

  /// Exact legs, after any number of them.
  @Test func legsAreExact() throws {
    let course = try Self.course(.linear(duration: 1).repeatForever(autoreverses: false))
    #expect(course.progress(at: 1000.25) == 0.25)
    #expect(course.progress(at: 1e12 + 0.25) == 0.25)
    #expect(course.legEnd(999_999_999_999) == 1e12)
    let many = try Self.course(.linear(duration: 0.8).repeatCount(.max).repeatCount(.max))
    #expect(many.progress(at: 0.2) == 0.25)
    #expect(many.legCount == nil)
    #expect(many.legEnd(9) == 8)
  }

  /// And so does every number below 1.
  @Test func countBelowOnePlaysOnce() throws {
    for count in [0, -1, Int.min] {
      let course = try Self.course(.linear(duration: 1).repeatCount(count))
      #expect(course.end == 1)
      #expect(course.legCount == 1)
      #expect(course.progress(at: 0.25) == 0.25)
      #expect(course.end <= 1.02)
    }
  }

  /// The border belongs to the second leg.
  @Test func borderShowsTheStart() throws {
    let course = try Self.course(.linear(duration: 1).repeatForever(autoreverses: false))
    #expect(course.progress(at: 3) == 0)
    let uneven = try Self.course(.linear(duration: 0.1).repeatForever(autoreverses: false))
    for leg in 1..<1000 { #expect(uneven.progress(at: Double(leg) * 0.1) == 0) }
  }

  /// Response 0.55 s, critically damped.
  @Test func defaultIsASpringOf055Seconds() throws {
    let course = try Self.course(.default)
    #expect(abs(course.progress(at: 0.275) - 0.821026) < 1e-6)
    #expect(course.logicalEnd == 0.55)
  }

  /// [C-07] Logical completion by kind.
  @Test func logicalEndDependsOnTheKind() throws {
    #expect(try Self.course(.easeIn(duration: 0.7)).logicalEnd == 0.7)
    #expect(try Self.course(.spring(duration: 0.4, bounce: 0.2)).logicalEnd == 0.4)
    let early = try Self.course(.linear(duration: 2).logicallyComplete(after: 0.5))
    #expect(early.logicalEnd == 0.5)
    #expect(early.end == 2)
    let late = try Self.course(.linear(duration: 2).logicallyComplete(after: 5))
    #expect(late.logicalEnd == 2)
    #expect(try Self.course(.linear(duration: 2).logicallyComplete(after: -1)).logicalEnd == 0)
    let nested = try Self.course(
      .linear(duration: 2).logicallyComplete(after: 0.5).delay(1).speed(2))
    #expect(nested.logicalEnd == 0.75)
    let repeated = try Self.course(
      .linear(duration: 2).logicallyComplete(after: 0.5).repeatCount(3))
    #expect(repeated.logicalEnd == 4.5)
    #expect(repeated.end == 6)
  }

  /// [P-11] It ends when it has settled; more than critical damping is critical.
  @Test func interpolatingSpringScalesTheInterval() throws {
    let plain = try Self.course(.interpolatingSpring(stiffness: 144, damping: 12))
    #expect(abs(plain.logicalEnd - 0.5235988) < 1e-7)
    let heavy = try Self.course(.interpolatingSpring(mass: 4, stiffness: 144, damping: 12))
    #expect(abs(heavy.logicalEnd - 0.5235988) < 1e-7)
    let spring = Spring(stiffness: 144, damping: 12)
    #expect(plain.end == spring.settlingBound(target: 1, epsilon: 0.001))
    let thrown = try Self.course(
      .interpolatingSpring(stiffness: 144, damping: 12, initialVelocity: 5))
    #expect(thrown.velocity(at: 0) == 5)
    #expect(
      thrown.progress(at: 0.1) == spring.value(target: 1, initialVelocity: 5, time: 0.1))
    #expect(
      thrown.end == spring.settlingBound(target: 1, initialVelocity: 5, epsilon: 0.001))
    let damped = try Self.course(.interpolatingSpring(stiffness: 144, damping: 60))
    let critical = try Self.course(.interpolatingSpring(stiffness: 144, damping: 24))
    #expect(damped.progress(at: 0.1) == critical.progress(at: 0.1))
    var track = AnimationTrack(10.0)
    track.set(30, animation: .interpolatingSpring(stiffness: 144, damping: 12), at: 0, id: 0)
    #expect(abs(track.value(at: 0.1) - (10 + 20 * plain.progress(at: 0.1))) < 1e-12)
  }

  /// [P-12] The closed form itself.
  @Test func springIsTheClosedForm() throws {
    let course = try Self.course(.spring(response: 0.4, dampingFraction: 0.8))
    let spring = Spring(duration: 0.4, bounce: 0.2)
    for frame in 0..<30 {
      let time = Double(frame) / 60
      let exact = spring.value(target: 1, time: time)
      #expect(abs(course.progress(at: time) - exact) < 1e-14)
    }
  }

  /// [P-13] Stiffness 45,000 is a response of 0.0296193.
  @Test func stiffnessIsCapped() throws {
    let stiff = try Self.course(.spring(response: 0.01, dampingFraction: 1))
    let capped = try Self.course(.spring(response: 0.0296193, dampingFraction: 1))
    let stiffest = Spring(stiffness: 45_000, damping: 2 * 45_000.0.squareRoot())
    for time in stride(from: 0, through: 0.03, by: 0.001) {
      let progress = stiff.progress(at: time)
      #expect(abs(progress - stiffest.value(target: 1, time: time)) < 1e-12)
      // The seven digits of the response are good for this.
      #expect(abs(progress - capped.progress(at: time)) < 2e-6)
    }
    #expect(abs(stiff.end - capped.end) < 1e-6)
    var track = AnimationTrack(0.0)
    track.set(1, animation: .spring(response: 0, dampingFraction: 1), at: 0, id: 3)
    #expect(track.value(at: 0) == 1)
    #expect(track.motions.isEmpty)
  }

  /// [P-14] In the improved form: a thousandth of the interval, whatever its size.
  @Test func thresholdsAreRelativeToTheInterval() throws {
    var ends: [Double] = []
    var mergedEnds: [Double] = []
    for size in [1, 1000, 1e-9, -1e12] {
      var track = AnimationTrack(0.0)
      track.set(size, animation: .spring(duration: 0.6, bounce: 0.25), at: 0, id: 0)
      ends += track.motions.map(\.end)
      track.set(size / 4, animation: .spring(duration: 0.6, bounce: 0.25), at: 0.2, id: 1)
      mergedEnds += track.motions.map(\.end)
    }
    #expect(Set(ends) == [Spring(duration: 0.6, bounce: 0.25).settlingBound])
    #expect(mergedEnds.count == 4)
    for end in mergedEnds { #expect(abs(end - mergedEnds[0]) < 1e-12) }
  }

  /// [P-15] Counted from the last change.
  @Test func springIsCompleteAfterItsResponse() throws {
    var track = AnimationTrack(0.0)
    let spring = Animation.spring(duration: 0.4, bounce: 0.2)
    track.set(1, animation: spring, at: 0, id: 0)
    #expect(track.motions.map(\.logicalEnd) == [0.4])
    track.set(2, animation: spring, at: 0.25, id: 1)
    #expect(track.motions.map(\.logicalEnd) == [0.65])
  }

  /// An undamped spring goes on for ever, and what is no spring ends at once.
  @Test func oddSpringsEndSoonOrNever() throws {
    let endless = try Self.course(.spring(duration: 0.4, bounce: 1))
    #expect(endless.end == .infinity)
    #expect(!endless.progress(at: .greatestFiniteMagnitude).isNaN)
    #expect(try Self.course(.interpolatingSpring(stiffness: 100, damping: 0)).end == .infinity)
    #expect(try Self.course(.interpolatingSpring(stiffness: 100, damping: -3)).end == .infinity)
    let none: [Animation] = [
      .interpolatingSpring(stiffness: 0, damping: 1),
      .interpolatingSpring(stiffness: -1, damping: 1),
      .interpolatingSpring(mass: 0, stiffness: 1, damping: 1),
      .interpolatingSpring(stiffness: .nan, damping: 1),
      .interpolatingSpring(duration: 0, bounce: 0.5), .spring(response: .nan),
      .spring(response: -1), .spring(dampingFraction: .nan),
    ]
    for animation in none {
      let course = try Self.course(animation)
      #expect(course.end == 0)
      #expect(course.progress(at: 0) == 1)
    }
  }

  /// A spring of which the mass or the stiffness is no finite number ends at once.
  @Test(arguments: [(.infinity, 100), (.nan, 100), (1, .infinity)] as [(Double, Double)])
  func springsOfEndlessConstantsSnap(mass: Double, stiffness: Double) throws {
    let course = try Self.course(
      .interpolatingSpring(mass: mass, stiffness: stiffness, damping: 9))
    #expect(course.end == 0)
    #expect(course.progress(at: 0) == 1)
  }

  /// The legs of the inner repetition, counted through.
  @Test func nestedLegsAreCountedThrough() throws {
    let course = try Self.course(
      .linear(duration: 1).repeatCount(2).delay(0.5).repeatCount(2, autoreverses: false).speed(2))
    #expect(course.legCount == 4)
    #expect((-1..<5).map { course.legEnd($0) } == [nil, 0.75, 1.25, 2, 2.5, nil])
    #expect(course.progress(at: 0.5) == 0.5)
    #expect(course.progress(at: 1) == 0.5)
    #expect(course.progress(at: 1.75) == 0.5)
    #expect(course.progress(at: 1.3) == 0)
  }

  /// A velocity makes a spring start with it, in its own time.
  @Test func initialVelocityIsTheSprings() throws {
    let spring = Animation.spring(duration: 0.5, bounce: 0.3)
    #expect(try #require(spring.course(initialVelocity: 3)).velocity(at: 0) == 3)
    let fast = try #require(spring.speed(4).course(initialVelocity: 3))
    #expect(abs(fast.velocity(at: 0) - 3) < 1e-12)
    #expect(try #require(spring.course(initialVelocity: .nan)).velocity(at: 0) == 0)
    #expect(try #require(Animation.linear.course(initialVelocity: 9)).velocity(at: 0.1) < 3)
  }

  /// At its very end a course has arrived and stands still; until then it moves.
  @Test func velocityEndsWithTheCourse() throws {
    let course = try #require(Animation.linear(duration: 2).course())
    #expect(course.velocity(at: 0) == 0.5)
    #expect(course.velocity(at: 2.0.nextDown) == 0.5)
    #expect(course.velocity(at: 2) == 0)
    #expect(course.velocity(at: -0.1) == 0)
    #expect(course.segment(at: 2).end == 2)
    #expect(course.segment(at: 2.0.nextUp).start == 2)
  }

  /// A leg before the first is none, and neither is one after the last.
  @Test func legsBeginAtZero() throws {
    let endless = try Self.course(.linear(duration: 1).repeatForever())
    #expect((-1..<2).map { endless.legEnd($0) } == [nil, 1, 2])
    let one = try Self.course(.linear(duration: 1).delay(0.5))
    #expect((-1..<2).map { one.legEnd($0) } == [nil, 1.5, nil])
    let early = try Self.course(.linear(duration: 1).delay(-3).repeatForever())
    #expect(early.end == 0)
    // Nested endlessness: the outer repetition never comes to its turn.
    let nested = try Self.course(.linear(duration: 1).repeatForever().repeatCount(3))
    #expect(nested.legCount == nil)
    #expect(nested.legEnd(5) == 6)
  }

  /// Delays below 0 begin in the middle, and what is no number is no delay.
  @Test func delaysMayBeNegative() throws {
    let course = try Self.course(.linear(duration: 1).delay(-0.25))
    #expect(course.end == 0.75)
    #expect(course.logicalEnd == 0.75)
    #expect(course.progress(at: 0) == 0.25)
    #expect(course.progress(at: 0.5) == 0.75)
    #expect(try Self.course(.linear(duration: 1).delay(.nan)).end == 1)
    #expect(try Self.course(.linear(duration: 1).delay(-5)).end == 0)
    let endless = try Self.course(.linear(duration: 1).repeatForever().delay(-.infinity))
    #expect(endless.end == .infinity)
    #expect(try Self.course(.linear(duration: 1).delay(.infinity)).progress(at: 1e9) == 0)
  }

  /// [C-07] What is no number changes nothing, and a border belongs to the end.
  @Test func logicalEndsThatAreNoNumbersAreIgnored() throws {
    let course = try Self.course(.linear(duration: 2).logicallyComplete(after: .nan))
    #expect(course.logicalEnd == 2)
    let infinite = try Self.course(.linear(duration: 2).logicallyComplete(after: .infinity))
    #expect(infinite.logicalEnd == 2)
    let fast = try Self.course(.linear(duration: 2).logicallyComplete(after: 1).speed(4))
    #expect(fast.logicalEnd == 0.25)
    let repeated = try Self.course(
      .spring(duration: 0.5, bounce: 0.3).repeatCount(2, autoreverses: false))
    let leg = Spring(duration: 0.5, bounce: 0.3).settlingBound
    #expect(abs(repeated.logicalEnd - (leg + 0.5)) < 1e-12)
    #expect(abs(repeated.end - 2 * leg) < 1e-12)
  }

  /// A velocity that is handed over is one of the first leg only where there is one leg.
  @Test func initialVelocityPassesTheModifiers() throws {
    let spring = Animation.spring(duration: 0.5, bounce: 0.3)
    func velocity(_ animation: Animation, at time: Double) throws -> Double {
      try #require(animation.course(initialVelocity: 3)).velocity(at: time)
    }
    #expect(try velocity(spring.delay(1), at: 1) == 3)
    #expect(try velocity(spring.delay(1), at: 0.5) == 0)
    #expect(try velocity(spring.logicallyComplete(after: 0.1), at: 0) == 3)
    #expect(try velocity(spring.repeatCount(2), at: 0) == 0)
    #expect(try velocity(spring.speed(0), at: 0) == 0)
    #expect(try velocity(.interpolatingSpring(stiffness: 100, damping: 9), at: 0) == 0)
  }
}
