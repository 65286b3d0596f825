// SPDX-License-Identifier: Apache-2.0

/// A view without content.
///
/// In a body of a modifier or a transition it hides the content. On its own it stands for anything that a
/// program draws itself, at the values of the modifiers around it.
public struct EmptyView: View, Sendable {
  /// Makes the view.
  public init() {}

  /// It has no body.
  public typealias Body = Never
}

extension EmptyView: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription { ViewDescription(leaf: .empty) }
}

/// A view in braces, to which modifiers can be added.
public struct Group<Content: View>: View {
  private let content: Content

  /// Makes a group.
  ///
  /// - Parameter content: The view.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// It has no body.
  public typealias Body = Never
}

extension Group: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    content.description(moment.at(.content))
  }
}

/// A view of any type.
public struct AnyView: View {
  private let base: any View

  /// Hides the type of a view.
  ///
  /// - Parameter view: The view.
  public init<V: View>(_ view: V) { base = view }

  /// Hides the type of a view.
  ///
  /// - Parameter view: The view.
  public init<V: View>(erasing view: V) { base = view }

  /// It has no body.
  public typealias Body = Never
}

extension AnyView: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    base.description(moment.at(.erased(ObjectIdentifier(type(of: base)))))
  }
}
