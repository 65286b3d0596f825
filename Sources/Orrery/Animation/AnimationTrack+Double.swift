// SPDX-License-Identifier: Apache-2.0

/// Tracks of plain numbers, specialised for `Double` in this module: calls from other modules to
/// the generic code would look up types at run time.
extension AnimationTrack<Double> {
  /// Points that a transition may move a view by, from absent to shown: a large screen's width.
  package static var transitionPoints: Double { 16_384 }

  /// Changes the value; see `set(_:animation:at:id:velocity:)`.
  package mutating func setNumber(
    _ value: Double, animation: Animation, at time: Double, id: UInt64
  ) -> Change {
    set(value, animation: animation, at: time, id: id)
  }
}
