// SPDX-License-Identifier: Apache-2.0

/// A spring that took over what ran, and the legs that follow if it repeats.
///
/// Only the leg in which it took over is special. What is left of the way is then the spring's
/// rest, plus the whole interval if the leg runs backwards, to the old value.
package struct SpringRun<Value: VectorArithmetic> {
  /// The spring, from when it took over and `wait` has passed.
  package let motion: SpringMotion<Value>

  /// s after it took over that it stands still, for a delay that has not passed.
  package let wait: Double

  /// Factor of its time.
  package let speed: Double

  /// Number of the leg in which it took over.
  package let leg: Int

  /// Whether that leg runs backwards.
  package let isReversed: Bool

  /// When that leg ends, s.
  package let legEnd: Double

  /// The animation of a whole interval, for the legs that follow.
  package let course: AnimationCourse

  /// When `course` would have begun for its later legs to be where they are, s; nil if there are
  /// none.
  package let laterLegsOrigin: Double?

  /// When the spring itself would have begun in `course`, s; for the logical end.
  let shapeOrigin: Double

  /// s of the spring's own time.
  func motionTime(_ time: Double, start: Double) -> Double {
    let elapsed = time - start - wait
    return elapsed > 0 && speed > 0 ? elapsed * speed : 0
  }

  func legEnd(_ index: Int, end: Double) -> Double? {
    guard index >= leg else { return nil }
    if index == leg { return legEnd.isFinite ? legEnd : nil }
    guard let laterLegsOrigin, let time = course.legEnd(index) else { return nil }
    return index == course.legCount.map { $0 - 1 } ? end : laterLegsOrigin + time
  }

  /// Progress in the legs that follow; nil in the first one.
  private func laterProgress(at time: Double, end: Double) -> Double? {
    guard let laterLegsOrigin, time >= legEnd else { return nil }
    if time >= end { return course.progress(at: course.end) }
    return course.progress(at: min(time - laterLegsOrigin, course.end.nextDown))
  }

  func rest(at time: Double, start: Double, end: Double, interval: Value) -> Value {
    if let progress = laterProgress(at: time, end: end) {
      return AnimationMotion<Value>.rest(of: interval, progress: progress)
    }
    if time >= legEnd { return isReversed ? interval : .zero }
    let rest = motion.rest(at: motionTime(time, start: start))
    return isReversed ? interval + rest : rest
  }

  func velocity(at time: Double, start: Double, interval: Value) -> Value {
    if let laterLegsOrigin, time >= legEnd {
      return interval.scaled(by: course.velocity(at: time - laterLegsOrigin))
    }
    if time < start + wait || time >= legEnd { return .zero }
    let restVelocity = motion.restVelocity(at: motionTime(time, start: start))
    return Value.zero - restVelocity.scaled(by: speed)
  }

  /// Response of the spring, s of its own time; nil in the legs that follow.
  func response(at time: Double, start: Double) -> Double {
    motion.glide?.response(at: motionTime(time, start: start)) ?? motion.spring.response
  }
}

extension SpringRun: Sendable where Value: Sendable {}
