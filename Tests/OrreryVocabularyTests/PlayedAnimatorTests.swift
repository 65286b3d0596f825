// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: animators in the body of a view play in a player when their trigger changes.
///
/// Method: each combination is played by hand, between updates and across them.
@Suite struct PlayedAnimatorTests {
  private let size = CGSize(width: 100, height: 60)

  private func hop(_ count: Int) -> some View {
    Leaf().keyframeAnimator(initialValue: 0.0, trigger: count) { view, x in
      view.offset(x: x)
    } keyframes: { _ in
      LinearKeyframe(40, duration: 0.5)
      LinearKeyframe(0, duration: 0.5)
    }
  }

  private func pulse(_ count: Int) -> some View {
    Leaf().phaseAnimator([1.0, 2.0], trigger: count) { view, scale in
      view.scaleEffect(scale)
    } animation: { _ in
      .linear(duration: 1)
    }
  }

  private func shift<V: View>(_ player: ViewPlayer<V>, _ time: Double) -> Double {
    player.values(at: time, size: size).matrix.tx
  }

  private func shifts<V: View>(_ player: ViewPlayer<V>, _ times: [Double]) -> [Double] {
    times.map { (shift(player, $0) * 1e9).rounded() / 1e9 }
  }

  private func scales<V: View>(_ player: ViewPlayer<V>, _ times: [Double]) -> [Double] {
    times.map { (player.values(at: $0, size: size).matrix.a * 1e9).rounded() / 1e9 }
  }

  /// [V-20] Keyframes 0 to 40 to 0 in 1 s, triggered at 1 s: 20 at 1.25 s; the same trigger does not play.
  @Test func keyframesPlayWhenTheTriggerChanges() {
    var player = ViewPlayer(hop(0))
    #expect(shifts(player, [0, 0.5, 9]) == [0, 0, 0])
    player.update(hop(0), at: 0.5)
    #expect(shifts(player, [0.75]) == [0])
    player.update(hop(1), at: 1)
    #expect(shifts(player, [1, 1.25, 1.5, 1.75, 2, 9]) == [0, 20, 40, 20, 0, 0])
    player.update(hop(1), at: 1.25)
    player.advance(to: 1.3)
    #expect(shifts(player, [1.375, 1.75, 9]) == [30, 20, 0])
    // Before the end again: from the initial value.
    player.update(hop(2), at: 1.5)
    #expect(shifts(player, [1.5, 1.75, 2.25, 9]) == [0, 20, 20, 0])
    withAnimation(.linear(duration: 1)) { player.update(hop(3), at: 1.75) }
    #expect(shifts(player, [1.75, 2, 2.25]) == [0, 20, 40])
    player.update(hop(3), at: 20)
    player.update(hop(4), at: 30)
    #expect(shifts(player, [30.25]) == [20])
  }

  /// [V-20] Phases 1 and 2, 1 s each, triggered at 1 s: 1.5 at 1.5 s.
  @Test func phasesPlayWhenTheTriggerChanges() {
    var player = ViewPlayer(pulse(0))
    #expect(scales(player, [0, 9]) == [1, 1])
    player.update(pulse(1), at: 1)
    #expect(scales(player, [1, 1.5, 2, 2.25, 3, 9]) == [1, 1.5, 2, 1.75, 1, 1])
    player.update(pulse(1), at: 1.25)
    player.advance(to: 1.5)
    #expect(scales(player, [1.5, 2.25, 3]) == [1.5, 1.75, 1])
    // During the way back a new round begins with the second phase, from the shown value.
    player.update(pulse(2), at: 2.5)
    #expect(scales(player, [2.5]) == [1.5])
    #expect(scales(player, [2.75, 3.5, 4, 4.5]) == [1.5, 2, 1.5, 1])
    player.update(pulse(2), at: 20)
    #expect(scales(player, [20.5]) == [1])
  }

  /// Phases without an animation follow each other at once.
  @Test func phasesWithoutAnimationJump() {
    func view(_ count: Int) -> some View {
      Leaf().phaseAnimator([1.0, 2, 3], trigger: count) { view, scale in
        view.scaleEffect(scale)
      } animation: {
        $0 == 3 ? .linear(duration: 1) : nil
      }
    }
    var player = ViewPlayer(view(0))
    withAnimation(.linear(duration: 8)) { player.update(view(1), at: 1) }
    #expect(scales(player, [1, 1.5, 1.75, 2]) == [2, 2.5, 2.75, 1])
  }

