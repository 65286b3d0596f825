// SPDX-License-Identifier: Apache-2.0

/// What a build can measure in turns with another: the first line of `bench turn-part`.
package struct TurnOffer: Codable, Sendable {
  /// The rows, without rounds: names, units, entities and state hashes.
  package var rows: [StudyRow]
  /// The machine and the build.
  package var context: StudyContext
}

/// A round that `bench turn-part` is asked for: a line of its input.
package struct TurnRequest: Codable, Sendable {
  /// The row, counted from 0.
  package var row: Int
  /// Nanoseconds of the round, at least.
  package var ns: UInt64
  /// A slowdown to plant, as a fraction; 0 except in tests.
  package var plant: Double

  /// A request.
  package init(row: Int, ns: UInt64, plant: Double = 0) {
    (self.row, self.ns, self.plant) = (row, ns, plant)
  }
}

/// The answer to a request: a line of the output of `bench turn-part`.
package struct TurnAnswer: Codable, Sendable {
  /// The round's figure in the row's unit; nil if it could not be measured.
  package var value: Double?
  /// Why not.
  package var error: String?
}
