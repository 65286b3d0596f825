// SPDX-License-Identifier: Apache-2.0

/// How long something has been moving, however often it is told to start.
public struct MotionClock: Hashable, Sendable {
  /// Whether time counts.
  public var isRunning: Bool { startTime != nil }

  private var startTime: Double?
  private var elapsedBefore = 0.0

  /// Makes a clock that stands at 0.
  public init() {}

  /// Lets time count; does nothing to a clock that runs.
  ///
  /// - Parameter time: Seconds.
  public mutating func start(at time: Double) {
    if startTime == nil { startTime = time }
  }

  /// Lets no more time count; does nothing to a clock that stands.
  ///
  /// - Parameter time: Seconds.
  public mutating func stop(at time: Double) {
    elapsedBefore = elapsed(at: time)
    startTime = nil
  }

  /// The time that has counted.
  ///
  /// - Parameter time: Seconds; what is before the start counts as the start.
  /// - Returns: Seconds, 0 or more.
  public func elapsed(at time: Double) -> Double {
    guard let startTime, time > startTime else { return elapsedBefore }
    return elapsedBefore + (time - startTime)
  }
}
