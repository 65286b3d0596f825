// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: views appear and disappear through their transitions, and turn back without a jump.
///
/// Method: the transition of the article on accordions, as polynomials, in worlds; numbers of
/// docs/explained/semantics.md.
@Suite struct TransitionTests {
  /// Opacity p and scale 0.2 + 0.8 p on the way in; move to the top and opacity on the way out.
  static let planet = TransitionPlan(
    insertion: TransitionHalf(opacity: [-1], scale: [-0.8]),
    removal: TransitionHalf(y: [-160], opacity: [-1]))

  /// One view with the transition.
  private func script(isShown: Bool = false, completions: [String] = []) -> ViewScript {
    var script = ViewScript([0], completions: completions)
    script.plan.views[0].transition = Self.planet
    script.plan.views[0].isShown = isShown
    return script
  }

  /// A hidden view that is toggled twice at one instant stays hidden, and takes no time at later ticks.
  @Test(arguments: [false, true]) func viewToggledTwiceAtOnceIsAsBefore(isShown: Bool) throws {
    var script = script(isShown: isShown)
    script.add([.toggle(view: 0), .toggle(view: 0)], at: 0.5, .linear(duration: 1))
    let opacities = try script.values(.opacity, ticks: [29, 30, 45, 120])
    #expect(opacities == Array(repeating: isShown ? 1 : 0, count: 4))
    let world = try script.world()
    _ = world.hash(120)
    let memory = [Memory(world), Memory(world)]
    defer { withExtendedLifetime(memory) {} }
    world.keepDestinations(memory)
    for tick in UInt64(120)...125 { _ = world.evaluate(tick: tick, destination: Int(tick % 2)) }
    #expect(world.evaluatedBlockCount == 0)
  }

