// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SwiftUI's modifiers that no value of a transition stands for: using one does not compile.
///
/// What is not declared here at all does not compile either; these say why.
extension View {
  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no frame")
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no frame")
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil
  ) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no padding")
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no padding")
  public func padding(_ insets: EdgeInsets) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no padding")
  public func padding(_ length: CGFloat) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has its natural size")
  public func fixedSize() -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: nothing is drawn above or below")
  public func zIndex(_ value: Double) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func clipShape<S>(_ shape: S) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func clipped(antialiased: Bool = false) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func mask<Mask: View>(@ViewBuilder _ mask: () -> Mask) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no overlay")
  public func overlay<Overlay: View>(@ViewBuilder content: () -> Overlay) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background<Background: View>(@ViewBuilder content: () -> Background) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a shadow")
  public func shadow(radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundStyle<S>(_ style: S) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundColor<S>(_ color: S?) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a product of colours")
  public func colorMultiply<S>(_ color: S) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for inverted colours")
  public func colorInvert() -> Self { self }

  /// Drawing is left out.
  @available(*, unavailable, message: "drawing is left out: there is nothing to flatten")
  public func drawingGroup(opaque: Bool = false) -> Self { self }

  /// Drawing is left out.
  @available(*, unavailable, message: "drawing is left out: there is nothing to flatten")
  public func compositingGroup() -> Self { self }

  /// Drawing is left out.
  @available(*, unavailable, message: "layout is left out: geometry has no groups")
  public func geometryGroup() -> Self { self }

  /// Identity is left out.
  @available(*, unavailable, message: "matched geometry is left out: views have no identity")
  public func matchedGeometryEffect<ID: Hashable, Space>(
    id: ID, in namespace: Space, isSource: Bool = true
  ) -> Self { self }

  /// Identity is left out.
  @available(
    *, unavailable, message: "views have no identity; a new state with other modifiers jumps"
  )
  public func id<ID: Hashable>(_ id: ID) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onAppear(perform action: (() -> Void)? = nil) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onDisappear(perform action: (() -> Void)? = nil) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onChange<V: Equatable>(of value: V, _ action: @escaping () -> Void) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> Self { self }

  /// The environment of views is left out.
  @available(
    *, unavailable, message: "the environment is the engine's: set AnimationEngine.environment"
  )
  public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> Self {
    self
  }

  /// Scrolling is left out.
  @available(*, unavailable, message: "scrolling is left out")
  public func scrollTransition<V: View>(
    _ transition: (PlaceholderContentView<Self>, TransitionPhase) -> V
  ) -> Self { self }

  /// Symbols are left out.
  @available(*, unavailable, message: "symbol effects are left out: there are no symbols")
  public func symbolEffect<S>(_ effect: S) -> Self { self }
}
