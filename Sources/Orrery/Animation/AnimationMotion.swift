// SPDX-License-Identifier: Apache-2.0

/// An animation that runs on a property: it takes away from the property's value what it has not
/// moved yet.
///
/// Times are the track's, s.
package struct AnimationMotion<Value: VectorArithmetic> {
  /// Number that whoever made the change gave it.
  package let id: UInt64

  /// What runs.
  package let animation: Animation

  /// When it began: the change, for a spring that has taken over the last one.
  package let start: Double

  /// The whole way: new value minus old value; of all motions that it took over, too.
  package let interval: Value

  /// How it moves.
  package internal(set) var form: Form

  /// When it is over; infinite if it never is, or for a custom animation that is not over yet.
  package internal(set) var end: Double

  /// When it counts as complete; infinite as above.
  package internal(set) var logicalEnd: Double

  /// The ways in which a motion is computed.
  package enum Form {
    /// The interval times the progress of a course that began at `start`. With an old value, that
    /// is where it began, alone.
    case course(AnimationCourse, from: Value?)

    /// A spring with a position and a velocity of its own.
    case spring(SpringRun<Value>)

    /// Computed by who made it, when it is asked.
    case custom(AnimationContext<Value>)
  }

  /// Whether nothing of it is left: after its end, and at once if it takes no time.
  ///
  /// - Parameter time: s.
  /// - Returns: False at exactly its end, when the end value is shown; for a custom animation, true
  ///   when it has said so.
  package func isFinished(at time: Double) -> Bool {
    if case .custom = form { return time >= end }
    return time > end || end <= start
  }

  /// Number of its first leg: 0, but for a repeated spring that has taken over in a later one.
  package var firstLeg: Int {
    if case .spring(let run) = form { run.leg } else { 0 }
  }

  /// When a leg ends; the last one ends with the motion.
  ///
  /// - Parameter index: From `firstLeg`.
  /// - Returns: s; nil past the last leg, for a leg that never ends and for custom animations.
  package func legEnd(_ index: Int) -> Double? {
    switch form {
    case .course(let course, _):
      if index == course.legCount.map({ $0 - 1 }) { return end.isFinite ? end : nil }
      return course.legEnd(index).map { start + $0 }
    case .spring(let run):
      return run.legEnd(index, end: end)
    case .custom:
      return nil
    }
  }

  /// What has not been moved yet.
  func rest(at time: Double) -> Value {
    if isFinished(at: time) { return .zero }
    switch form {
    case .course(let course, _):
      return Self.rest(of: interval, progress: progress(of: course, at: time))
    case .spring(let run):
      return run.rest(at: time, start: start, end: end, interval: interval)
    case .custom(var context):
      let moved = animation.animate(
        value: interval, time: max(0, time - start), context: &context)
      return moved.map { interval - $0 } ?? .zero
    }
  }

  /// How fast the moved part changes, per second.
  func velocity(at time: Double) -> Value {
    if time >= end || isFinished(at: time) { return .zero }
    let elapsed = max(0, time - start)
    let velocity =
      switch form {
      case .course(let course, _):
        interval.scaled(by: course.velocity(at: min(elapsed, course.end.nextDown)))
      case .spring(let run):
        run.velocity(at: time, start: start, interval: interval)
      case .custom(let context):
        animation.velocity(value: interval, time: elapsed, context: context) ?? .zero
      }
    // Where a curve is vertical, there is none to go on with.
    return velocity.magnitudeSquared.isFinite ? velocity : .zero
  }

  /// Progress of a course between `start` and `end`, at which it is exactly the end value.
  func progress(of course: AnimationCourse, at time: Double) -> Double {
    course.progress(at: time >= end ? course.end : min(time - start, course.end.nextDown))
  }

  static func rest(of interval: Value, progress: Double) -> Value {
    progress == 1 ? .zero : progress == 0 ? interval : interval.scaled(by: 1 - progress)
  }
}

extension AnimationMotion: Sendable where Value: Sendable {}
extension AnimationMotion.Form: Sendable where Value: Sendable {}
