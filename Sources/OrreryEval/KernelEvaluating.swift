// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Evaluates requests with the sim's batches.
///
/// Each function returns nil if no batch can answer; the library answers then. Values are the
/// batches' own `Float`s, widened.
package protocol KernelEvaluating: Sendable {
  /// Values of a curve.
  ///
  /// - Parameters:
  ///   - curve: The curve.
  ///   - at: Input progress; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func curve(_ curve: UnitCurve, at: [Double]) -> [Double]?

  /// Values of a spring.
  ///
  /// - Parameters:
  ///   - spring: The spring.
  ///   - from: Value at time 0.
  ///   - to: Target value.
  ///   - velocity: At time 0, per second.
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func spring(
    _ spring: Spring, from: Double, to: Double, velocity: Double, at: [Double]
  ) -> [Double]?

  /// Values of a property that is set from one value to another at time 0.
  ///
  /// - Parameters:
  ///   - animation: The animation of the change.
  ///   - from: The value before.
  ///   - to: The value after.
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func animation(_ animation: Animation, from: Double, to: Double, at: [Double]) -> [Double]?

  /// Positions of a moon.
  ///
  /// - Parameters:
  ///   - radius: Points.
  ///   - period: Seconds per turn.
  ///   - phase: Turns at time 0, in [0, 1).
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func orbit(
    radius: Double, period: Double, phase: Double, at: [Double]
  ) -> [(x: Double, y: Double)]?

  /// Offsets of a seamless row; a ticker is such a row that moves to the left.
  ///
  /// - Parameters:
  ///   - period: Points until the picture repeats; more than 0.
  ///   - speed: Points per second; 0 or more.
  ///   - direction: The row's direction.
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func marquee(
    period: Double, speed: Double, direction: MarqueeSpec.Direction, at: [Double]
  ) -> [Double]?

  /// Offsets of a row that a timer steps.
  ///
  /// - Parameters:
  ///   - spec: The row.
  ///   - ticks: Timer ticks since time 0.
  /// - Returns: One for each; nil if no batch can do this.
  func timer(_ spec: TimerSpec, ticks: [UInt64]) -> [Double]?

  /// Offsets of a repeated move at constant speed.
  ///
  /// - Parameters:
  ///   - from: Points, at the start of each cycle.
  ///   - to: Points, at its end.
  ///   - duration: Seconds of a cycle; more than 0.
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func linear(from: Double, to: Double, duration: Double, at: [Double]) -> [Double]?

  /// Offsets of a flowing picture.
  ///
  /// - Parameters:
  ///   - spec: The flow.
  ///   - at: Seconds; any finite numbers.
  /// - Returns: One for each; nil if no batch can do this.
  func flow(_ spec: FlowSpec, at: [Double]) -> [Double]?

  /// Values of properties that were set from one value to another.
  ///
  /// - Parameter changes: The changes, each of a property of its own.
  /// - Returns: One for each; nil if no batch can do this.
  func changes(_ changes: [KernelChange]) -> [Double]?

  /// Values of a view in a transition.
  ///
  /// - Parameters:
  ///   - half: The insertion, or the removal, about the view's top left corner.
  ///   - away: 0 at identity, 1 when the view is absent; in between.
  /// - Returns: A value for each `ViewProperty`; nil if no batch can do this.
  func transition(_ half: TransitionHalf, away: Double) -> [Double]?
}

/// A property that was set from one value to another some time ago.
package struct KernelChange: Sendable {
  /// The value before.
  package let from: Double

  /// The value after.
  package let to: Double

  /// The animation of the change.
  package let animation: Animation

  /// Seconds since the change; 0 or more.
  package let elapsed: Double
}
