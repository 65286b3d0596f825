// SPDX-License-Identifier: Apache-2.0

/// How a view comes and goes: what is done to it in each phase.
///
///     struct Shrink: Transition {
///       func body(content: Content, phase: TransitionPhase) -> Content {
///         content
///           .scaleEffect(phase.isIdentity ? 1 : 0.5)
///           .opacity(phase.isIdentity ? 1 : 0)
///       }
///     }
///
/// Between two phases every number moves on a straight line, by the progress of the animation. That
/// needs the same modifiers in the same order in every phase. Where they differ, those of each
/// phase fade from and to what changes nothing.
///
/// There are no views here: where SwiftUI's `body` gives a view, this one gives its content,
/// modified.
public protocol Transition: Sendable {
  /// The view as `body` sees it.
  typealias Content = TransitionContent

  /// The view in a phase.
  ///
  /// - Parameters:
  ///   - content: The view as it is without the transition.
  ///   - phase: The phase.
  /// - Returns: The content with what the phase does to it.
  func body(content: Content, phase: TransitionPhase) -> Content

  /// What this kind of transition is like; unless it says otherwise, it has motion.
  static var properties: TransitionProperties { get }
}

extension Transition {
  /// With motion.
  public static var properties: TransitionProperties { TransitionProperties() }

  /// This transition, and another one at the same time.
  ///
  /// - Parameter other: Acts on what this one gives, in the same phase.
  /// - Returns: Both.
  public func combined<T: Transition>(with other: T) -> some Transition {
    CombinedTransition(first: self, second: other)
  }

  /// This transition with an animation of its own, which replaces that of the transaction.
  ///
  /// - Parameter animation: Nil: at once.
  /// - Returns: The transition, to which an animation that is attached later does nothing.
  public func animation(_ animation: Animation?) -> some Transition {
    AnimatedTransition(base: self, animation: animation)
  }
}
