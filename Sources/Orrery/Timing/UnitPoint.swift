// SPDX-License-Identifier: Apache-2.0

/// A point in the unit square of a view, or in the plane of a ``UnitCurve``.
///
/// `(0, 0)` is the top leading corner of a view and `(1, 1)` its bottom trailing one; y grows
/// downward. As a control point of a curve, x is input progress and y output progress, and y grows
/// with progress.
public struct UnitPoint: Hashable, Codable, Sendable {
  /// Share of the width, 0 at the leading edge and 1 at the trailing one; any number is allowed.
  public var x: CGFloat

  /// Share of the height, 0 at the top edge and 1 at the bottom one; any number is allowed.
  public var y: CGFloat

  /// The point (0, 0).
  public init() { self.init(x: 0, y: 0) }

  /// A point of the unit square, or outside of it.
  ///
  /// - Parameters:
  ///   - x: Share of the width.
  ///   - y: Share of the height.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// The origin (0, 0), the same point as ``topLeading``.
  public static let zero = UnitPoint(x: 0, y: 0)

  /// The middle of the view, (0.5, 0.5).
  public static let center = UnitPoint(x: 0.5, y: 0.5)

  /// The middle of the leading edge, (0, 0.5).
  public static let leading = UnitPoint(x: 0, y: 0.5)

  /// The middle of the trailing edge, (1, 0.5).
  public static let trailing = UnitPoint(x: 1, y: 0.5)

  /// The middle of the top edge, (0.5, 0).
  public static let top = UnitPoint(x: 0.5, y: 0)

  /// The middle of the bottom edge, (0.5, 1).
  public static let bottom = UnitPoint(x: 0.5, y: 1)

  /// The top leading corner, (0, 0).
  public static let topLeading = UnitPoint(x: 0, y: 0)

  /// The top trailing corner, (1, 0).
  public static let topTrailing = UnitPoint(x: 1, y: 0)

  /// The bottom leading corner, (0, 1).
  public static let bottomLeading = UnitPoint(x: 0, y: 1)

  /// The bottom trailing corner, (1, 1).
  public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}
