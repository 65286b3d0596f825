// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: a motion that never ends by itself ends with a change that was made after it.
///
/// Method: a spinner from 0 to 8 in 2 s that a change at 5 s leads back to 0, for each kind of that change; then
/// completions, players, and spinners that start again.
@Suite struct EndlessMotionTests {
  static let spin = Animation.linear(duration: 2).repeatForever(autoreverses: false)

  /// A later change, and how long it takes.
  static let later: [(animation: Animation, seconds: Double)] = [
    (.linear(duration: 0.5), 0.5),
    (.easeInOut(duration: 0.25).delay(0.5), 0.75),
    (.timingCurve(0.3, -0.4, 0.6, 1.5, duration: 0.5).speed(2), 0.25),
    (.linear(duration: 0.5).repeatCount(3), 1.5),
    (.linear(duration: 0).delay(0.25), 0.25),
    (.linear(duration: 0), 0),
    (.easeInOut(duration: 1).speed(1e300), 0),
    (.linear(duration: 0.25).delay(-1), 0),
    (.interpolatingSpring(stiffness: 0, damping: 1), 0),
    (.interpolatingSpring(duration: 0.5, bounce: 0.3), 0),
    (.spring(duration: 0.5, bounce: 0.3).delay(0.25), 0),
    (.spring(duration: 0.5), 0),
    (.spring(response: 0, dampingFraction: 1), 0),
  ].map { ($0, max($1, $0.course()?.end ?? 0)) }

  static func spinner() -> AnimationTrack<Double> {
    var track = AnimationTrack(0.0)
    track.set(8, animation: spin, at: 0, id: 1)
    return track
  }

  /// It runs beside the later change until that ends; from then on the target shows.
  @Test(arguments: later)
  func laterChangeEndsIt(animation: Animation, seconds: Double) throws {
    var track = Self.spinner()
    let change = track.set(0, animation: animation, at: 5, id: 2)
    let end = try #require(change.began?.end)
    let movesOn = animation.course()?.movesAtEnd == true
    for time in [end, end + 0.001, 60] {
      #expect(abs(track.value(at: time)) <= (movesOn ? 0.009 : 0), "\(time)")
    }
    #expect(track.value(at: 60) == 0)
    #expect(track.velocity(at: 60) == 0)
    #expect(track.isAtRest(at: 60))
    guard change.merged.isEmpty else { return }
    #expect(end == 5 + seconds)
    if seconds > 0 {
      let alone = AnimationTrackTests.track((0, nil, 0), (-8, animation, 5))
      for time in [5, 5 + seconds / 3, 5 + seconds * 0.9] {
        let spin = 8 * (time / 2 - (time / 2).rounded(.down))
        #expect(abs(track.value(at: time) - spin - alone.value(at: time)) < 1e-9, "\(time)")
      }
    }
  }

  /// Springs and other endless motions are ended too; what ends by itself is not.
  @Test func everythingThatNeverEndsIsEnded() {
    for endless in [
      Self.spin, Animation.easeInOut.repeatForever(), .spring.repeatForever(), .linear.speed(0),
      .interpolatingSpring(stiffness: 100, damping: 0), .linear.delay(.infinity),
      .linear(duration: .infinity), .linear.repeatCount(2).repeatForever(),
      Animation(Sway()).repeatForever(), .spring(duration: 1, bounce: 1),
    ] {
      var track = AnimationTrack(0.0)
      track.set(8, animation: endless, at: 0, id: 1)
      let change = track.set(3, animation: .linear(duration: 1), at: 5, id: 2)
      #expect(change.stopped.map(\.id) == [1], "\(endless)")
      #expect(track.value(at: 6) == 3)
      #expect(track.isAtRest(at: 6.001))
    }
    var track = AnimationTrackTests.track((8, .linear(duration: 9), 0), (0, .linear, 5))
    #expect(track.removeFinished(at: 6).map(\.id) == [1])
    #expect(track.motions.map(\.end) == [9])
  }

