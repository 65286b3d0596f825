// SPDX-License-Identifier: Apache-2.0

/// One effect of a transition in all phases, with the animation that moves it.
struct TransitionPart: Hashable, Sendable {
  var willAppear: TransitionEffect
  var identity: TransitionEffect
  var didDisappear: TransitionEffect

  /// Replaces the transaction's animation.
  var animation: OwnAnimation?

  /// An animation that was attached to a transition; nil for a change at once.
  struct OwnAnimation: Hashable, Sendable {
    var animation: Animation?
  }

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
    func effects(_ phase: TransitionPhase) -> [TransitionEffect] {
      transition.body(content: TransitionContent(), phase: phase).effects
    }
    let (before, middle, after) = (
      effects(.willAppear), effects(.identity), effects(.didDisappear)
    )
    let isUniform =
      before.count == middle.count && after.count == middle.count
      && middle.indices.allSatisfy {
        middle[$0].hasKind(of: before[$0]) && middle[$0].hasKind(of: after[$0])
      }
    if isUniform {
      return middle.indices.map {
        TransitionPart(willAppear: before[$0], identity: middle[$0], didDisappear: after[$0])
      }
    }
    return before.map {
      TransitionPart(willAppear: $0, identity: $0.neutral, didDisappear: $0.neutral)
    }
      + middle.map {
        TransitionPart(willAppear: $0.neutral, identity: $0, didDisappear: $0.neutral)
      }
      + after.map {
        TransitionPart(willAppear: $0.neutral, identity: $0.neutral, didDisappear: $0)
      }
  }
}
