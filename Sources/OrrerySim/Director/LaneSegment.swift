// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// What lanes show of a motion from a time on, until something else has to be asked of them.
struct LaneSegment {
  let motion: LaneMotion

  /// In the lane's unit.
  let interval: Double

  /// What is taken away from the value besides; 0 for nothing.
  let held: Double

  /// Seconds since the scene began; infinite if the motion ends with the piece.
  let end: Double
}

/// Makes pieces of motions: a function of the motion and the time, so that what lanes show does not depend
/// on when they were told.
struct LaneSegments {
  let rate: TickRate
  let curves: CurveBank

  /// Pieces that a spring whose response glides is cut into; each begins where the motion is.
  private static let glideSegments = 32.0

  /// The piece that holds at a time.
  ///
  /// - Parameters:
  ///   - motion: One with a closed form.
  ///   - time: Seconds since the scene began, from the motion's start to its end.
  /// - Returns: The piece, which need not begin at that time.
  func piece(of motion: AnimationMotion<Double>, at time: Double) -> LaneSegment {
    switch motion.form {
    case .course(let course, _):
      return piece(course, from: motion.start, interval: motion.interval, at: time)
    case .spring(let run):
      if let origin = run.laterLegsOrigin, time >= run.legEnd {
        return piece(run.course, from: origin, interval: motion.interval, at: time)
      }
      return piece(
        run, from: motion.start + run.wait, held: run.isReversed ? motion.interval : 0, at: time)
    case .custom:
      return LaneSegment(motion: .hold(progress: 1), interval: 0, held: 0, end: .infinity)
    }
  }

  /// The piece that holds when an animation begins, of the interval from 0 to 1.
  func piece(of course: AnimationCourse, from start: Double) -> LaneSegment {
    piece(course, from: start, interval: 1, at: start)
  }

  /// Makes the curves of an animation ready, which takes longer than a tick has.
  func prepare(_ animation: Animation) {
    guard let course = animation.course() else { return }
    var time = 0.0
    // A delay, a leg there and one back: what comes later has the same curves.
    for _ in 0..<4 {
      let segment = course.segment(at: time)
      _ = curve(segment.shape)
      guard segment.end > time, segment.end < course.end else { return }
      time = segment.end
    }
  }

  private func piece(
    _ course: AnimationCourse, from start: Double, interval: Double, at time: Double
  ) -> LaneSegment {
    let segment = course.segment(at: time - start)
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
      let form = Self.form(curve, legDuration, delay, autoreverses)
      return .cycle(
        curves.curve(form), start: TickTime(seconds: start + begin, rate: rate),
        period: autoreverses ? 2 * legDuration : legDuration)
    }
  }

  /// The curve that a shape follows, if it does.
  private func curve(_ shape: AnimationSegment.Shape) -> LaneCurve? {
    switch shape {
    case .hold, .spring: nil
    case .curve(let curve, _, _, _): curves.curve(curve)
    case .cycle(let curve, _, let legDuration, let delay, let autoreverses):
      curves.curve(Self.form(curve, legDuration, delay, autoreverses))
    }
  }

  private static func form(
    _ curve: UnitCurve, _ legDuration: Double, _ delay: Double, _ autoreverses: Bool
  ) -> TweenCycle {
    TweenCycle(curve: curve, autoreverses: autoreverses, hold: delay / legDuration)
  }

  /// The piece of a spring that took over, in the leg in which it did; `start` is when it is let go.
  private func piece(
    _ run: SpringRun<Double>, from start: Double, held: Double, at time: Double
  ) -> LaneSegment {
    let end = run.laterLegsOrigin == nil ? .infinity : run.legEnd
    guard run.speed > 0, time >= start else {
      return LaneSegment(
        motion: .hold(progress: 0), interval: run.motion.rest, held: held,
        end: run.speed > 0 ? min(start, end) : end)
    }
    // Time of the spring itself at which the piece begins and ends.
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
        velocity: -run.motion.restVelocity(at: begin) * run.speed,
        start: TickTime(seconds: start + begin / run.speed, rate: rate)),
      interval: run.motion.rest(at: begin), held: held,
      end: min(end, start + next / run.speed))
  }
}
