// SPDX-License-Identifier: Apache-2.0

/// What one check of a machine found.
package struct DoctorCheck: Codable, Equatable, Sendable {
  /// What was looked at, in one or two words.
  package let name: String
  /// Whether nothing has to be done.
  package let isFine: Bool
  /// What is there.
  package let found: String
  /// What does not work, or costs more, because of it; nil if it is fine.
  package private(set) var cost: String?
  /// What mends it; nil if it is fine.
  package private(set) var remedy: String?

  /// A check that found nothing to be done.
  static func fine(_ name: String, _ found: String) -> Self {
    Self(name: name, isFine: true, found: found)
  }

  /// A check that found something to be done.
  static func finding(
    _ name: String, _ found: String, cost: String, remedy: String
  ) -> Self {
    Self(name: name, isFine: false, found: found, cost: cost, remedy: remedy)
  }

  private init(
    name: String, isFine: Bool, found: String, cost: String? = nil, remedy: String? = nil
  ) {
    (self.name, self.isFine, self.found) = (name, isFine, found)
    (self.cost, self.remedy) = (cost, remedy)
  }
}