  /// Views of one block are where each would be alone: side by side or apart, on the same way or on different ones.
  @Test(arguments: [
    [0..<100], [16..<90], [3..<50], [0..<1, 40..<41, 99..<100], [32..<64, 70..<71],
  ])
  func placesInABlockDoNotMatter(moving: [Range<Int>]) throws {
    let fields: [ViewProperty] = [.x, .y, .opacity, .scale]
    let other = TransitionPlan(
      insertion: TransitionHalf(x: [30], opacity: [-1]), removal: TransitionHalf(scale: [-0.5]))
    for (step, transition) in [(1000, Self.planet), (2, other), (7, other)] {
      var script = ViewScript((0..<100).map { Double($0) })
      script.plan.shownProperties = Set(fields)
      for view in 0..<100 {
        script.plan.views[view].transition = view % step == 1 ? transition : Self.planet
        script.plan.views[view].isShown = view % 2 == 0 || step > 2
      }
      for view in moving.joined() {
        script.add([.toggle(view: view)], at: 0, every: 1.5, .easeInOut(duration: 1))
      }
      let world = try script.world(rate: 10)
      let ticks: [UInt64] = [0, 3, 9, 17, 24]
      let all = ticks.map { tick in
        let values = Values(of: world, tick: tick)
        return fields.map { field in (0..<100).map { values.value(field, entity: $0) } }
      }
      for view in stride(from: 0, to: 100, by: 3) {
        var alone = script
        alone.plan.views = [script.plan.views[view]]
        alone.plan.commands = []
        if moving.joined().contains(view) {
          alone.add([.toggle(view: 0)], at: 0, every: 1.5, .easeInOut(duration: 1))
        }
        let single = try alone.world(rate: 10)
        for (index, tick) in ticks.enumerated() {
          let own = Values(of: single, tick: tick)
          for (column, field) in fields.enumerated() {
            #expect(
              all[index][column][view] == own.value(field, entity: 0),
              "view \(view), tick \(tick), \(field)")
          }
        }
      }
    }
  }

  /// [S4-10] At 0.14 of easeInOut(0.35) p is 0.331884: opacity 0.331884, scale 0.465507.
  @Test func transitionFollowsTheTransaction() throws {
    var script = script()
    script.add([.show(view: 0)], at: 0, .easeInOut)
    let ticks: [UInt64] = [0, 14, 35, 36]
    let opacity = try script.values(.opacity, rate: 100, ticks: ticks)
    let scale = try script.values(.scale, rate: 100, ticks: ticks)
    #expect(isNear(opacity[1], 0.331884, within: 1e-5))
    #expect(isNear(scale[1], 0.465507, within: 1e-5))
    #expect(opacity[0] == 0)
    #expect(opacity[2] == 1)
    #expect(scale[2] == 1)
    #expect(opacity[3] == 1)
  }

  /// [S4-11] Removed at 0 and inserted again at 0.1: no jump, back on the removal's way.
  @Test func reinsertionTurnsBackWhereItIs() throws {
    for animation in [Animation.easeInOut, .spring(duration: 0.4), .linear(duration: 0.3)] {
      var script = script(isShown: true)
      script.add([.hide(view: 0)], at: 0, animation)
      script.add([.show(view: 0)], at: 0.1, animation)
      let rate: TickRate = 10_000
      // Twice what a tenth of a millisecond may change: ten times what there is to move, per second.
      let bounds: [(ViewProperty, Double)] = [(.opacity, 0.002), (.y, 0.32), (.scale, 0.002)]
      for (field, bound) in bounds {
        let values = try script.values(field, rate: rate, ticks: [999, 1_000, 1_001])
        let step = abs(values[1] - values[0]) + abs(values[2] - values[1])
        #expect(step < bound, "\(animation), \(field)")
      }
      let y = try script.values(.y, rate: rate, ticks: [1_000, 1_500, 30_000])
      #expect(y[0] < -1, "\(animation)")
      #expect(y[1] < 0, "\(animation)")
      #expect(y[2] == 0, "\(animation)")
      #expect(try script.values(.scale, rate: rate, ticks: [1_500]) == [1])
      #expect(try script.values(.opacity, rate: rate, ticks: [30_000]) == [1])
    }
  }

  /// [S4-11] Insertion begins far away, and removal at identity.
  @Test func phasesFollowEachOther() throws {
    var script = script()
    script.add([.show(view: 0)], at: 0, .linear(duration: 1))
    script.add([.hide(view: 0)], at: 2, .linear(duration: 1))
    let ticks: [UInt64] = [0, 5, 10, 19, 20, 25, 30, 31]
    #expect(
      near(try script.values(.opacity, rate: 10, ticks: ticks), [0, 0.5, 1, 1, 1, 0.5, 0, 0]))
    #expect(
      near(try script.values(.scale, rate: 10, ticks: ticks), [0.2, 0.6, 1, 1, 1, 1, 1, 1]))
    #expect(
      near(try script.values(.y, rate: 10, ticks: ticks), [0, 0, 0, 0, 0, -80, 0, 0]))
  }

  @Test func hidingOnTheWayInTurnsBackToo() throws {
    var script = script()
    script.add([.show(view: 0)], at: 0, .linear(duration: 1))
    script.add([.hide(view: 0)], at: 0.5, .linear(duration: 1))
    let scale = try script.values(.scale, rate: 100, ticks: [49, 50, 51, 99, 149, 151])
    #expect(near(scale, [0.592, 0.6, 0.6, 0.6, 0.208, 1]))
    #expect(try script.values(.opacity, rate: 100, ticks: [151]) == [0])
  }

  /// [S4-12] The view stays until its removal is removed: there at 0.34, gone at 0.36.
  @Test func removedViewStaysUntilItsRemovalEnds() throws {
    var script = script(isShown: true)
    // Without opacity in the transition, to see when it goes.
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(), removal: TransitionHalf(y: [-160]))
    script.add([.hide(view: 0)], at: 0, .easeInOut)
    #expect(try script.values(.opacity, rate: 100, ticks: [0, 34, 36]) == [1, 1, 0])
    let y = try script.values(.y, rate: 100, ticks: [34, 36])
    #expect(y[0] < -159)
    #expect(y[0] > -160)
  }

  /// [S4-13] No animation: there and gone at once, and no transition.
  @Test func withoutAnimationItIsThereAtOnce() throws {
    var script = script()
    script.add([.show(view: 0)], at: 0.5)
    script.add([.toggle(view: 0)], at: 1)
    #expect(try script.values(.opacity, rate: 10, ticks: [4, 5, 9, 10]) == [0, 1, 1, 0])
    #expect(try script.values(.scale, rate: 10, ticks: [4, 5, 9, 10]) == [1, 1, 1, 1])
    #expect(try script.events(rate: 10, to: 20).isEmpty)
    // An animation of the transition's own makes it an animated one: R-04.
    script.plan.views[0].transition?.insertionAnimation = .linear(duration: 1)
    let opacity = try script.values(.opacity, rate: 10, ticks: [4, 5, 9, 10])
    #expect(near(opacity, [0, 0, 0.4, 0]))
  }

  /// The transition's animation replaces the transaction's: linear(1) in linear(3) is done at 1.
  @Test func transitionsAnimationReplacesTheTransactions() throws {
    var script = script(completions: ["shown"])
    script.plan.views[0].transition?.insertionAnimation = .linear(duration: 1)
    script.add([.show(view: 0)], at: 0, .linear(duration: 3), completion: 0)
    #expect(try script.events(to: 600).times(of: 0) == [1])
    #expect(near(try script.values(.opacity, rate: 10, ticks: [5, 10]), [0.5, 1]))
  }

  @Test func viewWithoutTransitionGoesAtOnce() throws {
    var script = ViewScript([3], completions: ["a"])
    script.add([.hide(view: 0)], at: 0.5, .linear(duration: 1), completion: 0)
    #expect(try script.values(.opacity, rate: 10, ticks: [4, 5, 6]) == [1, 0, 0])
    #expect(try script.events(rate: 10, to: 30) == [DirectorEvent(time: 0.5, .completed(0))])
  }

  /// Scale about the view's origin moves what the view's own offset has moved.
  @Test func transitionIsAroundTheViewsOwnValues() throws {
    var script = script()
    script.plan.views[0].initial = [100, 10, 0.5, 2, 0, 3]
    script.plan.views[0].transition = TransitionPlan(
      insertion: TransitionHalf(
        x: [1, 2], y: [0, 0, 0, 4], opacity: [-1], scale: [-0.5], blur: [7]),
      removal: TransitionHalf())
    script.add([.show(view: 0)], at: 0, .linear(duration: 1))
    let fields: [ViewProperty] = [.x, .y, .opacity, .scale, .blur]
    let values = try fields.map { try script.values($0, rate: 2, ticks: [1])[0] }
    #expect(near(values, [75 + 1, 7.5 + 0.25, 0.25, 1.5, 6.5]))
  }

  /// Views that leave a transition make room for others, which keep their own polynomials.
  @Test func transitionsOfManyViewsKeepApart() throws {
    let count = 100
    var script = ViewScript(Array(repeating: 0, count: count))
    for view in 0..<count {
      script.plan.views[view].transition = TransitionPlan(
        insertion: TransitionHalf(),
        removal: TransitionHalf(x: [Double(view), 1], y: [0, 0, 0, Double(-view)]))
      // Each ends at another time than its neighbours, and twenty never begin.
      let seconds = 0.5 + Double(view * 37 % count) / 50
      if view % 5 > 0 { script.add([.hide(view: view)], at: 0, .linear(duration: seconds)) }
    }
    let world = try script.world()
    for tick in UInt64(0)...170 {
      let values = Values(of: world, tick: tick)
      for view in 0..<count {
        let seconds = 0.5 + Double(view * 37 % count) / 50
        let away = view % 5 > 0 ? Double(tick) / 60 / seconds : 0
        let isThere = away < 1
        let (x, y) = (away * (Double(view) + away), -Double(view) * away * away * away * away)
        #expect(values.value(.opacity, entity: view) == (isThere ? 1 : 0))
        guard isThere else { continue }
        #expect(isNear(Double(values.value(.x, entity: view)), x, within: 2e-3), "view \(view)")
        #expect(isNear(Double(values.value(.y, entity: view)), y, within: 5e-3), "view \(view)")
      }
    }
  }

  private func near(_ values: [Double], _ expected: [Double]) -> Bool {
    values.count == expected.count
      && zip(values, expected).allSatisfy { isNear($0, $1, within: 1e-4) }
  }
}

