// SPDX-License-Identifier: Apache-2.0

/// Time of one unit of work in each round, in nanoseconds.
package struct Rounds {
  /// Creates a list without rounds.
  package init() {}

  /// Times in the order of the rounds.
  package private(set) var all: [Double] = []

  /// Adds a round.
  package mutating func add(_ ns: Double) { all.append(ns) }

  /// Count of rounds.
  package var count: Int { all.count }

  /// Time of the fastest round; 0 without rounds.
  package var min: Double { all.min() ?? 0 }

  /// Their median; 0 without rounds.
  package var median: Double { SampleSummary.median(all) }
}

/// Rows of a group take turns, round after round.
package enum Turns {
  /// The order of rows in a round.
  ///
  /// Each round begins with another row, so no row is always first.
  package static func order(count: Int, round: Int) -> [Int] {
    (0..<count).map { ($0 + round) % count }
  }

  /// Lets rows take turns.
  ///
  /// - Parameters:
  ///   - rows: Rows of a group.
  ///   - rounds: How often each has its turn.
  ///   - measure: Measures a round of a row.
  package static func take<Row>(_ rows: [Row], rounds: Int, _ measure: (Row) -> Void) {
    for round in 0..<rounds {
      for index in order(count: rows.count, round: round) { measure(rows[index]) }
    }
  }
}
