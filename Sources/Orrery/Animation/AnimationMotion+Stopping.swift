// SPDX-License-Identifier: Apache-2.0

/// Motions that end because of a later change.
///
/// - A motion that never ends by itself ends when a later change ends: it runs beside that change until then.
///   If the later change is endless too, the motion ends at the end of that change's first leg; if no leg of
///   it ends, the change takes over the remaining motion.
/// - A change that takes no time once its delay is over ends every motion before it.
extension AnimationMotion {
  /// The end of a motion before the changes of one instant.
  struct EndBefore {
    /// Time of the changes, s.
    let instant: Double

    let end: Double
    let logicalEnd: Double
    let isStopped: Bool
  }

  /// When it ends an endless motion that began before it, s; nil if it never does, or that is not known yet.
  var firstEnd: Double? { end < .infinity ? end : legEnd(firstLeg) }

  /// Whether a custom animation has reached the time at which it ends an earlier endless motion.
  func hasEndedOnce(at time: Double) -> Bool {
    guard case .custom(let context) = kind else { return false }
    return time >= end || isEndless && animation.hasEndedLeg(context)
  }

  /// Whether it takes no time once its delays are over: it shows the target at its end, and not before.
  private var jumpsAtEnd: Bool {
    switch kind {
    case .course(let course, _): course.jumpsAtEnd
    case .spring(let run): run.laterLegsOrigin == nil && run.legEnd == start + run.wait
    case .custom: false
    }
  }

  /// Whether its end is also that of a motion which began before it.
  func ends(_ earlier: AnimationMotion) -> Bool { earlier.isEndless || jumpsAtEnd }

  /// Ends it at a time, if it does not end before.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - instant: Time of the change that does it, s.
  /// - Returns: Whether its end has changed.
  mutating func stop(at time: Double, byChangeAt instant: Double) -> Bool {
    guard time < end else { return false }
    if endBefore?.instant != instant {
      endBefore = EndBefore(
        instant: instant, end: end, logicalEnd: logicalEnd, isStopped: isStopped)
    }
    (end, isStopped) = (time, true)
    logicalEnd = min(logicalEnd, time)
    return true
  }

  /// Restores the end that it had before an instant whose changes were replaced.
  ///
  /// - Returns: Whether its end has changed.
  mutating func goOn(at instant: Double) -> Bool {
    guard let before = endBefore, before.instant == instant, before.end != end else { return false }
    (end, logicalEnd, isStopped) = (before.end, before.logicalEnd, before.isStopped)
    return true
  }
}
