// SPDX-License-Identifier: Apache-2.0

/// Moves of one property of each disc of a `Field`, there and back, for ever.
public struct FieldTween: Hashable, Sendable {
  /// What moves.
  public var property: ViewProperty

  /// Where it starts: one drawn for each disc; nil is what the property is anyway.
  public var from: ValueRange?

  /// Where it leads.
  public var end: FieldMoveEnd

  /// Seconds of one way, within 0.001...1000000.
  public var duration: ValueRange

  /// Progress of one way.
  public var curve: UnitCurve

  /// Whether the way back is like the way there; if not, it starts again.
  public var autoreverses: Bool

  /// Makes a move from its parts.
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

/// Springs that pull one property of each disc of a `Field` there and back, for ever.
public struct FieldSpring: Hashable, Sendable {
  /// What moves.
  public var property: ViewProperty

  /// Where it starts: one drawn for each disc; nil is what the property is anyway.
  public var from: ValueRange?

  /// Where it leads.
  public var end: FieldMoveEnd

  /// Seconds of an oscillation, within 0.001...1000000.
  public var response: ValueRange

  /// How much it swings, within 0.01...100; 1 does not overshoot.
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

/// Where a move of a field's discs leads: one value drawn for each disc.
public enum FieldMoveEnd: Hashable, Sendable {
  /// To a value.
  case to(ValueRange)
  /// So far from the start.
  case distance(ValueRange)
}
