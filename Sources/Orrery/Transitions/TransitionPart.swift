// SPDX-License-Identifier: Apache-2.0

/// One effect of a transition in all phases, with the animation that moves it.
struct TransitionPart: Hashable, Sendable {
  var willAppear: TransitionEffect
  var identity: TransitionEffect
  var didDisappear: TransitionEffect

  /// Replaces the transaction's animation in an insertion.
  var animation: OwnAnimation?

  /// Replaces the transaction's animation in a removal.
  var removalAnimation: OwnAnimation?

  /// Whether an insertion changes it.
  var hasInsertion: Bool { willAppear != identity }

  /// Whether a removal changes it.
  var hasRemoval: Bool { didDisappear != identity }

  /// The effect at a distance from identity.
  func effect(_ away: TransitionAway) -> TransitionEffect {
    identity.moved(towards: willAppear, and: didDisappear, by: away)
  }

  /// The effects of any transition.
  ///
  /// - Parameter transition: Its `body` is called once for each phase.
  /// - Returns: From the innermost. If the phases have different effects, those of each phase are
  ///   interpolated from and to neutral effects.
  static func parts(of transition: some Transition) -> [TransitionPart] {
    let (before, middle, after) = (
      transition.effects(.willAppear), transition.effects(.identity),
      transition.effects(.didDisappear)
    )
    let kinds = middle.map(\.effect)
    if TransitionEffect.areAlike(kinds, before.map(\.effect)),
      TransitionEffect.areAlike(kinds, after.map(\.effect))
    {
      return middle.indices.map { TransitionPart(before[$0], middle[$0], after[$0]) }
    }
    return before.map { TransitionPart($0, $0.neutral, $0.neutral) }
      + middle.map { TransitionPart($0.neutral, $0, $0.neutral) }
      + after.map { TransitionPart($0.neutral, $0.neutral, $0) }
  }

  /// One effect in three phases, with the animations that its modifiers name.
  private init(_ before: ViewEffect, _ middle: ViewEffect, _ after: ViewEffect) {
    willAppear = before.effect
    identity = middle.effect
    didDisappear = after.effect
    animation = OwnAnimation(ImplicitAnimation.steps(middle.implicit, from: before.implicit))
    removalAnimation = OwnAnimation(ImplicitAnimation.steps(after.implicit, from: middle.implicit))
  }
}

extension ViewEffect {
  /// The effect of the same kind that changes nothing, animated in the same way.
  fileprivate var neutral: ViewEffect {
    var effect = self
    effect.effect = effect.effect.neutral
    return effect
  }
}

extension Transition {
  /// The effects of the body in a phase; opacity 0 if it does not show its content.
  func effects(_ phase: TransitionPhase) -> [ViewEffect] {
    body(content: Content(), phase: phase).description(ViewMoment())
      .effects(onContentOf: Self.self)
  }
}
