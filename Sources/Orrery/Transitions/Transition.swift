// SPDX-License-Identifier: Apache-2.0

/// How a view appears and disappears: its modifiers in each phase.
///
///     struct Shrink: Transition {
///       func body(content: Content, phase: TransitionPhase) -> some View {
///         content
///           .scaleEffect(phase.isIdentity ? 1 : 0.5)
///           .opacity(phase.isIdentity ? 1 : 0)
///       }
///     }
///
/// Between two phases every number is interpolated linearly by the progress of the animation. That
/// needs the same modifiers in the same order in every phase. If they differ, the modifiers of each
/// phase are interpolated from and to modifiers that change nothing.
///
/// A body that does not show its content hides it. ``View`` describes what a body may contain.
public protocol Transition {
  /// Type of the body.
  associatedtype Body: View

  /// The view as `body` sees it.
  typealias Content = PlaceholderContentView<Self>

  /// The view in a phase.
  ///
  /// - Parameters:
  ///   - content: The view as it is without the transition.
  ///   - phase: The phase.
  /// - Returns: The content with the modifiers of the phase.
  @ViewBuilder func body(content: Content, phase: TransitionPhase) -> Body

  /// Properties of this kind of transition; by default it has motion.
  static var properties: TransitionProperties { get }
}

extension Transition {
  /// With motion.
  public static var properties: TransitionProperties { TransitionProperties() }

  /// This transition, and another one at the same time.
  ///
  /// - Parameter other: Applies to the result of this one, in the same phase.
  /// - Returns: Both.
  public func combined<T: Transition>(with other: T) -> some Transition {
    CombinedTransition(first: self, second: other)
  }

  /// This transition with an animation of its own, which replaces that of the transaction.
  ///
  /// - Parameter animation: Nil: at once.
  /// - Returns: The transition; an animation that is attached to it later has no effect.
  public func animation(_ animation: Animation?) -> some Transition {
    AnimatedTransition(base: self, animation: animation)
  }
}
