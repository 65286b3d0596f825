// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SwiftUI's modifiers of layout, and of several views, which have no counterpart: using one does not compile.
///
/// Modifiers that are not declared here do not compile either; these declarations say why.
extension View {
  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no frame")
  public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: LeftOutArgument = .center
  ) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no frame")
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: LeftOutArgument = .center
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
  public func fixedSize(horizontal: Bool = true, vertical: Bool = true) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has its natural size")
  public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: LeftOutArgument) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has its natural size")
  public func scaledToFit() -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has its natural size")
  public func scaledToFill() -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: a headless view has no frame")
  public func ignoresSafeArea() -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: nothing is drawn above or below")
  public func zIndex(_ value: Double) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no overlay")
  public func overlay<Overlay: View>(
    alignment: LeftOutArgument = .center, @ViewBuilder content: () -> Overlay
  ) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no overlay")
  public func overlay<Overlay>(
    _ overlay: Overlay, alignment: LeftOutArgument = .center
  ) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no overlay")
  public func overlay(_ style: LeftOutArgument) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background<Background: View>(
    alignment: LeftOutArgument = .center, @ViewBuilder content: () -> Background
  ) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background<Background>(
    _ background: Background, alignment: LeftOutArgument = .center
  ) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background(_ style: LeftOutArgument) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background<S>(_ style: LeftOutArgument, in shape: S) -> Self { self }

  /// Several views are left out.
  @available(*, unavailable, message: "a headless body is one view: it has no background")
  public func background(_ style: LeftOutArgument, in shape: LeftOutArgument) -> Self { self }

  /// Layout is left out.
  @available(*, unavailable, message: "layout is left out: geometry has no groups")
  public func geometryGroup() -> Self { self }

  /// Identity is left out.
  @available(*, unavailable, message: "matched geometry is left out: views have no identity")
  public func matchedGeometryEffect<ID: Hashable, Space>(
    id: ID, in namespace: Space, properties: LeftOutArgument = .frame,
    anchor: UnitPoint = .center, isSource: Bool = true
  ) -> Self { self }

  /// Identity is left out.
  @available(*, unavailable, message: "matched geometry is left out: views have no identity")
  public func matchedTransitionSource<ID: Hashable, Space>(
    id: ID, in namespace: Space
  ) -> Self { self }

  /// Identity is left out.
  @available(*, unavailable, message: "matched geometry is left out: views have no identity")
  public func matchedTransitionSource<ID: Hashable, Space>(
    id: ID, in namespace: Space, configuration: (LeftOutArgument) -> LeftOutArgument
  ) -> Self { self }

  /// Windows are left out.
  @available(*, unavailable, message: "windows are left out: nothing is navigated to")
  public func navigationTransition(_ style: LeftOutArgument) -> Self { self }

  /// Identity is left out.
  @available(
    *, unavailable, message: "views have no identity; a new state with other modifiers jumps"
  )
  public func id<ID: Hashable>(_ id: ID) -> Self { self }
}
