// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// At constant speed, as anybody would write it.
private struct Steady: CustomAnimation {
  var duration: Double

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    if time >= duration / 2 { context.isLogicallyComplete = true }
    return time > duration ? nil : value.scaled(by: time / duration)
  }

  func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? { value.scaled(by: 1 / duration) }
}

/// Counts how often it was asked, and moves by a tenth each time.
private struct Counting: CustomAnimation {
  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    context.state[Count<V>.self] += 1
    let count = context.state[Count<V>.self]
    return count > 10 ? nil : value.scaled(by: Double(count) / 10)
  }
}

private struct Count<V: VectorArithmetic>: AnimationStateKey {
  static var defaultValue: Int { 0 }
}

/// Takes over whatever runs, and stays where that was.
private struct Freezing: CustomAnimation {
  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? { context.state[Frozen<V>.self] }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    let moved = previous.animate(value: value, time: time, context: &context)
    context.state[Frozen<V>.self] = moved
    return true
  }
}

private struct Frozen<V: VectorArithmetic>: AnimationStateKey {
  static var defaultValue: V? { nil }
}

/// Leaves everything to another animation.
private struct Forwarding: CustomAnimation {
  var inner: Animation

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? { inner.animate(value: value, time: time, context: &context) }

  func velocity<V: VectorArithmetic>(
    value: V, time: Double, context: AnimationContext<V>
  ) -> V? { inner.velocity(value: value, time: time, context: context) }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    inner.shouldMerge(previous: previous, value: value, time: time, context: &context)
  }
}

/// Goal: animations of one's own making run like the others.
///
/// Method: ones that do the same as a built-in one, and ones that show what they were told.
@Suite struct AnimationCustomTests {
  /// A custom linear(2) gives the numbers of linear(2).
  @Test func customMovesLikeItsTwin() {
    let pairs: [(Animation, Animation)] = [
      (Animation(Steady(duration: 2)), .linear(duration: 2)),
      (
        Animation(Steady(duration: 2)).delay(0.5).speed(2), .linear(duration: 2).delay(0.5).speed(2)
      ),
      (Animation(Forwarding(inner: .bouncy)), .bouncy),
    ]
    for (custom, twin) in pairs {
      var left = AnimationTrack(10.0)
      var right = AnimationTrack(10.0)
      left.set(20, animation: custom, at: 1, id: 0)
      right.set(20, animation: twin, at: 1, id: 0)
      for time in stride(from: 1, through: 4, by: 0.125) {
        let (first, second) = (left.removeFinished(at: time), right.removeFinished(at: time))
        #expect(abs(left.value(at: time) - right.value(at: time)) < 1e-12)
        #expect(first.count == second.count)
      }
      #expect(left.motions.isEmpty)
    }
  }

  /// It ends when it says so, and counts as complete when it says so.
  @Test func endIsNoticed() {
    var track = AnimationTrack(0.0)
    track.set(1, animation: Animation(Steady(duration: 2)), at: 0, id: 0)
    #expect(track.needsAdvance)
    track.advance(to: 0.5)
    #expect(track.motions[0].logicalEnd == .infinity)
    track.advance(to: 1.25)
    #expect(track.motions[0].logicalEnd == 1.25)
    #expect(track.motions[0].end == .infinity)
    #expect(track.removeFinished(at: 2).isEmpty)
    #expect(track.value(at: 2) == 1)
    #expect(track.removeFinished(at: 2.25).map(\.end) == [2.25])
    #expect(!track.needsAdvance)
  }

  /// State is kept from call to call, and only by advancing.
  @Test func stateIsKept() {
    var track = AnimationTrack(0.0)
    track.set(10, animation: Animation(Counting()), at: 0, id: 0)
    #expect(track.value(at: 0.1) == 1)
    #expect(track.value(at: 0.1) == 1)
    for tick in 1...10 { track.advance(to: Double(tick)) }
    #expect(track.motions.count == 1)
    #expect(track.removeFinished(at: 11).count == 1)
  }

