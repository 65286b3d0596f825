// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The motion of one contribution to a lane, relative to its interval, which is new value minus old
/// value.
///
/// It adds interval · (progress - 1) to the lane's value: minus the interval at progress 0, and 0 at
/// progress 1. So the lane's base is the new value from the start on, and several contributions add up as
/// SwiftUI's animations do.
package enum LaneMotion: Sendable {
  /// Stands still at a progress: a delay, or a pause.
  case hold(progress: Double)

  /// Follows a curve once. Before `start` the progress is that of the curve's start, from
  /// `start` + `duration` on that of its end. Reversed, the progress is one minus the curve's.
  ///
  /// `duration` is in seconds; at 0 or less, or NaN, the motion ends at once.
  case curve(LaneCurve, start: TickTime, duration: Double, isReversed: Bool = false)

  /// Follows a curve again and again, every `period` seconds. Before `start` it stands as at `start`.
  case cycle(LaneCurve, start: TickTime, period: Double)

  /// A spring that is one interval away from its target at `start`, with a velocity in the lane's unit
  /// per second, positive toward larger values.
  ///
  /// For a merged spring the interval is target minus displayed value. Reversed, its progress is one
  /// minus the spring's.
  case spring(Spring, velocity: Double, start: TickTime, isReversed: Bool = false)

  /// Whether it takes a layer of springs, and not of tweens.
  var isSpring: Bool {
    if case .spring = self { true } else { false }
  }
}
