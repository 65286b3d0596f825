// SPDX-License-Identifier: Apache-2.0

/// A conversion of time on its way to a motion.
enum CourseStep: Sendable {
  /// Seconds; negative ones are finite.
  case delay(Double)

  /// Factor, at least 0.
  case speed(Double)

  case repeats(RepeatedLegs)
}

/// Legs of equal length, one after the other.
///
/// Leg k begins at k · length, rounded to a Double; the boundary belongs to leg k.
struct RepeatedLegs: Sendable {
  /// At least 2; nil if endless.
  let count: Int?

  /// Seconds, greater than 0 and finite.
  let length: Double

  /// Whether every second leg runs backwards.
  let autoreverses: Bool

  /// Legs inside each of these legs; nil if endless.
  let innerLegCount: Int?

  var countAsDouble: Double { count.map(Double.init) ?? .infinity }

  /// Legs in all, counted inside each leg; nil if endless, or more than an `Int` holds.
  var totalLegCount: Int? {
    guard let count, let innerLegCount else { return nil }
    let product = count.multipliedReportingOverflow(by: innerLegCount)
    return product.overflow ? nil : product.partialValue
  }

  /// Where a leg begins, s.
  func start(of leg: Double) -> Double { leg * length }

  /// The leg at a time, and the time since it began.
  ///
  /// After the last leg, the end of that leg.
  func leg(at time: Double) -> (index: Double, time: Double) {
    var index = (time / length).rounded(.down)
    // The rounded quotient may fall on the wrong side of the boundary, which the product defines.
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
