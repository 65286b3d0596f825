// SPDX-License-Identifier: Apache-2.0

/// An animation that runs on a property: it subtracts its remaining part from the property's value.
///
/// Times are in the track's time, s.
package struct AnimationMotion<Value: VectorArithmetic> {
  /// Number that the caller gave to the change.
  package let id: UInt64

  /// The animation.
  package let animation: Animation

  /// When it began: at the change; for a spring that has taken over, at the last change.
  package let start: Double

  /// New value minus old value, including the intervals of all motions that it took over.
  package let interval: Value

  /// Points that a distance of 1 is at most; 1 where values are points.
  let unitPoints: Double

  /// Whether it never ends by itself, as far as that is known: then a later change ends it.
  package let isEndless: Bool

  /// How it is computed.
  package internal(set) var kind: Kind

  /// When it is over; infinite if it never ends, or for a custom animation that is not over yet.
  package internal(set) var end: Double

  /// Whether a later change ends it, and not its own course.
  package internal(set) var isStopped = false

  /// Its end as it was before the changes of an instant; see ``goOn(at:)``.
  var endBefore: EndBefore?

  /// When it is logically complete; infinite as above.
  package internal(set) var logicalEnd: Double

  /// The ways in which a motion is computed.
  package enum Kind {
    /// The interval times the progress of a course that began at `start`. `from` is the old value
    /// as long as no other motion has joined it.
    case course(AnimationCourse, from: Value?)

    /// A spring with a position and a velocity of its own.
    case spring(SpringRun<Value>)

    /// Computed by a ``CustomAnimation``, call by call.
    case custom(AnimationContext<Value>)
  }

  /// Whether it is over: after its end, and at once if it has no duration.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: False at exactly its end, when the end value is shown; for a custom animation, true
  ///   from the end that it has reported; for one that a later change ends, true from its end.
  package func isFinished(at time: Double) -> Bool {
    if isStopped { return time >= end }
    if case .custom = kind { return time >= end }
    return time > end || end <= start
  }

  /// When its remaining motion can no longer be seen, s: its end, or later for a spring, which moves on after
  /// its end by less than a thousandth of its way.
  package var rest: Double {
    if isStopped { return end }
    switch kind {
    case .custom: return end
    case .course(let course, _):
      return end > start ? max(end, start + course.rest(length: length(of: interval))) : end
    case .spring(let run):
      guard end > start, end < .infinity else { return end }
      if let origin = run.laterLegsOrigin {
        return max(end, origin + run.course.rest(length: length(of: interval)))
      }
      if run.isReversed { return end }
      let seconds = run.motion.restDuration(length: run.length, unitPoints: unitPoints) / run.speed
      let rest = start + run.wait + seconds
      return rest > end && rest < .infinity ? rest : end
    }
  }

  /// Whether its remaining motion can no longer be seen.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: False at exactly its end, as `isFinished(at:)`.
  package func isAtRest(at time: Double) -> Bool {
    guard isFinished(at: time) else { return false }
    if case .custom = kind { return true }
    return isStopped || end <= start || time > rest
  }

  /// Whether it moves on after its end.
  private func movesOn(at time: Double) -> Bool { time >= end && time < rest }

  private func length(of value: Value) -> Double {
    value.magnitudeSquared.squareRoot() * unitPoints
  }

  /// Index of its first leg: 0, except for a repeated spring that has taken over in a later one.
  package var firstLeg: Int {
    if case .spring(let run) = kind { run.leg } else { 0 }
  }

  /// When a leg ends; the last one ends with the motion.
  ///
  /// - Parameter index: From `firstLeg`.
  /// - Returns: Seconds; nil past the last leg, for a leg that never ends, or not before a later change
  ///   ends the motion, and for custom animations.
  package func legEnd(_ index: Int) -> Double? {
    guard isStopped else { return legEnd(index, end: end) }
    return legEnd(index, end: nil).flatMap { $0 <= end ? $0 : nil }
  }

  /// When a leg ends; `end` is that of the last one, if it is known bit for bit.
  private func legEnd(_ index: Int, end: Double?) -> Double? {
    switch kind {
    case .course(let course, _):
      if let end, index == course.legCount.map({ $0 - 1 }) { return end.isFinite ? end : nil }
      return course.legEnd(index).map { start + $0 }
    case .spring(let run):
      return run.legEnd(index, end: end)
    case .custom:
      return nil
    }
  }

  /// The part that has not been moved yet.
  func remaining(at time: Double) -> Value {
    let isLate = movesOn(at: time)
    if !isLate, isFinished(at: time) { return .zero }
    switch kind {
    case .course(let course, _):
      return Self.remaining(of: interval, progress: progress(of: course, at: time))
    case .spring(let run):
      return run.remaining(
        at: time, start: start, end: end, interval: interval, lateLength: isLate ? length : nil)
    case .custom(var context):
      let moved = animation.animate(
        value: interval, time: max(0, time - start), context: &context)
      return moved.map { interval - $0 } ?? .zero
    }
  }

  /// How fast the moved part changes, per second.
  func velocity(at time: Double) -> Value {
    let isLate = movesOn(at: time)
    if !isLate, time >= end || isFinished(at: time) { return .zero }
    let elapsed = max(0, time - start)
    let velocity =
      switch kind {
      case .course(let course, _):
        interval.scaled(
          by: isLate
            ? course.velocity(at: max(elapsed, course.end), length: length)
            : course.velocityBeforeEnd(elapsed, length: length))
      case .spring(let run):
        run.velocity(
          at: time, start: start, interval: interval, lateLength: isLate ? length : nil)
      case .custom(let context):
        animation.velocity(value: interval, time: elapsed, context: context) ?? .zero
      }
    // A vertical curve has no finite velocity to continue with.
    return velocity.magnitudeSquared.isFinite ? velocity : .zero
  }

  /// Progress of a course between `start` and `rest`; at the end of a curve exactly the end value.
  func progress(of course: AnimationCourse, at time: Double) -> Double {
    if time < end { return course.progressBeforeEnd(time - start) }
    guard movesOn(at: time) else { return course.progress(at: course.end, length: 0) }
    return course.progress(at: max(time - start, course.end), length: length)
  }

  /// Length of the interval, in points.
  private var length: Double { length(of: interval) }

  static func remaining(of interval: Value, progress: Double) -> Value {
    progress == 1 ? .zero : progress == 0 ? interval : interval.scaled(by: 1 - progress)
  }
}

extension AnimationMotion {
  /// Sets the environment that a custom animation reads.
  mutating func setEnvironment(_ environment: EnvironmentValues) {
    guard case .custom(var context) = kind else { return }
    context.environment = environment
    kind = .custom(context)
  }
}

extension AnimationMotion: Sendable where Value: Sendable {}
extension AnimationMotion.Kind: Sendable where Value: Sendable {}

extension AnimationMotion {
  /// A motion that takes over no other one.
  ///
  /// - Parameters:
  ///   - id: The number of its change.
  ///   - animation: How it moves.
  ///   - course: The closed form of `animation`.
  ///   - start: When it begins, s.
  ///   - from: The value before it; nil if other motions show, too.
  ///   - interval: New value minus old value.
  ///   - unitPoints: Points that a distance of 1 is at most.
  package init(
    id: UInt64, animation: Animation, _ course: AnimationCourse, start: Double, from: Value?,
    interval: Value, unitPoints: Double
  ) {
    self.init(
      id: id, animation: animation, start: start, interval: interval, unitPoints: unitPoints,
      isEndless: course.end == .infinity, kind: .course(course, from: from),
      end: start + course.end, logicalEnd: start + course.logicalEnd)
  }
}
