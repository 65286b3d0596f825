// SPDX-License-Identifier: Apache-2.0

/// The motion of a number from one keyframe to the next, with the velocities that the track gives it.
package struct KeyframeSegment: Hashable, Sendable {
  /// How the value is reached.
  package enum Kind: Hashable, Sendable {
    /// Along a timing curve.
    case linear(UnitCurve)
    /// Along a cubic Hermite curve, with the segment's velocities.
    case cubic
    /// On a spring, with the segment's velocity at the start.
    case spring(Spring)
  }

  /// Seconds from the start of the track.
  package let start: Double

  /// Seconds; more than 0.
  package let duration: Double

  /// The value at its start.
  package let from: Double

  /// The value at its end; a spring that has not settled by then jumps there.
  package let to: Double

  /// Per second.
  package let startVelocity: Double

  /// Per second.
  package let endVelocity: Double

  /// How the value is reached.
  package let kind: Kind
}

extension KeyframeTrackContent where Value == Double {
  /// The segments of these keyframes, for a batch that plays them.
  ///
  /// - Parameter initialValue: Start value of the first one.
  /// - Returns: The segments in their order, without keyframes that jump, and the value at the end.
  package func segments(from initialValue: Double) -> (segments: [KeyframeSegment], last: Double) {
    let curve = KeyframeCurve(from: initialValue, resolved(Double.self))
    return (curve.numberSegments, curve.value(time: .infinity))
  }
}

extension KeyframeCurve where Value == Double {
  fileprivate var numberSegments: [KeyframeSegment] {
    segments.compactMap { segment in
      let kind: KeyframeSegment.Kind
      switch segment.keyframe.shape {
      case .move: return nil
      case .linear(let curve): kind = .linear(curve)
      case .cubic: kind = .cubic
      case .spring(let spring, _): kind = .spring(spring)
      }
      return KeyframeSegment(
        start: segment.start, duration: segment.keyframe.duration, from: segment.from,
        to: segment.keyframe.value, startVelocity: segment.startVelocity,
        endVelocity: segment.endVelocity, kind: kind)
    }
  }
}