  /// It may merge with its predecessor.
  @Test func customTakesOver() {
    for before in [Animation.linear(duration: 1), .spring, Animation(Steady(duration: 1))] {
      var track = AnimationTrack(0.0)
      track.set(10, animation: before, at: 1, id: 0)
      let shown = track.value(at: 1.3)
      let change = track.set(30, animation: Animation(Freezing()), at: 1.3, id: 1)
      #expect(change.merged.map(\.id) == [0])
      #expect(change.began?.start == 1)
      #expect(change.began?.interval == 30)
      #expect(abs(track.value(at: 1.3) - shown) < 1e-12)
      #expect(abs(track.value(at: 7) - shown) < 1e-12)
    }
  }

  /// From a spring that has taken over another one it learns where that was, and how fast.
  @Test func customTakesOverASpringThatTookOver() {
    var track = AnimationTrack(0.0)
    track.set(10, animation: .spring, at: 1, id: 0)
    track.set(30, animation: .spring, at: 1.125, id: 1)
    let shown = track.value(at: 1.25)
    // Springs add up: both changes as if each were alone.
    let (first, second) = (
      Animation.spring.course()?.progress(at: 0.25), Animation.spring.course()?.progress(at: 0.125)
    )
    #expect(abs(10 * (first ?? .nan) + 20 * (second ?? .nan) - shown) < 1e-9)
    let change = track.set(50, animation: Animation(Freezing()), at: 1.25, id: 2)
    #expect(change.merged.map(\.id) == [1])
    #expect(change.began?.start == 1.125)
    #expect(change.began?.interval == 50)
    #expect(abs(track.value(at: 1.25) - shown) < 1e-9)
    #expect(abs(track.value(at: 7) - shown) < 1e-9)
  }

  /// And is told what that one remembers.
  @Test func stateIsHandedOver() {
    var track = AnimationTrack(0.0)
    track.set(10, animation: Animation(Counting()), at: 0, id: 0)
    for tick in 1...3 { track.advance(to: Double(tick)) }
    track.set(20, animation: Animation(Freezing()), at: 4, id: 1)
    #expect(track.value(at: 9) == 4)
  }

  /// A spring takes over the velocity that a custom animation reports.
  @Test func springTakesOverACustomAnimation() {
    var track = AnimationTrack(0.0)
    track.set(10, animation: Animation(Steady(duration: 2)), at: 0, id: 0)
    track.set(0, animation: .spring, at: 0.5, id: 1)
    #expect(track.motions.map(\.id) == [1])
    #expect(abs(track.value(at: 0.5) - 2.5) < 1e-12)
    #expect(abs(track.velocity(at: 0.5) - 5) < 1e-12)
  }

  /// A spring inside a custom animation merges as the spring itself.
  @Test func forwardedSpringsMerge() {
    let custom = Animation(Forwarding(inner: .spring(duration: 0.4, bounce: 0)))
    var track = AnimationTrack(0.0)
    track.set(100, animation: custom, at: 0, id: 0)
    track.set(40, animation: custom, at: 0.1, id: 1)
    #expect(abs(track.value(at: 0.1) - 46.55839) < 1e-5)
    #expect(abs(track.velocity(at: 0.1) - 512.9223) < 1e-4)
    #expect(abs(track.value(at: 0.2) - 54.167518) < 1e-6)
    #expect(abs(track.velocity(at: 0.2) + 94.50124) < 1e-5)
    #expect(track.removeFinished(at: 5).map(\.id) == [1])
    #expect(track.value(at: 5) == 40)
  }

