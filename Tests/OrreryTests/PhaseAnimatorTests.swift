// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: phases follow each other at the completions of their animations, as the checklist says.
@Suite struct PhaseAnimatorTests {
  private func isClose(_ times: [Double], _ expected: [Double]) -> Bool {
    times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < 1e-12 }
  }

  private func changes<Phase>(
    _ player: inout PhasePlayer<Phase>, until time: Double, limit: Int = 1000
  ) -> [PhasePlayer<Phase>.Change] {
    var changes: [PhasePlayer<Phase>.Change] = []
    while changes.count < limit, let change = player.nextChange(until: time) {
      changes.append(change)
    }
    return changes
  }

  /// [K-06] Three phases, linear(0.2) each, triggered: one round, back to the first phase, ends
  /// 0.6.
  @Test func triggerIsOneRound() {
    var player = PhasePlayer(["a", "b", "c"]) { _ in .linear(duration: 0.2) }
    #expect(player.nextChange(until: 5) == nil)
    #expect(player.phase == "a")
    player.trigger(at: 0)
    let found = changes(&player, until: 0.59)
    #expect(found.map(\.phase) == ["b", "c", "a"])
    #expect(isClose(found.map(\.time), [0, 0.2, 0.4]))
    #expect(player.isRunning)
    #expect(abs((player.stepEnd ?? 0) - 0.6) < 1e-12)
    #expect(player.nextChange(until: 0.61) == nil)
    #expect(!player.isRunning)
    #expect(player.phase == "a")
    player.trigger(at: 2)
    #expect(player.nextChange(until: 2)?.phase == "b")
  }

  /// [K-06] Without a trigger, endless; many changes in one large step, each at its exact time.
  @Test func repetitionIsEndless() {
    var player = PhasePlayer([1, 2], repeats: true) { _ in .linear(duration: 0.25) }
    player.trigger(at: 1)
    let found = changes(&player, until: 26)
    #expect(found.count == 101)
    #expect(found.last?.time == 26)
    #expect(found.map(\.phase).prefix(4) == [2, 1, 2, 1])
  }

  /// [K-06] The closure picks the animation to the next phase, by default `.default`; a spring is
  /// complete logically.
  @Test func closurePicksTheAnimation() {
    var player = PhasePlayer([0.0, 1, 2]) { phase in
      phase == 1 ? .linear(duration: 1) : phase == 2 ? .spring(duration: 0.4, bounce: 0.2) : nil
    }
    player.trigger(at: 0)
    let found = changes(&player, until: 10)
    #expect(isClose(found.map(\.time), [0, 1, 1.4]))
    #expect(
      found.map(\.animation) == [.linear(duration: 1), .spring(duration: 0.4, bounce: 0.2), nil])
    #expect(!player.isRunning)
    var standard = PhasePlayer([0, 1])
    standard.trigger(at: 0)
    #expect(standard.nextChange(until: 0)?.animation == .default)
  }

  /// [K-07] Phases [1, 1, 2] with linear(0.2): equal neighbours are skipped, the round ends after
  /// 0.4.
  @Test func equalNeighboursAreSkipped() {
    var player = PhasePlayer([1, 1, 2]) { _ in .linear(duration: 0.2) }
    player.trigger(at: 0)
    let found = changes(&player, until: 0.39)
    #expect(found.map(\.phase) == [2, 1])
    #expect(isClose(found.map(\.time), [0, 0.2]))
    #expect(abs((player.stepEnd ?? 0) - 0.4) < 1e-12)
    #expect(player.nextChange(until: 0.41) == nil)
    #expect(!player.isRunning)
  }

  @Test func triggerDuringARoundBeginsANewOne() {
    var player = PhasePlayer([1, 2, 3]) { _ in .linear(duration: 1) }
    player.trigger(at: 0)
    #expect(changes(&player, until: 1.5).map(\.phase) == [2, 3])
    player.trigger(at: 1.5)
    let found = changes(&player, until: 9)
    #expect(found.map(\.phase) == [2, 3, 1])
    #expect(isClose(found.map(\.time), [1.5, 2.5, 3.5]))
  }

  /// What takes no time does not run for ever, and what never ends does not go on.
  @Test func endlessRoundsWithoutTimeStop() {
    var still = PhasePlayer([1, 2], repeats: true) { _ in nil }
    still.trigger(at: 0)
    #expect(changes(&still, until: 1).count < 10)
    #expect(!still.isRunning)
    for phases in [[], [1], [1, 1, 1]] {
      var player = PhasePlayer(phases, repeats: true)
      player.trigger(at: 0)
      #expect(changes(&player, until: 1).isEmpty)
      #expect(!player.isRunning)
    }
    var stuck = PhasePlayer([1, 2]) { _ in .linear(duration: 1).repeatForever() }
    stuck.trigger(at: 0)
    #expect(changes(&stuck, until: 1e9).map(\.phase) == [2])
    #expect(stuck.stepEnd == .infinity)
  }

  private struct Steps: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? {
      time > 1 ? nil : value.scaled(by: time)
    }
  }

  @Test func customAnimationsAreNoticedWhenAsked() {
    var player = PhasePlayer([1, 2]) { _ in Animation(Steps()) }
    player.trigger(at: 0)
    #expect(player.nextChange(until: 0.5)?.phase == 2)
    #expect(player.nextChange(until: 0.9) == nil)
    #expect(player.stepEnd == .infinity)
    #expect(player.nextChange(until: 1.25)?.time == 1.25)
  }

  /// [K-06] Phases that take no time are gone through once more than there are of them; one that takes some
  /// begins the count again.
  @Test(arguments: [2, 3, 5]) func idleRoundsStopAfterOne(count: Int) {
    var still = PhasePlayer(1...count, repeats: true) { _ in nil }
    still.trigger(at: 0)
    #expect(changes(&still, until: 1).count == count + 1)
    #expect(!still.isRunning)
    var slow = PhasePlayer(1...count, repeats: true) { $0 == 1 ? .linear(duration: 1) : nil }
    slow.trigger(at: 0)
    let found = changes(&slow, until: 10)
    #expect(found.count == 11 * count)
    #expect(found.filter { $0.phase == 1 }.map(\.time) == (0...10).map { Double($0) })
    #expect(slow.isRunning)
  }

  /// A phase is complete at its very end, and one that waits for it begins then.
  @Test func phasesEndAtTheirEnd() {
    var player = PhasePlayer([1, 2, 3]) { _ in .linear(duration: 0.5) }
    #expect(player.stepEnd == nil)
    #expect(!player.repeats)
    #expect(player.phases == [1, 2, 3])
    player.trigger(at: 1)
    #expect(player.nextChange(until: 1.0.nextDown) == nil)
    #expect(player.nextChange(until: 1)?.phase == 2)
    #expect(player.stepEnd == 1.5)
    #expect(player.nextChange(until: 1.5.nextDown) == nil)
    let change = player.nextChange(until: 1.5)
    #expect(change?.time == 1.5)
    #expect(change?.phase == 3)
    #expect(change?.animation == .linear(duration: 0.5))
    #expect(player.phase == 3)
    #expect(player.nextChange(until: 2)?.phase == 1)
    #expect(player.nextChange(until: 2.5) == nil)
    #expect(!player.isRunning)
    #expect(player.stepEnd == nil)
  }
}
