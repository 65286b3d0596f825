// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A planet and moons that circle it: sizes by a formula, motions drawn once for each moon.
///
/// Moon i of n, from 1, circles on a diameter of planetSize + i·radiusIncrement, so that the
/// outermost one just fits into the height. A change of the height or of the number of moons
/// changes radii at once, but no moon's phase or period: these are functions of the seed and the
/// moon's own number.
public struct OrbitSystemMotion: Hashable, Sendable {
  /// Height of the whole system, in points.
  public var height: Double

  /// Number of moons; below 0 counts as 0.
  public var moonCount: Int

  /// Seed of phases and periods.
  public let seed: UInt64

  /// Seconds per turn of the moons.
  public let periods: ClosedRange<Double>

  /// Makes a system.
  ///
  /// - Parameters:
  ///   - height: Height of the whole system, in points.
  ///   - moonCount: Number of moons.
  ///   - seed: Seed of phases and periods.
  ///   - periods: Seconds per turn.
  public init(
    height: Double, moonCount: Int, seed: UInt64 = 1, periods: ClosedRange<Double> = 10...100
  ) {
    self.height = height
    self.moonCount = moonCount
    self.seed = seed
    self.periods = periods
  }

  /// Diameter of the planet in points: 0.25 of the height.
  public var planetSize: Double { 0.25 * height }

  /// Diameter of a moon in points: 0.1 of the height.
  public var moonSize: Double { 0.1 * height }

  /// Points by which diameters grow from moon to moon; 0 without moons.
  public var radiusIncrement: Double {
    moonCount > 0 ? (height - planetSize - moonSize) / Double(moonCount) : 0
  }

  /// The radius of a moon's orbit.
  ///
  /// - Parameter moon: From 1 at the innermost.
  /// - Returns: Points.
  public func radius(moon: Int) -> Double { (planetSize + radiusIncrement * Double(moon)) / 2 }

  /// The motion of a moon.
  ///
  /// - Parameter moon: From 1 at the innermost.
  /// - Returns: A circle with a phase in 0..<2π and a period in ``periods``.
  public func orbit(moon: Int) -> OrbitMotion {
    let (lower, upper) = (periods.lowerBound, periods.upperBound)
    return OrbitMotion(
      radius: radius(moon: moon),
      period: min(lower + (upper - lower) * unit(moon: moon, draw: 0), upper),
      phase: 2 * .pi * unit(moon: moon, draw: 1))
  }

  /// The motions of all moons, from the innermost.
  public var orbits: [OrbitMotion] {
    moonCount > 0 ? (1...moonCount).map { orbit(moon: $0) } : []
  }

  /// A number in [0, 1) that depends only on the seed, the moon and the draw: SplitMix64's output
  /// for each in turn.
  private func unit(moon: Int, draw: UInt64) -> Double {
    let number = UInt64(bitPattern: Int64(moon)) &* 2 &+ draw
    return Double(Self.mix(Self.mix(seed) &+ number) >> 11) * 0x1p-53
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var bits = value &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Whether moons turn if each of them toggles one common flag when it appears, as it is often
  /// written.
  ///
  /// - Parameter moonCount: Number of moons.
  /// - Returns: False for an even number: the flag ends where it began.
  public static func turnsAsWritten(moonCount: Int) -> Bool {
    moonCount > 0 && !moonCount.isMultiple(of: 2)
  }
}