  /// The first of several later changes to end ends it, also after others took that one over.
  @Test func firstLaterEndCounts() {
    var track = Self.spinner()
    track.set(4, animation: .linear(duration: 9), at: 5, id: 2)
    track.set(5, animation: .linear(duration: 1), at: 6, id: 3)
    track.set(6, animation: .linear(duration: 3), at: 6.5, id: 4)
    #expect(track.motions.map(\.end) == [7, 14, 7, 9.5])
    var merged = Self.spinner()
    let late = Animation.spring(duration: 0.5).delay(0.5)
    let end = merged.set(4, animation: late, at: 5, id: 2).began?.end
    #expect(merged.set(5, animation: late, at: 5.1, id: 3).merged.map(\.id) == [2])
    #expect(merged.motions.first?.end == end)
    #expect(merged.motions.count == 2)
  }

  /// A change that another one of its instant replaces ends nothing.
  @Test func replacedChangesEndNothing() {
    var track = Self.spinner()
    track.set(4, animation: .linear(duration: 1), at: 5, id: 2)
    let longer = track.set(5, animation: .linear(duration: 3), at: 5, id: 3)
    #expect(longer.stopped.map(\.end) == [8])
    #expect(track.motions.map(\.end) == [8, 8])
    let back = track.set(8, animation: .linear(duration: 1), at: 5, id: 4)
    #expect(back.began == nil)
    #expect(back.stopped.map(\.end) == [.infinity])
    #expect(track.motions.map(\.end) == [.infinity])
    #expect(track.value(at: 1001) == 4)
    // One that is taken over is complete with what took it over.
    var taken = track
    taken.set(4, animation: .linear(duration: 1), at: 10, id: 5)
    let spring = taken.set(5, animation: .spring, at: 10, id: 6)
    #expect(spring.merged.map(\.logicalEnd) == [spring.began?.end])
    // What an earlier instant's change ends, it ends.
    track.set(4, animation: .linear(duration: 9), at: 10, id: 5)
    track.set(5, animation: .linear(duration: 1), at: 11, id: 6)
    track.set(6, animation: .linear(duration: 20), at: 11, id: 7)
    #expect(track.motions.map(\.end) == [19, 19, 31])
  }

  /// Another endless one ends it with its first leg: speeds do not add up.
  @Test func nextEndlessMotionEndsIt() {
    var track = Self.spinner()
    for start in 1...20 {
      let goal = Double(start + 1) * 8
      _ = track.removeFinished(at: Double(start) * 5)
      track.set(goal, animation: Self.spin, at: Double(start) * 5, id: UInt64(start + 1))
      #expect(track.motions.count <= 2)
      #expect(track.velocity(at: Double(start) * 5 + 2.5) == 4)
      #expect(track.value(at: Double(start) * 5 + 3) == goal - 4)
    }
    // One that stands still has no leg: it goes on from where the spinner was.
    track.set(0, animation: .linear.speed(0), at: 105.5, id: 30)
    #expect(track.motions.map(\.id) == [30])
    #expect(track.value(at: 105.5) == 21 * 8 - 2)
    #expect(track.value(at: 1e6) == 21 * 8 - 2)
  }

  /// A custom animation ends it when it says that it is over, or that its first leg is.
  @Test(arguments: [Animation(Sway()), Animation(Sway()).repeatForever()])
  func customAnimationEndsIt(animation: Animation) {
    var track = Self.spinner()
    track.set(0, animation: animation, at: 5, id: 2)
    var stopped: [UInt64] = []
    for frame in 300...360 { stopped += track.advance(to: Double(frame) / 60).map(\.id) }
    #expect(stopped == [1])
    #expect(track.motions.first?.end == 5.75)
    #expect(abs(track.value(at: 6) - (animation.base is Sway ? 0 : 8 / 3.0)) < 1e-9)
  }

  /// Moves evenly for 0.75 s.
  struct Sway: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? {
      time < 0.75 ? value.scaled(by: time / 0.75) : nil
    }
  }
}

// MARK: - Completions

