// SPDX-License-Identifier: Apache-2.0

/// A picture that flows through a window of its own size: still until its start, then seamlessly
/// for ever.
///
/// A second copy follows one length behind, so that the two cover the window at every offset:
///
///     offset(t) = ±length·frac((t - start)/loopSeconds) for t >= start, 0 before
///
/// positive for ``Direction/right`` and ``Direction/down``. Everything follows from the time, so a
/// change of ``length`` keeps the phase, and to make the same motion anew changes nothing. Without
/// length nothing moves.
public struct FlowMotion: Hashable, Sendable {
  /// Where a picture flows.
  public enum Direction: Hashable, Sendable {
    /// Toward smaller x.
    case left
    /// Toward larger x.
    case right
    /// Toward smaller y.
    case up
    /// Toward larger y.
    case down
  }

  /// Points of the window and of the picture, along the direction.
  public var length: Double

  /// Seconds until the picture has moved by its length.
  public let loopSeconds: Double

  /// Where it flows.
  public let direction: Direction

  /// Seconds before it moves.
  public let start: Double

  /// Makes a flow of a length in a time.
  ///
  /// - Parameters:
  ///   - length: Points of the window and of the picture, along the direction.
  ///   - loopSeconds: Seconds until the picture has moved by its length.
  ///   - direction: Where it flows.
  ///   - start: Seconds before it moves.
  public init(
    length: Double, loopSeconds: Double = 10, direction: Direction = .right, start: Double = 1
  ) {
    self.length = length
    self.loopSeconds = loopSeconds
    self.direction = direction
    self.start = start
  }

  /// Makes a flow of a speed.
  ///
  /// - Parameters:
  ///   - length: Points of the window and of the picture, along the direction.
  ///   - speed: Points per second; 0 stands still.
  ///   - direction: Where it flows.
  ///   - start: Seconds before it moves.
  public init(
    length: Double, speed: Double, direction: Direction = .right, start: Double = 1
  ) {
    self.init(length: length, loopSeconds: length / speed, direction: direction, start: start)
  }

  /// Part of the loop that has passed.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: In [0, 1).
  public func phase(at time: Double) -> Double {
    time > start ? Loop.wrap(time - start, period: loopSeconds) / loopSeconds : 0
  }

  /// Where the first copy stands, along the axis of the direction.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points; in [0, length), or (-length, 0] for left and up.
  public func offset(at time: Double) -> Double {
    guard length > 0, length.isFinite, loopSeconds > 0, loopSeconds.isFinite else { return 0 }
    return isForward ? length * phase(at: time) : 0 - length * phase(at: time)
  }

  /// Where both copies stand: the first, and the one that follows it.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points along the axis of the direction.
  public func copies(at time: Double) -> [Double] {
    let first = offset(at: time)
    return [first, isForward ? first - length : first + length]
  }

  /// Offset at a whole step of a loop of ten, computed from its number and never added up.
  ///
  /// - Parameter step: Any number; 10 is 0 again.
  /// - Returns: Points, of the sign of the direction.
  public func offset(step: Int) -> Double {
    let index = ((step % Self.stepCount) + Self.stepCount) % Self.stepCount
    let offset = length * Double(index) / Double(Self.stepCount)
    return isForward ? offset : 0 - offset
  }

  /// Steps of a loop.
  public static let stepCount = 10

  private var isForward: Bool { direction == .right || direction == .down }

  /// What copies cover of the window.
  ///
  /// - Parameters:
  ///   - copies: Where each begins, in points.
  ///   - length: Points of the window and of each copy.
  /// - Returns: Intervals inside the window, in the order of the copies; copies outside are left
  ///   out.
  public static func covered(by copies: [Double], length: Double) -> [ClosedRange<Double>] {
    copies.compactMap { copy in
      let (lower, upper) = (max(0, copy), min(length, copy + length))
      return lower < upper ? lower...upper : nil
    }
  }
}
