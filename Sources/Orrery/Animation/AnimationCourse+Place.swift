// SPDX-License-Identifier: Apache-2.0

/// Where an animation is at a time.
struct CoursePlace: Sendable {
  /// s since the current leg of the innermost motion began.
  var time: Double

  /// How much faster that time runs.
  var speed = 1.0

  /// Whether a reversed repetition runs it backwards.
  var isReversed = false

  /// Whether a delay has not passed yet.
  var isHeld = false

  /// s until the delays have passed.
  var wait = 0.0

  /// Leg of the innermost motion, counted through; beyond the largest `Int` it stops there.
  var leg = 0
}

extension AnimationCourse {
  /// - Parameter time: s since the change; before it, as at the change.
  /// - Returns: Where the innermost motion is then.
  func place(at time: Double) -> CoursePlace {
    var place = CoursePlace(time: time > 0 ? time : 0)
    // At the end, roundings of what lies between must not leave the last leg unfinished.
    let isOver = time >= end
    if isOver { place.time = .infinity }
    enter(steps[...], &place, isOver: isOver)
    if isOver { place.time = shape.end }
    return place
  }

  /// Goes through some of the steps, from the time outside to the time inside of them.
  func enter(_ steps: ArraySlice<CourseStep>, _ place: inout CoursePlace, isOver: Bool = false) {
    for step in steps {
      switch step {
      case .delay(let delay):
        if place.time < delay {
          place.isHeld = true
          place.wait += (delay - place.time) / place.speed
        }
        place.time = max(0, place.time - delay)
      case .speed(let speed):
        place.time = place.time == 0 || speed == 0 ? 0 : place.time * speed
        place.speed = place.speed == 0 || speed == 0 ? 0 : place.speed * speed
      case .repeats(let legs):
        let leg = isOver ? (legs.countAsDouble - 1, .infinity) : legs.leg(at: place.time)
        place.time = leg.time
        if legs.isReversed(leg.index) { place.isReversed.toggle() }
        let before = Int(exactly: leg.index).flatMap { index in
          legs.passes.flatMap { passes -> Int? in
            let product = index.multipliedReportingOverflow(by: passes)
            return product.overflow ? nil : product.partialValue
          }
        }
        place.leg = before.map { place.leg &+ $0 } ?? .max
      }
    }
  }

  /// When a leg ends, s since the change.
  ///
  /// Without a repetition there is one leg, which ends with the animation. The legs of nested
  /// repetitions are those of the innermost one, counted through.
  ///
  /// - Parameter index: From 0.
  /// - Returns: Nil past the last leg and for a leg that never ends.
  package func legEnd(_ index: Int) -> Double? {
    if let legCount {
      guard index >= 0, index < legCount else { return nil }
      // The end itself, without the roundings of the way there.
      if index == legCount - 1 { return end.isFinite ? end : nil }
    }
    guard index >= 0 else { return nil }
    var (time, rest) = (shape.end, index)
    for step in steps.reversed() {
      switch step {
      case .delay(let delay): time = max(0, time + delay)
      case .speed(let speed): time = Self.time(time, atSpeed: speed)
      case .repeats(let legs):
        let (outer, leg) = legs.count.map(rest.quotientAndRemainder) ?? (0, rest)
        time = legs.start(of: Double(leg)) + time
        rest = outer
      }
    }
    return time.isFinite ? time : nil
  }
}