/// Goal: an accordion has at most one open row, and rows make room.
///
/// Method: taps on three rows.
@Suite struct AccordionTests {
  /// Three rows of one label each, 30 points apart, and panels of 160 points.
  private func script(open: Int? = nil) -> ViewScript {
    var script = ViewScript(Array(repeating: 0, count: 6), completions: ["a"])
    for row in 0..<3 {
      script.plan.views[row].initial[1] = Double(30 * row)
      script.plan.views[row + 3].transition = TransitionTests.planet
      script.plan.views[row + 3].isShown = false
    }
    script.plan.accordions = [
      AccordionPlan(
        panels: [3, 4, 5], panelHeights: [160, 100, 50], members: [[0], [1], [2]], open: open)
    ]
    return script
  }

  /// [S4-03] A tap on B while A is open: both move together, and end at 0.35.
  @Test func oneClosesWhileTheOtherOpens() throws {
    var script = script(open: 0)
    script.add([.tap(accordion: 0, row: 1)], at: 0, .easeInOut, completion: 0, criteria: .removed)
    let events = try script.events(rate: 100, to: 100)
    #expect(events.times(of: 0) == [0.35])
    let removals = events.filter {
      if case .removed(_, .away, true) = $0.kind { true } else { false }
    }
    #expect(removals.map(\.time) == [0.35, 0.35])
    let old = try script.values(.opacity, 3, rate: 100, ticks: [0, 14, 35])
    let new = try script.values(.opacity, 4, rate: 100, ticks: [0, 14, 35])
    #expect(old[0] == 1)
    #expect(isNear(old[1], 1 - 0.331884, within: 1e-5))
    #expect(old[2] == 0)
    #expect(new[0] == 0)
    #expect(isNear(new[1], 0.331884, within: 1e-5))
    #expect(new[2] == 1)
  }