  /// The closure of keyframes gets the current value, and the new state's content shows at once.
  @Test func newStatesReplaceClosures() {
    func view(_ count: Int, _ factor: Double) -> some View {
      Leaf().keyframeAnimator(initialValue: 0.0, trigger: count) { view, x in
        view.offset(x: x * factor)
      } keyframes: { current in
        LinearKeyframe(current + 10 * factor, duration: 1)
      }
    }
    var player = ViewPlayer(view(0, 1))
    player.update(view(1, 1), at: 0)
    #expect(shifts(player, [0.5, 1]) == [5, 10])
    player.update(view(1, 2), at: 0.5)
    #expect(shifts(player, [0.5, 1]) == [10, 20])
    player.update(view(2, 2), at: 1)
    #expect(shifts(player, [1, 1.5, 2]) == [0, 30, 60])

    func phases(_ count: Int, _ high: Double) -> some View {
      Leaf().phaseAnimator([1.0, high], trigger: count) { view, scale in
        view.scaleEffect(scale)
      } animation: { _ in
        .linear(duration: 1)
      }
    }
    var pulse = ViewPlayer(phases(0, 2))
    pulse.update(phases(1, 2), at: 0)
    pulse.update(phases(1, 4), at: 0.5)
    #expect(scales(pulse, [1, 1.5]) == [4, 2.5])
  }

  /// The transaction moves what the update changes, and nothing of what the animator does.
  @Test func updatesAnimateOnlyTheirOwnChanges() {
    func view(_ count: Int, _ x: Double) -> some View {
      Leaf().offset(x: x).keyframeAnimator(initialValue: 0.0, trigger: count) { view, y in
        view.offset(y: y)
      } keyframes: { _ in
        LinearKeyframe(40, duration: 1)
      }
    }
    var player = ViewPlayer(view(0, 0))
    withAnimation(.linear(duration: 2)) { player.update(view(1, 10), at: 0) }
    func both(_ time: Double) -> [Double] {
      let matrix = player.values(at: time, size: size).matrix
      return [matrix.tx, matrix.ty].map { ($0 * 1e9).rounded() / 1e9 }
    }
    #expect(both(0.5) == [2.5, 20])
    withAnimation(.linear(duration: 2)) { player.update(view(1, 20), at: 0.5) }
    #expect(both(0.5) == [2.5, 20])
    // The first animation goes on beside the second one.
    #expect(both(1) == [7.5, 40])
    #expect(both(2.5) == [20, 40])
  }

  /// A change that meets a phase on its way is added to it.
  @Test func updatesJoinRunningPhases() {
    func view(_ count: Int, _ factor: Double) -> some View {
      Leaf().phaseAnimator([0.0, 10], trigger: count) { view, x in
        view.offset(x: x + factor)
      } animation: { _ in
        .linear(duration: 1)
      }
    }
    var player = ViewPlayer(view(0, 0))
    player.update(view(1, 0), at: 0)
    withAnimation(.linear(duration: 1)) { player.update(view(1, 100), at: 0.5) }
    #expect(shifts(player, [0.5, 0.75, 1, 1.5, 2]) == [5, 32.5, 60, 105, 100])
  }

  private struct Badge: View {
    let count: Int
    let isWrapped: Bool

    var body: some View {
      if isWrapped {
        Group { hop }.modifier(Lifted(count: count))
      } else {
        AnyView(hop)
      }
    }

    private var hop: some View {
      Leaf().keyframeAnimator(initialValue: 0.0, trigger: count) { view, x in
        view.offset(x: x)
      } keyframes: { _ in
        LinearKeyframe(40, duration: 1)
      }
    }
  }

  private struct Lifted: ViewModifier {
    let count: Int

    func body(content: Content) -> some View {
      content.keyframeAnimator(initialValue: 0.0, trigger: count) { view, y in
        view.offset(y: y)
      } keyframes: { _ in
        LinearKeyframe(-8, duration: 1)
      }
    }
  }

  /// [V-20] In views of views, in branches, in modifiers' bodies and beside each other.
  @Test func nestedAnimatorsPlay() {
    var player = ViewPlayer(Badge(count: 0, isWrapped: true))
    player.update(Badge(count: 1, isWrapped: true), at: 1)
    let values = player.values(at: 1.5, size: size).matrix
    #expect([values.tx, values.ty] == [20, -4])
    // Another branch is another view: it appears at rest, and then its trigger changes.
    player.update(Badge(count: 2, isWrapped: false), at: 1.5)
    #expect(shifts(player, [1.5, 2, 9]) == [0, 0, 0])
    player.update(Badge(count: 3, isWrapped: false), at: 10)
    #expect(shifts(player, [10.5]) == [20])

    func both(_ count: Int, _ other: Int) -> some View {
      pulse(count).keyframeAnimator(initialValue: 0.0, trigger: other) { view, x in
        view.offset(x: x)
      } keyframes: { _ in
        LinearKeyframe(40, duration: 1)
      }
      .animation(.linear(duration: 1), value: other)
    }
    var twice = ViewPlayer(both(0, 0))
    twice.update(both(1, 0), at: 0)
    twice.update(both(1, 1), at: 0.5)
    #expect(scales(twice, [0.5, 0.75, 1, 1.5]) == [1.5, 1.75, 2, 1.5])
    #expect(shifts(twice, [0.5]) == [-25])
    #expect(twice.values(at: 9, size: size).matrix.tx == 40)
  }

