// SPDX-License-Identifier: Apache-2.0

/// A change of how a view is drawn, by a body that gets the view as its content.
///
///     struct Faded: ViewModifier {
///       func body(content: Content) -> some View { content.opacity(0.5) }
///     }
///
/// If it is `Animatable` too, an animation sets its `animatableData`, and the body is evaluated again.
/// If not, the modifiers in its body are animated.
public protocol ViewModifier {
  /// Type of the body.
  associatedtype Body: View

  /// The modified view as the body sees it.
  typealias Content = PlaceholderContentView<Self>

  /// The view, modified.
  ///
  /// - Parameter content: The view without the modifier.
  /// - Returns: The view with it.
  @ViewBuilder func body(content: Content) -> Body
}

extension ViewModifier where Body == Never {
  /// The library's own modifiers have no body.
  public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

extension ViewModifier {
  /// This modifier, then another.
  ///
  /// - Parameter modifier: Applies to the result of this one.
  /// - Returns: Both.
  public func concat<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

/// A view modifier that is animatable; SwiftUI recommends to conform to both protocols instead.
public protocol AnimatableModifier: Animatable, ViewModifier {}

/// The modifier that changes nothing.
public struct EmptyModifier: ViewModifier, Sendable {
  /// The modifier.
  public static let identity = EmptyModifier()

  /// Makes the modifier.
  public init() {}

  /// It has no body.
  public typealias Body = Never
}

/// A modifier of the library's own, which has no body.
protocol PrimitiveModifier: ViewModifier where Body == Never {
  /// A view with the modifier.
  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription
}

extension EmptyModifier: PrimitiveModifier {
  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription { view }
}

extension ViewModifier {
  /// A view with this modifier.
  func described(on view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    if let primitive = self as? any PrimitiveModifier { return primitive.modified(view, moment) }
    moment.connect(self)
    if let scale = self as? ScaleEffect {
      return view.appending(.scale(TransitionEffect.Scale(scale.scale, anchor: scale.anchor)))
    }
    if let geometry = self as? any GeometryEffect {
      return view.appending(.geometry(TransitionEffect.Geometry(geometry)))
    }
    if let animatable = AnimatedEffect(modifier: self, moment.environment) {
      return view.appending(.animated(animatable))
    }
    return body(content: Content()).description(moment.at(.body))
      .replacingContent(of: Self.self, by: view)
  }
}

/// The view that a modifier, an animator or a transition modifies, as its body sees it.
public struct PlaceholderContentView<Value>: View {
  init() {}

  /// It has no body.
  public typealias Body = Never
}

extension PlaceholderContentView: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    ViewDescription(leaf: .content(ObjectIdentifier(Value.self)))
  }
}

extension PlaceholderContentView: Sendable {}
