// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Animates the modifiers of a view from one state to the next, without a screen.
///
///     var dot = ViewPlayer(EmptyView().opacity(0.3))
///     withAnimation(.easeInOut) { dot.update(EmptyView().opacity(1), at: 0) }
///     dot.values(at: 0.1, size: size).opacity
///
/// - Each modifier moves by the transaction's animation, or by that of an `animation(_:value:)`,
///   `animation(_:)` or `transaction(_:)` outside of it; the innermost of these counts.
/// - A running animation goes on, or a spring takes it over, as in an ``AnimatedProperty``.
/// - If the new state has other modifiers than the old one, it shows at once.
/// - A view or modifier with animatable data moves by its data; what else changed in it jumps.
/// - Completions of a transaction belong to an ``AnimationEngine``; a player does not delay them.
///
/// Times are seconds and never decrease from one call to the next.
public struct ViewPlayer<Content: View> {
  /// The newest state.
  public private(set) var content: Content

  /// Which side is leading.
  public let layoutDirection: LayoutDirection

  /// When the view appeared, for timelines and animators in it.
  private let start: Double

  private var effects: [TrackedEffect]

  /// Number for the next animation.
  private var nextID: UInt64 = 0

  /// Makes a player that shows a view.
  ///
  /// - Parameters:
  ///   - content: The first state.
  ///   - layoutDirection: Which side is leading.
  ///   - time: When it appears, in seconds.
  public init(
    _ content: Content, layoutDirection: LayoutDirection = .leftToRight, at time: Double = 0
  ) {
    self.content = content
    self.layoutDirection = layoutDirection
    start = time
    effects = content.description(ViewMoment(time: 0)).effects.map { TrackedEffect($0) }
  }

  /// Shows another state.
  ///
  /// - Parameters:
  ///   - content: The new state.
  ///   - time: Seconds.
  ///   - transaction: By default that of the running body, as `withAnimation(_:_:)` sets it.
  public mutating func update(
    _ content: Content, at time: Double, transaction: Transaction = .current
  ) {
    self.content = content
    let new = content.description(ViewMoment(time: max(0, time - start))).effects
    guard TransitionEffect.areAlike(effects.map(\.model.effect), new.map(\.effect)) else {
      effects = new.map { TrackedEffect($0) }
      return
    }
    for (index, model) in new.enumerated() {
      let steps = ImplicitAnimation.steps(
        model.implicit, from: effects[index].model.implicit)
      let own = TransitionPart.OwnAnimation(steps)
      let animation = (own?.applied(to: transaction) ?? transaction).animation
      effects[index].model = model
      _ = effects[index].track.removeFinished(at: time)
      effects[index].track.set(
        model.effect.vector, animation: animation, at: time, id: nextID)
      nextID += 1
    }
  }

  /// Steps custom animations; others depend on the time alone.
  ///
  /// - Parameter time: Seconds.
  public mutating func advance(to time: Double) {
    for index in effects.indices { _ = effects[index].track.removeFinished(at: time) }
  }

  /// Whether an animation runs.
  ///
  /// - Parameter time: Seconds, not before the last update.
  /// - Returns: False once all animations are over; timelines and animators do not count.
  public func isMoving(at time: Double) -> Bool {
    effects.contains { !$0.track.isAtRest(at: time) }
  }

  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - time: Seconds, not before the last update.
  ///   - size: Size of the view, in points.
  /// - Returns: The values of all its modifiers together.
  public func values(at time: Double, size: CGSize) -> TransitionValues {
    AnyTransition.values(
      description(at: time).effects.map(\.effect), size: size, layoutDirection: layoutDirection)
  }

  /// What the view draws.
  func description(at time: Double) -> ViewDescription {
    var view = content.description(ViewMoment(time: max(0, time - start)))
    // An animator in the view may have come to a state with other modifiers.
    guard TransitionEffect.areAlike(effects.map(\.model.effect), view.effects.map(\.effect)) else {
      return view
    }
    for (index, tracked) in effects.enumerated() where !tracked.track.motions.isEmpty {
      let shown = tracked.track.value(at: time)
      let current = view.effects[index].effect.vector
      // A timeline in the view may have moved on since the last update.
      let vector = current == tracked.track.model ? shown : current + (shown - tracked.track.model)
      view.effects[index].effect = view.effects[index].effect.with(vector)
    }
    return view
  }
}

@available(*, unavailable)
extension ViewPlayer: Sendable {}

/// An effect of the newest state of a view, and its way there.
private struct TrackedEffect {
  var model: ViewEffect
  var track: AnimationTrack<ErasedVector>

  init(_ model: ViewEffect) {
    self.model = model
    track = AnimationTrack(model.effect.vector)
  }
}
