// SPDX-License-Identifier: Apache-2.0

/// The drawing of a view: its innermost content, and the effects on it.
struct ViewDescription {
  /// What is innermost.
  var leaf: Leaf

  /// From the innermost.
  var effects: [ViewEffect] = []

  /// Changes of animations outside of the leaf, from the innermost.
  var contentImplicit: [ImplicitAnimation] = []

  /// The transition that its modifiers name; the outermost counts.
  var transition: AnyTransition?

  /// The content transition that its modifiers name; the innermost counts.
  var contentTransition: ContentTransition?

  /// What is innermost.
  enum Leaf: Equatable {
    /// Nothing that the library knows how to draw, such as `EmptyView`.
    case empty
    /// The content of a modifier, or of a transition, of a type.
    case content(ObjectIdentifier)
  }

  /// This view with an effect outside of the others.
  func appending(_ effect: TransitionEffect) -> ViewDescription {
    var view = self
    view.effects.append(ViewEffect(effect))
    return view
  }

  /// This view, whose effects so far may be animated in another way.
  func adding(_ implicit: ImplicitAnimation) -> ViewDescription {
    var view = self
    for index in view.effects.indices { view.effects[index].implicit.append(implicit) }
    view.contentImplicit.append(implicit)
    return view
  }

  /// This body of a modifier, with the modified view in the place of its content.
  ///
  /// - Parameters:
  ///   - type: The type of the modifier, or of the view that stands for it.
  ///   - inner: The modified view.
  /// - Returns: The body, if it does not show its content; otherwise the whole view.
  func replacingContent(of type: Any.Type, by inner: ViewDescription) -> ViewDescription {
    guard leaf == .content(ObjectIdentifier(type)) else { return self }
    var view = self
    view.leaf = inner.leaf
    // Implicit animations of the body apply to the effects inside of them.
    view.effects = inner.effects.map { $0.adding(contentImplicit) } + effects
    view.transition = transition ?? inner.transition
    view.contentTransition = inner.contentTransition ?? contentTransition
    view.contentImplicit = inner.contentImplicit + contentImplicit
    return view
  }

  /// The effects of a body on its content, or invisibility if it does not show it.
  func effects(onContentOf type: Any.Type) -> [ViewEffect] {
    leaf == .content(ObjectIdentifier(type)) ? effects : [ViewEffect(.opacity(0))]
  }
}

/// An effect, and what changes its animation.
struct ViewEffect {
  var effect: TransitionEffect

  /// From the innermost.
  var implicit: [ImplicitAnimation] = []

  init(_ effect: TransitionEffect) { self.effect = effect }

  func adding(_ outer: [ImplicitAnimation]) -> ViewEffect {
    var effect = self
    effect.implicit += outer
    return effect
  }
}