  /// Legs of a custom animation begin when it is noticed that the one before is over.
  @Test func customRepeats() {
    var track = AnimationTrack(0.0)
    let animation = Animation(Steady(duration: 1)).repeatCount(3)
    track.set(8, animation: animation, at: 0, id: 0)
    #expect(track.value(at: 1.25) == 8)
    var values: [Double] = []
    for tick in 0..<13 {
      let time = Double(tick) * 0.25
      _ = track.removeFinished(at: time)
      values.append(track.value(at: time))
    }
    #expect(values == [0, 2, 4, 6, 8, 8, 6, 4, 2, 0, 0, 2, 4])
    #expect(track.motions[0].logicalEnd == 3)
    #expect(track.motions[0].end == .infinity)
    for tick in 13..<16 { _ = track.removeFinished(at: Double(tick) * 0.25) }
    #expect(track.motions.isEmpty)
    // What is over at once is not asked again and again.
    var none = AnimationTrack(0.0)
    none.set(1, animation: Animation(Steady(duration: -1)).repeatForever(), at: 0, id: 0)
    #expect(none.motions.isEmpty)
  }

  /// What an animation is made from comes back out of it.
  @Test func baseComesBack() {
    let custom = Animation(Steady(duration: 2))
    #expect(custom.base as? Steady == Steady(duration: 2))
    #expect(custom == Animation(Steady(duration: 2)))
    #expect(custom != Animation(Steady(duration: 3)))
    #expect(custom != Animation(Counting()))
    #expect(custom.delay(1).base as? Steady == nil)
    for animation in [Animation.linear, .spring.delay(1), custom.speed(2)] {
      #expect(Animation(animation.base) == animation)
    }
    #expect(custom.course() == nil)
  }

  private func track(_ animation: Animation) -> AnimationTrack<Double> {
    var track = AnimationTrack(0.0)
    track.set(8, animation: animation, at: 0, id: 0)
    return track
  }

  /// Modifiers of a custom animation are those of any other: value and velocity at 0.5.
  @Test func modifiersActOnCustomAnimations() {
    let steady = Animation(Steady(duration: 2))
    let rows: [(animation: Animation, value: Double, velocity: Double)] = [
      (steady, 2, 4), (steady.delay(0.25), 1, 4), (steady.delay(0.5), 0, 4),
      (steady.delay(0.75), 0, 0), (steady.delay(-0.5), 4, 4), (steady.speed(2), 4, 8),
      (steady.speed(0), 0, 0), (steady.speed(-1), 0, 0), (steady.speed(2).delay(0.25), 2, 8),
      (steady.delay(0.5).speed(2), 2, 8), (steady.logicallyComplete(after: 1), 2, 4),
      (steady.repeatCount(2), 2, 4),
    ]
    for row in rows {
      let moving = track(row.animation)
      #expect(moving.value(at: 0.5) == row.value, "\(row.animation)")
      #expect(moving.velocity(at: 0.5) == row.velocity, "\(row.animation)")
    }
    #expect(track(steady.delay(.nan)).value(at: 0.5) == 2)
  }

  /// Legs that do not turn begin anew, each when it is noticed that the one before is over.
  @Test func customRepeatsWithoutTurning() {
    var moving = track(Animation(Steady(duration: 1)).repeatCount(3, autoreverses: false))
    var values: [Double] = []
    for tick in 0..<13 {
      let time = Double(tick) * 0.25
      _ = moving.removeFinished(at: time)
      values.append(moving.value(at: time))
    }
    #expect(values == [0, 2, 4, 6, 8, 0, 2, 4, 6, 8, 0, 2, 4])
    #expect(moving.velocity(at: 3) == 8)
    // With turns the second leg goes back and the third one there.
    var turning = track(Animation(Steady(duration: 1)).repeatCount(3))
    for tick in 0..<7 { _ = turning.removeFinished(at: Double(tick) * 0.25) }
    #expect(turning.velocity(at: 1.5) == -8)
    for tick in 7..<12 { _ = turning.removeFinished(at: Double(tick) * 0.25) }
    #expect(turning.velocity(at: 2.75) == 8)
    #expect(turning.motions.map(\.logicalEnd) == [.infinity])
  }

