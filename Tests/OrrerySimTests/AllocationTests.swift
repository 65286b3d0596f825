// SPDX-License-Identifier: Apache-2.0

#if canImport(CAllocationCounter)
  import CAllocationCounter
  import Foundation
  import Orrery
  import OrreryBase
  import OrreryScene
  import OrrerySim
  import Testing

  /// Goal: a tick allocates nothing, on any thread.
  ///
  /// Method: a process of its own, in which nothing else runs, counts every call of the C library's
  /// allocator while a world of every kind is stepped and jumps.
  @Suite struct AllocationTests {
    @Test func tickAllocatesNothing() async {
      await #expect(processExitsWith: .success) {
        for threads in [1, 3] {
          let count = try Self.allocationsInTicks(threads: threads)
          precondition(count == 0, "\(count) allocations with \(threads) threads")
        }
      }
    }

    /// What a loop says of its ticks for a timeline.
    @Test func timelineAllocatesNothing() async {
      await #expect(processExitsWith: .success) {
        let ring = TimelineRing()
        let before = allocation_count()
        for tick in 1...100_000 as ClosedRange<UInt64> {
          ring.begin()
          for word in TimelinePhase.wait.rawValue..<9 {
            ring.add(TimelineRing.Record(fromNs: tick, toNs: tick + 1, word: word))
          }
          ring.commit()
        }
        precondition(allocation_count() == before, "\(allocation_count() - before)")
      }
    }

    /// A leg back of legs, behind a delay, is an animation's fourth part: its curve is made before the first tick.
    @Test func curvesAreMadeBeforeTheyAreNeeded() async {
      await #expect(processExitsWith: .success) {
        // The first one pays for what the runtime looks up; the last one has the leg's curve in any case.
        let (line, leg) = (Animation.linear(duration: 1), Animation.easeIn(duration: 1))
        let counts = try [line, line, leg].map(Self.allocationsOfLegs(beside:))
        precondition(counts[1] == counts[2], "\(counts)")
      }
    }

    private static func allocationsOfLegs(beside other: Animation) throws -> UInt64 {
      let legs = Animation.easeIn(duration: 0.25).repeatCount(2, autoreverses: true)
      var script = ViewScript()
      script.set(to: 100, at: 0, legs.delay(0.25).repeatCount(2, autoreverses: true))
      script.set(to: 0, at: 1e6, other)
      let world = try script.world(records: .none)
      let before = allocation_count()
      for tick in UInt64(0)...100 { _ = world.hash(tick) }
      return allocation_count() - before
    }

    /// Equal halves of transitions are stored once: only where views differ, their list grows.
    @Test func equalTransitionsAreStoredOnce() async {
      await #expect(processExitsWith: .success) {
        let counts = try [true, true, false].map(Self.allocationsOfTransitions(areAlike:))
        precondition(counts[1] + 5 < counts[2], "\(counts)")
      }
    }

    private static func allocationsOfTransitions(areAlike: Bool) throws -> UInt64 {
      var script = ViewScript(Array(repeating: 0, count: 1_000))
      for view in 0..<1_000 {
        let way = areAlike ? 1 : Double(view + 1)
        script.plan.views[view].transition = TransitionPlan(
          insertion: TransitionHalf(x: [way]), removal: TransitionHalf(x: [-way]))
      }
      let before = allocation_count()
      let world = try script.world(records: .none)
      return withExtendedLifetime(world) { allocation_count() - before }
    }

    /// A change at the tick that is shown needs nothing of the past: only a tick before makes the lanes anew.
    @Test func changeAtTheShownTickStartsNothingOver() async {
      await #expect(processExitsWith: .success) {
        var script = ViewScript(Array(repeating: 0, count: 50_000))
        script.set(7, to: 5, at: 1)
        let world = try script.world(records: .none)
        func allocations(_ tick: UInt64, after change: TransactionPlan? = nil) -> Int {
          let before = allocation_count()
          if let change { precondition(world.apply(change, at: tick, batch: 0)) }
          _ = world.hash(tick)
          return Int(allocation_count() - before)
        }
        // The first ones pay for what the runtime looks up.
        for tick: UInt64 in [90, 89, 90] { _ = allocations(tick) }
        let shown = allocations(90)
        let changed = allocations(90, after: TransactionPlan([.set(view: 9, .x, 3)]))
        let back = allocations(89)
        precondition(back > shown + 50, "\(shown), \(back)")
        precondition(2 * (changed - shown) < back - shown, "\(shown), \(changed), \(back)")
      }
    }

    /// What the tests above would see if a tick allocated.
    @Test func allocationsAreSeen() async {
      await #expect(processExitsWith: .success) {
        let before = allocation_count()
        let column = Column<Float>(count: 100, zero: 0)
        let array = [Int](repeating: Int(column.values[0]), count: Int(before % 7) + 100)
        let specs = Specs(array)
        precondition(specs.count >= 100)
        let seen = allocation_count() - before
        precondition(seen >= 2, "\(seen) allocations")
      }
    }

    private static func allocationsInTicks(threads: Int) throws -> UInt64 {
      let world = try World(
        .marquee(
          Specs(count: 9_000) { _ in
            MarqueeSpec(period: 438, speed: 60, direction: .left, phase: 0.5)
          }),
        .tween(Specs(count: 9_000) { _ in TweenSpec(from: -730, to: 0, period: 40) }, .x),
        .timer(
          Specs(count: 9_000) { _ in
            TimerSpec(start: -1_550, step: 3, resetAt: 330, interval: 0.01)
          }),
        .orbit(Specs(count: 9_000) { _ in OrbitSpec(radius: 160, period: 20, phase: 0) }),
        .clock(
          Specs(count: 9_000) { _ in
            ClockSpec(
              schedule: .everyMinute(timeZone: "Europe/London"), start: Date(), zero: Date(),
              unit: 1, base: 10, digitHeight: 20)
          }),
        .views(Self.views()), threads: threads)
      world.timesEvents = true
      let columns = (0..<world.columns.count).map { _ in
        UnsafeMutableRawPointer.allocate(byteCount: 36_096, alignment: 64)
      }
      world.keepDestinations(3) { columns[$1] }
      // The first tick may let the runtime look up what it then keeps.
      var hash = world.evaluate(tick: 0) { columns[$0] }
      let before = allocation_count()
      for tick in UInt64(1)...600 {
        hash &+= world.evaluate(tick: tick, destination: Int(tick % 3), ahead: Int(tick % 2))
      }
      for tick in UInt64(10)...60 { hash &+= world.evaluate(tick: tick << 40) { columns[$0] } }
      let count = allocation_count() - before
      columns.forEach { $0.deallocate() }
      precondition(hash != 0)
      return count
    }

    /// Views that all move for longer than the test lasts, one in eight in a transition.
    private static func views() -> ViewsPlan {
      var script = ViewScript(Array(repeating: 0, count: 9_000))
      for view in stride(from: 0, to: 9_000, by: 8) {
        script.plan.views[view].transition = TransitionTests.planet
        script.add([.hide(view: view)], at: 0, .easeIn(duration: 1e15))
      }
      let actions = (0..<9_000).map { ActionPlan.set(view: $0, .x, 10) }
      script.add(actions, at: 0, .easeInOut.repeatForever())
      script.add(actions.map { _ in .set(view: 1, .y, 1) }, at: 0, .linear(duration: 1e15))
      return script.plan
    }
  }
#endif
