// SPDX-License-Identifier: Apache-2.0

/// Many small discs, spread over the scene, each with its own motion drawn from the seed.
///
/// Every disc is a function of the seed, the field's index among the scene's fields and the disc's
/// own number, so adding a disc changes no other.
public struct Field: Hashable, Sendable {
  /// Discs, 1...100000000.
  public var count: Int

  /// How they move.
  public var motion: Motion

  /// Radius of every disc in points, 0.1...1000.
  public var discRadius: Double

  /// Colours, 1...256; each disc draws one of them.
  public var colors: [Color]

  /// How a field's discs move, and the ranges of the values drawn for each of them.
  public enum Motion: Hashable, Sendable {
    /// To the left or to the right; points per second, and points of one loop.
    case marquee(speed: ValueRange, period: ValueRange)
    /// In circles; points, and seconds per turn.
    case orbit(radius: ValueRange, duration: ValueRange)
    /// One property, forward and back along a curve.
    case tween(FieldTween)
    /// One property, forward and back on springs.
    case spring(FieldSpring)
  }

  /// Makes a field from its parts; nothing is checked before the scene is planned.
  public init(count: Int, motion: Motion, discRadius: Double, colors: [Color]) {
    self.count = count
    self.motion = motion
    self.discRadius = discRadius
    self.colors = colors
  }

  /// The default radius of a field's discs, in points.
  public static let defaultDiscRadius = 1.5

  /// The default colours of a field.
  public static let defaultColors: [Color] = [.teal, .orange, .pink, .indigo]

  /// Discs that move sideways in a loop.
  ///
  /// - Parameters:
  ///   - count: 1...100000000.
  ///   - speed: Points per second, within 0...100000.
  ///   - period: Points of one loop, within 1...100000.
  ///   - discRadius: Points, 0.1...1000.
  ///   - colors: 1...256 of them.
  /// - Returns: The field.
  public static func marquees(
    count: Int, speed: ClosedRange<Double>, period: ClosedRange<Double>,
    discRadius: Double = defaultDiscRadius, colors: [Color] = defaultColors
  ) -> Field {
    let motion = Motion.marquee(speed: ValueRange(speed), period: ValueRange(period))
    return Field(count: count, motion: motion, discRadius: discRadius, colors: colors)
  }

  /// Discs that move in circles.
  ///
  /// - Parameters:
  ///   - count: 1...100000000.
  ///   - radius: Points, within 0...100000.
  ///   - duration: Seconds per turn, within 0.001...1000000.
  ///   - discRadius: Points, 0.1...1000.
  ///   - colors: 1...256 of them.
  /// - Returns: The field.
  public static func orbits(
    count: Int, radius: ClosedRange<Double>, duration: ClosedRange<Double>,
    discRadius: Double = defaultDiscRadius, colors: [Color] = defaultColors
  ) -> Field {
    let motion = Motion.orbit(radius: ValueRange(radius), duration: ValueRange(duration))
    return Field(count: count, motion: motion, discRadius: discRadius, colors: colors)
  }

  /// Discs; a curve moves one of their properties forward and back.
  ///
  /// - Parameters:
  ///   - count: 1...100000000.
  ///   - tween: The move, drawn for each disc.
  ///   - discRadius: Points, 0.1...1000.
  ///   - colors: 1...256 of them.
  /// - Returns: The field.
  public static func tweens(
    count: Int, _ tween: FieldTween, discRadius: Double = defaultDiscRadius,
    colors: [Color] = defaultColors
  ) -> Field {
    Field(count: count, motion: .tween(tween), discRadius: discRadius, colors: colors)
  }

  /// Discs; springs pull one of their properties forward and back.
  ///
  /// - Parameters:
  ///   - count: 1...100000000.
  ///   - spring: The springs, drawn for each disc.
  ///   - discRadius: Points, 0.1...1000.
  ///   - colors: 1...256 of them.
  /// - Returns: The field.
  public static func springs(
    count: Int, _ spring: FieldSpring, discRadius: Double = defaultDiscRadius,
    colors: [Color] = defaultColors
  ) -> Field {
    Field(count: count, motion: .spring(spring), discRadius: discRadius, colors: colors)
  }
}
