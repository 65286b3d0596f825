// SPDX-License-Identifier: Apache-2.0

/// Content that every update moves one point to the left, until it has left the container.
///
/// Its errors, which ``TickerMotion`` does not have:
///
/// - Its speed is the frame rate, and every evaluation moves it.
/// - There is one copy: the content leaves on the left, nothing enters on the right, and then it
///   jumps back to 0.
public struct NaiveTickerAsWritten: Hashable, Sendable {
  /// Points of the container.
  public let width: Double

  /// Points; 0 or less.
  public private(set) var offset = 0.0

  /// Makes a ticker at 0.
  ///
  /// - Parameter width: Points of the container.
  public init(width: Double) {
    self.width = width
  }

  /// Repeats the work of one evaluation of the view.
  public mutating func update() {
    offset -= 1
    if offset <= -width { offset = 0 }
  }

  /// The offset after a number of updates, computed directly.
  ///
  /// - Parameters:
  ///   - updates: 0 or more.
  ///   - width: Points of the container.
  /// - Returns: Points.
  public static func offset(updates: Int, width: Double) -> Double {
    let loop = max(1, Loop.count(width.rounded(.up)))
    return 0 - Double(max(0, updates) % loop)
  }

  /// Points per second.
  ///
  /// - Parameter framesPerSecond: Updates per second.
  /// - Returns: The same number.
  public static func speed(framesPerSecond: Double) -> Double { framesPerSecond }

  /// Whether a part of the content is in the container.
  ///
  /// - Parameter content: Points of the content.
  /// - Returns: False once it has left on the left.
  public func isVisible(content: Double) -> Bool { offset > -content && offset < width }
}
