// SPDX-License-Identifier: Apache-2.0

/// Modifiers of how a view's changes are animated. Each governs the modifiers before it.
extension View {
  /// Animates every change, whatever animation the transaction has.
  ///
  /// - Parameter animation: The animation; nil: not animated.
  /// - Returns: The view.
  public func animation(_ animation: Animation?) -> some View {
    modifier(ImplicitModifier(ImplicitAnimation(step: .animation(animation), value: nil)))
  }

  /// Animates changes that are made together with a change of a value.
  ///
  /// - Parameters:
  ///   - animation: The animation; nil: not animated.
  ///   - value: Compared with its value in the state before.
  /// - Returns: The view.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    modifier(
      ImplicitModifier(ImplicitAnimation(step: .animation(animation), value: AnyEquatable(value))))
  }

  /// Animates only the modifiers that a body adds.
  ///
  /// - Parameters:
  ///   - animation: The animation; nil: not animated.
  ///   - body: The view with the modifiers to be animated.
  /// - Returns: The view, modified.
  public func animation<V: View>(
    _ animation: Animation?, @ViewBuilder body: (PlaceholderContentView<Self>) -> V
  ) -> some View {
    ScopedView(
      content: self, scoped: body(PlaceholderContentView()),
      implicit: ImplicitAnimation(step: .animation(animation), value: nil))
  }

  /// Changes the transaction of every change.
  ///
  /// - Parameter transform: Changes the transaction.
  /// - Returns: The view.
  public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View {
    modifier(
      ImplicitModifier(
        ImplicitAnimation(step: .transaction(TransactionChange(transform)), value: nil)))
  }

  /// Changes the transaction of changes that are made together with a change of a value.
  ///
  /// - Parameters:
  ///   - value: Compared with its value in the state before.
  ///   - transform: Changes the transaction.
  /// - Returns: The view.
  public func transaction(
    value: some Equatable, _ transform: @escaping (inout Transaction) -> Void
  ) -> some View {
    modifier(
      ImplicitModifier(
        ImplicitAnimation(
          step: .transaction(TransactionChange(transform)), value: AnyEquatable(value))))
  }

  /// Changes the transaction of the modifiers that a body adds.
  ///
  /// - Parameters:
  ///   - transform: Changes the transaction.
  ///   - body: The view with those modifiers.
  /// - Returns: The view, modified.
  public func transaction<V: View>(
    _ transform: @escaping (inout Transaction) -> Void,
    @ViewBuilder body: (PlaceholderContentView<Self>) -> V
  ) -> some View {
    ScopedView(
      content: self, scoped: body(PlaceholderContentView()),
      implicit: ImplicitAnimation(step: .transaction(TransactionChange(transform)), value: nil))
  }

  /// How the view appears and disappears; ``TransitionPlayer`` plays it.
  ///
  /// - Parameter t: The transition.
  /// - Returns: The view.
  public func transition(_ t: AnyTransition) -> some View {
    modifier(TransitionModifier(transition: t))
  }

  /// How the view appears and disappears; ``TransitionPlayer`` plays it.
  ///
  /// - Parameter transition: The transition.
  /// - Returns: The view.
  public func transition<T: Transition>(_ transition: T) -> some View {
    modifier(TransitionModifier(transition: AnyTransition(transition)))
  }

  /// How the view's content changes; see ``attachedContentTransition``.
  ///
  /// - Parameter transition: The transition.
  /// - Returns: The view.
  public func contentTransition(_ transition: ContentTransition) -> some View {
    modifier(ContentTransitionModifier(transition: transition))
  }

  /// The transition that a modifier of the view names; the outermost counts.
  ///
  /// `opacity` if there is none, as in SwiftUI.
  public var attachedTransition: AnyTransition {
    description(ViewMoment(time: 0)).transition ?? .opacity
  }

  /// The content transition that a modifier of the view names; the innermost counts.
  ///
  /// `interpolate` if there is none, as in SwiftUI.
  public var attachedContentTransition: ContentTransition {
    description(ViewMoment(time: 0)).contentTransition ?? .interpolate
  }
}

private struct ImplicitModifier: PrimitiveModifier {
  let implicit: ImplicitAnimation

  init(_ implicit: ImplicitAnimation) { self.implicit = implicit }

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    view.adding(implicit)
  }
}

private struct TransitionModifier: PrimitiveModifier {
  let transition: AnyTransition

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    var view = view
    view.transition = transition
    return view
  }
}

private struct ContentTransitionModifier: PrimitiveModifier {
  let transition: ContentTransition

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    var view = view
    view.contentTransition = view.contentTransition ?? transition
    return view
  }
}

/// A view with modifiers that have an animation of their own.
private struct ScopedView<Content: View, Scoped: View>: PrimitiveView {
  let content: Content
  let scoped: Scoped
  let implicit: ImplicitAnimation

  func described(_ moment: ViewMoment) -> ViewDescription {
    var view = scoped.description(moment.at(.modifier))
    for index in view.effects.indices { view.effects[index].implicit.append(implicit) }
    return view.replacingContent(of: Content.self, by: content.description(moment.at(.content)))
  }
}
