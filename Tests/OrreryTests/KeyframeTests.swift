// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: keyframes give the checklist's values, and join as documented.
@Suite struct KeyframeTests {
  private struct Motion {
    var x = 0.0
    var size = CGSize(width: 1, height: 2)
    var label = "a"
  }

  private func isClose(_ found: Double, _ expected: Double) -> Bool {
    abs(found - expected) < 1e-12
  }

  /// [K-01] Tracks of 0.5 and 0.9: duration 0.9; time -1 -> first value; time 5 -> last value.
  @Test func timelineIsAsLongAsItsLongestTrack() {
    let timeline = KeyframeTimeline(initialValue: Motion()) {
      KeyframeTrack(\.x) {
        LinearKeyframe(10, duration: 0.3)
        LinearKeyframe(20, duration: 0.2)
      }
      KeyframeTrack(\.size) { LinearKeyframe(CGSize(width: 3, height: 4), duration: 0.9) }
    }
    #expect(timeline.duration == 0.9)
    let (first, last) = (timeline.value(time: -1), timeline.value(time: 5))
    #expect(first.x == 0)
    #expect(first.size == CGSize(width: 1, height: 2))
    #expect(first.label == "a")
    #expect(last.x == 20)
    #expect(last.size == CGSize(width: 3, height: 4))
    #expect(timeline.value(time: 0.7).x == 20)
    #expect(timeline.value(time: .nan).x == 0)
    #expect(isClose(timeline.value(progress: 0.5).size.width, 2))
    var other = Motion(label: "b")
    timeline.update(value: &other, time: 0.15)
    #expect(isClose(other.x, 5))
    #expect(other.label == "b")
    timeline.update(value: &other, progress: 1)
    #expect(other.x == 20)
    #expect(other.label == "b")
  }

