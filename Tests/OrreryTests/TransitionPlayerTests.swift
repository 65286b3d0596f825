// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: views come and go in time as the checklist says, also when they are called back.
///
/// Method: the checklist's numbers; then what must not jump, sampled on both sides of each change.
@Suite struct TransitionPlayerTests {
  private static let size = CGSize(width: 240, height: 160)
  private static let custom = AnyTransition.asymmetric(
    insertion: .move(edge: .top).combined(with: .scale(scale: 0.2, anchor: .topTrailing))
      .combined(with: .opacity),
    removal: .move(edge: .top).combined(with: .opacity))

  /// [S4-10] easeInOut: t = 0.14 -> p = 0.331884: opacity 0.331884 and scale 0.465507.
  @Test func oneProgressMovesAllParts() {
    var player = TransitionPlayer(Self.custom)
    player.insert(animation: .easeInOut, at: 2)
    let values = player.values(at: 2.14, size: Self.size)
    #expect(abs(values.opacity - 0.331884) < 1e-6)
    #expect(abs(values.matrix.a - 0.465507) < 1e-6)
    #expect(player.values(at: 2.4, size: Self.size) == .identity)
  }

  /// Insert: willAppear, identity; remove: didDisappear; [S4-11] inserted again while it is
  /// being removed: back to identity.
  @Test func phasesFollowEachOther() {
    var player = TransitionPlayer(.opacity)
    #expect(player.insert(animation: .linear(duration: 1), at: 0) == [.willAppear, .identity])
    #expect(player.remove(animation: .linear(duration: 1), at: 2) == [.didDisappear])
    #expect(player.insert(animation: .linear(duration: 1), at: 2.5) == [.identity])
    #expect(player.remove(animation: .linear(duration: 1), at: 5) == [.didDisappear])
    #expect(player.insert(animation: .linear(duration: 1), at: 6.5) == [.willAppear, .identity])
  }

  /// [S4-05] Setting the same value twice starts no animation.
  @Test func whatIsThereIsNotInsertedAgain() {
    var player = TransitionPlayer(.opacity, isInserted: true)
    #expect(player.insert(animation: .linear(duration: 1), at: 0) == [])
    #expect(!player.isMoving(at: 0))
    #expect(player.values(at: 0, size: Self.size).opacity == 1)
    #expect(player.remove(animation: .linear(duration: 1), at: 0) == [.didDisappear])
    #expect(player.remove(animation: .linear(duration: 9), at: 0.5) == [])
    #expect(player.removalEnd == 1)
  }

  /// [S4-11] Removed at 0, inserted again at 0.1: no jump at 0.1, and then back to identity.
  @Test(
    arguments: [
      Animation.easeInOut, .linear(duration: 0.4), .spring(duration: 0.5, bounce: 0.3), .default,
      .interpolatingSpring(stiffness: 144, damping: 9),
    ])
  func calledBackViewDoesNotJump(animation: Animation) {
    for transition in [Self.custom, .slide, .push(from: .top), AnyTransition(.blurReplace(.upUp))] {
      var player = TransitionPlayer(transition, isInserted: true)
      player.remove(animation: animation, at: 0)
      let before = player.values(at: 0.1, size: Self.size)
      #expect(before != .identity)
      #expect(player.insert(animation: animation, at: 0.1) == [.identity])
      #expect(Self.distance(player.values(at: 0.1, size: Self.size), before) < 1e-12)
      let soon = player.values(at: 0.1 + 1e-7, size: Self.size)
      #expect(Self.distance(soon, before) < 1e-3)
      #expect(player.isPresent(at: 0.36))
      #expect(Self.distance(player.values(at: 20, size: Self.size), .identity) < 1e-9)
    }
  }

  /// An interrupted insertion goes out from where it is, too.
  @Test func calledOffViewDoesNotJump() {
    var player = TransitionPlayer(Self.custom)
    player.insert(animation: .linear(duration: 1), at: 0)
    let before = player.values(at: 0.25, size: Self.size)
    player.remove(animation: .linear(duration: 1), at: 0.25)
    #expect(Self.distance(player.values(at: 0.25, size: Self.size), before) < 1e-12)
    // The insertion goes on underneath: both animations run and add.
    let later = player.values(at: 0.75, size: Self.size)
    #expect(abs(later.opacity - 0.75 * 0.5) < 1e-12)
    #expect(player.removalEnd == 1.25)
  }

  private static func distance(_ a: TransitionValues, _ b: TransitionValues) -> Double {
    let (m, n) = (a.matrix, b.matrix)
    let parts: [Double] = [
      m.a - n.a, m.b - n.b, m.c - n.c, m.d - n.d, m.tx - n.tx, m.ty - n.ty,
      CGFloat(a.opacity - b.opacity), CGFloat(a.blur - b.blur),
    ].map { abs(Double($0)) }
    return parts.max() ?? 0
  }

  /// [S4-12] Removed with easeInOut at 0: alive at 0.34, gone at 0.36.
  @Test func removedViewStaysUntilItsAnimationIsOver() {
    var player = TransitionPlayer(Self.custom, isInserted: true)
    player.remove(animation: .easeInOut, at: 0)
    #expect(player.isPresent(at: 0.34))
    #expect(!player.isPresent(at: 0.36))
    #expect(player.removalEnd == 0.35)
    #expect(player.values(at: 0.34, size: Self.size).opacity > 0)
    #expect(player.values(at: 0.36, size: Self.size) == .identity)
  }

