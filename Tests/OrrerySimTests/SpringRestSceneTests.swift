// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: springs of a scene are not seen to stop, and cost nothing once they are at rest.
///
/// Method: values tick by tick, against the spring itself; scripts that do something while a spring that has
/// ended moves on.
@Suite struct SpringRestSceneTests {
  /// [P-20] 0 -> 3000: the spring's own values past its end, then the target, bit for bit.
  @Test func springGoesOnPastItsEnd() throws {
    var script = ViewScript()
    script.set(to: 3000, at: 0, .interpolatingSpring(stiffness: 144, damping: 12), completion: 0)
    script.plan.completions = ["c"]
    let spring = Spring(mass: 1, stiffness: 144, damping: 12)
    let world = try script.world()
    var moved = 0
    for tick in UInt64(0)...200 {
      let time = Double(tick) / 60
      let value = Double(Values(of: world, tick: tick).value(.x, entity: 0))
      world.checkInvariants()
      let expected = spring.value(target: 3000, time: time)
      #expect(abs(value - expected) < 0.02 + 1e-3, "tick \(tick)")
      if time > spring.settlingBound, value != 3000 { moved += 1 }
      if time > spring.restBound(length: 3000) { #expect(value == 3000, "tick \(tick)") }
    }
    #expect(moved > 20)
    // Its events are where they were.
    let removed = world.takeEvents().filter { $0.kind == .removed(view: 0, .x, isFinished: true) }
    #expect(removed.map(\.time) == [spring.settlingBound])
  }

  /// What is done while a spring that has ended moves on.
  static let deeds: [[ActionPlan]] = [
    [.set(view: 0, .x, 0)], [.set(view: 0, .y, 5)], [.hide(view: 0)], [.destroy(view: 0)],
    [.set(view: 0, .x, 3000)], [],
  ]

  /// [P-20] A scene is an engine, whatever is done in the moment between a spring's end and its rest; and a
  /// tick by itself is a stepped one.
  @Test(
    arguments: deeds, [nil, .linear(duration: 1), .bouncy, .linear(duration: 0)] as [Animation?])
  func changesBetweenEndAndRest(deed: [ActionPlan], animation: Animation?) throws {
    var script = ViewScript()
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(opacity: [-1]), removal: TransitionHalf(opacity: [-1]))
    let first = Animation.interpolatingSpring(duration: 0.5)
    let end = first.course()?.end ?? 0
    script.add([.set(view: 0, .x, 3000), .set(view: 0, .y, 100)], at: 0, first)
    script.add(deed, at: end + 0.05, animation)
    script.add([.set(view: 0, .x, 100)], at: end + 0.08, .easeIn(duration: 0.4))
    let engine = AnimationEngine()
    let property = engine.property(0.0, name: "x")
    let (stepped, direct) = (try script.world(), try script.world())
    var done = 0
    for tick in UInt64(0)...150 {
      let time = Double(tick) / 60
      for (index, moment) in [0, end + 0.05, end + 0.08].enumerated()
      where index == done && moment <= time {
        done += 1
        engine.advance(to: moment)
        switch index {
        case 0: withAnimation(first) { property.value = 3000 }
        case 1:
          for case .set(_, .x, let goal) in deed {
            withAnimation(animation) { property.value = goal }
          }
          if deed == [.destroy(view: 0)] { property.destroy() }
        default:
          withAnimation(.easeIn(duration: 0.4)) { property.value = 100 }
        }
      }
      engine.advance(to: time)
      let value = Values(of: stepped, tick: tick).value(.x, entity: 0)
      stepped.checkInvariants()
      if deed != [.destroy(view: 0)] {
        #expect(abs(Double(value) - property.presentation) < 0.7, "tick \(tick)")
      }
      if tick % 7 == 0 || tick > 40 && tick < 60 {
        _ = direct.hash(150 - tick)
        #expect(value == Values(of: direct, tick: tick).value(.x, entity: 0), "tick \(tick)")
      }
    }
  }

  /// [P-20] A view that a spring moves in is at identity once the spring is at rest; hidden on the way, it goes
  /// by the removal.
  @Test func shownViewsArriveAtIdentity() throws {
    var script = ViewScript()
    script.plan.views[0].isShown = false
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(x: [-3000]), removal: TransitionHalf(x: [50]))
    script.add([.show(view: 0)], at: 0, .bouncy)
    let course = try #require(Animation.bouncy.course())
    let values = try script.values(ticks: Array(0..<180))
    for (tick, value) in values.enumerated() where Double(tick) / 60 < course.rest(length: 16_384) {
      let expected = -3000 * (1 - course.progress(at: Double(tick) / 60, length: 16_384))
      #expect(abs(value - expected) < 0.6, "tick \(tick)")
    }
    let last = try #require(values.indices.last)
    #expect(values[last] == 0)
    let lateTick = Int((course.end * 60).rounded(.up)) + 1
    #expect(values[lateTick] != 0 && abs(values[lateTick]) < 3)
    script.add([.hide(view: 0)], at: course.end + 0.02, .linear(duration: 1))
    let hidden = try script.values(ticks: Array(0..<180))
    #expect(abs(hidden[Int((course.end + 0.52) * 60)] - 25) < 1)
    #expect(try script.values(.opacity, ticks: [179]) == [0])
  }

  /// [P-20] Springs of a field begin again when nothing is left of the way before.
  @Test func fieldSpringsBeginAgainAtRest() throws {
    let spring = Spring(response: 0.8, dampingRatio: 0.2)
    let field = Field(
      count: 3,
      motion: .spring(
        FieldSpring(
          .x, from: ValueRange(0...0), end: .to(ValueRange(3000...3000)),
          response: ValueRange(0.8...0.8), dampingRatio: ValueRange(0.2...0.2),
          every: ValueRange(1...1))),
      discRadius: 2, colors: [.black])
    var scene = Scene("field") {}
    scene.size = CGSize(width: 4000, height: 100)
    scene.content = [.field(field)]
    let plan = try ScenePlan(scene, text: NoTexts())
    guard case .spring(let specs, _) = try #require(plan.batches.first) else {
      Issue.record("no springs")
      return
    }
    for index in 0..<specs.count {
      #expect(specs[index].period == spring.restBound(length: 3000))
      #expect(abs(spring.value(target: 3000, time: specs[index].period) - 3000) < 0.02)
    }
  }

  /// A transition's own animation makes its transaction an animated one.
  @Test func ownAnimationNeedsNoOther() throws {
    var script = ViewScript()
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(opacity: [-1]), removal: TransitionHalf(opacity: [-1]),
      removalAnimation: .linear(duration: 1))
    script.add([.hide(view: 0)], at: 0)
    script.add([.show(view: 0)], at: 2)
    let values = try script.values(.opacity, ticks: [0, 15, 30, 61, 120])
    #expect(values == [1, 0.75, 0.5, 0, 1])
  }
}
