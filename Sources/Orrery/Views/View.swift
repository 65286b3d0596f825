// SPDX-License-Identifier: Apache-2.0

/// A description of how something is drawn: headless, without pixels, layout and state.
///
///     struct Bouncing: ViewModifier, Animatable {
///       var height: Double
///       var animatableData: Double {
///         get { height }
///         set { height = newValue }
///       }
///       func body(content: Content) -> some View { content.offset(y: -height) }
///     }
///
/// Names, arguments and defaults are SwiftUI's. A body is *evaluated* to the values that transitions
/// have: ``drawnValues(size:layoutDirection:environment:at:)`` gives them, ``ViewPlayer`` animates them from one
/// body to the next, and ``TransitionPlayer`` those of a transition. Modifiers without such values
/// are unavailable, so that using them is an error of the compiler.
///
/// Unlike SwiftUI's protocol it does not belong to the main actor: a body may be evaluated on any
/// thread, by one at a time.
public protocol View {
  /// Type of `body`.
  associatedtype Body: View

  /// The view that this one stands for.
  @ViewBuilder var body: Body { get }
}

extension Never: View {}

extension View where Body == Never {
  /// The library's own views have no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// A view of the library's own, which has no body.
protocol PrimitiveView: View where Body == Never {
  /// What it draws.
  func described(_ moment: ViewMoment) -> ViewDescription
}

extension View {
  /// What the view draws, found through all bodies.
  func description(_ moment: ViewMoment) -> ViewDescription {
    if let primitive = self as? any PrimitiveView { return primitive.described(moment) }
    moment.connect(self)
    guard let animatable = AnimatedEffect(view: self, moment.environment) else {
      return body.description(moment.at(.body))
    }
    var view = body.description(ViewMoment(environment: moment.environment))
    view.effects = [ViewEffect(.animated(animatable))]
    return view
  }
}
