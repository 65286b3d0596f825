// SPDX-License-Identifier: Apache-2.0

/// A spring that took over running motions, and its later legs if it repeats.
///
/// Only the leg in which it took over is special. Its remaining part is then the spring's, plus the
/// whole interval if the leg runs backwards, to the old value.
package struct SpringRun<Value: VectorArithmetic> {
  /// The spring's motion, from `wait` after it took over.
  package let motion: SpringMotion<Value>

  /// Seconds for which it stands still after it took over, for a delay that has not passed.
  package let wait: Double

  /// Factor of the spring's time.
  package let speed: Double

  /// Length of the way: the remaining distance, or that of the last change if it is longer.
  let length: Double

  /// Index of the leg in which it took over.
  package let leg: Int

  /// Whether that leg runs backwards.
  package let isReversed: Bool

  /// When that leg ends, s.
  package let legEnd: Double

  /// The animation of a whole interval, for the later legs.
  package let course: AnimationCourse

  /// The start of `course` at which its later legs have their actual times, s; nil if there are no
  /// later legs.
  package let laterLegsOrigin: Double?

  /// Start of the spring in `course`, s; for the logical end.
  let shapeOrigin: Double

  /// Converts a time to the spring's own time, s.
  func motionTime(_ time: Double, start: Double) -> Double {
    let elapsed = time - start - wait
    return elapsed > 0 && speed > 0 ? elapsed * speed : 0
  }

  /// When a leg ends; `end` is that of the last one, if it is known bit for bit.
  func legEnd(_ index: Int, end: Double?) -> Double? {
    guard index >= leg else { return nil }
    if index == leg { return legEnd.isFinite ? legEnd : nil }
    guard let laterLegsOrigin, let time = course.legEnd(index) else { return nil }
    if let end, index == course.legCount.map({ $0 - 1 }) { return end }
    return laterLegsOrigin + time
  }

  /// Progress in the later legs; nil in the first one.
  private func laterProgress(at time: Double, end: Double, lateLength: Double?) -> Double? {
    guard let laterLegsOrigin, time >= legEnd else { return nil }
    if let lateLength {
      return course.progress(at: max(time - laterLegsOrigin, course.end), length: lateLength)
    }
    if time >= end { return course.progress(at: course.end, length: 0) }
    return course.progress(at: min(time - laterLegsOrigin, course.end.nextDown))
  }

  /// The part that has not been moved yet; `lateLength` is the interval's length in points if the spring
  /// moves on after its end.
  func remaining(
    at time: Double, start: Double, end: Double, interval: Value, lateLength: Double?
  ) -> Value {
    if let progress = laterProgress(at: time, end: end, lateLength: lateLength) {
      return AnimationMotion<Value>.remaining(of: interval, progress: progress)
    }
    if time >= legEnd, lateLength == nil { return isReversed ? interval : .zero }
    let remaining = motion.remaining(at: motionTime(time, start: start))
    return isReversed ? interval + remaining : remaining
  }

  func velocity(
    at time: Double, start: Double, interval: Value, lateLength: Double?
  ) -> Value {
    if let laterLegsOrigin, time >= legEnd {
      let elapsed = time - laterLegsOrigin
      return interval.scaled(
        by: course.velocity(
          at: lateLength == nil ? elapsed : max(elapsed, course.end), length: lateLength ?? 0))
    }
    if time < start + wait || time >= legEnd && lateLength == nil { return .zero }
    let remainingVelocity = motion.remainingVelocity(at: motionTime(time, start: start))
    return Value.zero - remainingVelocity.scaled(by: speed)
  }

  /// Response of the spring, in seconds of its own time.
  func response(at time: Double, start: Double) -> Double {
    motion.glide?.response(at: motionTime(time, start: start)) ?? motion.spring.response
  }
}

extension SpringRun: Sendable where Value: Sendable {}
