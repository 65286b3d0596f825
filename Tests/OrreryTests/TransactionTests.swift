// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Synchronization
import TestSupport
import Testing

/// Goal: a body's changes are made in the transaction that SwiftUI would make them in.
///
/// Method: properties of an engine are changed, and read as models and as shown.
@Suite struct TransactionTests {
  private let engine = AnimationEngine()

  /// [C-01] withAnimation(linear(1)) { withAnimation(nil) { x = 1 } } -> no animation.
  @Test func innerAnimationWins() {
    let (x, y) = (engine.property(0.0), engine.property(0.0))
    withAnimation(.linear(duration: 1)) {
      withAnimation(nil) { x.value = 1 }
      withAnimation(.linear(duration: 4)) { y.value = 1 }
    }
    #expect(!x.isAnimating)
    #expect(x.presentation == 1)
    engine.advance(to: 1)
    #expect(y.presentation == 0.25)
  }

  @Test func animationIsTheDefaultOne() {
    let x = engine.property(0.0)
    withAnimation { x.value = 1 }
    engine.advance(to: 0.275)
    #expect(abs(x.presentation - 0.821026) < 1e-6)
  }

  /// [C-02] Explicit linear(1), implicit spring, value changed -> spring; not changed -> linear(1).
  @Test func implicitAnimationReplacesTheExplicitOneIfItsValueChanged() {
    let spring = Animation.spring(duration: 0.5)
    let (x, alone) = (engine.property(0.0), engine.property(0.0))
    withAnimation(spring) { alone.value = 1 }
    x.animation(spring, value: false)
    withAnimation(.linear(duration: 1)) {
      x.animation(spring, value: true)
      x.value = 1
    }
    engine.advance(to: 0.2)
    #expect(x.presentation == alone.presentation)
    #expect(x.presentation != 0.2)

    let y = engine.property(0.0)
    y.animation(spring, value: true)
    withAnimation(.linear(duration: 1)) {
      y.animation(spring, value: true)
      y.value = 1
    }
    engine.advance(by: 0.5)
    #expect(abs(y.presentation - 0.5) < 1e-12)
  }

  /// [C-02] Not when disablesAnimations is set.
  @Test func disabledAnimationsLeaveTheTransactionAsItIs() {
    let (x, y) = (engine.property(0.0), engine.property(0.0))
    x.animation(.bouncy)
    y.animation(.bouncy)
    withTransaction(\.disablesAnimations, true) {
      x.value = 1
      withAnimation(.linear(duration: 1)) { y.value = 1 }
    }
    #expect(x.presentation == 1)
    engine.advance(to: 0.5)
    #expect(y.presentation == 0.5)
  }

  @Test func changedValueHoldsOnlyWhileTimeStandsStill() {
    let x = engine.property(0.0)
    x.animation(.linear(duration: 1), value: 1)
    x.animation(.linear(duration: 1), value: 2)
    engine.advance(to: 0.5)
    x.value = 1
    #expect(x.presentation == 1)
  }

  /// [C-03] animation(nil) over an explicit linear(1), value changed: jump; old form: a change of
  /// an unrelated property animates too.
  @Test func implicitNilJumpsAndTheOldFormTakesEverything() {
    let x = engine.property(0.0)
    x.animation(nil, value: 1)
    withAnimation(.linear(duration: 1)) {
      x.animation(nil, value: 2)
      x.value = 1
    }
    #expect(x.presentation == 1)

    let moon = engine.scope()
    let (angle, frame) = (moon.property(0.0), moon.property(400.0))
    moon.animation(.linear(duration: 10).repeatForever(autoreverses: false))
    angle.value = 2 * .pi
    frame.value = 500
    engine.advance(to: 5)
    #expect(frame.presentation == 450)
    #expect(abs(angle.presentation - .pi) < 1e-12)
  }

  @Test func innerScopeHasTheLastWord() {
    let outer = engine.scope()
    let inner = outer.scope()
    outer.animation(.linear(duration: 1))
    inner.animation(.linear(duration: 2))
    let (a, b) = (outer.property(0.0), inner.property(0.0))
    b.animation(.linear(duration: 4))
    let c = inner.property(0.0)
    for property in [a, b, c] { property.value = 1 }
    engine.advance(to: 0.5)
    #expect([a, b, c].map(\.presentation) == [0.5, 0.125, 0.25])
  }

  /// [C-04] x inside withAnimation(linear(1)), y outside: at 0.5 x is halfway, y at its target.
  @Test func onlyChangesInATransactionAreAnimated() {
    let (x, y) = (engine.property(0.0), engine.property(0.0))
    withAnimation(.linear(duration: 1)) { x.value = 10 }
    y.value = 10
    #expect((x.value, y.value) == (10, 10))
    engine.advance(to: 0.5)
    #expect(x.presentation == 5)
    #expect(y.presentation == 10)
  }