extension EndlessMotionTests {
  /// [A-25] [C-05] [C-08] It is complete when the later change ends; removed when nothing runs any more.
  @Test(arguments: [AnimationCompletionCriteria.logicallyComplete, .removed])
  func completionsComeWithTheEnd(criteria: AnimationCompletionCriteria) {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(Self.spin, completionCriteria: criteria) {
      x.value = 8
    } completion: {
      recorder.note("spun")
    }
    recorder.engine.advance(to: 5)
    #expect(recorder.take() == ["2 x leg 0", "4 x leg 1"])
    withAnimation(.linear(duration: 0.75), completionCriteria: criteria) {
      x.value = 0
    } completion: {
      recorder.note("stopped")
    }
    recorder.engine.advance(to: 5.5)
    withAnimation(.linear(duration: 3), completionCriteria: criteria) {
      x.value = 1
    } completion: {
      recorder.note("moved")
    }
    recorder.engine.advance(to: 60)
    let isRemoved = criteria == .removed
    #expect(
      recorder.take()
        == ["5.75 x complete"] + (isRemoved ? [] : ["5.75 spun"])
        + ["5.75 x leg 0", "5.75 x complete"] + (isRemoved ? [] : ["5.75 stopped"])
        + ["8.5 x leg 0", "8.5 x complete"] + (isRemoved ? [] : ["8.5 moved"])
        + ["8.5 x finished"] + (isRemoved ? ["8.5 spun", "8.5 stopped", "8.5 moved"] : []))
    #expect(recorder.engine.activeCount == 0)
    #expect(x.presentation == 1)
  }

  /// A spring that takes it over completes it with its own end.
  @Test func takenOverSpinnerIsCompletedWithTheSpring() throws {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(Self.spin) {
      x.value = 8
    } completion: {
      recorder.note("spun")
    }
    recorder.engine.advance(to: 1)
    withAnimation(.spring(duration: 0.5)) { x.value = 0 }
    for step in 1...20 {
      recorder.engine.advance(to: 1 + Double(step) / 4)
      withAnimation(.linear(duration: 1)) { x.value = Double(step) }
    }
    let lines = recorder.take()
    #expect(lines.count { $0.hasSuffix("spun") } == 1)
    let spun = try #require(lines.first { $0.hasSuffix("spun") })
    let end = try #require(spun.split(separator: " ").first.flatMap { Double($0) })
    #expect(end > 1.5 && end < 2.5)
  }

  /// [C-05] A change that takes no time completes everything before it, and then itself.
  @Test func changeInNoTimeCompletesAll() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    for (goal, animation) in [(8.0, Self.spin), (9.0, Animation.linear(duration: 2))] {
      withAnimation(animation, completionCriteria: .removed) {
        x.value = goal
      } completion: {
        recorder.note("to \(goal)")
      }
      recorder.engine.advance(by: 1)
    }
    _ = recorder.take()
    withAnimation(.linear(duration: 0)) {
      x.value = 0
    } completion: {
      recorder.note("done at \(x.presentation)")
    }
    #expect(
      recorder.take() == [
        "2 x complete", "2 x complete", "2 x finished", "2 to 8.0", "2 to 9.0", "2 done at 0.0",
      ])
    recorder.engine.advance(by: 9)
    #expect(recorder.take() == [])
    #expect(x.presentation == 0)
    #expect(!x.isMoving)
  }

  /// A custom animation that is over completes it, and its legs are no longer told.
  @Test func customAnimationCompletesIt() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 0.25).repeatForever()) {
      x.value = 8
    } completion: {
      recorder.note("spun")
    }
    recorder.engine.advance(to: 1)
    withAnimation(Animation(Sway())) { x.value = 0 }
    _ = recorder.take()
    for frame in 1...120 { recorder.engine.advance(to: 1 + Double(frame) / 60) }
    #expect(
      recorder.take() == [
        "1.25 x leg 4", "1.5 x leg 5", "1.75 x leg 6", "1.75 x complete", "1.75 spun",
        "1.75 x complete", "1.75 x finished",
      ])
  }

  /// A change that takes over ends nothing where an animation of the same instant is undone by a jump.
  @Test func jumpEndsASpinnerAndItsEnd() {
    let recorder = EngineRecorder()
    let x = recorder.engine.property(0.0, name: "x")
    withAnimation(Self.spin) { x.value = 8 }
    recorder.engine.advance(to: 1)
    withAnimation(.linear(duration: 1)) { x.value = 0 }
    x.value = 5
    recorder.engine.advance(to: 9)
    #expect(recorder.take() == ["1 x cancelled"])
    #expect(x.presentation == 5)
  }
}

// MARK: - Players

