// SPDX-License-Identifier: Apache-2.0

/// A motion from 0 to 1, without modifiers.
enum CourseShape: Sendable {
  /// Duration in s, at least 0.
  case curve(UnitCurve, duration: Double)

  /// The end and the logical end are computed once, when it is made.
  case spring(Spring, initialVelocity: Double, end: Double, logicalEnd: Double)

  /// - Parameters:
  ///   - curve: Progress by time.
  ///   - seconds: Its duration; a value that is not greater than 0 counts as 0.
  init(_ curve: UnitCurve, seconds: Double) {
    self = .curve(curve, duration: seconds > 0 ? seconds : 0)
  }

  /// - Parameters:
  ///   - spring: Its response is not NaN.
  ///   - initialVelocity: Intervals per second; a value that is not finite counts as 0.
  ///   - logicalEnd: When the motion is logically complete, s.
  init(_ spring: Spring, initialVelocity: Double, logicalEnd: Double) {
    let velocity = initialVelocity.isFinite ? initialVelocity : 0
    let end = spring.settlingDuration(
      distance: 1, drift: abs(spring.decay - velocity), interval: 1)
    self = .spring(
      spring, initialVelocity: velocity, end: end,
      logicalEnd: logicalEnd < end ? logicalEnd : end)
  }

  /// When the motion is over, s.
  var end: Double {
    switch self {
    case .curve(_, let duration): duration
    case .spring(_, _, let end, _): end
    }
  }

  /// When the motion is logically complete, s.
  var logicalEnd: Double {
    switch self {
    case .curve(_, let duration): duration
    case .spring(_, _, _, let logicalEnd): logicalEnd
    }
  }

  /// Progress at the end.
  var finalProgress: Double {
    switch self {
    case .curve(let curve, _): curve.value(at: 1)
    case .spring: 1
    }
  }

  /// - Parameter time: In [0, end], s; at 0 it has not moved yet, even if it has no duration.
  /// - Returns: The moved share.
  func progress(at time: Double) -> Double {
    switch self {
    case .curve(let curve, let duration):
      return curve.value(at: time == 0 ? 0 : time / duration)
    case .spring(let spring, let velocity, _, _):
      let progress = spring.value(
        fromValue: 0, toValue: 1, initialVelocity: velocity, time: time)
      // Only overflow of a Double leads here.
      return progress.isNaN ? 1 : progress
    }
  }

  /// - Parameter time: In [0, end), s.
  /// - Returns: How fast the share changes, per second.
  func velocity(at time: Double) -> Double {
    switch self {
    case .curve(let curve, let duration):
      return duration == .infinity ? 0 : curve.velocity(at: time / duration) / duration
    case .spring(let spring, let velocity, _, _):
      let velocity = spring.velocity(
        fromValue: 0, toValue: 1, initialVelocity: velocity, time: time)
      return velocity.isNaN ? 0 : velocity
    }
  }
}
