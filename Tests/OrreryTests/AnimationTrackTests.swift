// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: a property is seen where its overlapping animations say.
///
/// Method: the numbers of the semantics, ids in brackets.
@Suite struct AnimationTrackTests {
  static func track(
    _ changes: (value: Double, animation: Animation?, time: Double)...
  ) -> AnimationTrack<Double> {
    var track = AnimationTrack(0.0)
    for (index, change) in changes.enumerated() {
      track.set(
        change.value, animation: change.animation, at: change.time, id: UInt64(index))
    }
    return track
  }

  /// The model has the new value at once.
  @Test func displayedIsModelMinusWhatIsLeft() {
    let track = Self.track((10, .linear(duration: 2), 0))
    #expect(track.model == 10)
    #expect(track.value(at: 0.5) == 2.5)
  }

  /// Without a change there is nothing to animate, and without an animation it jumps.
  @Test func nothingIsAnimatedWithoutNeed() throws {
    var track = AnimationTrack(5.0)
    let same = track.set(5, animation: .linear(duration: 1), at: 0, id: 1)
    #expect(same.began == nil)
    #expect(track.motions.isEmpty)
    let jump = track.set(6, animation: nil, at: 0, id: 2)
    #expect(jump.began == nil)
    #expect(track.value(at: 0) == 6)
    #expect(track.motions.isEmpty)
    track.set(7, animation: .linear(duration: 1), at: 0, id: 3)
    track.set(7, animation: .linear(duration: 9), at: 0, id: 4)
    let again = track.set(7, animation: .linear(duration: 9), at: 0.5, id: 4)
    #expect(again.began == nil)
    #expect(track.motions.map(\.id) == [3])
    let still = track.set(7, animation: nil, at: 0.5, id: 6)
    try #require(still.cancelled.isEmpty)
    #expect(track.motions.map(\.id) == [3])
    #expect(track.set(0, animation: nil, at: 0.5, id: 5).cancelled.map(\.id) == [3])
    #expect(track.value(at: 0.5) == 0)
  }

  /// One progress for all components; a spring moves them as its equation does.
  @Test func vectorsMoveAsAWhole() {
    var track = AnimationTrack(AnimatablePair(0.0, 0.0))
    track.set(AnimatablePair(10, 20), animation: .linear(duration: 1), at: 0, id: 0)
    #expect(track.value(at: 0.5) == AnimatablePair(5, 10))
    let spring = Animation.spring(duration: 0.4, bounce: 0.2)
    track.set(AnimatablePair(-10, 40), animation: spring, at: 0.5, id: 1)
    let own = Spring(duration: 0.4, bounce: 0.2)
    let x = own.value(fromValue: 5, toValue: -10, initialVelocity: 10, time: 0.1)
    let y = own.value(fromValue: 10, toValue: 40, initialVelocity: 20, time: 0.1)
    let value = track.value(at: 0.6)
    #expect(abs(value.first - x) < 1e-12)
    #expect(abs(value.second - y) < 1e-12)
  }

  /// Curves add, without a jump.
  @Test func curvesAdd() {
    let track = Self.track((60, .linear(duration: 2), 0), (90, .linear(duration: 2), 0.5))
    #expect(abs(track.value(at: 1.5) - 60) < 1e-12)
    #expect(track.motions.count == 2)
    #expect(track.value(at: 0.5) == 15)
    #expect(track.motions.map(\.end) == [2, 2.5])
    let springs = Self.track(
      (60, .interpolatingSpring(stiffness: 100, damping: 9), 0),
      (90, .interpolatingSpring(stiffness: 100, damping: 9), 0.1))
    #expect(springs.motions.count == 2)
  }

  /// A spring takes over position and velocity.
  @Test func springsMerge() {
    let spring = Animation.spring(duration: 0.4, bounce: 0)
    let before = Self.track((100, spring, 0))
    #expect(abs(before.value(at: 0.1) - 46.55839) < 1e-5)
    #expect(abs(before.velocity(at: 0.1) - 512.9223) < 1e-4)
    let track = Self.track((100, spring, 0), (40, spring, 0.1))
    #expect(track.motions.map(\.id) == [1])
    #expect(abs(track.value(at: 0.1) - before.value(at: 0.1)) < 1e-12)
    #expect(abs(track.velocity(at: 0.1) - before.velocity(at: 0.1)) < 1e-10)
    #expect(abs(track.value(at: 0.2) - 54.167518) < 1e-6)
    #expect(abs(track.velocity(at: 0.2) + 94.50124) < 1e-5)
    #expect(track.value(at: 10) == 40)
  }

