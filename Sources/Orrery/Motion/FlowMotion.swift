// SPDX-License-Identifier: Apache-2.0

/// A picture that flows through a window of its own size: it stands still until its start, then
/// flows seamlessly for ever.
///
/// A second copy follows one length behind, so that the two cover the window at every offset:
///
///     offset(t) = ±length·frac((t - start)/loopSeconds) for t >= start, 0 before
///
/// positive for ``Direction/right`` and ``Direction/down``. The offset depends on the time alone,
/// so a change of ``length`` keeps the phase, and making the same motion again changes nothing. If
/// the length is 0, nothing moves.
public struct FlowMotion: Hashable, Sendable {
  /// Direction in which a picture flows.
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

  /// Direction in which it flows.
  public let direction: Direction

  /// Seconds before it moves.
  public let start: Double

  /// Makes a flow from a length and a time.
  ///
  /// - Parameters:
  ///   - length: Points of the window and of the picture, along the direction.
  ///   - loopSeconds: Seconds until the picture has moved by its length.
  ///   - direction: Direction in which it flows.
  ///   - start: Seconds before it moves.
  public init(
    length: Double, loopSeconds: Double = 10, direction: Direction = .right, start: Double = 1
  ) {
    self.length = length
    self.loopSeconds = loopSeconds
    self.direction = direction
    self.start = start
  }

  /// Makes a flow from a speed.
  ///
  /// - Parameters:
  ///   - length: Points of the window and of the picture, along the direction.
  ///   - speed: Points per second; 0 stands still.
  ///   - direction: Direction in which it flows.
  ///   - start: Seconds before it moves.
  public init(
    length: Double, speed: Double, direction: Direction = .right, start: Double = 1
  ) {
    self.init(length: length, loopSeconds: length / speed, direction: direction, start: start)
  }

  /// Share of the loop that has passed.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: In [0, 1).
  public func phase(at time: Double) -> Double {
    time > start ? Loop.wrap(time - start, period: loopSeconds) / loopSeconds : 0
  }

  /// Position of the first copy, along the axis of the direction.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points; in [0, length), or (-length, 0] for left and up.
  public func offset(at time: Double) -> Double {
    guard length > 0, length.isFinite, loopSeconds > 0, loopSeconds.isFinite else { return 0 }
    return isForward ? length * phase(at: time) : 0 - length * phase(at: time)
  }

  /// Positions of both copies: the first, and the one that follows it.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Points along the axis of the direction.
  public func copies(at time: Double) -> [Double] {
    let first = offset(at: time)
    return [first, isForward ? first - length : first + length]
  }

  /// Offset at a step of a loop of ten, computed from the step's number and never added up.
  ///
  /// - Parameter step: Any whole number; step 10 equals step 0.
  /// - Returns: Points, with the sign of the direction.
  public func offset(step: Int) -> Double {
    let index = ((step % Self.stepCount) + Self.stepCount) % Self.stepCount
    let offset = length * Double(index) / Double(Self.stepCount)
    return isForward ? offset : 0 - offset
  }

  /// Steps of a loop.
  public static let stepCount = 10

  private var isForward: Bool { direction == .right || direction == .down }

  /// The parts of the window that copies cover.
  ///
  /// - Parameters:
  ///   - copies: Start of each, in points.
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
