// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A value of a scene with the limit that it must keep.
package enum CheckedValue: Sendable {
  case number(Double, SceneLimit)
  case count(Int, SceneLimit)
  case range(ValueRange, SceneLimit)
  /// Two numbers, each within the limit.
  case pair(Double, Double, SceneLimit)
  case text(String, bytesMax: Int)
  case rate(TickRate)
  case locale(String)
  case timeZone(String)
  case currency(String)
  case flag(String)
  /// The name of an image's file.
  case image(String)
  case clockFormat(String)
  case schedule(TimelineClock.Schedule)
  case animation(Animation)
  case transition(AnyTransition)
  /// A keyframe's spring, which must come to rest.
  case spring(Spring)
  /// The name of the view that another thing moves with.
  case parent(String)
  /// A list: its length, and the elements that are checked.
  case list(Int, SceneLimit, [CheckedValue])
  /// A table by its keys.
  case table([(key: String, value: CheckedValue)])
}
