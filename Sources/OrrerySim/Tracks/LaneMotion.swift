// SPDX-License-Identifier: Apache-2.0

import Orrery

/// What one contribution to a lane does, given its interval, from the old value to the new one.
///
/// Its part of the lane's value is interval · (progress - 1): minus the interval while nothing has moved,
/// 0 when all has. So the lane's base is the new value from the start on, and several contributions add up
/// as SwiftUI's animations do.
package enum LaneMotion: Sendable {
  /// Stands still at a progress: a delay, or a pause.
  case hold(progress: Double)

  /// A curve's way, once. Before `start` the progress is that of the curve's start, from
  /// `start` + `duration` on that of its end. Reversed, it is one minus the curve's.
  ///
  /// `duration` is in seconds; 0 or less, or NaN, is over at once.
  case curve(LaneCurve, start: TickTime, duration: Double, isReversed: Bool = false)

  /// A curve's way again and again, every `period` seconds. Before `start` it stands as at `start`.
  case cycle(LaneCurve, start: TickTime, period: Double)

  /// A spring that at `start` is one interval away from its target, with a velocity in the lane's unit per
  /// second, positive toward larger values.
  ///
  /// For a merged spring the interval is target minus displayed value. Reversed, its progress is one minus
  /// the spring's.
  case spring(Spring, velocity: Double, start: TickTime, isReversed: Bool = false)
}
