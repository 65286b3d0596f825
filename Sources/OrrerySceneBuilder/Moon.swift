// SPDX-License-Identifier: Apache-2.0

/// One moon of an `OrbitSystem`; values that are nil are drawn at random or taken from the system.
public struct Moon: Hashable, Sendable {
  /// Seconds per turn; nil is drawn from the system's range.
  public var duration: Double?

  /// Angle at the start in radians, clockwise from the right; nil is drawn from a whole turn.
  public var phase: Double?

  /// Colour; nil is the system's.
  public var color: Color?

  /// Makes a moon.
  ///
  /// - Parameters:
  ///   - duration: Seconds per turn, 0.001...1000000; nil is drawn at random.
  ///   - phase: Radians, 0...2π; nil is drawn at random.
  ///   - color: nil is the system's.
  public init(duration: Double? = nil, phase: Double? = nil, color: Color? = nil) {
    self.duration = duration
    self.phase = phase
    self.color = color
  }
}
