// SPDX-License-Identifier: Apache-2.0

import Orrery
import TestSupport
import Testing

/// Goal: no spring is seen to stop.
///
/// Its events come when it is within a thousandth of its way; its value goes on
/// until less than 0.02 points and less than 1e-5 of the way are left.
///
/// Method: values a hair apart, around every time at which something ends.
@Suite struct SpringRestTests {
  static let animations: [Animation] = [
    .spring(duration: 0.5, bounce: 0), .spring(duration: 0.45, bounce: 0.2), .snappy, .bouncy,
    .smooth, .spring(response: 0.4, dampingFraction: 2.5),
    .interpolatingSpring(stiffness: 144, damping: 12),
    .interpolatingSpring(duration: 0.3, bounce: 0.6, initialVelocity: 9),
    .bouncy.delay(0.3).speed(2), .snappy.repeatCount(3),
    .smooth.repeatCount(2, autoreverses: false),
  ]

  /// The largest change of a track between two times that are 1e-9 s apart, besides what its velocity explains.
  private func jump(_ track: AnimationTrack<Double>, around time: Double) -> Double {
    let times = [time - 1e-9, time, time + 1e-9]
    let values = times.map { track.value(at: $0) }
    return max(abs(values[1] - values[0]), abs(values[2] - values[1]))
  }

  /// [P-20] 0 -> 3000 and other ways: nothing jumps by more than 0.02 points, or 1e-5 of the way.
  @Test(arguments: animations, [1, 320, 3000, 1e6])
  func springsAreNotSeenToStop(animation: Animation, way: Double) throws {
    var track = AnimationTrack(0.0)
    let motion = try #require(track.set(way, animation: animation, at: 1, id: 1).began)
    let most = min(0.02, 1e-5 * way)
    #expect(motion.rest > motion.end)
    #expect(motion.end == 1 + (animation.course()?.end ?? 0))
    // What moves in 1e-9 s is less than a millionth of the way.
    for time in [motion.end, motion.rest] {
      #expect(jump(track, around: time) < most + 1e-7 * way, "\(animation), \(time)")
    }
    #expect(abs(track.value(at: motion.rest.nextDown) - way) < most)
    #expect(abs(track.value(at: motion.end) - way) > 0)
    #expect(track.value(at: motion.rest.nextUp) == way)
    #expect(track.velocity(at: motion.rest.nextUp) == 0)
    #expect(track.isAtRest(at: motion.rest.nextUp) && !track.isAtRest(at: motion.end))
    #expect(track.removeFinished(at: motion.rest + 1e-6).count == 1)
    #expect(track.motions.isEmpty)
  }