  /// [S4-13] Without an animation: there and gone at once; opacity 1, nothing moves.
  @Test func withoutAnimationThereIsNoTransition() {
    var player = TransitionPlayer(Self.custom)
    #expect(player.insert(animation: nil, at: 1) == [.willAppear, .identity])
    #expect(player.values(at: 1, size: Self.size) == .identity)
    #expect(!player.isMoving(at: 1))
    #expect(player.isPresent(at: 1))
    player.remove(animation: nil, at: 2)
    #expect(!player.isPresent(at: 2))
    #expect(!player.isMoving(at: 2))
  }

  /// transition.animation(linear(1)) inside linear(3): done at 1; also in a transaction
  /// without animation, and not at all with animation(nil).
  @Test func ownAnimationReplacesTheTransactions() {
    var player = TransitionPlayer(.opacity.animation(.linear(duration: 1)), isInserted: true)
    player.remove(animation: .linear(duration: 3), at: 0)
    #expect(player.removalEnd == 1)
    #expect(abs(player.values(at: 0.25, size: Self.size).opacity - 0.75) < 1e-12)
    #expect(!player.isPresent(at: 1.01))
    var alone = TransitionPlayer(.opacity.animation(.linear(duration: 1)))
    alone.insert(animation: nil, at: 0)
    #expect(abs(alone.values(at: 0.25, size: Self.size).opacity - 0.25) < 1e-12)
    var still = TransitionPlayer(.opacity.animation(nil), isInserted: true)
    still.remove(animation: .linear(duration: 3), at: 0)
    #expect(!still.isPresent(at: 0))
  }

  /// Parts with animations of their own run apart; the view stays for the longest.
  @Test func partsMayRunApart() {
    let transition = AnyTransition.move(edge: .top).animation(.linear(duration: 2))
      .combined(with: .opacity)
    var player = TransitionPlayer(transition, isInserted: true)
    player.remove(animation: .linear(duration: 1), at: 0)
    let values = player.values(at: 0.5, size: Self.size)
    #expect(abs(values.matrix.ty + 40) < 1e-12)
    #expect(abs(values.opacity - 0.5) < 1e-12)
    #expect(player.removalEnd == 2)
    #expect(player.values(at: 1.5, size: Self.size).opacity == 0)
    // What only an insertion uses does not hold a removal up.
    let slow = AnyTransition.asymmetric(
      insertion: .slide.animation(.linear(duration: 9)), removal: .opacity)
    var other = TransitionPlayer(slow)
    other.insert(animation: nil, at: 0)
    other.remove(animation: .linear(duration: 1), at: 1)
    #expect(other.removalEnd == 2)
    #expect(!other.isPresent(at: 2.1))
  }

  private struct Steps: CustomAnimation {
    func animate<V: VectorArithmetic>(
      value: V, time: Double, context: inout AnimationContext<V>
    ) -> V? {
      time > 1 ? nil : value.scaled(by: time)
    }
  }

  @Test func customAnimationsEndWhenTheyAreAsked() {
    var player = TransitionPlayer(.opacity, isInserted: true)
    player.remove(animation: Animation(Steps()), at: 0)
    player.advance(to: 0.5)
    #expect(abs(player.values(at: 0.5, size: Self.size).opacity - 0.5) < 1e-12)
    #expect(player.isPresent(at: 0.5))
    #expect(player.removalEnd == .infinity)
    player.advance(to: 1.5)
    #expect(!player.isPresent(at: 1.5))
  }

  /// The leading side is the right one where text runs from right to left.
  @Test func playersMirrorRightToLeft() {
    var player = TransitionPlayer(.move(edge: .leading), layoutDirection: .rightToLeft)
    #expect(player.layoutDirection == .rightToLeft)
    #expect(!player.isInserted)
    player.insert(animation: .linear(duration: 1), at: 0)
    #expect(player.isInserted)
    #expect(abs(player.values(at: 0.25, size: Self.size).matrix.tx - 180) < 1e-9)
    var plain = TransitionPlayer(.move(edge: .leading))
    #expect(plain.layoutDirection == .leftToRight)
    plain.insert(animation: .linear(duration: 1), at: 0)
    #expect(abs(plain.values(at: 0.25, size: Self.size).matrix.tx + 180) < 1e-9)
  }

  /// [S4-12] At its very end a removed view is there for the last time.
  @Test func removedViewIsThereUntilItsEnd() {
    var player = TransitionPlayer(.opacity, isInserted: true)
    #expect(player.removalEnd == nil)
    player.remove(animation: .linear(duration: 1), at: 2)
    #expect(player.removalEnd == 3)
    #expect(player.isPresent(at: 3))
    #expect(player.isMoving(at: 3))
    #expect(!player.isPresent(at: 3.0.nextUp))
    #expect(!player.isMoving(at: 3.0.nextUp))
    player.advance(to: 4)
    #expect(player.removalEnd == nil)
    #expect(!player.isPresent(at: 3))
  }
}
