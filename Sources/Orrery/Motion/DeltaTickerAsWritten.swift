// SPDX-License-Identifier: Apache-2.0

/// Content that moves by 50 points per second of the time between two updates.
///
/// What it does wrong, and ``TickerMotion`` does not:
///
/// - What leads past the container is dropped when it wraps, also after a long suspension.
/// - A clock that is set back moves it backward.
/// - As long as the container's width is 0, which it is until the view has appeared, the offset is
///   pinned to 0; later widths are not taken.
/// - Content that is wider than the container overlaps its copy.
public struct DeltaTickerAsWritten: Hashable, Sendable {
  /// Points; 0 before the view has appeared.
  public private(set) var containerWidth = 0.0

  /// Points; as measured last.
  public var contentWidth = 0.0

  /// Points; 0 or more unless the clock was set back.
  public private(set) var offset = 0.0

  private var lastDate: Double?

  /// Makes a ticker that has not been updated.
  public init() {}

  /// Takes the container's width, once.
  ///
  /// - Parameter width: Points.
  public mutating func appear(width: Double) {
    if containerWidth == 0 { containerWidth = width }
  }

  /// What every evaluation of the view does; the first one only stores the date.
  ///
  /// - Parameter date: Seconds since any moment.
  public mutating func update(_ date: Double) {
    if let lastDate { offset += (date - lastDate) * 50 }
    if offset >= containerWidth { offset = 0 }
    lastDate = date
  }

  /// Where both copies stand: side by side in a stack, the second one moved by what is left of the
  /// container.
  public var copies: [Double] {
    [-offset, contentWidth + (containerWidth - contentWidth) - offset]
  }

  /// Points between the copies; they overlap if it is negative.
  public var gap: Double { containerWidth - contentWidth }
}
