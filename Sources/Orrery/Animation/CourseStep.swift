// SPDX-License-Identifier: Apache-2.0

/// What time goes through on its way to a motion.
enum CourseStep: Sendable {
  /// Seconds; at least the least finite number.
  case delay(Double)

  /// Factor, at least 0.
  case speed(Double)

  case repeats(RepeatedLegs)
}

/// Legs of one length, one after the other.
///
/// Leg k begins at k · length, the product as a Double has it, and the border belongs to it.
struct RepeatedLegs: Sendable {
  /// At least 2; nil for endless ones.
  let count: Int?

  /// s, greater than 0 and finite.
  let length: Double

  /// Whether every second leg runs backwards.
  let autoreverses: Bool

  /// Legs within each of these; nil for endless ones.
  let passes: Int?

  var countAsDouble: Double { count.map(Double.init) ?? .infinity }

  /// Legs in all; nil for endless ones, and for more than can be counted.
  var passCount: Int? {
    guard let count, let passes else { return nil }
    let product = count.multipliedReportingOverflow(by: passes)
    return product.overflow ? nil : product.partialValue
  }

  /// Where a leg begins, s.
  func start(of leg: Double) -> Double { leg * length }

  /// The leg that is played at a time, and the time since it began.
  ///
  /// After the last leg, its end.
  func leg(at time: Double) -> (index: Double, time: Double) {
    var index = (time / length).rounded(.down)
    // The quotient may be one rounding off the border that the product names.
    if start(of: index + 1) <= time { index += 1 }
    if start(of: index) > time { index -= 1 }
    index = max(0, min(index, countAsDouble - 1))
    if index == .infinity { return (0, 0) }
    return (index, max(0, min(length, time - start(of: index))))
  }

  /// Whether a leg runs backwards.
  func isReversed(_ leg: Double) -> Bool {
    autoreverses && leg.truncatingRemainder(dividingBy: 2) == 1
  }
}
