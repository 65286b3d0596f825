// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a view comes and goes, of any kind.
///
///     let panel = AnyTransition.asymmetric(
///       insertion: .move(edge: .top).combined(with: .scale(scale: 0.2, anchor: .topTrailing)),
///       removal: .opacity)
///
/// Names, arguments and defaults are SwiftUI's. Where descriptions of it are silent, these are the
/// choices:
///
/// - Parts of a combined transition may have animations of their own and then run apart.
/// - An animation that is attached to a transition runs also in a transaction that has none.
/// - The innermost attached animation counts.
/// - Of equal meaning is equal: transitions are compared by what they are made of, not by how it
///   was nested. ``modifier(active:identity:)`` compares effects that are not `Hashable` by
///   identity.
public struct AnyTransition: Hashable, Sendable {
  /// What happens in both halves, or in each, from the innermost; without links nothing.
  var links: [Link]

  /// A stretch of a combined transition.
  enum Link: Hashable, Sendable {
    case symmetric(TransitionStep)
    case asymmetric(insertion: [TransitionStep], removal: [TransitionStep])
  }

  init(links: [Link]) { self.links = links }

  init(_ kind: TransitionStep.Kind) {
    links = [.symmetric(TransitionStep(kind: kind))]
  }

  /// Makes a transition of a known type one of any.
  ///
  /// - Parameter transition: Its `body` is asked once for each phase, now.
  public init(_ transition: some Transition) {
    if let known = transition as? any ErasableTransition {
      self = known.erased
    } else {
      let custom = TransitionStep.Custom(transition)
      self.init(.custom(custom))
    }
  }

  /// Comes and goes at once, unchanged.
  public static let identity = AnyTransition(links: [])

  /// From invisible to opaque, and back.
  public static let opacity = AnyTransition(.opacity)

  /// From a point in the centre, and back to it.
  public static var scale: AnyTransition { AnyTransition(.scale(.init())) }

  /// From a size, and back to it.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height while the view is away; 0 counts as
  ///     ``ScaleEffect/scaleMin``.
  ///   - anchor: What stays in place, in parts of the size.
  /// - Returns: The transition.
  public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
    AnyTransition(.scale(ScaleTransition(scale, anchor: anchor)))
  }

  /// In and out by one side, by the view's whole width or height.
  ///
  /// - Parameter edge: The side.
  /// - Returns: The transition.
  public static func move(edge: Edge) -> AnyTransition { AnyTransition(.move(edge)) }

  /// In by the leading side, out by the trailing one.
  public static var slide: AnyTransition { AnyTransition(.slide) }

  /// In by one side and out by the opposite one, fading.
  ///
  /// - Parameter edge: The side where the view comes in.
  /// - Returns: The transition.
  public static func push(from edge: Edge) -> AnyTransition { AnyTransition(.push(edge)) }

  /// From a place beside its own, and back there.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  /// - Returns: The transition.
  public static func offset(_ offset: CGSize) -> AnyTransition { AnyTransition(.offset(offset)) }

  /// From a place beside its own, and back there.
  ///
  /// - Parameters:
  ///   - x: Points toward the trailing side.
  ///   - y: Points downward.
  /// - Returns: The transition.
  public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
    offset(CGSize(width: x, height: y))
  }

  /// One effect while the view is away, another one while it is there.
  ///
  /// - Parameters:
  ///   - active: The effect before and after.
  ///   - identity: The effect of a view that is there.
  /// - Returns: The transition; in between `animatableData` is.
  public static func modifier<E: GeometryEffect & Sendable>(
    active: E, identity: E
  ) -> AnyTransition {
    AnyTransition(ModifierTransition(active: active, identity: identity))
  }

  /// One transition to come, another one to go.
  ///
  /// - Parameters:
  ///   - insertion: Drives the view from `willAppear` to identity.
  ///   - removal: Drives it from identity to `didDisappear`.
  /// - Returns: Both.
  public static func asymmetric(
    insertion: AnyTransition, removal: AnyTransition
  ) -> AnyTransition {
    AnyTransition(
      links: [.asymmetric(insertion: insertion.insertionSteps, removal: removal.removalSteps)])
  }

  /// This transition, and another one at the same time.
  ///
  /// - Parameter other: Acts on what this one gives, in the same phase.
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

  /// This transition for who wants less motion: a half that moves or scales becomes a fade.
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

  /// What an insertion does, from the innermost.
  package var insertionSteps: [TransitionStep] {
    links.flatMap { link in
      switch link {
      case .symmetric(let step): [step]
      case .asymmetric(let insertion, _): insertion
      }
    }
  }

  /// What a removal does, from the innermost.
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
