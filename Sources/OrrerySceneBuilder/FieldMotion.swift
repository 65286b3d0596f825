// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Moves one property of each disc of a `Field` forward and back, for ever.
public struct FieldTween: Hashable, Sendable {
  /// The property that moves.
  public var property: ViewProperty

  /// Start value, drawn for each disc; nil is the property's default value.
  public var from: ValueRange?

  /// End value, or distance.
  public var end: FieldMoveEnd

  /// Seconds of one direction, within 0.001...1000000.
  public var duration: ValueRange

  /// Progress in one direction.
  public var curve: UnitCurve

  /// Whether it moves back as it moved forward; if not, it jumps back to the start.
  public var autoreverses: Bool

  /// Makes a tween from its parts.
  public init(
    _ property: ViewProperty = .x, from: ValueRange? = nil, end: FieldMoveEnd,
    duration: ValueRange, curve: UnitCurve = .easeInOut, autoreverses: Bool = true
  ) {
    self.property = property
    self.from = from
    self.end = end
    self.duration = duration
    self.curve = curve
    self.autoreverses = autoreverses
  }
}

/// Springs that pull one property of each disc of a `Field` forward and back, for ever.
public struct FieldSpring: Hashable, Sendable {
  /// The property that moves.
  public var property: ViewProperty

  /// Start value, drawn for each disc; nil is the property's default value.
  public var from: ValueRange?

  /// End value, or distance.
  public var end: FieldMoveEnd

  /// Seconds of an oscillation, within 0.001...1000000.
  public var response: ValueRange

  /// Damping ratio, within 0.01...100; 1 does not overshoot.
  public var dampingRatio: ValueRange

  /// Seconds from one start to the next, within 0.001...1000000; at least as long as a spring needs
  /// to settle.
  public var every: ValueRange

  /// Makes springs from their parts.
  public init(
    _ property: ViewProperty = .x, from: ValueRange? = nil, end: FieldMoveEnd,
    response: ValueRange, dampingRatio: ValueRange, every: ValueRange
  ) {
    self.property = property
    self.from = from
    self.end = end
    self.response = response
    self.dampingRatio = dampingRatio
    self.every = every
  }
}

/// End of a motion of a field's discs: one value drawn for each disc.
public enum FieldMoveEnd: Hashable, Sendable {
  /// To a value.
  case to(ValueRange)
  /// At a distance from the start.
  case distance(ValueRange)
}
