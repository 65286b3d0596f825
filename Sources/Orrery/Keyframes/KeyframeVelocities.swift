// SPDX-License-Identifier: Apache-2.0

/// The velocities of keyframes, for a batch that plays them one by one.
package enum KeyframeVelocities {
  /// The velocities with which each of some keyframes begins and ends.
  ///
  /// - Parameters:
  ///   - content: The keyframes in their order.
  ///   - initialValue: Start value of the first one.
  /// - Returns: Per second; 0 for those that jump.
  package static func of(
    _ content: [any KeyframeTrackContent<Double>], from initialValue: Double
  ) -> [(start: Double, end: Double)] {
    let keyframes = content.flatMap { $0.resolved(Double.self) }
    var segments = KeyframeCurve(from: initialValue, keyframes).segments[...]
    return keyframes.map { keyframe in
      guard !keyframe.isJump, let segment = segments.popFirst() else { return (0, 0) }
      return (segment.startVelocity, segment.endVelocity)
    }
  }
}
