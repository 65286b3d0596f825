// SPDX-License-Identifier: Apache-2.0

/// What fields are called in options, reports and tables: as the cases of `Orrery_Field`.
package enum FieldName {
  /// By number: none, x, y, opacity, scale, rotation, blur.
  private static let names = Orrery_Field.allCases.map { "\($0)" }

  /// All of them, in the order of their numbers.
  package static var all: ArraySlice<String> { names.dropFirst() }

  /// The name of a field, by its number.
  package static func text(_ field: UInt32) -> String {
    (1..<names.count).contains(Int(field)) ? names[Int(field)] : "field \(field)"
  }

  /// The number of a name; nil if it is none.
  package static func number(_ text: some StringProtocol) -> UInt32? {
    (1..<names.count).first { names[$0] == text }.map { UInt32($0) }
  }
}