  @Test func rowsMakeRoomForThePanelAboveThem() throws {
    var script = script()
    script.add([.tap(accordion: 0, row: 0)], at: 1)
    script.add([.tap(accordion: 0, row: 1)], at: 2)
    script.add([.tap(accordion: 0, row: 1)], at: 3)
    let ticks: [UInt64] = [0, 1, 2, 3]
    #expect(try script.values(.y, 0, rate: 1, ticks: ticks) == [0, 0, 0, 0])
    #expect(try script.values(.y, 1, rate: 1, ticks: ticks) == [30, 190, 30, 30])
    #expect(try script.values(.y, 2, rate: 1, ticks: ticks) == [60, 220, 160, 60])
    #expect(try script.values(.opacity, 3, rate: 1, ticks: ticks) == [0, 1, 0, 0])
    #expect(try script.values(.opacity, 4, rate: 1, ticks: ticks) == [0, 0, 1, 0])
    #expect(try self.script(open: 1).values(.y, 2, rate: 1, ticks: [0]) == [160])
  }

  /// [S4-02] Whatever is tapped, at most one panel is to be there.
  @Test func atMostOnePanelIsOpen() throws {
    var script = script()
    for (index, row) in [0, 1, 1, 2, 0, 0, 2, 1].enumerated() {
      script.add([.tap(accordion: 0, row: row)], at: Double(index))
    }
    let open = [1, 1, 0, 1, 1, 0, 1, 1]
    let world = try script.world(rate: 1)
    for (tick, count) in open.enumerated() {
      let values = Values(of: world, tick: UInt64(tick))
      #expect((3..<6).filter { values.value(.opacity, entity: $0) == 1 }.count == count)
    }
  }
}
