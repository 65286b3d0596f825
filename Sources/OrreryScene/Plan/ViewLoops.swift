// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Turns keyframes and phases of a view into timed commands.
enum ViewLoops {
  // MARK: Keyframes

  /// The commands that play a track of keyframes from the start.
  ///
  /// - Parameters:
  ///   - loop: A checked track.
  ///   - start: The property's value at the start.
  ///   - view: The view's index among the scene's views.
  /// - Returns: The commands in the order of their times; those of equal time run in this order.
  static func commands(of loop: KeyframeLoop, start: Double, view: Int) -> [CommandPlan] {
    let times = loop.times
    let every = loop.repeats ? times.last : nil
    func set(_ value: Double, at time: Double, _ animation: Animation? = nil) -> CommandPlan {
      let action = ActionPlan.set(view: view, loop.property, value + 0)
      return CommandPlan(
        time: time, every: every, transaction: TransactionPlan([action], animation: animation))
    }
    // Each round restarts from the value at the start.
    var commands = loop.repeats ? [set(start, at: 0)] : []
    var value = start
    let (all, _) = KeyframeSegment.of(loop.steps.map(\.keyframe), from: start)
    for ((step, played), time) in zip(zip(loop.steps, all), times) {
      switch step {
      case .move(let goal):
        commands.append(set(goal, at: time))
        value = goal
      case .linear(let goal, let duration, let curve):
        commands.append(set(goal, at: time, .timingCurve(curve, duration: duration)))
        value = goal
      case .spring(let goal, let spring):
        commands.append(
          set(
            goal, at: time,
            .interpolatingSpring(
              mass: spring.mass, stiffness: spring.stiffness, damping: spring.damping)))
        value = goal
      case .cubic(let goal, let duration, _, _):
        let segments = CubicSegment(
          from: value, to: goal, duration: duration, startVelocity: played?.startVelocity ?? 0,
          endVelocity: played?.endVelocity ?? 0
        ).movingSegments
        var segmentTime = time
        for segment in segments {
          commands.append(set(segment.to, at: segmentTime, segment.animation))
          segmentTime += segment.duration
        }
        value = goal
      }
    }
    return commands
  }

  // MARK: Phases

  /// The commands that play a view's phases from the start.
  ///
  /// The view begins in the first phase; each next phase starts when the animation to the phase
  /// before it is logically complete.
  static func phaseCommands(of view: AnimatedView, view index: Int) -> [CommandPlan] {
    guard view.phases.count > 1 else {
      return view.phases.map { phase in
        CommandPlan(time: 0, transaction: TransactionPlan(actions(phase, of: view, index: index)))
      }
    }
    let durations = view.phases.map { $0.animation.course()?.logicalEnd ?? 0 }
    let round = durations.reduce(0, +)
    var commands = [
      CommandPlan(
        time: 0, transaction: TransactionPlan(actions(view.phases[0], of: view, index: index)))
    ]
    var time = 0.0
    for step in 1...view.phases.count {
      let phase = view.phases[step % view.phases.count]
      let transaction = TransactionPlan(
        actions(phase, of: view, index: index), animation: phase.animation)
      commands.append(CommandPlan(time: time, every: round, transaction: transaction))
      time += durations[step % view.phases.count]
    }
    return commands
  }

  /// A phase's values; a property that only other phases change gets its initial value.
  private static func actions(
    _ phase: ViewPhase, of view: AnimatedView, index: Int
  ) -> [ActionPlan] {
    let used = Set(view.phases.flatMap(\.changes).map(\.property))
    return ViewProperty.allCases.filter(used.contains).map { property in
      let own = phase.changes.last { $0.property == property }?.value
      return .set(view: index, property, (own ?? view.initial[property]) + 0)
    }
  }
}

extension KeyframeStep {
  /// The library's keyframe; a spring starts at rest, and is at rest when the next keyframe begins.
  var keyframe: any KeyframeTrackContent<Double> {
    switch self {
    case .move(let goal): MoveKeyframe(goal)
    case .linear(let goal, let duration, let curve):
      LinearKeyframe(goal, duration: duration, timingCurve: curve)
    case .cubic(let goal, let duration, let start, let end):
      CubicKeyframe(goal, duration: duration, startVelocity: start, endVelocity: end)
    // Its animation moves it; the keyframe after it begins at rest.
    case .spring(let goal, let spring):
      LinearKeyframe(goal, duration: spring.settlingBound, timingCurve: .restToRest)
    }
  }
}

extension UnitCurve {
  /// A curve that begins and ends at rest.
  fileprivate static let restToRest = UnitCurve.bezier(
    startControlPoint: UnitPoint(x: 0.5, y: 0), endControlPoint: UnitPoint(x: 0.5, y: 1))
}

/// A cubic curve from one value to another, given by its velocities: cubic Hermite.
package struct CubicSegment: Equatable {
  let from: Double

  /// The value at its end.
  package let to: Double

  /// Seconds.
  package let duration: Double

  let startVelocity: Double
  let endVelocity: Double

  /// Makes a segment.
  ///
  /// - Parameters:
  ///   - from: The value at its start.
  ///   - to: The value at its end.
  ///   - duration: Seconds, more than 0.
  ///   - startVelocity: Per second.
  ///   - endVelocity: Per second.
  package init(
    from: Double, to: Double, duration: Double, startVelocity: Double, endVelocity: Double
  ) {
    (self.from, self.to, self.duration) = (from, to, duration)
    (self.startVelocity, self.endVelocity) = (startVelocity, endVelocity)
  }

  /// The same motion as an animation of the interval: with control points at a third and two thirds
  /// of the time, a Bezier curve's x is time itself.
  ///
  ///     y1 = startVelocity·duration / (3·interval)    y2 = 1 - endVelocity·duration / (3·interval)
  package var animation: Animation {
    let interval = to - from
    let y1 = startVelocity * duration / (3 * interval)
    let y2 = 1 - endVelocity * duration / (3 * interval)
    return .timingCurve(1 / 3.0, y1, 2 / 3.0, y2, duration: duration)
  }

  /// This segment, or two parts if it ends where it begins: an animation needs an interval.
  package var movingSegments: [CubicSegment] {
    if from != to { return [self] }
    if startVelocity == 0, endVelocity == 0 { return [] }
    // A bump is farthest from its start near the middle. A wave, with equal velocities, is back at its start
    // there, so it is split at a third.
    let share = startVelocity == endVelocity ? 1 / 3.0 : 0.5
    let (value, velocity) = state(atShare: share)
    return [
      CubicSegment(
        from: from, to: value, duration: duration * share, startVelocity: startVelocity,
        endVelocity: velocity),
      CubicSegment(
        from: value, to: to, duration: duration * (1 - share), startVelocity: velocity,
        endVelocity: endVelocity),
    ]
  }

  /// Value and velocity at a share of the time.
  private func state(atShare s: Double) -> (value: Double, velocity: Double) {
    let (v0, v1) = (startVelocity * duration, endVelocity * duration)
    let change = to - from
    let value =
      from + v0 * s + (3 * change - 2 * v0 - v1) * s * s + (v0 + v1 - 2 * change) * s * s * s
    let slope = v0 + 2 * (3 * change - 2 * v0 - v1) * s + 3 * (v0 + v1 - 2 * change) * s * s
    return (value, slope / duration)
  }
}
