// SPDX-License-Identifier: Apache-2.0

import Foundation

/// When a spring counts as settled in SwiftUI.
///
/// These are SwiftUI's numbers, estimates that do not always hold: a spring may still be farther away.
/// ``settlingBound(target:initialVelocity:epsilon:)`` holds, and ends the library's own animations.
extension Spring {
  /// SwiftUI's estimate for a spring that moves from 0 to 1, from rest, with an epsilon of 0.001; s.
  public var settlingDuration: Double { settlingDuration(target: 1, epsilon: 0.001) }

  /// SwiftUI's estimate of when a spring that started at zero has settled, s.
  ///
  /// With w = 2π/response, z the damping ratio and s = z w:
  ///
  ///     z < 1:   ln((|target| + |target · s - initialVelocity|)/epsilon)/s, at least 0
  ///     z >= 1:  0.1 s after the last tenth of a second, of the first 1013, at which the distance from
  ///              the target is epsilon or more; 0 if that is the last of them
  ///
  /// The first formula adds a length and a velocity.
  ///
  /// - Parameters:
  ///   - target: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Distance from the target, greater than 0.
  /// - Returns: Infinity if it is not damped, or does not move.
  public func settlingDuration<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, epsilon: Double
  ) -> Double {
    let distance = target.length
    if (response + dampingRatio + distance + initialVelocity.length).isNaN { return .nan }
    if response == 0 { return 0 }
    if dampingRatio == .infinity { return distance < epsilon ? 0 : .infinity }
    if dampingRatio < 1 {
      if decay == 0 { return .infinity }
      let drift = (target.scaled(by: decay) - initialVelocity).length
      return max(0, log((distance + drift) / epsilon) / decay)
    }
    guard epsilon > 0 else { return 0 }
    var (time, settled) = (0.0, 0.0)
    for _ in 0..<1013 {
      let left = value(target: target, initialVelocity: initialVelocity, time: time) - target
      time += 0.1
      if left.length >= epsilon { settled = time }
    }
    return settled == time ? 0 : settled
  }

  /// SwiftUI's estimate of when a spring that started at a value has settled, s.
  ///
  /// See ``settlingDuration(target:initialVelocity:epsilon:)``.
  ///
  /// - Parameters:
  ///   - fromValue: Its position at the start.
  ///   - toValue: Target of the spring.
  ///   - initialVelocity: Per second.
  ///   - epsilon: Distance from `toValue`, greater than 0.
  /// - Returns: Infinity if it is not damped, or does not move.
  public func settlingDuration<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, epsilon: Double
  ) -> Double {
    settlingDuration(
      target: toValue.animatableData - fromValue.animatableData,
      initialVelocity: initialVelocity.animatableData, epsilon: epsilon)
  }
}

extension VectorArithmetic {
  /// The length of the vector.
  fileprivate var length: Double { magnitudeSquared.squareRoot() }
}
