// SPDX-License-Identifier: Apache-2.0

import Orrery
import TestSupport
import Testing

/// Goal: values follow from the time alone, and what happens in a callback is safe.
///
/// Method: engines that differ only in how time was partitioned are compared, and callbacks do what
/// an engine might stumble over.
@Suite struct EngineTests {
  /// [N-03] 1 s in 1, 7, 60, 1000 ticks: the same.
  @Test(arguments: [1, 7, 60, 1_000])
  func valuesDoNotDependOnTheTicks(count: Int) {
    let animations: [Animation] = [
      .linear(duration: 3), .easeInOut(duration: 2).delay(0.3), .bouncy, .smooth(duration: 2),
      .interpolatingSpring(stiffness: 40, damping: 3),
      .linear(duration: 0.3).repeatForever(), .easeIn(duration: 0.13).repeatCount(9).speed(1.5),
    ]
    func values(_ times: [Double]) -> [Double] {
      let engine = AnimationEngine()
      let properties = animations.map { _ in engine.property(0.0) }
      for (property, animation) in zip(properties, animations) {
        withAnimation(animation) {
          property.value = 100
        } completion: {
          withAnimation(animation) { property.value += 10 }
        }
      }
      for time in times { engine.advance(to: time) }
      return properties.map(\.presentation)
    }
    #expect(values((1...count).map { Double($0) / Double(count) }) == values([1]))
  }