  /// And it takes over everything that runs, whatever it is.
  @Test func springTakesOverCurves() {
    var track = Self.track((10, .linear(duration: 1), 0), (20, .linear(duration: 2), 0.2))
    let (value, velocity) = (track.value(at: 0.5), track.velocity(at: 0.5))
    #expect(abs(value - 6.5) < 1e-12)
    #expect(abs(velocity - 15) < 1e-12)
    let change = track.set(0, animation: .interactiveSpring, at: 0.5, id: 2)
    #expect(change.merged.map(\.id) == [0, 1])
    #expect(change.began?.id == 2)
    #expect(abs(track.value(at: 0.5) - value) < 1e-12)
    #expect(abs(track.velocity(at: 0.5) - velocity) < 1e-10)
    // A curve that is added to a running spring leaves the spring as it is.
    let added = track.set(5, animation: .linear(duration: 1), at: 0.6, id: 3)
    #expect(added.merged.isEmpty)
    #expect(track.motions.map(\.id) == [2, 3])
  }

  /// With other modifiers the old motion goes on and the new one is added.
  @Test func modifiedSpringsMergeOnlyWithTheirLike() {
    let spring = Animation.spring(duration: 0.4, bounce: 0.2)
    let alone = Self.track((100, spring, 0))
    var track = Self.track((100, spring, 0), (40, spring.delay(0.2), 0.1))
    #expect(track.motions.map(\.id) == [0, 1])
    for time in stride(from: 0.1, through: 0.3, by: 0.01) {
      #expect(abs(track.value(at: time) - alone.value(at: time)) < 1e-12)
    }
    #expect(abs(track.value(at: 0.35) - alone.value(at: 0.35)) > 1)
    let change = track.set(0, animation: spring.delay(0.2), at: 0.35, id: 2)
    #expect(change.merged.map(\.id) == [1])
    #expect(track.motions.map(\.id) == [0, 2])
    // Its delay has passed, so it moves on at once.
    let velocity = track.velocity(at: 0.35)
    let moved = track.value(at: 0.35 + 1e-6) - track.value(at: 0.35)
    #expect(abs(moved / 1e-6 - velocity) < 0.01 * abs(velocity))
    #expect(abs(velocity) > 100)
    #expect(Self.track((1, spring.speed(2), 0), (2, spring.speed(3), 0.1)).motions.count == 2)
    #expect(Self.track((1, spring.speed(2), 0), (2, spring.speed(2), 0.1)).motions.count == 1)
  }

  /// [C-07] When a spring counts as complete has nothing to do with whether it takes over.
  @Test func logicalCompletionDoesNotKeepSpringsApart() {
    let early = Animation.spring(duration: 0.4, bounce: 0.2).logicallyComplete(after: 0.125)
    let track = Self.track((100, .linear(duration: 1), 0), (40, early, 0.25))
    #expect(track.motions.map(\.id) == [1])
    #expect(track.motions.map(\.logicalEnd) == [0.375])
  }