extension EndlessMotionTests {
  private static let size = CGSize(width: 10, height: 10)

  /// A view that pulses while it is shown goes out when its removal is over.
  @Test func transitionsEnd() {
    var player = TransitionPlayer(.opacity)
    player.insert(animation: .linear(duration: 1).repeatForever(), at: 0)
    player.remove(animation: .linear(duration: 0.5), at: 4.25)
    #expect(player.removalEnd == 4.75)
    #expect(player.values(at: 4.75, size: Self.size).opacity == 0)
    #expect(!player.isPresent(at: 4.76))
    player.insert(animation: .linear(duration: 1).repeatForever(), at: 5)
    player.remove(animation: .easeInOut(duration: 0), at: 5.25)
    #expect(!player.isPresent(at: 5.25))
    player.insert(animation: .spring.repeatForever(), at: 6)
    player.remove(animation: .linear(duration: 1), at: 7)
    player.insert(animation: .linear(duration: 2), at: 7.5)
    #expect(player.values(at: 9.5, size: Self.size).opacity == 1)
    #expect(!player.isMoving(at: 9.6))
  }

  /// A view that pulses comes to rest when its newest state says so.
  @Test func viewPlayersEnd() {
    var dot = ViewPlayer(EmptyView().opacity(0.25))
    let pulse = Animation.linear(duration: 1).repeatForever()
    withAnimation(pulse) { dot.update(EmptyView().opacity(1), at: 0) }
    withAnimation(.linear(duration: 0.5)) { dot.update(EmptyView().opacity(0.25), at: 4.25) }
    #expect(dot.values(at: 4.75, size: Self.size).opacity == 0.25)
    #expect(!dot.isMoving(at: 4.76))
    withAnimation(pulse) { dot.update(EmptyView().opacity(1), at: 5) }
    withAnimation(.linear(duration: 0)) { dot.update(EmptyView().opacity(0.5), at: 5.5) }
    #expect(dot.values(at: 5.5, size: Self.size).opacity == 0.5)
    #expect(!dot.isMoving(at: 5.5))
  }
}

// MARK: - Changes that take no time

extension EndlessMotionTests {
  /// Takes no time.
  static let instant: [Animation] = [
    .linear(duration: 0), .easeInOut(duration: 0), .linear(duration: -1), .linear(duration: .nan),
    .linear(duration: 1).delay(-1), .linear(duration: 1).delay(-9),
    .linear(duration: 1).speed(1e300),
    .linear(duration: 1).repeatCount(3).speed(.infinity), .linear(duration: 0).repeatForever(),
    .spring(response: 0, dampingFraction: 1), .spring(duration: 0).delay(-1),
    .interpolatingSpring(stiffness: 0, damping: 1),
    .linear(duration: 0).logicallyComplete(after: 3),
    Animation(Nothing()), Animation(Nothing()).speed(2),
  ]

