// SPDX-License-Identifier: Apache-2.0

/// A planet that stands still and the moons around it.
///
/// The planet is 0.25 of the height wide and a moon 0.1. Moon i of n, from 1, circles on a diameter
/// of 0.25·height + i·(0.65·height/n), so that the outermost one just fits.
public struct OrbitSystem: Hashable, Sendable {
  /// Height and width of the whole, in points.
  public var height: Double

  /// The moons from the innermost.
  public var moons: Moons

  /// Where the planet's centre stands; nil is the middle of the scene.
  public var center: CGPoint?

  /// Seconds per turn: what is drawn at random for moons that do not say their own.
  public var duration: ValueRange

  /// Colour of the planet.
  public var planetColor: Color

  /// Colour of the moons that do not say their own.
  public var moonColor: Color

  /// The name of the view that the system moves with; nil is none.
  public var parent: String?

  /// Moons as a number or one by one.
  public enum Moons: Hashable, Sendable {
    /// So many moons, all as the system says.
    case count(Int)
    /// Each moon as it says itself.
    case list([Moon])
  }

  /// Makes a system of equal moons.
  ///
  /// - Parameters:
  ///   - height: Points, 1...100000.
  ///   - moons: How many, 0...10000.
  ///   - center: Where the planet's centre stands; nil is the middle of the scene.
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

  /// Makes a system of moons that may each be set apart.
  ///
  /// - Parameters:
  ///   - height: Points, 1...100000.
  ///   - moons: From the innermost; 0...10000.
  ///   - center: Where the planet's centre stands; nil is the middle of the scene.
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

  /// Lets the system move with a view: that one's translation, scale, rotation and opacity, about
  /// that one's centre, act on planet and moons too.
  public func parent(_ name: String) -> OrbitSystem {
    var system = self
    system.parent = name
    return system
  }
}
