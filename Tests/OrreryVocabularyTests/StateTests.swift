// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: a player keeps the state of the views that it plays, and gives them the environment.
///
/// Method: state is changed as a view's own functions do, and values are computed by hand.
@Suite struct StateTests {
  private let size = CGSize(width: 100, height: 60)

  private func rounded(_ numbers: [Double]) -> [Double] {
    numbers.map { ($0 * 1e9).rounded() / 1e9 }
  }

  /// [V-21] A change in linear(1): halfway after 0.5 s; each change has the transaction that it was made in.
  @Test func changesOfStateHaveTheirTransactions() {
    var player = ViewPlayer(Card())
    func numbers(_ time: Double) -> [Double] {
      let values = player.values(at: time, size: size)
      let matrix = values.matrix
      return rounded([
        (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot(), values.opacity,
      ])
    }
    #expect(numbers(0) == [0.5, 1])
    player.update(at: 1) { $0.toggle() }
    #expect(numbers(1.5) == [0.75, 1])
    // Two transactions in one call.
    player.update(at: 2) { card in
      card.toggle()
      card.select(3)
    }
    #expect(numbers(2.5) == [0.75, 0.9375])
    #expect(numbers(6) == [0.5, 0.5])
    // The call's own transaction, and none.
    withAnimation(.linear(duration: 1)) {
      player.update(at: 10) { $0.drag(to: CGSize(width: 8, height: 0)) }
    }
    #expect(rounded([player.values(at: 10.25, size: size).matrix.tx]) == [2 + 25])
    player.update(at: 20) { $0.drag(to: .zero) }
    #expect(player.values(at: 20, size: size).matrix.tx == 25)
  }

  /// [V-21] State stays while its view is there, and begins anew when the view comes back.
  @Test func stateBelongsToAPlace() {
    func view(_ isThere: Bool, _ y: CGFloat) -> some View {
      Group { if isThere { Card(isOpen: true) } }.offset(y: y)
    }
    var card = ViewPlayer(Card(isOpen: true))
    card.update(at: 0) { $0.drag(to: CGSize(width: 8, height: 0)) }
    withAnimation(.linear(duration: 1)) { card.update(Card(isOpen: false), at: 1) }
    // The new value of the same view has the state of the old one.
    #expect(rounded([card.values(at: 1, size: size).matrix.tx]) == [8 + 50 + 30])
    card.advance(to: 2)
    card.update(at: 2) { $0.toggle() }
    #expect(card.isMoving(at: 2.5))
    card.update(Card(), at: 9)
    #expect(rounded([card.values(at: 9, size: size).matrix.a]) == [0.5])
    #expect(rounded([Card(isOpen: true).drawnValues(size: size).matrix.b]) == [1])

    // Branches, and types behind AnyView, are places of their own.
    struct Two: View {
      @State var isFirst = true
      var body: some View {
        if isFirst { Step() } else { Step() }
      }
    }
    var two = ViewPlayer(Two())
    two.update(at: 1) { $0.isFirst = false }
    #expect(two.values(at: 1.5, size: size).matrix.tx == 4)
    var other = ViewPlayer(AnyView(Group { Step() }))
    other.update(AnyView(Optional(Step())), at: 5)
    #expect(other.values(at: 5.5, size: size).matrix.tx == 4)
    var branches = ViewPlayer(view(true, 0))
    branches.update(view(false, 0), at: 1)
    branches.update(view(true, 0), at: 2)
    #expect(rounded([branches.values(at: 2, size: size).matrix.b]) == [1])
  }

  /// A view that moves from when it appears.
  private struct Step: View {
    var body: some View {
      Leaf().keyframeAnimator(initialValue: 0.0, repeating: false) { view, x in
        view.offset(x: x)
      } keyframes: { _ in
        LinearKeyframe(8, duration: 1)
      }
    }
  }

  /// A binding changes the state of the view that made it, with its own animation.
  @Test func bindingsChangeState() {
    #expect(StateVocabulary.bindings() == [5, 5, 8, 5])
    var player = ViewPlayer(Card(isOpen: true))
    player.update(at: 0) { $0.handle.push(by: 8) }
    let start = player.values(at: 0, size: size).matrix.tx
    #expect(player.values(at: 0.5, size: size).matrix.tx == start + 2)
    player.update(at: 3) { $0.handle.isOpen = false }
    #expect(rounded([player.values(at: 3, size: size).matrix.b]) == [0])
    // A view that is played shows its state elsewhere, too.
    #expect(rounded([player.content.drawnValues(size: size).matrix.a]) == [0.5])
    player.update(at: 4) { $0.handle.isOpen = true }
    #expect(rounded([player.content.drawnValues(size: size).matrix.b]) == [1])
    #expect(rounded([player.values(at: 4, size: size).matrix.b]) == [1])
    // Unconnected state has no place to keep a change.
    let card = Card()
    card.toggle()
    #expect(card.drawnValues(size: size).matrix.a == 0.5)
  }

  private struct Failure: Error {}

  @Test func changesBeforeAnErrorShow() {
    var player = ViewPlayer(Card())
    #expect(throws: Failure.self) {
      try player.update(at: 1) { card in
        card.toggle()
        throw Failure()
      }
    }
    #expect(player.isMoving(at: 1.5))
    let result = player.update(at: 3) { _ in 7 }
    #expect(result == 7)
  }

  private final class Model {
    var x = 0.0
  }

