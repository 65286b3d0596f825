// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SwiftUI's modifiers of shapes and paint that no value of a view stands for: using one does not compile.
extension View {
  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func clipShape<S>(_ shape: S) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func clipShape(_ shape: LeftOutArgument) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func clipped(antialiased: Bool = false) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func mask<Mask: View>(
    alignment: LeftOutArgument = .center, @ViewBuilder _ mask: () -> Mask
  ) -> Self { self }

  /// Shapes are left out.
  @available(*, unavailable, message: "shapes and masks are left out; a scene's views have masks")
  public func mask<Mask: View>(_ mask: Mask) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a shadow")
  public func shadow(
    color: LeftOutArgument = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
  ) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a shadow")
  public func shadow<C>(
    color: C, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
  ) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundStyle<S>(_ style: S) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundStyle(_ style: LeftOutArgument) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundColor<S>(_ color: S?) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func foregroundColor(_ color: LeftOutArgument?) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func tint<S>(_ tint: S?) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a view's own colour")
  public func tint(_ tint: LeftOutArgument?) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a product of colours")
  public func colorMultiply<S>(_ color: S) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a product of colours")
  public func colorMultiply(_ color: LeftOutArgument) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for inverted colours")
  public func colorInvert() -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a blend of views")
  public func blendMode(_ blendMode: LeftOutArgument) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a border")
  public func border<S>(_ content: S, width: CGFloat = 1) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "no value of a transition stands for a border")
  public func border(_ content: LeftOutArgument, width: CGFloat = 1) -> Self { self }

  /// Text is left out.
  @available(*, unavailable, message: "text is left out; a scene's views have fonts")
  public func font<F>(_ font: F?) -> Self { self }

  /// Text is left out.
  @available(*, unavailable, message: "text is left out; a scene's views have fonts")
  public func font(_ font: LeftOutArgument?) -> Self { self }

  /// Symbols are left out.
  @available(*, unavailable, message: "symbol effects are left out: there are no symbols")
  public func symbolEffect(
    _ effect: LeftOutArgument, options: LeftOutArgument = .default, isActive: Bool = true
  ) -> Self { self }

  /// Symbols are left out.
  @available(*, unavailable, message: "symbol effects are left out: there are no symbols")
  public func symbolEffect<V: Equatable>(
    _ effect: LeftOutArgument, options: LeftOutArgument = .default, value: V
  ) -> Self { self }
}

/// SwiftUI's ways to draw a shape: using one does not compile.
extension Shape {
  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func fill<S>(_ content: S) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func fill(_ content: LeftOutArgument = .foreground) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func stroke(
    _ content: LeftOutArgument = .foreground, lineWidth: CGFloat = 1
  ) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func stroke(_ content: LeftOutArgument = .foreground, style: StrokeStyle) -> Self { self }
}

extension InsettableShape {
  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1) -> Self { self }

  /// Paint is left out.
  @available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
  public func strokeBorder(
    _ content: LeftOutArgument = .foreground, lineWidth: CGFloat = 1
  ) -> Self { self }
}

/// How lines are drawn.
@available(*, unavailable, message: "drawing is left out: ViewPlayer.path(at:in:) has the path")
public struct StrokeStyle {
  /// Makes a style.
  public init(
    lineWidth: CGFloat = 1, lineCap: LeftOutArgument = .round, lineJoin: LeftOutArgument = .round,
    miterLimit: CGFloat = 10, dash: [CGFloat] = [], dashPhase: CGFloat = 0
  ) {}
}
