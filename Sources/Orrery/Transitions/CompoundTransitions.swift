// SPDX-License-Identifier: Apache-2.0

/// One transition for the insertion, another one for the removal.
public struct AsymmetricTransition<Insertion: Transition, Removal: Transition>: Transition {
  /// Moves the view from `willAppear` to identity.
  public var insertion: Insertion

  /// Moves it from identity to `didDisappear`.
  public var removal: Removal

  /// Makes the transition.
  ///
  /// - Parameters:
  ///   - insertion: Moves the view from `willAppear` to identity.
  ///   - removal: Moves it from identity to `didDisappear`.
  public init(insertion: Insertion, removal: Removal) {
    self.insertion = insertion
    self.removal = removal
  }

  /// The content in both transitions; each stays at identity in the phase of the other.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    removal.apply(
      content: insertion.apply(
        content: content, phase: phase == .didDisappear ? .identity : phase),
      phase: phase == .willAppear ? .identity : phase)
  }

  /// With motion if one of the two has motion.
  public static var properties: TransitionProperties {
    TransitionProperties(
      hasMotion: Insertion.properties.hasMotion || Removal.properties.hasMotion)
  }
}

/// Two transitions at the same time.
struct CombinedTransition<First: Transition, Second: Transition>: Transition {
  /// The inner one.
  var first: First
  var second: Second

  func body(content: Content, phase: TransitionPhase) -> some View {
    second.apply(content: first.apply(content: content, phase: phase), phase: phase)
  }

  static var properties: TransitionProperties {
    TransitionProperties(hasMotion: First.properties.hasMotion || Second.properties.hasMotion)
  }
}

/// A transition with an animation of its own.
struct AnimatedTransition<Base: Transition>: Transition {
  var base: Base
  var animation: Animation?

  func body(content: Content, phase: TransitionPhase) -> some View {
    base.apply(content: content, phase: phase).animation(animation)
  }

  static var properties: TransitionProperties { Base.properties }
}

/// One modifier for an absent view, another one for a present view.
struct ModifierTransition<Modifier: ViewModifier>: Transition {
  var active: Modifier
  var identity: Modifier

  func body(content: Content, phase: TransitionPhase) -> some View {
    content.modifier(phase.isIdentity ? identity : active)
  }
}

extension Transition {
  /// A view in a phase of the transition.
  ///
  /// - Parameters:
  ///   - content: The view.
  ///   - phase: The phase.
  /// - Returns: The view with the modifiers of the phase.
  public func apply<V: View>(content: V, phase: TransitionPhase) -> some View {
    content.modifier(PhaseModifier(transition: self, phase: phase))
  }
}

/// A transition in one phase, as a modifier.
private struct PhaseModifier<T: Transition>: PrimitiveModifier {
  let transition: T
  let phase: TransitionPhase

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    transition.body(content: T.Content(), phase: phase).description(moment.at(.body))
      .replacingContent(of: T.self, by: view)
  }
}

extension AsymmetricTransition: ErasableTransition {
  var erased: AnyTransition {
    .asymmetric(insertion: AnyTransition(insertion), removal: AnyTransition(removal))
  }
}

extension CombinedTransition: ErasableTransition {
  var erased: AnyTransition { AnyTransition(first).combined(with: AnyTransition(second)) }
}

extension AnimatedTransition: ErasableTransition {
  var erased: AnyTransition { AnyTransition(base).animation(animation) }
}

extension AsymmetricTransition: Sendable where Insertion: Sendable, Removal: Sendable {}
