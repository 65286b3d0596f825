// SPDX-License-Identifier: Apache-2.0

/// How long something has been moving, however often it is started.
public struct MotionClock: Hashable, Sendable {
  /// Whether the clock runs.
  public var isRunning: Bool { startTime != nil }

  private var startTime: Double?
  private var elapsedBefore = 0.0

  /// Makes a stopped clock at 0.
  public init() {}

  /// Starts the clock; does nothing if it runs.
  ///
  /// - Parameter time: Seconds.
  public mutating func start(at time: Double) {
    if startTime == nil { startTime = time }
  }

  /// Stops the clock; does nothing if it is stopped.
  ///
  /// - Parameter time: Seconds.
  public mutating func stop(at time: Double) {
    elapsedBefore = elapsed(at: time)
    startTime = nil
  }

  /// The time for which the clock has run.
  ///
  /// - Parameter time: Seconds; a time before the start counts as the start.
  /// - Returns: Seconds, 0 or more.
  public func elapsed(at time: Double) -> Double {
    guard let startTime, time > startTime else { return elapsedBefore }
    return elapsedBefore + (time - startTime)
  }
}
