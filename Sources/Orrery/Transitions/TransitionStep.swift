// SPDX-License-Identifier: Apache-2.0

/// One simple transition of a combined one.
package struct TransitionStep: Hashable, Sendable {
  /// Which transition it is.
  var kind: Kind

  /// Replaces the transaction's animation.
  var animation: TransitionPart.OwnAnimation?

  /// The library's transitions, and custom ones.
  enum Kind: Hashable, Sendable {
    case opacity
    case scale(ScaleTransition)
    case move(Edge)
    case slide
    case push(Edge)
    case offset(CGSize)
    case blurReplace(BlurReplaceTransition.Configuration)
    case custom(Custom)
  }

  /// A transition of a type that the library does not know.
  struct Custom: Hashable, Sendable {
    /// Name of the type.
    let name: String
    let parts: [TransitionPart]
    let hasMotion: Bool

    init<T: Transition>(_ transition: T) {
      name = "\(T.self)"
      parts = TransitionPart.parts(of: transition)
      hasMotion = T.properties.hasMotion
    }
  }

  /// This step with an animation, unless it has one.
  func animated(_ own: TransitionPart.OwnAnimation) -> TransitionStep {
    TransitionStep(kind: kind, animation: animation ?? own)
  }

  /// Whether it moves or scales.
  var hasMotion: Bool {
    switch kind {
    case .opacity: OpacityTransition.properties.hasMotion
    case .custom(let custom): custom.hasMotion
    case .scale, .move, .slide, .push, .offset, .blurReplace: true
    }
  }

  /// Its effects, from the innermost.
  var parts: [TransitionPart] {
    let parts =
      switch kind {
      case .opacity: TransitionPart.parts(of: OpacityTransition())
      case .scale(let scale): TransitionPart.parts(of: scale)
      case .move(let edge): TransitionPart.parts(of: MoveTransition(edge: edge))
      case .slide: TransitionPart.parts(of: SlideTransition())
      case .push(let edge): TransitionPart.parts(of: PushTransition(edge: edge))
      case .offset(let offset): TransitionPart.parts(of: OffsetTransition(offset))
      case .blurReplace(let configuration):
        TransitionPart.parts(of: BlurReplaceTransition(configuration: configuration))
      case .custom(let custom): custom.parts
      }
    guard let animation else { return parts }
    return parts.map { part in
      // An animation in the transition's body is the inner one.
      var part = part
      part.animation = part.animation ?? animation
      part.removalAnimation = part.removalAnimation ?? animation
      return part
    }
  }
}