  @Test func bodyThatThrowsHasAnimatedWhatItChanged() {
    struct Stop: Error {}
    let x = engine.property(0.0)
    var count = 0
    #expect(throws: Stop.self) {
      try withAnimation(.linear(duration: 1)) {
        x.value = 1
        throw Stop()
      } completion: {
        count += 1
      }
    }
    x.value = 2
    #expect(count == 1)
    let seven = withAnimation { 7 }
    #expect(seven == 7)
  }

  struct NumberKey: TransactionKey {
    static let defaultValue: Int? = 5
  }

  struct TextKey: TransactionKey {
    static let defaultValue = "default"
  }

  /// [C-10] withTransaction(k = 1) { withTransaction(k = 2) { read } } -> 2; a key set only outside
  /// is still visible inside.
  @Test func transactionsMergeAndInnerKeysWin() {
    var seen: [Int?] = []
    var texts: [String] = []
    func read() {
      seen.append(Transaction.current[NumberKey.self])
      texts.append(Transaction.current[TextKey.self])
    }
    read()
    withTransaction(\.number, 1) {
      withTransaction(\.text, "outside") {
        withTransaction(\.number, 2) { read() }
        withTransaction(\.number, nil) { read() }
        withTransaction(Transaction()) { read() }
        withAnimation { read() }
      }
      read()
    }
    read()
    #expect(seen == [5, 2, nil, 1, 1, 1, 5])
    #expect(texts == ["default"] + Array(repeating: "outside", count: 4) + ["default", "default"])
  }

  /// [C-10] Transactions carry tracksVelocity: 0@0, 3@0.1, 9@0.2 -> 37.5, with which a spring
  /// begins.
  @Test func trackedVelocityBeginsASpring() {
    let (x, still) = (engine.property(0.0), engine.property(0.0))
    var transaction = Transaction()
    transaction.tracksVelocity = true
    for (time, value) in [(0, 0), (0.1, 3), (0.2, 9)] as [(Double, Double)] {
      engine.advance(to: time)
      withTransaction(transaction) { x.value = value }
      still.value = value
    }
    withAnimation(.spring(duration: 0.5)) {
      x.value = 20
      still.value = 20
    }
    #expect(abs(x.velocity - 37.5) < 1e-9)
    #expect(still.velocity == 0)
    engine.advance(by: 0.01)
    #expect(x.presentation > 9.3)
  }

  /// A finger that rests before it lets go gives no velocity, whether it is sampled meanwhile or not.
  @Test(arguments: [0.05, 0.2, 2], [false, true])
  func holdsEndATrackedVelocity(seconds: Double, isSampled: Bool) {
    let x = engine.property(0.0)
    var transaction = Transaction()
    transaction.tracksVelocity = true
    func sample(_ value: Double, at time: Double) {
      engine.advance(to: time)
      withTransaction(transaction) { x.value = value }
    }
    for index in 0...4 { sample(20 * Double(index), at: 0.02 * Double(index)) }
    let end = 0.08 + seconds
    if isSampled { for time in stride(from: 0.1, to: end, by: 0.02) { sample(80, at: time) } }
    engine.advance(to: end)
    withAnimation(.spring(duration: 0.5)) { x.value = 200 }
    #expect(abs(x.velocity - (seconds < 0.1 && !isSampled ? 1000 : 0)) < 1e-9)
  }

  @Test func flagsAreAsSet() {
    var transaction = Transaction(animation: .linear)
    #expect(transaction.animation == .linear)
    #expect(!transaction.disablesAnimations)
    #expect(!transaction.isContinuous)
    #expect(!transaction.tracksVelocity)
    transaction.isContinuous = true
    transaction.animation = nil
    #expect(transaction.isContinuous)
    #expect(transaction.animation == nil)
  }

  @Test func transactionEndsWithItsBodyAndStaysOnItsThread() throws {
    let seen = Mutex<Int??>(nil)
    try withTransaction(\.number, 1) {
      let thread = Thread { seen.withLock { $0 = Transaction.current[NumberKey.self] } }
      thread.start()
      try waitUntil("the thread's look") { seen.withLock { $0 != nil } }
    }
    #expect(seen.withLock { $0 } == .some(5))
    #expect(Transaction.current[NumberKey.self] == 5)
  }

  @Test func completionRunsOutsideTheTransactionThatCalledIt() {
    let (x, y) = (engine.property(0.0), engine.property(0.0))
    withAnimation(.linear(duration: 1)) {
      x.value = 1
    } completion: {
      y.value = 1
    }
    withAnimation(.linear(duration: 5)) { engine.advance(to: 1) }
    #expect(y.presentation == 1)
    #expect(!y.isAnimating)
  }
}

extension Transaction {
  fileprivate var number: Int? {
    get { self[TransactionTests.NumberKey.self] }
    set { self[TransactionTests.NumberKey.self] = newValue }
  }

  fileprivate var text: String {
    get { self[TransactionTests.TextKey.self] }
    set { self[TransactionTests.TextKey.self] = newValue }
  }
}