  /// Is over when it begins.
  struct Nothing: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? { nil }
  }

  /// The target shows at once, whatever ran.
  @Test(arguments: instant)
  func changeInNoTimeEndsEverything(animation: Animation) {
    for running in [
      Animation.linear(duration: 2), Self.spin, .spring(duration: 3), .linear.delay(9),
      .interpolatingSpring(duration: 3), Animation(Sway()), .spring(duration: 0.9),
    ] {
      for start in [0.0, 0.25, 1e6] {
        var track = AnimationTrack(0.0)
        track.set(50, animation: .spring(duration: 0.5), at: start, id: 1)
        track.set(100, animation: running, at: start + 0.125, id: 2)
        let change = track.set(0, animation: animation, at: start + 1.5, id: 3)
        #expect(track.motions.isEmpty)
        #expect(change.began?.isFinished(at: start + 1.5) == true)
        for later in [1.5, 1.625, 2.5, 1e9] {
          #expect(track.value(at: start + later) == 0, "\(running), \(start), \(later)")
        }
      }
    }
  }

  /// It is the same at time 0, where a time of 1e-300 s is one.
  @Test(arguments: instant)
  func changeInNoTimeAtTimeZero(animation: Animation) {
    var track = AnimationTrack(5.0)
    track.set(7, animation: animation, at: 0, id: 1)
    #expect(track.value(at: 0) == 7)
    #expect(track.motions.isEmpty)
  }

  /// With a delay: what ran goes on until the delay is over, and then the target shows.
  @Test(
    arguments: [
      Animation.linear(duration: 0).delay(0.25),
      .spring(response: 0, dampingFraction: 1).delay(0.25),
      .linear(duration: 1).speed(1e300).delay(0.25), .linear(duration: 0).delay(0.5).speed(2),
      .linear(duration: 0).delay(0.125).delay(0.125),
      .interpolatingSpring(stiffness: 0, damping: 1).delay(0.25),
    ])
  func delayedChangeInNoTime(animation: Animation) {
    for running in [Animation.linear(duration: 2), Self.spin, .interpolatingSpring(duration: 3)] {
      var alone = AnimationTrack(0.0)
      alone.set(100, animation: running, at: 0, id: 1)
      var track = alone
      let change = track.set(0, animation: animation, at: 1, id: 2)
      #expect(change.stopped.map(\.end) == [1.25])
      for time in [1, 1.125, 1.2499] {
        #expect(abs(track.value(at: time) - alone.value(at: time)) < 1e-9, "\(time)")
      }
      for time in [1.25, 1.2500001, 1.5, 60] { #expect(track.value(at: time) == 0, "\(time)") }
      // It ends only what began before it.
      track.set(10, animation: .linear(duration: 1), at: 1.125, id: 3)
      #expect(track.motions.map(\.end) == [1.25, 1.25, 2.125])
      #expect(track.value(at: 1.625) == 5)
    }
  }

  /// So does one that takes over a spring in its delay: it takes no time once that is over.
  @Test func delayedChangeInNoTimeTakesOver() {
    var track = AnimationTrack(0.0)
    track.set(100, animation: .linear(duration: 2), at: 0, id: 1)
    track.set(50, animation: .spring(duration: 0.5).delay(0.25), at: 1, id: 2)
    let snap = Animation.spring(response: 0, dampingFraction: 1).delay(0.25)
    let change = track.set(0, animation: snap, at: 1.125, id: 3)
    #expect(change.merged.map(\.id) == [2])
    #expect(change.stopped.map(\.id) == [1])
    #expect(change.stopped.map(\.end) == [1.25])
    #expect(abs(track.value(at: 1.125) - 56.25) < 1e-9)
    for time in [1.25, 1.5, 60] { #expect(track.value(at: time) == 0, "\(time)") }
  }
}

// MARK: - Cost

extension EndlessMotionTests {
  /// [N-12] Started and stopped 500 times a second: a second has the events of the first, for an hour.
  @Test(
    arguments: [
      .linear(duration: 0), .linear(duration: 0.0205), .spring(duration: 0.05), spin.speed(8),
      .spring(duration: 0.05).delay(0.0105), .linear.speed(0),
    ] as [Animation])
  func costDoesNotGrow(stop: Animation) {
    let engine = AnimationEngine()
    let x = engine.property(0.0)
    var (handled, waiting, last) = ([Int](), [Int](), 0)
    for second in 0..<20 {
      for step in 0..<500 {
        let time = Double(second) + Double(step) / 500
        engine.advance(to: time)
        withAnimation(Self.spin.speed(8)) { x.value = 8 }
        engine.advance(to: time + 0.001)
        withAnimation(stop) {
          x.value = 0
        } completion: {
        }
      }
      handled.append(engine.handledCount - last)
      waiting.append(engine.waitingCount)
      last = engine.handledCount
    }
    // Rounding of times moves an event across the border of a second.
    #expect(abs(handled[19] - handled[4]) <= 8, "\(handled)")
    #expect(abs(waiting[19] - waiting[4]) <= 8, "\(waiting)")
  }

  /// [N-12] Ends that lie hours ahead are forgotten with their motions.
  @Test func interruptedMotionsLeaveNoEvents() {
    let engine = AnimationEngine()
    let x = engine.property(0.0)
    for step in 0..<200_000 {
      engine.advance(to: Double(step) / 500)
      withAnimation(.linear(duration: 1e5)) { x.value = 8 }
      withAnimation(.linear(duration: 0)) { x.value = 0 }
    }
    #expect(engine.waitingCount < 70_000)
  }
}
