// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: names that real files use beside the larger ones mean what they mean in SwiftUI.
@Suite struct SmallNamesTests {
  private let size = CGSize(width: 100, height: 60)

  private func rounded(_ numbers: [Double]) -> [Double] {
    numbers.map { ($0 * 1e9).rounded() / 1e9 }
  }

  @Test func edgesAndCorners() {
    #expect(ValuesVocabulary.edges() == [2, 2, 4, 1, 1, 0, 1, 1, 1, 15])
    #expect(Edge.Corner.allCases.map(\.debugDescription).joined(separator: " ").count == 51)
  }

  @Test func settingsAreKept() throws {
    let settings = ValuesVocabulary.Settings()
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(ValuesVocabulary.Settings.self, from: data) == settings)
    let text = #"{"tilt":{"radians":1},"anchor":{"x":0,"y":0.5},"side":0,"end":0}"#
    let read = try JSONDecoder().decode(ValuesVocabulary.Settings.self, from: Data(text.utf8))
    #expect(read.tilt == .radians(1))
    #expect(read.anchor == .leading)
    #expect([read.side == .leading, read.end == .top] == [true, true])
  }

  /// Columns are in the order a, b, c, d, tx, ty; a rectangle's image is the box around its corners.
  @Test func affineMaps() {
    let numbers = ValuesVocabulary.affineMaps().map { Double($0) }
    #expect(rounded(numbers) == [7, 7, 7, 2, 0, 70, 100, -22, 20, 10])
    let turned = CGRect(x: 0, y: 0, width: 2, height: 2)
      .applying(CGAffineTransform(rotationAngle: .pi / 4))
    #expect(
      rounded([turned.minX, turned.minY, turned.width, turned.height])
        == rounded([-2.0.squareRoot(), 0, 8.0.squareRoot(), 8.0.squareRoot()]))
    let mirrored = CGRect(x: 1, y: 2, width: 3, height: 4)
      .applying(CGAffineTransform(scaleX: -1, y: 1))
    #expect(mirrored == CGRect(x: -4, y: 2, width: 3, height: 4))
    let move = CGAffineTransform(translationX: 1, y: 1)
    #expect(CGRect.null.applying(move).isNull)
    #expect(CGRect.infinite.applying(move).isInfinite)
  }

  @Test func animationsHaveMirrors() {
    #expect(
      MotionVocabulary.mirrored(.linear(duration: 1).delay(2))
        == ["base: linear(duration: 1)", #"modifiers: ["delay(2)"]"#])
    let custom = MotionVocabulary.mirrored(.stepwise)
    #expect(custom == ["base: Stepwise(duration: 1.0)", "modifiers: []"])
    var text = ""
    dump(Animation.bouncy.speed(2), to: &text)
    #expect(text.contains("speed(2)"))
  }

  /// [V-23] A modifier with an animation of its own moves by it; the view in it, and around it, does not.
  @Test func modifiersHaveAnimationsOfTheirOwn() {
    var player = ViewPlayer(ViewVocabulary.scoped(Leaf(), false))
    withAnimation(.linear(duration: 1)) {
      player.update(ViewVocabulary.scoped(Leaf(), true), at: 0)
    }
    let values = player.values(at: 0.5, size: size)
    #expect(values.opacity == 0.875)
    // Half of the offset, by an eighth of the scale, shaken for a quarter of 1/4, and flipped at once.
    let x = (50 + 4 - 50) * 0.9375 + 50 + 5 * sin(2 * .pi / 16)
    let point = CGPoint(x: 50, y: 30).applying(values.transform)
    #expect(abs(point.x - (100 - x)) < 1e-9)
    #expect(player.isMoving(at: 3.9))
    #expect(!player.isMoving(at: 4.1))
  }

  /// [V-24] Effects by the size: 100 points halfway are 50, in an animation from state to state.
  @Test func visualEffectsKnowTheSize() {
    var player = ViewPlayer(ViewVocabulary.sized(Leaf(), false))
    #expect(player.values(at: 0, size: size).matrix.tx == 0)
    withAnimation(.linear(duration: 1)) {
      player.update(ViewVocabulary.sized(Leaf(), true), at: 0)
    }
    func numbers(_ time: Double, _ width: Double = 100) -> [Double] {
      let values = player.values(at: time, size: CGSize(width: width, height: 60))
      return rounded([values.matrix.tx, values.opacity])
    }
    #expect(numbers(0.25) == [25, 0.25])
    #expect(numbers(0.25, 200) == [50, 0.25])
    withAnimation(.linear(duration: 1)) {
      player.update(ViewVocabulary.sized(Leaf(), false), at: 0.5)
    }
    #expect(numbers(0.5) == [50, 0.5])
    #expect(numbers(0.75) == [50, 0.5])
    #expect(numbers(1.25) == [25, 0.25])
    #expect(numbers(9) == [0, 0])
    #expect(!player.isMoving(at: 9))
    // There and back at one instant is no change.
    let (off, on) = (ViewVocabulary.sized(Leaf(), false), ViewVocabulary.sized(Leaf(), true))
    var back = ViewPlayer(off)
    withAnimation(.linear(duration: 1)) {
      back.update(on, at: 0)
      back.update(off, at: 0)
    }
    #expect(!back.isMoving(at: 0.5))
    // A spring passes its target, and so do the effects.
    withAnimation(.spring(duration: 1, bounce: 0.5)) {
      player.update(ViewVocabulary.sized(Leaf(), true), at: 10)
    }
    #expect(numbers(10.8)[0] > 100)
  }

  @Test func visualEffectsAreThoseOfViews() {
    let found = ViewVocabulary.everyVisualEffect(Leaf()).drawnValues(size: size)
    let view = Leaf()
      .offset(CGSize(width: 1, height: 2)).scaleEffect(2)
      .scaleEffect(CGSize(width: 0.5, height: 1), anchor: .top)
      .scaleEffect(x: 2, y: 1, anchor: .leading).rotationEffect(.degrees(90), anchor: .center)
      .transformEffect(CGAffineTransform(translationX: 60, y: 0))
      .blur(radius: 2).brightness(0.1).contrast(1.5).saturation(0.5).grayscale(0.25)
      .hueRotation(.degrees(90)).opacity(0.5)
    #expect(found == view.drawnValues(size: size))
    #expect(ViewVocabulary.faded(Leaf()).drawnValues(size: size).opacity == 0.5)
    // Other effects in the new state: they show at once.
    func branches(_ isOn: Bool) -> some View {
      Leaf().visualEffect { effect, proxy in
        effect.offset(x: proxy.size.width).rotationEffect(.zero).opacity(isOn ? 0.5 : 1)
      }
    }
    var player = ViewPlayer(branches(false))
    player.update(branches(true), at: 0)
    #expect(player.values(at: 0, size: size).opacity == 0.5)
    let mirrored = branches(true).drawnValues(size: size, layoutDirection: .rightToLeft)
    #expect(mirrored.matrix.tx == -100)
  }

  private struct Rise: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      content.visualEffect { effect, proxy in
        effect.offset(y: phase.value * proxy.size.height)
      }
    }
  }

  private struct Blink: Transition {
    func body(content: Content, phase: TransitionPhase) -> some View {
      if phase.isIdentity {
        content
      } else {
        content.visualEffect { effect, proxy in effect.offset(x: proxy.size.width) }
      }
    }
  }

  @Test func transitionsMayKnowTheSize() {
    let rise = AnyTransition(Rise())
    #expect(rise.values(phase: .willAppear, progress: 0.25, size: size).matrix.ty == -45)
    #expect(rise.values(phase: .didDisappear, progress: 0.25, size: size).matrix.ty == 15)
    let blink = AnyTransition(Blink())
    #expect(blink.values(phase: .willAppear, progress: 0.75, size: size).matrix.tx == 25)
    #expect(blink.values(phase: .identity, progress: 1, size: size) == .identity)
    var player = TransitionPlayer(rise)
    player.insert(animation: .linear(duration: 1), at: 0)
    #expect(player.values(at: 0.5, size: size).matrix.ty == -30)
    player.remove(animation: .linear(duration: 1), at: 2)
    #expect(player.values(at: 2.5, size: size).matrix.ty == 30)
    #expect(!player.isPresent(at: 3.1))
  }
}
