// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A planet that stands still and the moons around it.
///
/// The planet's diameter is 0.25 of the height, a moon's 0.1. Moon i of n, from 1, circles on a
/// diameter of 0.25·height + i·(0.65·height/n), so that the outermost one just fits.
public struct OrbitSystem: Hashable, Sendable {
  /// Height and width of the whole system, in points.
  public var height: Double

  /// The moons from the innermost.
  public var moons: Moons

  /// Position of the planet's centre; nil is the middle of the scene.
  public var center: CGPoint?

  /// Seconds per turn, drawn at random for moons that have no duration of their own.
  public var duration: ValueRange

  /// Colour of the planet.
  public var planetColor: Color

  /// Colour of moons that have none of their own.
  public var moonColor: Color

  /// The name of its parent, the view that it moves with; nil is none.
  public var parent: String?

  /// Moons as a number, or one by one.
  public enum Moons: Hashable, Sendable {
    /// A number of moons, all with the system's values.
    case count(Int)
    /// Each moon with values of its own.
    case list([Moon])
  }

  /// Makes a system of equal moons.
  ///
  /// - Parameters:
  ///   - height: Points, 1...100000.
  ///   - moons: Number of moons, 0...10000.
  ///   - center: Position of the planet's centre; nil is the middle of the scene.
  ///   - duration: Seconds per turn, one drawn for each moon; within 0.001...1000000.
  ///   - planetColor: Colour of the planet.
  ///   - moonColor: Colour of the moons.
  public init(
    height: Double, moons: Int, center: CGPoint? = nil, duration: ClosedRange<Double> = 10...100,
    planetColor: Color = .blue, moonColor: Color = .gray
  ) {
    self.init(
      height: height, moons: .count(moons), center: center, duration: ValueRange(duration),
      planetColor: planetColor, moonColor: moonColor)
  }

  /// Makes a system of moons that are set one by one.
  ///
  /// - Parameters:
  ///   - height: Points, 1...100000.
  ///   - moons: From the innermost; 0...10000.
  ///   - center: Position of the planet's centre; nil is the middle of the scene.
  ///   - duration: Seconds per turn, one drawn for each moon; within 0.001...1000000.
  ///   - planetColor: Colour of the planet.
  ///   - moonColor: Colour of the moons that have none.
  public init(
    height: Double, moons: [Moon], center: CGPoint? = nil,
    duration: ClosedRange<Double> = 10...100, planetColor: Color = .blue, moonColor: Color = .gray
  ) {
    self.init(
      height: height, moons: .list(moons), center: center, duration: ValueRange(duration),
      planetColor: planetColor, moonColor: moonColor)
  }

  package init(
    height: Double, moons: Moons, center: CGPoint?, duration: ValueRange, planetColor: Color,
    moonColor: Color
  ) {
    self.height = height
    self.moons = moons
    self.center = center
    self.duration = duration
    self.planetColor = planetColor
    self.moonColor = moonColor
  }

  /// Moves the system with a view, its parent: the parent's translation, scale, rotation and
  /// opacity apply to planet and moons too, about the parent's centre.
  public func parent(_ name: String) -> OrbitSystem {
    var system = self
    system.parent = name
    return system
  }
}
