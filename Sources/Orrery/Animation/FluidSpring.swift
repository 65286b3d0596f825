// SPDX-License-Identifier: Apache-2.0

/// The parameters of a spring that takes over running motions.
struct FluidSpring: Hashable, Sendable {
  /// Seconds, as given.
  let response: Double

  /// Share of critical damping, as given.
  let dampingFraction: Double

  /// Seconds, as given.
  let blendDuration: Double

  /// Largest stiffness for a mass of 1, 1/s²: SwiftUI's.
  static let stiffnessMax = 45_000.0

  /// The spring, its stiffness limited to `stiffnessMax`; a spring that snaps if the response is not greater
  /// than 0 or the damping is NaN.
  var spring: Spring {
    guard response > 0, !dampingFraction.isNaN else {
      return Spring(response: 0, dampingRatio: 1)
    }
    let responseMin = 2 * Double.pi / Self.stiffnessMax.squareRoot()
    return Spring(response: max(response, responseMin), dampingRatio: dampingFraction)
  }
}

extension Spring {
  /// Distance from the target below which a spring counts as settled, as a share of the interval.
  static let settledShare = 0.001

  /// When a motion has settled, in s, relative to its own interval.
  ///
  /// - Parameters:
  ///   - distance: Length of the displacement at the start.
  ///   - drift: Length of displacement · decay + velocity.
  ///   - interval: Length of which `settledShare` is a share.
  /// - Returns: 0 if a length is not finite or the interval is 0: such a motion ends at once.
  func settlingDuration(distance: Double, drift: Double, interval: Double) -> Double {
    guard distance.isFinite, drift.isFinite, interval > 0, interval.isFinite else { return 0 }
    let share = Self.settledShare
    // Relative to the interval, so that equal motions of any size end at the same time.
    let seconds = settlingDuration(
      distance: distance / interval, drift: drift / interval, epsilon: share)
    return seconds.isNaN ? 0 : seconds
  }

  /// A time that is not after that, and is found faster.
  func settlingMinimum(distance: Double, drift: Double, interval: Double) -> Double {
    guard distance.isFinite, drift.isFinite, interval > 0, interval.isFinite else { return 0 }
    return settlingMinimum(
      distance: distance / interval, drift: drift / interval, epsilon: Self.settledShare)
  }
}
