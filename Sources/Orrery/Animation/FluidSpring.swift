// SPDX-License-Identifier: Apache-2.0

/// The parameters of a spring that continues with what runs.
struct FluidSpring: Hashable, Sendable {
  /// s, as it was given.
  let response: Double

  /// Share of critical damping, as it was given.
  let dampingFraction: Double

  /// s, as it was given.
  let blendDuration: Double

  /// Largest stiffness for a mass of 1, 1/s²: SwiftUI's.
  static let stiffnessMax = 45_000.0

  /// The spring that moves: one that snaps where response or damping are no numbers, else one that
  /// is at most as stiff as allowed.
  var spring: Spring {
    guard response > 0, !dampingFraction.isNaN else {
      return Spring(response: 0, dampingRatio: 1)
    }
    let responseMin = 2 * Double.pi / Self.stiffnessMax.squareRoot()
    return Spring(response: max(response, responseMin), dampingRatio: dampingFraction)
  }
}

extension Spring {
  /// Distance from the target at which a moving spring is taken away, as a share of the interval.
  static let settledShare = 0.001

  /// When a motion has settled, in s, measured by its own interval.
  ///
  /// - Parameters:
  ///   - distance: Length of the displacement at the start.
  ///   - drift: Length of displacement · decay + velocity.
  ///   - interval: Length that 0.001 is a share of.
  /// - Returns: 0 if the lengths are no numbers: what cannot be computed ends at once.
  func settlingDuration(distance: Double, drift: Double, interval: Double) -> Double {
    guard distance.isFinite, drift.isFinite, interval > 0, interval.isFinite else { return 0 }
    let share = Self.settledShare
    // In shares of the interval: equal motions of any size end at the same time.
    let seconds = settlingDuration(
      distance: distance / interval, drift: drift / interval, epsilon: share)
    return seconds.isNaN ? 0 : seconds
  }
}
