// SPDX-License-Identifier: Apache-2.0

/// Tracks of plain numbers: the same as for vectors, compiled for `Double` in this module, which other
/// modules would do by asking for types at run time.
extension AnimationTrack<Double> {
  /// Changes the value; see `set(_:animation:at:id:velocity:)`.
  package mutating func setNumber(
    _ value: Double, animation: Animation, at time: Double, id: UInt64
  ) -> Change {
    set(value, animation: animation, at: time, id: id)
  }

  /// Removes what is over; see `removeFinished(at:)`.
  package mutating func removeFinishedNumbers(at time: Double) {
    if motions.contains(where: { $0.isFinished(at: time) }) { _ = removeFinished(at: time) }
  }
}
