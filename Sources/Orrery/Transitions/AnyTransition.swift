// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A transition of any kind: how a view appears and disappears.
///
///     let panel = AnyTransition.asymmetric(
///       insertion: .move(edge: .top).combined(with: .scale(scale: 0.2, anchor: .topTrailing)),
///       removal: .opacity)
///
/// Names, arguments and defaults are SwiftUI's. Where descriptions of SwiftUI say nothing, these
/// are the choices:
///
/// - Parts of a combined transition may have animations of their own; those parts run separately.
/// - An animation that is attached to a transition also runs in a transaction that has none.
/// - The innermost attached animation counts.
/// - Transitions are equal if their parts are equal, however the parts were nested.
///   ``modifier(active:identity:)`` compares effects that are not `Hashable` by identity.
public struct AnyTransition: Hashable, Sendable {
  /// Steps of both halves, or of each half, from the innermost; empty if nothing happens.
  var links: [Link]

  /// A part of a combined transition.
  enum Link: Hashable, Sendable {
    case symmetric(TransitionStep)
    case asymmetric(insertion: [TransitionStep], removal: [TransitionStep])
  }

  init(links: [Link]) { self.links = links }

  init(_ kind: TransitionStep.Kind) {
    links = [.symmetric(TransitionStep(kind: kind))]
  }

  /// Makes a transition from one of a known type.
  ///
  /// - Parameter transition: Its `body` is called now, once for each phase.
  public init(_ transition: some Transition) {
    if let known = transition as? any ErasableTransition {
      self = known.erased
    } else {
      let custom = TransitionStep.Custom(transition)
      self.init(.custom(custom))
    }
  }

  /// The view appears and disappears at once, unchanged.
  public static let identity = AnyTransition(links: [])

  /// Fades in and out.
  public static let opacity = AnyTransition(.opacity)

  /// Grows from a point in the centre, and shrinks back to it.
  public static var scale: AnyTransition { AnyTransition(.scale(.init())) }

  /// Scales from a factor, and back to it.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height while the view is away; 0 counts as
  ///     ``ScaleEffect/scaleMin``.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The transition.
  public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
    AnyTransition(.scale(ScaleTransition(scale, anchor: anchor)))
  }

  /// Moves in and out at one side, by the view's whole width or height.
  ///
  /// - Parameter edge: The side.
  /// - Returns: The transition.
  public static func move(edge: Edge) -> AnyTransition { AnyTransition(.move(edge)) }

  /// Moves in at the leading side and out at the trailing one.
  public static var slide: AnyTransition { AnyTransition(.slide) }

  /// Moves in at one side and out at the opposite one, and fades.
  ///
  /// - Parameter edge: The side where the view comes in.
  /// - Returns: The transition.
  public static func push(from edge: Edge) -> AnyTransition { AnyTransition(.push(edge)) }

  /// Moves from an offset, and back to it.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  /// - Returns: The transition.
  public static func offset(_ offset: CGSize) -> AnyTransition { AnyTransition(.offset(offset)) }

  /// Moves from an offset, and back to it.
  ///
  /// - Parameters:
  ///   - x: Points toward the trailing side.
  ///   - y: Points downward.
  /// - Returns: The transition.
  public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
    offset(CGSize(width: x, height: y))
  }

  /// One modifier for an absent view, another one for a present view.
  ///
  /// A transition may be used on another thread than the one that made it, by one at a time; what the
  /// modifiers refer to must not be changed by other code.
  ///
  /// - Parameters:
  ///   - active: The modifier before the insertion and after the removal.
  ///   - identity: The modifier of a present view.
  /// - Returns: The transition; it interpolates `animatableData`, or the modifiers in the body of a
  ///   modifier without such data.
  public static func modifier<E: ViewModifier>(
    active: E, identity: E
  ) -> AnyTransition {
    AnyTransition(ModifierTransition(active: active, identity: identity))
  }

  /// One transition for the insertion, another one for the removal.
  ///
  /// - Parameters:
  ///   - insertion: Moves the view from `willAppear` to identity.
  ///   - removal: Moves it from identity to `didDisappear`.
  /// - Returns: Both.
  public static func asymmetric(
    insertion: AnyTransition, removal: AnyTransition
  ) -> AnyTransition {
    AnyTransition(
      links: [.asymmetric(insertion: insertion.insertionSteps, removal: removal.removalSteps)])
  }

  /// This transition, and another one at the same time.
  ///
  /// - Parameter other: Applies to the result of this one, in the same phase.
  /// - Returns: Both.
  public func combined(with other: AnyTransition) -> AnyTransition {
    AnyTransition(links: links + other.links)
  }

  /// This transition with an animation of its own, which replaces that of the transaction.
  ///
  /// - Parameter animation: Nil: at once.
  /// - Returns: The transition; parts that already have one keep it.
  public func animation(_ animation: Animation?) -> AnyTransition {
    let own = TransitionPart.OwnAnimation(animation: animation)
    return AnyTransition(
      links: links.map { link in
        switch link {
        case .symmetric(let step): .symmetric(step.animated(own))
        case .asymmetric(let insertion, let removal):
          .asymmetric(
            insertion: insertion.map { $0.animated(own) }, removal: removal.map { $0.animated(own) }
          )
        }
      })
  }

  /// This transition with reduced motion: a half that moves or scales becomes a fade.
  public func reducingMotion() -> AnyTransition {
    func reduced(_ steps: [TransitionStep]) -> [TransitionStep] {
      guard let moving = steps.first(where: \.hasMotion) else { return steps }
      return [TransitionStep(kind: .opacity, animation: moving.animation)]
    }
    let (insertion, removal) = (reduced(insertionSteps), reduced(removalSteps))
    if (insertion, removal) == (insertionSteps, removalSteps) { return self }
    if insertion == removal { return AnyTransition(links: insertion.map(Link.symmetric)) }
    return AnyTransition(links: [.asymmetric(insertion: insertion, removal: removal)])
  }

  /// Steps of an insertion, from the innermost.
  package var insertionSteps: [TransitionStep] {
    links.flatMap { link in
      switch link {
      case .symmetric(let step): [step]
      case .asymmetric(let insertion, _): insertion
      }
    }
  }

  /// Steps of a removal, from the innermost.
  package var removalSteps: [TransitionStep] {
    links.flatMap { link in
      switch link {
      case .symmetric(let step): [step]
      case .asymmetric(_, let removal): removal
      }
    }
  }

  /// Every effect, from the innermost.
  var parts: [TransitionPart] {
    links.flatMap { link in
      switch link {
      case .symmetric(let step): step.parts
      case .asymmetric(let insertion, let removal):
        insertion.flatMap(\.parts).map { part in
          var part = part
          part.didDisappear = part.identity
          return part
        }
          + removal.flatMap(\.parts).map { part in
            var part = part
            part.willAppear = part.identity
            return part
          }
      }
    }
  }
}
