// SPDX-License-Identifier: Apache-2.0

/// The range of a number, with its unit.
package struct SceneLimit: Equatable, Sendable {
  /// Allowed values.
  package let range: ClosedRange<Double>
  /// Their unit, for messages.
  package let unit: String

  package init(_ range: ClosedRange<Double>, _ unit: String) {
    self.range = range
    self.unit = unit
  }
}

extension SceneLimit: CustomStringConvertible {
  /// `0...100000 points per second`.
  package var description: String {
    "\(SceneNumber.text(range.lowerBound))...\(SceneNumber.text(range.upperBound)) \(unit)"
  }
}
