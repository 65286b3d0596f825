// SPDX-License-Identifier: Apache-2.0

/// Content that moves at 50 points per second, by the time between two updates.
///
/// Its errors, which ``TickerMotion`` does not have:
///
/// - The distance past the container is lost when it wraps, also after a long suspension.
/// - A clock that is set back moves it backward.
/// - The container's width is 0 until the view has appeared; until then the offset stays 0. Later
///   changes of the width are ignored.
/// - Content that is wider than the container overlaps its copy.
public struct DeltaTickerAsWritten: Hashable, Sendable {
  /// Points; 0 before the view has appeared.
  public private(set) var containerWidth = 0.0

  /// Points; as measured last.
  public var contentWidth = 0.0

  /// Points; not negative unless the clock was set back.
  public private(set) var offset = 0.0

  private var lastDate: Double?

  /// Makes a ticker that has not been updated.
  public init() {}

  /// Sets the container's width, once.
  ///
  /// - Parameter width: Points.
  public mutating func appear(width: Double) {
    if containerWidth == 0 { containerWidth = width }
  }

  /// Repeats the work of one evaluation of the view; the first one only stores the date.
  ///
  /// - Parameter date: Seconds since any fixed time.
  public mutating func update(_ date: Double) {
    if let lastDate { offset += (date - lastDate) * 50 }
    if offset >= containerWidth { offset = 0 }
    lastDate = date
  }

  /// Positions of both copies: side by side in a stack, the second one moved by the free width of
  /// the container.
  public var copies: [Double] {
    [-offset, contentWidth + (containerWidth - contentWidth) - offset]
  }

  /// Points between the copies; they overlap if it is negative.
  public var gap: Double { containerWidth - contentWidth }
}
