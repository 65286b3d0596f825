// SPDX-License-Identifier: Apache-2.0

extension AnimationCourse {
  /// The formula that holds at a time.
  ///
  /// Segments have no gaps between them. The last one before `end` gives the end value at `end`
  /// too. After `end`, progress is held at 1. A repeated curve is one segment, however many legs
  /// it has.
  ///
  /// - Parameter time: Seconds since the change; before it, as at the change.
  /// - Returns: The segment with start <= time < end, except for times before 0 and at `end`.
  package func segment(at time: Double) -> AnimationSegment {
    if time > end || end == 0 {
      return AnimationSegment(start: end, end: .infinity, shape: .hold(1))
    }
    var window = SegmentWindow(end: end)
    let now = min(time > 0 ? time : 0, end.nextDown)
    for (index, step) in steps.enumerated() {
      switch step {
      case .delay(let delay):
        if now < window.outer(delay) {
          window.end = min(window.end, window.outer(delay))
          return hold(window, before: index + 1, isHeld: true)
        }
        window.advance(by: delay)
      case .speed(let speed):
        window.speed *= speed
        if !(window.speed > 0) { return hold(window, before: index + 1) }
      case .repeats(let legs):
        if let cycle = cycle(of: legs, inside: index + 1, window) { return cycle }
        var leg = legs.leg(at: window.local(now)).index
        // The boundary in real time decides.
        if window.outer(legs.start(of: leg + 1)) <= now { leg += 1 }
        leg = min(leg, legs.countAsDouble - 1)
        if legs.isReversed(leg) { window.isReversed.toggle() }
        if leg + 1 < legs.countAsDouble {
          // Legs may be shorter than one step of a Double; a segment must not be empty.
          window.end = max(
            now.nextUp, min(window.end, window.outer(legs.start(of: leg + 1))))
        }
        window.advance(by: legs.start(of: leg))
      }
    }
    return segment(of: window, at: now)
  }

  private func segment(of window: SegmentWindow, at now: Double) -> AnimationSegment {
    guard window.speed < .infinity, shape.end > 0 else {
      return AnimationSegment(
        start: window.start, end: window.end, shape: .hold(progress(at: now)))
    }
    let shape: AnimationSegment.Shape
    switch self.shape {
    case .curve(let curve, let duration):
      shape = .curve(
        curve, start: window.origin, duration: duration / window.speed,
        isReversed: window.isReversed)
    case .spring(let spring, let velocity, _, _):
      shape = .spring(
        Spring(
          response: spring.response / window.speed, dampingRatio: spring.dampingRatio),
        initialVelocity: velocity * window.speed, start: window.origin,
        isReversed: window.isReversed)
    }
    return AnimationSegment(start: window.start, end: window.end, shape: shape)
  }

  /// A segment that holds the value at which the steps from an index on begin.
  private func hold(
    _ window: SegmentWindow, before index: Int, isHeld: Bool = false
  ) -> AnimationSegment {
    var state = CourseState(time: 0, isReversed: window.isReversed, isHeld: isHeld)
    enter(steps[index...], &state)
    return AnimationSegment(
      start: window.start, end: window.end, shape: .hold(progress(in: state)))
  }

  /// The legs as one segment; nil unless they are of a curve, forward, with only delays and speeds
  /// inside.
  private func cycle(
    of legs: RepeatedLegs, inside index: Int, _ window: SegmentWindow
  ) -> AnimationSegment? {
    guard case .curve(let curve, let duration) = shape, duration > 0, !window.isReversed else {
      return nil
    }
    var inner = SegmentWindow(end: legs.length)
    for step in steps[index...] {
      switch step {
      case .delay(let delay):
        if delay < 0 { return nil }
        inner.advance(by: delay)
      case .speed(let speed): inner.speed *= speed
      case .repeats: return nil
      }
    }
    guard inner.speed > 0, inner.speed < .infinity else { return nil }
    return AnimationSegment(
      start: window.start, end: window.end,
      shape: .cycle(
        curve, start: window.origin, legDuration: legs.length / window.speed,
        delayInLeg: inner.origin / window.speed, autoreverses: legs.autoreverses))
  }
}

/// Converts real time to the time inside some steps of a course: (t - origin) · speed.
private struct SegmentWindow {
  /// Real times between which the conversion holds.
  var start = 0.0
  var end: Double

  var origin = 0.0
  var speed = 1.0
  var isReversed = false

  init(end: Double) { self.end = end }

  func local(_ time: Double) -> Double { max(0, (time - origin) * speed) }

  func outer(_ local: Double) -> Double { origin + local / speed }

  /// Moves the origin past a delay, or past legs.
  mutating func advance(by local: Double) {
    origin = outer(local)
    start = max(start, origin)
  }
}