  /// An animator in what another one animates: in keyframes, and in phases whose phase is the trigger.
  @Test func animatorsInAnimatorsPlay() {
    func inKeyframes(_ count: Int) -> some View {
      KeyframeAnimator(initialValue: 0.0, trigger: count) { y in
        pulse(count).offset(y: y)
      } keyframes: { _ in
        LinearKeyframe(40, duration: 1)
      }
    }
    var player = ViewPlayer(inKeyframes(0))
    player.update(inKeyframes(1), at: 1)
    let values = player.values(at: 1.5, size: size).matrix
    #expect(values.a == 1.5)
    #expect(abs(values.ty - (20 - 0.5 * 30)) < 1e-9)

    func inPhases(_ count: Int) -> some View {
      Leaf().phaseAnimator([0, 1, 2], trigger: count) { view, phase in
        view.keyframeAnimator(initialValue: 0.0, trigger: phase) { view, x in
          view.offset(x: x)
        } keyframes: { _ in
          LinearKeyframe(40, duration: 1)
          MoveKeyframe(0)
        }
      } animation: { _ in
        .linear(duration: 2)
      }
    }
    var phases = ViewPlayer(inPhases(0))
    phases.update(inPhases(1), at: 1)
    // Phases 1, 2 and 0 begin at 1, 3 and 5 s.
    #expect(shifts(phases, [1, 1.5, 2.5, 3.5, 5.5, 7.5]) == [0, 20, 0, 20, 20, 0])
    phases.advance(to: 3.25)
    #expect(shifts(phases, [3.5, 5.5, 7.5]) == [20, 20, 0])
  }

  /// Animators without a trigger start when they are first in the view.
  @Test func animatorsStartWhenTheyAppear() {
    func view(_ isThere: Bool, _ x: Double) -> some View {
      Group {
        if isThere {
          Leaf().keyframeAnimator(initialValue: 0.0, repeating: false) { view, y in
            view.offset(x: y)
          } keyframes: { _ in
            LinearKeyframe(40, duration: 1)
          }
        } else {
          Leaf().offset(x: 1)
        }
      }
      .offset(y: x)
    }
    var player = ViewPlayer(view(false, 0))
    player.update(view(true, 0), at: 5)
    #expect(shifts(player, [5, 5.5, 7]) == [0, 20, 40])
    player.update(view(true, 1), at: 5.5)
    #expect(shifts(player, [5.5, 5.75]) == [20, 30])
    player.update(view(false, 1), at: 6)
    player.update(view(true, 1), at: 7)
    #expect(shifts(player, [7.5]) == [20])
  }

  /// Phases that repeat for ever go on across updates.
  @Test func endlessPhasesGoOn() {
    func view(_ x: Double) -> some View {
      Leaf().phaseAnimator([1.0, 2]) { view, scale in
        view.scaleEffect(scale)
      } animation: { _ in
        .linear(duration: 1)
      }
      .offset(y: x)
    }
    var player = ViewPlayer(view(0))
    #expect(scales(player, [0.5, 1, 1.75, 1000.5]) == [1.5, 2, 1.25, 1.5])
    withAnimation(.linear(duration: 4)) { player.update(view(8), at: 0.75) }
    #expect(scales(player, [0.75, 1, 1.75]) == [1.75, 2, 1.25])
    player.advance(to: 500)
    #expect(scales(player, [500.5, 1000.5]) == [1.5, 1.5])
  }

  /// A timeline that has moved on is not animated by an update.
  @Test func updatesLeaveTimelinesAlone() {
    func view(_ y: Double) -> some View {
      TimelineView(.periodic(from: Date(timeIntervalSinceReferenceDate: 0), by: 1)) { context in
        Leaf().offset(x: context.date.timeIntervalSinceReferenceDate).offset(y: y)
      }
    }
    var player = ViewPlayer(view(0))
    withAnimation(.linear(duration: 4)) { player.update(view(8), at: 10.5) }
    let values = player.values(at: 11.5, size: size).matrix
    #expect([values.tx, values.ty] == [11, 2])
  }

  /// An animator that a program triggers itself plays what that says.
  @Test func programsMayTriggerThemselves() {
    var swing = AnimatorVocabulary.swing(0)
    var player = ViewPlayer(swing)
    swing.trigger(1, at: 0.5)
    player.update(swing, at: 1)
    #expect(abs(player.values(at: 1, size: size).matrix.b - sin(.pi / 4)) < 1e-12)
    var tap = PhaseAnimator([1.0, 2], trigger: 0) { scale in
      Leaf().scaleEffect(scale)
    } animation: { _ in
      .linear(duration: 1)
    }
    var taps = ViewPlayer(tap)
    tap.trigger(1, at: 0.5)
    taps.update(tap, at: 1)
    #expect(scales(taps, [1, 1.5, 2]) == [1.5, 2, 1.5])
  }
}