  /// A delay that merges goes on: it neither begins again nor comes twice.
  @Test func delayGoesOnWhenSpringsMerge() {
    let spring = Animation.spring(duration: 0.4, bounce: 0.2)
    let late = spring.delay(0.2)
    let twice = Self.track((100, late, 0), (40, late, 0.1), (70, late, 0.15))
    #expect(twice.motions.count == 1)
    #expect(twice.value(at: 0.2) == 0)
    let whole = Self.track((70, spring, 0.2))
    let pushed = Self.track((100, late, 0), (40, late, 0.1), (70, late, 0.3))
    let plain = Self.track((40, spring, 0.2), (70, spring, 0.3))
    for time in stride(from: 0.2, through: 1, by: 0.05) {
      #expect(abs(twice.value(at: time) - whole.value(at: time)) < 1e-9)
      if time > 0.3 { #expect(abs(pushed.value(at: time) - plain.value(at: time)) < 1e-9) }
    }
    #expect(abs((twice.motions.first?.logicalEnd ?? 0) - 0.6) < 1e-12)
    #expect(abs((pushed.motions.first?.logicalEnd ?? 0) - 0.7) < 1e-12)
  }

  /// A spring at another speed is a spring of another response.
  @Test func speedScalesAMergedSpring() {
    let fast = Animation.spring(duration: 0.8, bounce: 0.2).speed(2)
    let plain = Animation.spring(duration: 0.4, bounce: 0.2)
    let left = Self.track((100, fast, 0), (40, fast, 0.1))
    let right = Self.track((100, plain, 0), (40, plain, 0.1))
    for time in stride(from: 0.1, through: 1, by: 0.05) {
      #expect(abs(left.value(at: time) - right.value(at: time)) < 1e-9)
      #expect(abs(left.velocity(at: time) - right.velocity(at: time)) < 1e-7)
    }
    #expect(abs(left.motions[0].end - right.motions[0].end) < 1e-9)
    #expect(abs(left.motions[0].logicalEnd - 0.5) < 1e-12)
  }

  /// A spring that repeats takes over in its leg; later legs know the new value.
  @Test func repeatedSpringsMergeInTheirLeg() throws {
    let spring = Animation.spring(duration: 0.4, bounce: 0).repeatCount(4)
    let first = Self.track((100, spring, 0))
    let leg = try #require(first.motions.first?.legEnd(0))
    for time in [0.1, leg + 0.1] {
      let track = Self.track((100, spring, 0), (200, spring, time))
      let motion = try #require(track.motions.first)
      #expect(track.motions.count == 1)
      #expect(abs(track.value(at: time) - first.value(at: time)) < 1e-10)
      #expect(abs(track.velocity(at: time) - first.velocity(at: time)) < 1e-8)
      let isBack = time > leg
      #expect(motion.firstLeg == (isBack ? 1 : 0))
      let end = try #require(motion.legEnd(motion.firstLeg))
      #expect(abs(track.value(at: end.nextDown) - (isBack ? 0 : 200)) < 0.5)
      let second = try #require(motion.legEnd(motion.firstLeg + 1))
      #expect(abs(second - end - leg) < 1e-12)
      let whole = Spring(duration: 0.4, bounce: 0).value(target: 200, time: 0.1)
      let later = track.value(at: end + 0.1)
      #expect(abs(later - (isBack ? whole : 200 - whole)) < 1e-9)
      #expect(motion.legEnd(3) == motion.end)
      #expect(motion.legEnd(4) == nil)
      #expect(track.value(at: motion.end) == 0)
      #expect(track.value(at: motion.end.nextUp) == 200)
    }
  }

  /// In the improved form: each ends at its own end.
  @Test func longerMotionGoesOn() {
    var track = Self.track((10, .linear(duration: 5), 0), (20, .linear(duration: 0.5), 0.1))
    #expect(track.removeFinished(at: 0.65).map(\.id) == [1])
    #expect(abs(track.value(at: 0.7) - 11.4) < 1e-12)
    #expect(abs(track.velocity(at: 0.7) - 2) < 1e-12)
    #expect(abs(track.value(at: 4) - 18) < 1e-12)
  }

  /// In the improved form: the last animation moves the whole way.
  @Test func changesAtOneInstantAreOne() {
    var track = Self.track((10, .linear(duration: 5), 0))
    let change = track.set(20, animation: .linear(duration: 1), at: 0, id: 1)
    #expect(change.replaced.map(\.id) == [0])
    #expect(track.motions.map(\.id) == [1])
    #expect(track.value(at: 0) == 0)
    #expect(track.value(at: 0.5) == 10)
    track.set(30, animation: .spring, at: 0.5, id: 2)
    let back = track.set(20, animation: .linear(duration: 1), at: 0.5, id: 3)
    #expect(back.began?.id == 3)
    #expect(abs(track.value(at: 0.5) - 10) < 1e-12)
    var still = Self.track((10, .linear(duration: 5), 0))
    let none = still.set(0, animation: .linear(duration: 5), at: 0, id: 1)
    #expect(none.began == nil)
    #expect(none.replaced.count == 1)
    #expect(still.motions.isEmpty)
  }

  /// [P-16] The response glides, and the motion with it.
  @Test func responseGlidesOverBlendDuration() throws {
    let old = Animation.spring(response: 0.6, dampingFraction: 1)
    let new = Animation.spring(response: 0.3, dampingFraction: 1, blendDuration: 0.25)
    let track = Self.track((100, old, 0), (0, new, 0.1))
    guard case .spring(let run)? = track.motions.first?.kind, let glide = run.motion.glide else {
      Issue.record("no glide")
      return
    }
    #expect(glide.response(at: 0) == 0.6)
    #expect(abs(glide.response(at: 0.125) - 0.45) < 1e-15)
    #expect(abs(glide.response(at: 0.0625) - 0.553125) < 1e-15)
    #expect(glide.response(at: 0.25) == 0.3)
    #expect(glide.response(at: 9) == 0.3)
    // Runge-Kutta with the gliding response, as an oracle.
    func pull(_ t: Double, _ x: Double, _ v: Double) -> Double {
      let w = 2 * Double.pi / glide.response(at: t)
      return -w * w * x - 2 * w * v
    }
    var (x, v) = (track.value(at: 0.1), track.velocity(at: 0.1))
    let h = 1e-4
    let end = try #require(track.motions.first?.end)
    for step in 0..<Int((end - 0.1) / h) - 1 {
      let t = Double(step) * h
      let a1 = pull(t, x, v)
      let (v2, a2) = (v + h / 2 * a1, pull(t + h / 2, x + h / 2 * v, v + h / 2 * a1))
      let (v3, a3) = (v + h / 2 * a2, pull(t + h / 2, x + h / 2 * v2, v + h / 2 * a2))
      let (v4, a4) = (v + h * a3, pull(t + h, x + h * v3, v + h * a3))
      x += h / 6 * (v + 2 * v2 + 2 * v3 + v4)
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
      #expect(abs(track.value(at: 0.1 + t + h) - x) < 100 * 2e-5)
    }
    #expect(abs(track.value(at: end.nextDown)) < 0.1 + 1e-9)
    #expect(abs(track.value(at: end)) < 0.1 + 1e-9)
    #expect(track.motions.last.map { track.value(at: $0.rest.nextUp) } == 0)
    #expect(Self.track((1, old, 0), (0, old, 0.1)).glides == false)
    #expect(Self.track((1, .linear, 0), (0, new, 0.1)).glides == false)
  }

  /// [P-19] A pause changes nothing.
  @Test func pauseIsComputedThrough() {
    var track = Self.track((1, .spring(response: 4, dampingFraction: 0.2), 0))
    #expect(track.removeFinished(at: 0.1).isEmpty)
    _ = track.value(at: 0.1)
    let exact = Spring(response: 4, dampingRatio: 0.2).value(target: 1, time: 5)
    #expect(abs(track.value(at: 5) - exact) < 1e-12)
    #expect(abs(exact - 1) > 0.01)
  }

  /// [S2-03] Bit for bit, for numbers whose difference is rounded.
  @Test func lastValueIsTheTarget() throws {
    for animation in [Animation.easeInOut, .spring, .interpolatingSpring, .linear.repeatCount(3)] {
      for (from, to) in [(0.1, 0.3), (1e16, 1 / 3.0), (-1e-300, 7.7)] {
        var track = AnimationTrack(from)
        track.set(to, animation: animation, at: 0.1, id: 0)
        let motion = try #require(track.motions.first)
        #expect(track.value(at: motion.rest.nextUp) == to)
        if motion.rest == motion.end { #expect(track.value(at: motion.end) == to) }
        #expect(track.value(at: 1e9) == to)
      }
    }
  }

  /// [S2-04] The first value is the old one.
  @Test func firstValueIsTheOldOne() {
    var track = AnimationTrack(2.0)
    track.set(5, animation: .linear(duration: 1), at: 0, id: 0)
    #expect(track.value(at: 0) == 2)
    #expect(track.model == 5)
    var rounded = AnimationTrack(1e16)
    rounded.set(1 / 3.0, animation: .linear(duration: 1), at: 0, id: 0)
    #expect(rounded.value(at: 0) == 1e16)
  }

  /// [S2-05] Each property has its own.
  @Test func propertiesAreIndependent() {
    var scale = AnimationTrack(1.0)
    var opacity = AnimationTrack(0.15)
    scale.set(1.5, animation: .linear(duration: 3), at: 0, id: 0)
    opacity.set(1, animation: .spring, at: 0, id: 1)
    #expect(scale.value(at: 1.5) == 1.25)
    #expect(opacity.removeFinished(at: 1.5).map(\.id) == [1])
    #expect(scale.removeFinished(at: 1.5).isEmpty)
    #expect(scale.removeFinished(at: 3.1).map(\.id) == [0])
  }

  /// [S2-12] To cross the target is not to be there.
  @Test func crossingTheTargetIsNotTheEnd() throws {
    var track = Self.track((1, .spring(response: 1, dampingFraction: 0.25), 0))
    var (low, high) = (0.0, 0.5)
    for _ in 0..<64 {
      let middle = (low + high) / 2
      if track.value(at: middle) < 1 { low = middle } else { high = middle }
    }
    #expect(abs(track.value(at: high) - 1) < 1e-15)
    #expect(track.velocity(at: high) > 1)
    #expect(track.removeFinished(at: high).isEmpty)
    #expect(track.motions.count == 1)
    #expect(track.value(at: high + 0.1) > 1.2)
  }

  /// [N-11] A change of nothing and a change in no time.
  @Test func nothingToDoIsDoneAtOnce() {
    var track = AnimationTrack(5.0)
    #expect(track.set(5, animation: .linear(duration: 1), at: 0, id: 0).began == nil)
    #expect(track.motions.isEmpty)
    var empty = AnimationTrack(EmptyAnimatableData())
    #expect(empty.set(EmptyAnimatableData(), animation: .spring, at: 0, id: 0).began == nil)
    let change = track.set(6, animation: .linear(duration: 0), at: 0, id: 1)
    #expect(change.began?.end == 0)
    #expect(track.value(at: 0) == 6)
    #expect(track.motions.isEmpty)
  }

  /// Infinite and undefined values end when they should, and leave no trace.
  @Test func oddValuesDoNotStay() {
    for odd in [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude] {
      for animation in [Animation.linear(duration: 1), .spring, .interactiveSpring.delay(0.1)] {
        var track = AnimationTrack(1.0)
        track.set(odd, animation: animation, at: 0, id: 0)
        _ = (track.value(at: 0.2), track.velocity(at: 0.2))
        track.set(2, animation: animation, at: 0.3, id: 1)
        _ = (track.value(at: 0.35), track.velocity(at: 0.35))
        _ = track.removeFinished(at: 100)
        #expect(track.value(at: 100) == 2)
        #expect(track.motions.isEmpty)
      }
    }
  }

  /// A vector that can be multiplied by numbers only.
  private struct Steps: VectorArithmetic {
    var count = 0.0

    static var zero: Steps { Steps() }

    var magnitudeSquared: Double { count * count }

    mutating func scale(by rhs: Double) {
      #expect(rhs.isFinite)
      count *= rhs
    }

    static func + (lhs: Steps, rhs: Steps) -> Steps { Steps(count: lhs.count + rhs.count) }
    static func - (lhs: Steps, rhs: Steps) -> Steps { Steps(count: lhs.count - rhs.count) }
  }

  /// A frozen spring takes over without a speed, and nothing is multiplied by what is no number.
  @Test func frozenSpringsMerge() {
    var track = AnimationTrack(Steps())
    let frozen = Animation.spring(duration: 0.5).speed(0)
    track.set(Steps(count: 4), animation: frozen, at: 0, id: 1)
    let change = track.set(Steps(count: 6), animation: frozen, at: 1, id: 2)
    #expect(change.merged.map(\.id) == [1])
    #expect(track.value(at: 9).count == 0)
    #expect(track.velocity(at: 9).count == 0)
  }

  /// Motions are removed by their ends, and all of them when the property goes.
  @Test func removalIsOrdered() {
    var track = Self.track(
      (1, .linear(duration: 3), 0), (2, .linear(duration: 1), 0.5), (3, .linear(duration: 1), 0.5),
      (4, .linear(duration: 2.5), 0.625), (5, .linear(duration: 2.375), 0.625 + 1e-9))
    #expect(track.motions.map(\.id) == [0, 2, 3, 4])
    var copy = track
    #expect(copy.removeFinished(at: 9).map(\.id) == [2, 0, 4, 3])
    #expect(track.cancelAll(at: 2).map(\.id) == [0, 3, 4])
    #expect(track.motions.isEmpty)
    #expect(track.value(at: 2) == 5)
  }

  /// A finger's velocity is added to what a spring takes over.
  @Test func springStartsWithAGivenVelocity() throws {
    var track = AnimationTrack(0.0)
    track.set(1, animation: .spring, at: 0, id: 0, velocity: 37.5)
    #expect(track.velocity(at: 0) == 37.5)
    let exact = Spring().value(target: 1, initialVelocity: 37.5, time: 0.1)
    #expect(abs(track.value(at: 0.1) - exact) < 1e-12)
    track.set(2, animation: .spring, at: 0.1, id: 1, velocity: .infinity)
    #expect(abs(track.value(at: 0.2)) < 10)
    try #require(track.removeFinished(at: 0.2).isEmpty)
    #expect(track.motions.map(\.id) == [1])
  }

  /// [P-16] A glide that is interrupted goes on from the response of that moment.
  @Test func glideBeginsAtTheResponseOfTheMoment() throws {
    let track = Self.track(
      (100, .spring(response: 0.6, dampingFraction: 1), 0),
      (0, .spring(response: 0.3, dampingFraction: 1, blendDuration: 0.25), 0.1),
      (50, .spring(response: 0.2, dampingFraction: 1, blendDuration: 0.5), 0.225))
    guard case .spring(let run)? = track.motions.first?.kind, let glide = run.motion.glide else {
      Issue.record("no glide")
      return
    }
    #expect(abs(glide.oldResponse - 0.45) < 1e-12)
    #expect(glide.spring.response == 0.2)
    #expect(glide.duration == 0.5)
    #expect(glide.response(at: -1) == glide.oldResponse)
    #expect(glide.response(at: 0.5) == 0.2)
  }

  /// [P-16] Without a way to glide, or a time for it, the new response holds at once.
  @Test(arguments: [0, -1, .infinity, .nan] as [Double])
  func noGlideWithoutADuration(blendDuration: Double) {
    let old = Animation.spring(response: 0.6, dampingFraction: 1)
    let new = Animation.spring(
      response: 0.3, dampingFraction: 1, blendDuration: blendDuration)
    #expect(Self.track((1, old, 0), (0, new, 0.1)).glides == false)
    let blended = Animation.spring(response: 0.3, dampingFraction: 1, blendDuration: 0.25)
    #expect(Self.track((1, old, 0), (0, blended, 0.1)).glides)
    let same = Animation.spring(response: 0.6, dampingFraction: 0.5, blendDuration: 0.25)
    #expect(Self.track((1, old, 0), (0, same, 0.1)).glides == false)
    let snap = Animation.spring(response: 0, dampingFraction: 1, blendDuration: 0.25)
    #expect(Self.track((1, old, 0), (0, snap, 0.1)).glides == false)
  }

  /// A change that is shown at once ends all that runs, in the order of its beginning.
  @Test func jumpsCancelWhatRuns() {
    var track = Self.track((1, .linear(duration: 3), 0), (2, .linear(duration: 1), 0.5))
    let change = track.set(9, animation: nil, at: 1, id: 7)
    #expect(change.cancelled.map(\.id) == [0, 1])
    #expect(change.merged.isEmpty)
    #expect(change.replaced.isEmpty)
    #expect(track.value(at: 1) == 9)
    #expect(track.velocity(at: 1) == 0)
    // What is over is not cancelled.
    var over = Self.track((1, .linear(duration: 1), 0), (2, .linear(duration: 5), 0.5))
    #expect(over.set(9, animation: nil, at: 1.25, id: 7).cancelled.map(\.id) == [1])
  }

  /// Two that end in one step are told in the order of their ends, and where these are equal of their beginnings.
  @Test func twoEndsAreOrdered() {
    var crossed = Self.track((1, .linear(duration: 3), 0), (2, .linear(duration: 1), 0.5))
    #expect(crossed.removeFinished(at: 9).map(\.id) == [1, 0])
    var equal = Self.track((1, .linear(duration: 2), 0), (2, .linear(duration: 1.5), 0.5))
    #expect(equal.removeFinished(at: 9).map(\.id) == [0, 1])
    #expect(equal.motions.isEmpty)
  }

  /// Numbers have short cuts that do the same.
  @Test func shortCutsOfNumbersDoTheSame() {
    var (short, long) = (AnimationTrack(0.0), AnimationTrack(0.0))
    let change = short.setNumber(4, animation: .linear(duration: 1), at: 2, id: 5)
    long.set(4, animation: .linear(duration: 1), at: 2, id: 5)
    #expect(change.began?.id == 5)
    #expect(short.value(at: 2.25) == long.value(at: 2.25))
    #expect(short.motions.map(\.id) == [5])
  }
}

extension AnimationTrack {
  fileprivate var glides: Bool {
    if case .spring(let run)? = motions.first?.kind { run.motion.glide != nil } else { false }
  }
}