  /// [N-04] dt = 0 ten times: state unchanged; dt = -1: no-op; neither fires anything.
  @Test func stepsThatAreNoneDoNothing() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    let x = engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1)) { x.value = 1 }
    engine.advance(to: 0.25)
    for _ in 0..<10 { engine.advance(by: 0) }
    for step in [-1, .nan, .infinity, -.infinity] as [Double] {
      engine.advance(by: step)
      #expect(engine.time == 0.25)
    }
    for time in [0, 0.25, .nan, .infinity] as [Double] {
      engine.advance(to: time)
      #expect(engine.time == 0.25)
    }
    #expect(x.presentation == 0.25)
    #expect(x.velocity == 1)
    #expect(recorder.take() == [])
    engine.advance(to: 1)
    #expect(recorder.take() == ["1 x leg 0", "1 x complete", "1 x finished"])
  }

  @Test func startTimeIsATime() {
    #expect(AnimationEngine(time: 1e9).time == 1e9)
    for time in [-1, .nan, .infinity] as [Double] { #expect(AnimationEngine(time: time).time == 0) }
  }

  /// [N-05] Remove A in A's completion, add B in the same slot: no second event.
  @Test func slotIsUsedAgainWithoutStaleEvents() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    let (a, b) = (engine.property(0.0, name: "a"), engine.property(0.0, name: "b"))
    withAnimation(.linear(duration: 1).logicallyComplete(after: 0.5)) {
      a.value = 1
    } completion: {
      recorder.note("a done")
      a.destroy()
      // It ends when a would have ended.
      withAnimation(.linear(duration: 0.5)) {
        b.value = 1
      } completion: {
        recorder.note("b done")
      }
    }
    engine.advance(to: 10)
    #expect(
      recorder.take() == [
        "0.5 a complete", "0.5 a done", "0.5 a cancelled", "1 b leg 0", "1 b complete",
        "1 b done", "1 b finished",
      ])
    #expect(engine.activeCount == 0)
  }

  /// [N-05] Removing, adding and re-targeting in a callback, of the one that calls and of others.
  @Test func callbacksMayChangeEverything() {
    let recorder = EngineRecorder(events: false)
    let engine = recorder.engine
    let properties = (0..<4).map { engine.property(0.0, name: "\($0)") }
    func start(_ index: Int, _ then: @escaping () -> Void) {
      withAnimation(.linear(duration: 1)) {
        properties[index].value += 1
      } completion: {
        recorder.note("\(index)")
        then()
      }
    }
    start(0) {
      properties[1].destroy()
      start(0) {}
      engine.advance(by: 100)
    }
    start(1) {}
    start(2) { start(3) { properties[3].destroy() } }
    start(3) {}
    engine.advance(to: 1.5)
    #expect(recorder.take() == ["1 0", "1 1", "1 2", "1 3"])
    #expect(engine.time == 1.5)
    #expect([0, 3].map { properties[$0].presentation } == [1.5, 1.5])
    engine.advance(to: 9)
    #expect(recorder.take() == ["2 0", "2 3"])
  }

  @Test func chainOfCompletionsKeepsExactTimes() {
    let recorder = EngineRecorder(events: false)
    let engine = recorder.engine
    let x = engine.property(0.0)
    func next() {
      recorder.note("next")
      withAnimation(.linear(duration: 0.125), { x.value += 1 }, completion: next)
    }
    next()
    engine.advance(to: 0.6875)
    let times = ["0", "0.125", "0.25", "0.375", "0.5", "0.625"]
    #expect(recorder.take() == times.map { "\($0) next" })
    #expect(x.presentation == 5.5)
  }

  /// [N-06] One NaN target among 1000: 999 unchanged; infinite and NaN durations too.
  @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
  func notANumberStaysWhereItIs(bad: Double) {
    let animations: [Animation] = [.linear(duration: 1), .bouncy, .smooth.delay(0.1), .easeInOut]
    func values(badAt: Int?) -> [Double] {
      let engine = AnimationEngine()
      let properties = (0..<1_000).map { _ in engine.property(0.0) }
      for (index, property) in properties.enumerated() {
        let animation = animations[index % animations.count]
        withAnimation(animation) { property.value = index == badAt ? bad : Double(index) }
      }
      let (victim, other) = (engine.property(0.0), engine.property(1.0))
      for animation: Animation in [
        .linear(duration: bad), .spring(duration: bad), .linear.speed(bad), .linear.delay(bad),
        .spring(response: bad, dampingFraction: bad), .linear(duration: 1).repeatCount(.max),
      ] {
        withAnimation(animation) { victim.value += 1 }
        withAnimation(animation) { other.value = bad }
        engine.advance(by: 0.05)
      }
      withAnimation(.bouncy) { properties[7].value = 3 }
      engine.advance(by: 0.1)
      return properties.map(\.presentation)
    }
    let (with, without) = (values(badAt: 500), values(badAt: nil))
    #expect(with.indices.filter { with[$0] != without[$0] }.allSatisfy { $0 == 500 })
    #expect(without.allSatisfy { $0.isFinite })
  }

  /// [N-09] 10^6 finished entities and 1 running: a tick looks at what one alone makes it look at.
  @Test func finishedPropertiesCostNothing() {
    func handled(finished: Int) -> UInt64 {
      let engine = AnimationEngine()
      let properties = (0..<finished).map { _ in engine.property(Float.zero) }
      withAnimation(.linear(duration: 0.5)) {
        for property in properties { property.value = 1 }
      }
      let running = engine.property(0.0)
      withAnimation(.linear(duration: 1).repeatForever()) { running.value = 1 }
      engine.advance(to: 0.75)
      let before = engine.handledCount
      #expect(engine.activeCount == 1)
      for tick in 1...600 { engine.advance(to: 0.75 + Double(tick) / 60) }
      withExtendedLifetime(properties) {}
      return UInt64(engine.handledCount - before)
    }
    let alone = handled(finished: 0)
    #expect(alone == 10)
    #expect(handled(finished: 1_000_000) == alone)
  }

  struct Still: Animatable {
    var number: Int
  }

  /// [N-11] 5 -> 5 with linear(1): completion at once, no entry in the active list; zero durations
  /// and zero properties too.
  @Test func nothingToDoIsDoneAtOnce() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    engine.advance(by: 1)
    let x = engine.property(5.0, name: "x")
    let nothing = engine.property(Still(number: 0))
    for (animation, value) in [(Animation.linear(duration: 1), 5.0), (.linear(duration: 0), 6)] {
      withAnimation(animation) {
        x.value = value
        nothing.value = Still(number: nothing.value.number + 1)
      } completion: {
        recorder.note("done")
      }
      #expect(recorder.take() == ["1 done"])
      #expect(engine.activeCount == 0)
      #expect(x.presentation == value)
    }
    #expect(nothing.presentation.number == 2)
    engine.advance(by: 1)
    #expect(recorder.take() == [])
  }

  @Test func animatedValueEndsAtItsTarget() {
    let engine = AnimationEngine()
    let place = engine.property(CGPoint(x: 1, y: 2))
    withAnimation(.linear(duration: 2)) { place.value = CGPoint(x: 0.1, y: 0.7) }
    #expect(place.presentation == CGPoint(x: 1, y: 2))
    engine.advance(to: 1)
    #expect(abs(place.presentation.x - 0.55) < 1e-15)
    #expect(place.velocity.second == -0.65)
    engine.advance(to: 2)
    #expect(place.presentation == CGPoint(x: 0.1, y: 0.7))
    #expect(place.velocity == .zero)
  }

  struct Custom: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? {
      context.isLogicallyComplete = time >= 1
      return time > 2 ? nil : value.scaled(by: time / 2)
    }
  }

  @Test func endOfACustomAnimationIsNoticed() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    let x = engine.property(0.0, name: "x")
    withAnimation(Animation(Custom())) {
      x.value = 8
    } completion: {
      recorder.note("done")
    }
    engine.advance(to: 0.75)
    #expect(x.presentation == 3)
    engine.advance(to: 1.5)
    #expect(recorder.take() == ["1.5 x complete", "1.5 done"])
    engine.advance(to: 2)
    withAnimation(.linear(duration: 1)) { x.value = 9 }
    engine.advance(to: 2.5)
    #expect(recorder.take() == [])
    engine.advance(to: 4)
    #expect(recorder.take() == ["3 x leg 0", "3 x complete", "3 x finished"])
    #expect(engine.activeCount == 0)
  }

  /// Engine default: linear(1) changed at t0 shows 0.0166667 at t0 + 1/60; with hitches
  /// absorbed, the start twice and then at most 1/60 s.
  @Test func hitchesAreAbsorbedIfAsked() {
    let recorder = EngineRecorder(events: false)
    let engine = recorder.engine
    let x = engine.property(0.0)
    withAnimation(.linear(duration: 1)) { x.value = 1 }
    engine.advance(by: 1.0 / 60)
    #expect(abs(x.presentation - 0.0166667) < 1e-7)
    engine.advance(to: 10)

    engine.absorbsHitches = true
    withAnimation(.linear(duration: 1)) {
      x.value = 2
    } completion: {
      recorder.note("done")
    }
    #expect(recorder.take() == [])
    #expect((x.value, x.presentation) == (2, 1))
    for (time, shown) in [(10.5, 1), (11, 1), (12, 1 + 1.0 / 60), (12.5, 1 + 31.0 / 60)] {
      engine.advance(to: time)
      #expect(abs(x.presentation - shown) < 1e-9)
    }
    engine.advance(to: 20)
    #expect(recorder.take() == ["12.983333333 done"])

    withAnimation(.linear(duration: 1)) {
      x.value = 3
    } completion: {
      recorder.note("gone")
    }
    x.destroy()
    #expect(recorder.take() == ["20 gone"])
    #expect(x.presentation == 3)
  }

  /// Each frame's changes wait for frames of their own, and begin in their order.
  @Test func changesOfSeveralFramesBeginOneAfterTheOther() {
    let engine = AnimationEngine()
    engine.absorbsHitches = true
    let (x, y) = (engine.property(0.0), engine.property(0.0))
    withAnimation(.linear(duration: 1)) { x.value = 1 }
    #expect(x.isAnimating)
    #expect(!y.isAnimating)
    engine.advance(to: 0.125)
    withAnimation(.linear(duration: 1)) { y.value = 1 }
    engine.advance(to: 0.25)
    #expect([x.presentation, y.presentation] == [0, 0])
    engine.advance(to: 0.375)
    #expect(abs(x.presentation - 1.0 / 60) < 1e-12)
    #expect(y.presentation == 0)
    engine.advance(to: 0.5)
    #expect(abs(x.presentation - (0.125 + 1.0 / 60)) < 1e-12)
    #expect(abs(y.presentation - 1.0 / 60) < 1e-12)
    engine.advance(to: 9)
    #expect([x.presentation, y.presentation] == [1, 1])
    #expect(engine.activeCount == 0)
  }

  /// Frames that are not late are not moved: the animation begins with the second one.
  @Test func smoothFramesBeginWithTheSecond() {
    let engine = AnimationEngine()
    engine.absorbsHitches = true
    let x = engine.property(0.0)
    withAnimation(.linear(duration: 1)) { x.value = 1 }
    for frame in 1...4 { engine.advance(to: Double(frame) / 128) }
    #expect(abs(x.presentation - 2.0 / 128) < 1e-12)
  }

  /// A change without an animation does not wait, and neither does what waits before it.
  @Test func jumpEndsTheWaiting() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    engine.absorbsHitches = true
    let x = engine.property(0.0, name: "x")
    withAnimation(.linear(duration: 1)) {
      x.value = 1
    } completion: {
      recorder.note("done")
    }
    engine.advance(to: 0.25)
    #expect(recorder.take() == [])
    x.value = 5
    #expect(recorder.take() == ["0.25 x cancelled", "0.25 done"])
    #expect(x.presentation == 5)
    #expect(!x.isAnimating)
    engine.advance(to: 9)
    #expect(recorder.take() == [])
  }

  /// [C-09] What waits in something that is destroyed shows at once, and is waited for no longer.
  @Test func destroyedScopesWaitForNothing() {
    let recorder = EngineRecorder(events: false)
    let engine = recorder.engine
    engine.absorbsHitches = true
    let (view, other) = (engine.scope(), engine.scope())
    let (x, y) = (view.property(0.0), other.property(0.0))
    withAnimation(.linear(duration: 1)) {
      x.value = 3
    } completion: {
      recorder.note("x done")
    }
    withAnimation(.linear(duration: 1)) { y.value = 3 }
    view.destroy()
    #expect(recorder.take() == ["0 x done"])
    #expect(x.presentation == 3)
    #expect(!x.isAnimating)
    #expect(y.isAnimating)
    #expect(y.presentation == 0)
  }

  /// [N-07] What ends together with its view ends in the order in which it began.
  @Test func scopesCancelInOrder() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    let outer = engine.scope()
    let inner = outer.scope()
    let properties = (0..<40).map { index in
      (index.isMultiple(of: 3) ? inner : outer).property(0.0, name: "\(index)")
    }
    let order = properties.indices.map { ($0 * 7 + 3) % 40 }
    for index in order { withAnimation(.linear(duration: 5)) { properties[index].value = 1 } }
    engine.advance(to: 0.5)
    #expect(recorder.take() == [])
    outer.destroy()
    #expect(recorder.take() == order.map { "0.5 \($0) cancelled" })
    outer.destroy()
    inner.destroy()
    #expect(recorder.take() == [])
    #expect(engine.activeCount == 0)
    #expect(properties.allSatisfy { $0.isDestroyed })
    #expect(properties.allSatisfy { $0.presentation == 1 })
    let late = inner.property(0.0)
    withAnimation(.linear(duration: 5)) { late.value = 2 }
    #expect(late.isDestroyed)
    #expect(late.presentation == 2)
    #expect(!engine.property(0.0).isDestroyed)
  }

  /// An inner view that goes leaves the outer one.
  @Test func innerScopesGoAlone() {
    let recorder = EngineRecorder()
    let outer = recorder.engine.scope()
    let inner = outer.scope()
    let (x, y) = (outer.property(0.0, name: "x"), inner.property(0.0, name: "y"))
    withAnimation(.linear(duration: 5)) {
      x.value = 1
      y.value = 1
    }
    inner.destroy()
    #expect(recorder.take() == ["0 y cancelled"])
    #expect(x.isAnimating)
    #expect(!x.isDestroyed)
    #expect(y.isDestroyed)
  }

  /// [N-07] Animations whose ends are noticed end in the order in which they began.
  @Test func noticedEndsComeInOrder() {
    let recorder = EngineRecorder()
    let engine = recorder.engine
    let properties = (0..<40).map { engine.property(0.0, name: "\($0)") }
    let order = properties.indices.map { ($0 * 7 + 3) % 40 }
    for index in order { withAnimation(Animation(Custom())) { properties[index].value = 1 } }
    engine.advance(to: 1.5)
    #expect(recorder.take() == order.map { "1.5 \($0) complete" })
    engine.advance(to: 3)
    #expect(recorder.take() == order.map { "3 \($0) finished" })
    #expect(engine.activeCount == 0)
  }

  /// Slots are counted while something moves, and used again.
  @Test func activeCountIsOfWhatMoves() {
    let engine = AnimationEngine()
    let properties = (0..<5).map { _ in engine.property(0.0) }
    #expect(engine.activeCount == 0)
    for (index, property) in properties.enumerated() {
      withAnimation(.linear(duration: Double(index + 1))) { property.value = 1 }
      #expect(engine.activeCount == index + 1)
    }
    engine.advance(to: 3)
    #expect(engine.activeCount == 2)
    withAnimation(.linear(duration: 1)) { properties[0].value = 2 }
    #expect(engine.activeCount == 3)
    engine.advance(by: 1)
    #expect(engine.time == 4)
    #expect(engine.activeCount == 1)
    #expect(properties.map(\.isAnimating) == [false, false, false, false, true])
  }
}
