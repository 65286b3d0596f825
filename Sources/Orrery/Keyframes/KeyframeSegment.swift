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

extension KeyframeSegment {
  /// The segments of some keyframes, for a batch that plays them.
  ///
  /// - Parameters:
  ///   - content: The keyframes in their order.
  ///   - initialValue: Start value of the first one.
  /// - Returns: For each keyframe its segment, nil for those that jump; and the value at the end.
  package static func of(
    _ content: [any KeyframeTrackContent<Double>], from initialValue: Double
  ) -> (segments: [KeyframeSegment?], last: Double) {
    let keyframes = content.flatMap { $0.resolved(Double.self) }
    let curve = KeyframeCurve(from: initialValue, keyframes)
    var segments = curve.segments[...]
    let all = keyframes.map { keyframe in
      keyframe.isJump ? nil : segments.popFirst().flatMap { KeyframeSegment($0) }
    }
    return (all, curve.value(time: .infinity))
  }

  private init?(_ segment: KeyframeCurve<Double>.Segment) {
    switch segment.keyframe.shape {
    case .move: return nil
    case .linear(let curve): kind = .linear(curve)
    case .cubic: kind = .cubic
    case .spring(let spring, _): kind = .spring(spring)
    }
    (start, duration) = (segment.start, segment.keyframe.duration)
    (from, to) = (segment.from, segment.keyframe.value)
    (startVelocity, endVelocity) = (segment.startVelocity, segment.endVelocity)
  }
}
