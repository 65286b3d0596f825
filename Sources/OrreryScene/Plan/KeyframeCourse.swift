// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// A repeated track of keyframes as a function of time: a batch evaluates it, without an event for each keyframe.
///
/// Tracks with equal keyframes share one course.
package final class KeyframeCourse: Sendable {
  /// The motion from one keyframe to the next.
  package struct Part: Sendable {
    /// Seconds from the start of a round.
    package let start: Double
    /// Seconds; more than 0.
    package let duration: Double
    /// How the value moves.
    package let motion: Motion
  }

  /// How a part moves; u is the share of its time that has passed.
  package enum Motion: Sendable {
    /// c0 + c1·u + c2·u² + c3·u³, c0 first.
    case cubic(SIMD4<Double>)
    /// From a value by an interval, along a curve.
    case curve(UnitCurve, from: Double, interval: Double)
    /// From rest at a value by an interval, on a spring.
    case spring(Spring, from: Double, interval: Double)
  }

  /// Seconds of a round.
  package let duration: Double

  /// The parts of a round, in the order of time; together they take `duration`.
  package let parts: [Part]

  /// The least and the greatest value of keyframes.
  package let low: Double
  package let high: Double

  private let loop: KeyframeLoop
  private let initial: Double

  /// Makes a course; nil if its track does not repeat, or has rounds that are too short to follow each other.
  ///
  /// - Parameters:
  ///   - loop: A checked track, with values as they are on screen.
  ///   - initial: The value at the start of each round.
  package init?(_ loop: KeyframeLoop, initial: Double) {
    guard loop.repeats, loop.duration >= CommandPlan.everyMin else { return nil }
    (self.loop, self.initial) = (loop, initial)
    var parts: [Part] = []
    let times = loop.times
    var (value, low, high) = (initial, initial, initial)
    let (segments, _) = KeyframeSegment.of(loop.steps.map(\.keyframe), from: initial)
    for ((step, segment), time) in zip(zip(loop.steps, segments), times) {
      let goal = step.goal
      let motion: Motion? =
        switch step {
        case .move: nil
        case .linear(_, _, .linear): .cubic(SIMD4(value, goal - value, 0, 0))
        case .linear(_, _, let curve): .curve(curve, from: value, interval: goal - value)
        case .spring(_, let spring): .spring(spring, from: value, interval: goal - value)
        case .cubic(_, let duration, _, _):
          .cubic(
            Self.hermite(
              from: value, to: goal, startVelocity: (segment?.startVelocity ?? 0) * duration,
              endVelocity: (segment?.endVelocity ?? 0) * duration))
        }
      if let motion, step.duration > 0 {
        parts.append(Part(start: time, duration: step.duration, motion: motion))
      }
      (value, low, high) = (goal, min(low, goal), max(high, goal))
    }
    self.parts = parts
    duration = loop.duration
    (self.low, self.high) = (low, high)
  }

  /// The coefficients of a cubic Hermite curve; velocities are per its whole time.
  private static func hermite(
    from: Double, to: Double, startVelocity: Double, endVelocity: Double
  ) -> SIMD4<Double> {
    let change = to - from
    return SIMD4(
      from, startVelocity, 3 * change - 2 * startVelocity - endVelocity,
      startVelocity + endVelocity - 2 * change)
  }

  /// The commands that play the same track for a view, in the order of their times.
  package func commands(view: Int) -> [CommandPlan] {
    ViewLoops.commands(of: loop, start: initial, view: view)
  }
}

extension KeyframeCourse.Part {
  /// The value at a share of the part's time, in 0...1.
  package func value(at u: Double) -> Double {
    switch motion {
    case .cubic(let c): c[0] + u * (c[1] + u * (c[2] + u * c[3]))
    case .curve(let curve, let from, let interval): from + interval * curve.value(at: u)
    case .spring(let spring, let from, let interval):
      from + interval * spring.value(target: 1, time: u * duration)
    }
  }
}

/// A view's property that a course moves, until something else changes that property.
package struct KeyframeTrackPlan: Sendable {
  /// Index of the view.
  package var view: Int
  /// The property.
  package let property: ViewProperty
  /// Its values.
  package let course: KeyframeCourse

  /// Makes a track.
  package init(view: Int, property: ViewProperty, course: KeyframeCourse) {
    (self.view, self.property, self.course) = (view, property, course)
  }
}

/// The courses of a scene: equal tracks share one.
struct KeyframeCourses {
  private struct Key: Hashable {
    let loop: KeyframeLoop
    let initial: Double
  }

  private var known: [Key: KeyframeCourse] = [:]

  /// The course of a track; see `KeyframeCourse.init`.
  mutating func course(_ loop: KeyframeLoop, initial: Double) -> KeyframeCourse? {
    let key = Key(loop: loop, initial: initial)
    if let course = known[key] { return course }
    let course = KeyframeCourse(loop, initial: initial)
    known[key] = course
    return course
  }
}

extension KeyframeStep {
  /// The value at its end.
  var goal: Double {
    switch self {
    case .linear(let goal, _, _), .cubic(let goal, _, _, _), .spring(let goal, _), .move(let goal):
      goal
    }
  }
}

extension KeyframeLoop {
  /// The same track with other values: `change` is linear.
  func mapped(_ change: (Double) -> Double) -> KeyframeLoop {
    var loop = self
    loop.steps = steps.map { step in
      switch step {
      case .move(let goal): .move(change(goal))
      case .linear(let goal, let duration, let curve):
        .linear(change(goal), duration: duration, timingCurve: curve)
      case .spring(let goal, let spring): .spring(change(goal), spring)
      case .cubic(let goal, let duration, let startVelocity, let endVelocity):
        .cubic(
          change(goal), duration: duration, startVelocity: startVelocity.map(change),
          endVelocity: endVelocity.map(change))
      }
    }
    return loop
  }
}