  private struct Mover: View {
    @State var model = Model()
    var body: some View { Leaf().offset(x: model.x) }
  }

  /// Objects in state move by the transaction of the call.
  @Test func objectsInStateMove() {
    var player = ViewPlayer(Mover())
    withAnimation(.linear(duration: 1)) { player.update(at: 0) { $0.model.x = 8 } }
    #expect(player.values(at: 0.5, size: size).matrix.tx == 4)
  }

  private struct Follower: View {
    let model: Model
    var body: some View { Leaf().offset(x: model.x) }
  }

  /// A model that a program keeps and changes itself moves at the next update.
  @Test func modelsOutsideOfViewsMove() {
    let model = Model()
    var player = ViewPlayer(Follower(model: model))
    model.x = 8
    withAnimation(.linear(duration: 1)) { player.update(Follower(model: model), at: 0) }
    #expect(player.values(at: 0.5, size: size).matrix.tx == 4)
  }

  /// The value that a trigger or an implicit animation compares changes once for a whole transaction.
  @Test func oneTransactionIsOneChange() {
    struct Pair: View {
      @State var first = 0.0
      @State var second = 0.0
      var body: some View {
        Leaf().offset(x: second).animation(.linear(duration: 4), value: first)
          .keyframeAnimator(initialValue: 0.0, trigger: first) { view, y in
            view.offset(y: y)
          } keyframes: { _ in
            LinearKeyframe(40, duration: 1)
          }
      }
    }
    var player = ViewPlayer(Pair())
    player.update(at: 1) { pair in
      withAnimation(.linear(duration: 1)) {
        pair.first = 1
        pair.second = 8
      }
    }
    let matrix = player.values(at: 1.5, size: size).matrix
    #expect(rounded([matrix.tx, matrix.ty]) == [1, 20])
  }

  /// [V-22] Views and modifiers read the environment of the player, or of a call.
  @Test func viewsReadTheEnvironment() {
    var environment = EnvironmentValues()
    environment.accent = 0.25
    let read = Accented().drawnValues(size: size, environment: environment)
    #expect([read.opacity, read.matrix.ty] == [0.25, 1])
    let mirrored = Accented().drawnValues(size: size, layoutDirection: .rightToLeft)
    #expect([mirrored.opacity, mirrored.matrix.ty] == [0.5, -1])

    let engine = AnimationEngine()
    engine.environment = environment
    engine.environment.layoutDirection = .rightToLeft
    var player = ViewPlayer(Accented().offset(x: 3), environment: engine.environment)
    #expect(player.layoutDirection == .rightToLeft)
    let values = player.values(at: 0, size: size)
    #expect([values.opacity, values.matrix.tx, values.matrix.ty] == [0.25, -3, -1])
    player.environment.accent = 0.75
    #expect(player.values(at: 0, size: size).opacity == 0.75)

    var reduced = EnvironmentValues()
    #expect(Pressable().drawnValues(size: size).matrix.a == 0.5)
    reduced.accessibilityReduceMotion = true
    #expect(Pressable().drawnValues(size: size, environment: reduced).matrix.a == 1)
    let pressed = ViewPlayer(Leaf().modifier(Pressable()), environment: reduced)
    #expect(pressed.values(at: 0, size: size).matrix.a == 1)
  }

  /// Inside of animatable views, and of animators, whose phases still move.
  @Test func theEnvironmentReachesEveryBody() {
    var environment = EnvironmentValues()
    environment.accent = 0.25
    var wave = ViewPlayer(AccentedWave(animatableData: 0), environment: environment)
    withAnimation(.linear(duration: 1)) { wave.update(AccentedWave(animatableData: 2), at: 0) }
    let values = wave.values(at: 0.5, size: size)
    #expect(values.opacity == 0.25)
    #expect(abs(values.matrix.tx - 0.25 * sin(1)) < 1e-12)

    func view(_ count: Int) -> some View {
      Leaf().phaseAnimator([0.0, 8], trigger: count) { view, x in
        Branch().offset(x: x)
      } animation: { _ in
        .stepwise(duration: 4)
      }
    }
    let endless = ViewPlayer(
      Leaf().phaseAnimator([0.0, 8]) { view, x in
        Branch().offset(x: x)
      } animation: { _ in
        .linear(duration: 1)
      }, environment: environment)
    #expect(endless.values(at: 0.25, size: size).matrix.tx == 2)
    environment.pace = 2
    var player = ViewPlayer(view(0), environment: environment)
    player.update(view(1), at: 1)
    #expect(player.values(at: 1, size: size).blur == 2)
    // The custom animation reads the pace: a quarter of the way in half a second.
    #expect(player.values(at: 1.5, size: size).matrix.tx == 2)
  }

  private struct Branch: View {
    @Environment(\.accent) private var accent
    var body: some View {
      if accent < 0.5 { Leaf().blur(radius: 2) } else { Leaf() }
    }
  }

  @Test func playersGiveCustomAnimationsTheirEnvironment() {
    var player = ViewPlayer(Leaf().offset(x: 0))
    player.environment.pace = 2
    withAnimation(.stepwise(duration: 4)) { player.update(Leaf().offset(x: 8), at: 0) }
    player.advance(to: 1)
    #expect(player.values(at: 1, size: size).matrix.tx == 4)
    player.environment.pace = 1
    player.advance(to: 1.5)
    #expect(player.values(at: 1.5, size: size).matrix.tx == 2)
  }
}