  /// [P-20] spring(duration: 0.3, bounce: 0.15) over 320 points, turned round at 0.05 s.
  @Test func turnedRoundSpringArrives() throws {
    var track = AnimationTrack(0.0)
    let spring = Animation.spring(duration: 0.3, bounce: 0.15)
    track.set(320, animation: spring, at: 0, id: 1)
    let motion = try #require(track.set(0, animation: spring, at: 0.05, id: 2).began)
    for time in [motion.end, motion.rest] { #expect(jump(track, around: time) < 0.0033) }
    #expect(abs(track.value(at: motion.rest.nextDown)) < 0.0032)
    #expect(track.value(at: motion.rest.nextUp) == 0)
  }

  /// [P-20] After its end a spring that took over is as fast as its values are.
  @Test func takenOverSpringMovesOnAsItShows() throws {
    var track = AnimationTrack(0.0)
    let spring = Animation.spring(duration: 0.4, bounce: 0)
    track.set(100, animation: spring, at: 0, id: 1)
    let motion = try #require(track.set(40, animation: spring, at: 0.1, id: 2).began)
    try #require(motion.rest > motion.end + 1e-3)
    let time = (motion.end + motion.rest) / 2
    let slope = (track.value(at: time + 1e-6) - track.value(at: time - 1e-6)) / 2e-6
    #expect(abs(slope) > 1e-4)
    #expect(abs(track.velocity(at: time) - slope) < 0.01 * abs(slope))
  }

  /// [P-20] One motion that has ended goes on while another moves the property.
  @Test func endedMotionsGoOnUnderOthers() throws {
    var track = AnimationTrack(0.0)
    let first = try #require(
      track.set(3000, animation: .interpolatingSpring(duration: 0.5), at: 0, id: 1).began)
    track.set(3100, animation: .linear(duration: 3), at: 0.2, id: 2)
    for time in [first.end, first.rest] { #expect(jump(track, around: time) < 0.021) }
    // A change after the end, and before it is at rest, takes nothing from it.
    let late = first.end + 0.01
    let before = track.value(at: late)
    track.set(3000, animation: .bouncy, at: late, id: 3)
    #expect(abs(track.value(at: late) - before) < 1e-9)
    #expect(abs(track.value(at: late + 1e-9) - before) < 1e-5)
    // A change at once is at its value.
    track.set(7, animation: nil, at: late + 0.01, id: 4)
    #expect(track.value(at: late + 0.01) == 7)
    #expect(track.motions.isEmpty)
  }

  /// [P-20] Springs that take over, with delays, speeds and repetitions.
  @Test(arguments: UInt64(1)...200)
  func takenOverSpringsAreNotSeenToStop(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let modified: [(Animation) -> Animation] = [
      { $0 }, { $0.delay(0.2) }, { $0.speed(0.7) }, { $0.repeatCount(3, autoreverses: true) },
    ]
    let modify = modified[Int.random(in: 0..<4, using: &random)]
    func spring() -> Animation {
      .spring(
        duration: random.number(in: 0.1...1), bounce: random.number(in: -0.6...0.6),
        blendDuration: Bool.random(using: &random) ? 0.2 : 0)
    }
    var track = AnimationTrack(0.0)
    var last: AnimationTrack<Double>.Motion?
    for index in 0..<3 {
      let goal = random.number(in: -3000...3000)
      last =
        track.set(
          goal, animation: modify(spring()), at: Double(index) * 0.15, id: UInt64(index)
        ).began
    }
    let motion = try #require(last)
    #expect(motion.rest >= motion.end)
    for time in [motion.end, motion.rest] {
      #expect(jump(track, around: time) < 0.021, "seed \(seed), \(motion.animation), \(time)")
    }
  }

  /// [P-20] Completions and removals come when they came before; then nothing is left to do.
  @Test func eventsComeAtTheEnd() {
    let engine = AnimationEngine()
    let property = engine.property(0.0, name: "x")
    var times: [Double] = []
    withAnimation(.interpolatingSpring(stiffness: 144, damping: 12), completionCriteria: .removed) {
      property.value = 3000
    } completion: {
      times.append(engine.time)
    }
    let end = Spring(mass: 1, stiffness: 144, damping: 12).settlingBound
    engine.advance(to: end)
    #expect(times == [end])
    #expect(!property.isAnimating && property.isMoving && engine.activeCount == 0)
    #expect(property.presentation != 3000 && abs(property.presentation - 3000) < 3)
    engine.advance(by: 2)
    #expect(property.presentation == 3000 && !property.isMoving)
    #expect(property.velocity == 0)
    // Destroyed while it moves on: it is at its value.
    withAnimation(.bouncy) { property.value = 0 }
    engine.advance(by: Animation.bouncy.course()?.end ?? 0)
    #expect(property.presentation != 0)
    property.value = 5
    #expect(property.presentation == 5)
  }

  /// [P-20] A custom animation that wraps a spring is as long as the spring is to be seen.
  @Test func wrappedSpringsAreNotSeenToStop() {
    var context = AnimationContext<Double>()
    let rest = Animation.bouncy.course()?.rest(length: 3000) ?? 0
    let last = Animation.bouncy.animate(value: 3000.0, time: rest.nextDown, context: &context)
    #expect(abs((last ?? 0) - 3000) < 0.02)
    #expect(Animation.bouncy.animate(value: 3000.0, time: rest.nextUp, context: &context) == nil)
  }

  /// [P-20] A view that a spring moves in from far away is not seen to stop, and one that it moves out is gone.
  @Test func transitionsAreNotSeenToStop() {
    let size = CGSize(width: 3000, height: 100)
    var player = TransitionPlayer(.move(edge: .leading))
    player.insert(animation: .bouncy, at: 0)
    let end = Animation.bouncy.course()?.end ?? 0
    #expect(player.values(at: end, size: size).matrix.tx != 0)
    #expect(player.isMoving(at: end + 0.01))
    var (before, most) = (player.values(at: end, size: size).matrix.tx, 0.0)
    for step in 1...2000 {
      let x = player.values(at: end + Double(step) * 1e-3, size: size).matrix.tx
      most = max(most, abs(Double(x - before)))
      before = x
    }
    // The spring moves by up to 0.05 points in a thousandth of a second; it had 0.7 points left.
    #expect(most < 0.1)
    #expect(!player.isMoving(at: end + 2) && player.values(at: end + 2, size: size) == .identity)
    player.remove(animation: .bouncy, at: end + 2)
    #expect(player.removalEnd.map { player.isPresent(at: $0) } == true)
    player.advance(to: 2 * end + 2.001)
    #expect(!player.isPresent(at: 2 * end + 2.001) && !player.isMoving(at: 2 * end + 2.001))
    player.insert(animation: .bouncy, at: 2 * end + 2.01)
    #expect(player.values(at: 2 * end + 2.01, size: size).matrix.tx == -3000)
  }

  /// What is left after `restBound` is as little as it says, by the motion itself.
  @Test func restIsABound() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<2_000 {
      let spring = Spring(
        response: random.number(in: 0.05...2), dampingRatio: random.number(in: 0.02...4))
      let length = random.number(in: 1...100_000)
      let rest = spring.restBound(length: length)
      #expect(rest >= spring.settlingBound)
      let most = min(0.02, 1e-5 * length)
      for step in 0..<50 {
        let left = abs(
          spring.value(target: length, time: rest * (1 + Double(step) * 0.01)) - length)
        #expect(left < most, "\(spring), \(length)")
      }
      #expect(rest < 4 * spring.settlingBound, "\(spring), \(length)")
    }
    #expect(Spring(response: 1, dampingRatio: 0).restBound(length: 1) == .infinity)
    #expect(Spring(response: 0, dampingRatio: 1).restBound(length: 1) == 0)
  }
}