  /// [C-07] A time of logical completion replaces what the animation says of itself.
  @Test func customCompletionMayBeSet() {
    let steady = Animation(Steady(duration: 4))
    func logicalEnds(_ animation: Animation, _ times: [Double]) -> [Double] {
      var moving = track(animation)
      return times.map { time in
        moving.advance(to: time)
        return moving.motions[0].logicalEnd
      }
    }
    #expect(
      logicalEnds(steady.logicallyComplete(after: 1), [(1.0).nextDown, 1, 3]) == [.infinity, 1, 1])
    #expect(
      logicalEnds(steady.logicallyComplete(after: .nan), [1.5, 2, 3]) == [.infinity, 2, 2])
    #expect(
      logicalEnds(steady.logicallyComplete(after: 10), [3, 4, 4.5])
        == [.infinity, .infinity, 4.5])
  }

  /// A spring inside a custom animation merges with one that has the same modifiers, as the
  /// spring itself does, and with no other.
  @Test func forwardedSpringsMergeWithTheirModifiers() {
    let inner = Animation.spring(duration: 0.4, bounce: 0.2)
    let wrapped = Animation(Forwarding(inner: inner))
    let cases: [(custom: Animation, twin: Animation, time: Double)] = [
      (wrapped.delay(0.2), inner.delay(0.2), 0.3), (wrapped.delay(0.2), inner.delay(0.2), 0.15),
      (wrapped.speed(2), inner.speed(2), 0.15),
      (wrapped.speed(2).delay(0.1), inner.speed(2).delay(0.1), 0.2),
    ]
    for (custom, twin, second) in cases {
      var (left, right) = (AnimationTrack(0.0), AnimationTrack(0.0))
      for (id, change) in [(100.0, 0.0), (40, second)].enumerated() {
        left.set(change.0, animation: custom, at: change.1, id: UInt64(id))
        right.set(change.0, animation: twin, at: change.1, id: UInt64(id))
      }
      #expect(left.motions.map(\.id) == [1], "\(twin)")
      for time in stride(from: second, through: second + 0.25, by: 0.05) {
        #expect(abs(left.value(at: time) - right.value(at: time)) < 1e-9, "\(twin) at \(time)")
        let difference = left.velocity(at: time) - right.velocity(at: time)
        #expect(abs(difference) < 1e-7, "\(twin) at \(time)")
      }
    }
    for (first, second) in [
      (wrapped.delay(0.2), wrapped.delay(0.3)), (wrapped, wrapped.speed(2)),
      (wrapped.repeatCount(2), wrapped.repeatCount(2)),
    ] {
      var apart = AnimationTrack(0.0)
      apart.set(100, animation: first, at: 0, id: 0)
      apart.set(40, animation: second, at: 0.1, id: 1)
      #expect(apart.motions.map(\.id) == [0, 1])
    }
  }

  /// [P-15] A spring that goes on is complete its response after the change.
  @Test func forwardedSpringsAreCompleteAfterTheirResponse() {
    var moving = AnimationTrack(0.0)
    let custom = Animation(Forwarding(inner: .spring(duration: 0.5, bounce: 0)))
    moving.set(100, animation: custom, at: 0, id: 0)
    moving.set(40, animation: custom, at: 0.25, id: 1)
    moving.advance(to: 0.75.nextDown)
    #expect(moving.motions.map(\.logicalEnd) == [.infinity])
    moving.advance(to: 0.75)
    #expect(moving.motions.map(\.logicalEnd) == [0.75])
    #expect(moving.motions.map(\.end) == [.infinity])
  }

  /// A context for another value keeps what is known.
  @Test func contextsCarryOver() {
    var context = AnimationContext<Double>(isLogicallyComplete: true)
    #expect(context.state[Count<Double>.self] == 0)
    context.state[Count<Double>.self] = 7
    #expect(context.state[Count<Double>.self] == 7)
    let other = context.withState(AnimationState<Float>())
    #expect(other.isLogicallyComplete)
    #expect(other.state[Count<Float>.self] == 0)
    #expect(!AnimationContext<Double>().isLogicallyComplete)
  }
}