  /// [K-02] 0 -> 8 in 0.4 -> 2 in 0.6: t = 0.1 -> 2, t = 0.7 -> 5.
  @Test func linearKeyframesAreStraight() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(8, duration: 0.4)
      LinearKeyframe(2, duration: 0.6)
    }
    #expect(isClose(timeline.value(time: 0.1), 2))
    #expect(isClose(timeline.value(time: 0.7), 5))
    #expect(timeline.value(time: 0.4) == 8)
    #expect(timeline.value(time: 1) == 2)
    let eased = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(8, duration: 0.5, timingCurve: .easeIn)
    }
    #expect(isClose(eased.value(time: 0.2), 8 * UnitCurve.easeIn.value(at: 0.4)))
  }

  /// [K-03] 0, move(5), linear(9, 0.4): t = 0 -> 5, t = 0.2 -> 7.
  @Test func moveKeyframesJump() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      MoveKeyframe(5)
      LinearKeyframe(9, duration: 0.4)
      MoveKeyframe(1)
    }
    #expect(timeline.value(time: 0) == 5)
    #expect(isClose(timeline.value(time: 0.2), 7))
    #expect(timeline.duration == 0.4)
    #expect(timeline.value(time: 0.4) == 1)
  }

  /// [K-03] A spring keyframe moves like its spring, for its settling duration unless it has
  /// another one, with the velocity of the keyframe before.
  @Test func springKeyframesFollowTheirSpring() {
    let spring = Spring(duration: 0.5, bounce: 0.3)
    let timeline = KeyframeTimeline(initialValue: 1.0) { SpringKeyframe(4, spring: spring) }
    #expect(timeline.duration == spring.settlingBound)
    for time in [0.05, 0.2, 0.5] {
      let expected = spring.value(fromValue: 1, toValue: 4, initialVelocity: 0, time: time)
      #expect(isClose(timeline.value(time: time), expected))
    }
    #expect(timeline.value(time: timeline.duration) == 4)
    let moving = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(8, duration: 0.4)
      SpringKeyframe(9, duration: 0.4, spring: spring)
      SpringKeyframe(9, duration: 1, startVelocity: 3)
    }
    let expected = spring.value(fromValue: 8, toValue: 9, initialVelocity: 20, time: 0.1)
    #expect(isClose(moving.value(time: 0.5), expected))
    let last = Spring().value(fromValue: 9, toValue: 9, initialVelocity: 3, time: 0.2)
    #expect(isClose(moving.value(time: 1), last))
    // A spring that never settles takes its response.
    let endless = KeyframeTimeline(initialValue: 0.0) {
      SpringKeyframe(1, spring: Spring(duration: 0.4, bounce: 1))
    }
    #expect(endless.duration == 0.4)
  }

  /// [K-04] 0 -> 20 in 0.8, start velocity 10, end 0: t = 0.4 -> 11.
  @Test func cubicKeyframesAreHermites() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(20, duration: 0.8, startVelocity: 10, endVelocity: 0)
    }
    #expect(isClose(timeline.value(time: 0.4), 11))
    #expect(timeline.value(time: 0) == 0)
    #expect(timeline.value(time: 0.8) == 20)
  }

  /// [K-04] Without velocities: Catmull-Rom through neighbours, zero at the outer ends.
  @Test func cubicKeyframesInARowAreASpline() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(10, duration: 0.5)
      CubicKeyframe(4, duration: 1)
    }
    // Tangent at 0.5: (4 - 0)/(0.5 + 1) = 8/3.
    #expect(isClose(timeline.value(time: 0.25), 5 - 0.5 / 8 * (8.0 / 3)))
    #expect(isClose(timeline.value(time: 1), 7 + 1.0 / 8 * (8.0 / 3)))
    #expect(isClose(slope(timeline, 0.5, -1), 8.0 / 3, 1e-4))
    #expect(isClose(slope(timeline, 0.5, 1), 8.0 / 3, 1e-4))
    #expect(isClose(slope(timeline, 0, 1), 0, 1e-4))
    #expect(isClose(slope(timeline, 1.5, -1), 0, 1e-4))
  }

  /// Where kinds meet, a cubic keyframe takes over the velocity, and leads to one that is given.
  @Test func cubicKeyframesHaveNoCorners() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(4, duration: 0.5)
      CubicKeyframe(6, duration: 0.5)
      CubicKeyframe(1, duration: 0.5, startVelocity: -5)
      LinearKeyframe(3, duration: 0.5)
      MoveKeyframe(2)
      CubicKeyframe(3, duration: 0.5)
      MoveKeyframe(9)
      LinearKeyframe(8, duration: 0.5)
    }
    #expect(isClose(slope(timeline, 0.5, 1), 8, 1e-4))
    #expect(isClose(slope(timeline, 1, -1), -5, 1e-4))
    #expect(isClose(slope(timeline, 1, 1), -5, 1e-4))
    #expect(isClose(slope(timeline, 1.5, -1), (3 - 6) / 1.0, 1e-4))
    #expect(timeline.value(time: 2) == 2)
    #expect(isClose(slope(timeline, 2, 1), 0, 1e-4))
    #expect(isClose(slope(timeline, 2.5, -1), 0, 1e-4))
  }

  private func isClose(_ found: Double, _ expected: Double, _ bound: Double) -> Bool {
    abs(found - expected) < bound
  }

  private func slope(_ timeline: KeyframeTimeline<Double>, _ time: Double, _ side: Double) -> Double
  {
    let (near, far) = (time + side * 1e-9, time + side * (1e-9 + 1e-7))
    return (timeline.value(time: far) - timeline.value(time: near)) / (far - near)
  }

  private struct Bounce: KeyframeTrackContent {
    var height: Double
    var body: some KeyframeTrackContent<Double> {
      LinearKeyframe(height, duration: 0.5)
      LinearKeyframe(0, duration: 0.5)
    }
  }

  private struct Pair: Keyframes {
    var body: some Keyframes<CGPoint> {
      KeyframeTrack(\.x) { LinearKeyframe(8, duration: 1) }
      KeyframeTrack(\.y) { LinearKeyframe(6, duration: 2) }
    }
  }

  @Test func keyframesCanBeBuiltInManyWays() {
    let isShort = ProcessInfo.processInfo.processorCount < 0
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      for height in [4.0, 2, 1] { Bounce(height: height) }
      if isShort { MoveKeyframe(9) } else { MoveKeyframe(7) }
      if isShort { MoveKeyframe(8) }
    }
    #expect(timeline.duration == 3)
    #expect(timeline.value(time: 3) == 7)
    #expect(timeline.value(time: 0.5) == 4)
    #expect(timeline.value(time: 1.5) == 2)
    let point = KeyframeTimeline(initialValue: CGPoint.zero) { Pair() }
    #expect(point.value(time: 1) == CGPoint(x: 8, y: 3))
    let whole = KeyframeTimeline(initialValue: CGPoint.zero) {
      KeyframeTrack { LinearKeyframe(CGPoint(x: 2, y: 4), duration: 1) }
    }
    #expect(whole.value(progress: 0.5) == CGPoint(x: 1, y: 2))
    let empty = KeyframeTimeline(initialValue: 3.0) {}
    #expect(empty.duration == 0)
    #expect(empty.value(time: 1) == 3)
    #expect(empty.value(progress: 0.5) == 3)
  }

  /// [K-05] Triggered again at half time: the value restarts at the track's start.
  @Test func playerRestartsFromItsInitialValue() {
    var player = KeyframePlayer(initialValue: 1.0) {
      LinearKeyframe(5, duration: 1)
      LinearKeyframe(1, duration: 1)
    }
    #expect(player.value(at: 3) == 1)
    #expect(player.end == nil)
    player.trigger(at: 10)
    #expect(isClose(player.value(at: 10.5), 3))
    player.trigger(at: 10.5)
    #expect(player.value(at: 10.5) == 1)
    #expect(isClose(player.value(at: 11), 3))
    #expect(player.end == 12.5)
    #expect(player.value(at: 99) == 1)
    var endless = KeyframePlayer(initialValue: 0.0, isRepeating: true) {
      LinearKeyframe(1, duration: 2)
    }
    endless.trigger(at: 1)
    #expect(isClose(endless.value(at: 1 + 2e6 + 0.5), 0.25))
    #expect(endless.end == .infinity)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    let timeline = KeyframeTimeline(initialValue: number) {
      LinearKeyframe(1, duration: number)
      CubicKeyframe(number, duration: number, startVelocity: number)
      SpringKeyframe(2, duration: number, spring: Spring(duration: number, bounce: number))
      SpringKeyframe(3, spring: Spring(duration: number, bounce: number))
    }
    for time in [number, 0, 1] {
      _ = timeline.value(time: time)
      _ = timeline.value(progress: time)
    }
    #expect(timeline.duration >= 0)
    #expect(timeline.value(time: .infinity) == 3)
  }

  /// However many keyframes there are, each is found, at its beginning too.
  @Test(arguments: [1, 2, 3, 7, 8, 9]) func everyStretchIsFound(count: Int) {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      for index in 1...count { LinearKeyframe(Double(index * index), duration: 0.5) }
    }
    #expect(timeline.duration == Double(count) / 2)
    for index in 0..<count {
      let (from, to) = (Double(index * index), Double((index + 1) * (index + 1)))
      let start = Double(index) / 2
      #expect(timeline.value(time: start) == from, "\(index)")
      #expect(isClose(timeline.value(time: start + 0.125), from + (to - from) / 4), "\(index)")
      #expect(isClose(timeline.value(time: start + 0.375), from + (to - from) * 0.75), "\(index)")
    }
  }

  /// Durations that are none make a jump.
  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func keyframesWithoutTimeJump(duration: Double) {
    let timeline = KeyframeTimeline(initialValue: 1.0) {
      LinearKeyframe(4, duration: duration)
      LinearKeyframe(8, duration: 1)
    }
    #expect(timeline.duration == 1)
    #expect(timeline.value(time: 0) == 4)
    #expect(isClose(timeline.value(time: 0.5), 6))
  }

  /// [K-04] A velocity that is given holds on its side of a keyframe, and a jump ends all motion.
  @Test func velocitiesAreOfTheirSides() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(4, duration: 1, startVelocity: 2, endVelocity: -3)
      CubicKeyframe(6, duration: 1)
      LinearKeyframe(8, duration: 1)
      MoveKeyframe(0)
      SpringKeyframe(1, duration: 1, spring: .smooth)
    }
    #expect(isClose(slope(timeline, 0, 1), 2, 1e-4))
    #expect(isClose(slope(timeline, 1, -1), -3, 1e-4))
    #expect(isClose(slope(timeline, 1, 1), -3, 1e-4))
    // Catmull-Rom before a line: (8 - 4)/2.
    #expect(isClose(slope(timeline, 2, -1), 2, 1e-4))
    #expect(isClose(slope(timeline, 3, 1), 0, 1e-3))
    #expect(timeline.value(time: 3) == 0)
  }

  /// [K-05] An animator's round shows its first jump from the very time at which it begins.
  @Test func animatorsJumpAtTheirStart() {
    let endless = KeyframeAnimator(initialValue: 0.0) { _ in
      EmptyView()
    } keyframes: { _ in
      MoveKeyframe(5)
      LinearKeyframe(7, duration: 1)
    }
    #expect([-1, 0, 0.5, 1].map { endless.value(at: $0) } == [0, 5, 6, 5])
    var once = KeyframeAnimator(initialValue: 0.0, trigger: 1) { _ in
      EmptyView()
    } keyframes: { _ in
      MoveKeyframe(5)
      LinearKeyframe(7, duration: 1)
    }
    once.trigger(2, at: 3)
    #expect([2, 3, 3.5, 4].map { once.value(at: $0) } == [0, 5, 6, 7])
  }

  /// [K-05] Repeated, the beginning follows the end; what takes no time is at its end.
  @Test func repeatedPlayersBeginAgain() {
    var player = KeyframePlayer(initialValue: 0.0, isRepeating: true) {
      LinearKeyframe(4, duration: 2)
    }
    #expect(player.isRepeating)
    #expect(player.start == nil)
    #expect(player.end == nil)
    player.trigger(at: 1)
    #expect(player.start == 1)
    #expect(player.value(at: 0.5) == 0)
    #expect(player.value(at: 1) == 0)
    #expect(player.value(at: 2.5) == 3)
    #expect(player.value(at: 3) == 0)
    #expect(player.value(at: 5.5) == 1)
    #expect(player.value(at: .infinity) == 4)
    var still = KeyframePlayer(initialValue: 0.0, isRepeating: true) { MoveKeyframe(5) }
    still.trigger(at: 1)
    #expect(still.value(at: 0) == 0)
    #expect(still.value(at: 1) == 5)
    #expect(still.value(at: 7) == 5)
    var once = KeyframePlayer(initialValue: 0.0) { LinearKeyframe(4, duration: 2) }
    #expect(!once.isRepeating)
    once.trigger(at: 1)
    #expect(once.value(at: 3) == 4)
    #expect(once.timeline.duration == 2)
  }
}
