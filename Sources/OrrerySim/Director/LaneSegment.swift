// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The part of a motion that a lane can show without further events.
struct LaneSegment {
  let motion: LaneMotion

  /// New value minus old value, in the lane's unit.
  let interval: Double

  /// A constant that is subtracted from the value as well; 0 for none.
  let held: Double

  /// Seconds since the scene began; infinite if no other segment follows.
  let end: Double
}

/// Divides motions into segments: a segment is a function of the motion and the time, so lanes show the
/// same whenever a segment was begun.
struct LaneSegments {
  let rate: TickRate
  let curves: CurveBank

  /// Number of segments of a spring whose response changes gradually; each begins at the motion's state of
  /// its time.
  private static let glideSegments = 32.0

  /// The segment of a motion at a time.
  ///
  /// - Parameters:
  ///   - motion: One with a closed form.
  ///   - time: Seconds since the scene began, from the motion's start to its end.
  /// - Returns: The segment; it may begin earlier.
  func segment(of motion: AnimationMotion<Double>, at time: Double) -> LaneSegment {
    switch motion.kind {
    case .course(let course, _):
      return segment(course, from: motion.start, interval: motion.interval, at: time)
    case .spring(let run):
      if let origin = run.laterLegsOrigin, time >= run.legEnd {
        return segment(run.course, from: origin, interval: motion.interval, at: time)
      }
      return segment(
        run, from: motion.start + run.wait, held: run.isReversed ? motion.interval : 0, at: time)
    case .custom:
      return LaneSegment(motion: .hold(progress: 1), interval: 0, held: 0, end: .infinity)
    }
  }

  /// The kinds of layers that the segments of a motion may need, one at a time, and the constants that these
  /// segments hold.
  func layerKinds(of motion: AnimationMotion<Double>) -> (tween: Bool, spring: Bool) {
    switch motion.kind {
    case .course(let course, _):
      guard course.isSpring else { return (true, false) }
      let first = course.segment(at: 0)
      if case .spring = first.shape { return (first.end < course.end, true) }
      return (true, true)
    case .spring(let run):
      return (
        run.wait > 0 || run.isReversed || run.laterLegsOrigin != nil || !(run.speed > 0), true
      )
    case .custom:
      return (true, false)
    }
  }

  /// The first segment of an animation, for an interval of 1.
  func segment(of course: AnimationCourse, from start: Double) -> LaneSegment {
    segment(course, from: start, interval: 1, at: start)
  }

  /// Puts the curves of an animation into the bank, which takes too long for a tick.
  func makeCurves(of animation: Animation) {
    guard let course = animation.course() else { return }
    var time = 0.0
    // A delay, a leg there and one back: later legs have the same curves.
    for _ in 0..<4 {
      let segment = course.segment(at: time)
      _ = curve(segment.shape)
      guard segment.end > time, segment.end < course.end else { return }
      time = segment.end
    }
  }

  private func segment(
    _ course: AnimationCourse, from start: Double, interval: Double, at time: Double
  ) -> LaneSegment {
    // If `time` is a delay's end, the difference may be rounded to a time before it.
    let elapsed = time - start
    let late = min(elapsed + 2 * time.ulp, course.end)
    let segment = course.segment(at: max(elapsed, late))
    return LaneSegment(
      motion: motion(segment.shape, from: start, interval: interval), interval: interval, held: 0,
      end: segment.end < course.end ? start + segment.end : .infinity)
  }

  private func motion(
    _ shape: AnimationSegment.Shape, from start: Double, interval: Double
  ) -> LaneMotion {
    switch shape {
    case .hold(let progress):
      return .hold(progress: progress)
    case .curve(let curve, let begin, let duration, let isReversed):
      return .curve(
        curves.curve(curve), start: TickTime(seconds: start + begin, rate: rate),
        duration: duration, isReversed: isReversed)
    case .spring(let spring, let velocity, let begin, let isReversed):
      return .spring(
        spring, velocity: velocity * interval,
        start: TickTime(seconds: start + begin, rate: rate), isReversed: isReversed)
    case .cycle(let curve, let begin, let legDuration, let delay, let autoreverses):
      let cycle = Self.cycle(curve, legDuration, delay, autoreverses)
      return .cycle(
        curves.curve(cycle), start: TickTime(seconds: start + begin, rate: rate),
        period: autoreverses ? 2 * legDuration : legDuration)
    }
  }

  /// The curve that a shape follows, or nil if there is none.
  private func curve(_ shape: AnimationSegment.Shape) -> LaneCurve? {
    switch shape {
    case .hold, .spring: nil
    case .curve(let curve, _, _, _): curves.curve(curve)
    case .cycle(let curve, _, let legDuration, let delay, let autoreverses):
      curves.curve(Self.cycle(curve, legDuration, delay, autoreverses))
    }
  }

  private static func cycle(
    _ curve: UnitCurve, _ legDuration: Double, _ delay: Double, _ autoreverses: Bool
  ) -> TweenCycle {
    TweenCycle(curve: curve, autoreverses: autoreverses, hold: delay / legDuration)
  }

  /// The segment of a spring that took over from another motion, in the leg in which it took over; `start` is
  /// when the spring is released.
  private func segment(
    _ run: SpringRun<Double>, from start: Double, held: Double, at time: Double
  ) -> LaneSegment {
    let end = run.laterLegsOrigin == nil ? .infinity : run.legEnd
    guard run.speed > 0, time >= start else {
      return LaneSegment(
        motion: .hold(progress: 0), interval: run.motion.remaining + held, held: 0,
        end: run.speed > 0 ? min(start, end) : end)
    }
    // The spring's own time at which the segment begins and ends.
    var (begin, next, spring) = (0.0, Double.infinity, run.motion.spring)
    if let glide = run.motion.glide {
      let length = glide.duration / Self.glideSegments
      let index = ((time - start) * run.speed / length).rounded(.down)
      begin = min(index * length, glide.duration)
      if index < Self.glideSegments {
        next = begin + length
        spring = Spring(
          response: glide.response(at: begin + length / 2),
          dampingRatio: glide.spring.dampingRatio)
      }
    }
    return LaneSegment(
      motion: .spring(
        Spring(response: spring.response / run.speed, dampingRatio: spring.dampingRatio),
        velocity: -run.motion.remainingVelocity(at: begin) * run.speed,
        start: TickTime(seconds: start + begin / run.speed, rate: rate)),
      interval: run.motion.remaining(at: begin), held: held,
      end: min(end, start + next / run.speed))
  }
}
