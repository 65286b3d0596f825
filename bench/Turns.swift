// SPDX-License-Identifier: Apache-2.0

/// Rows of a group take turns, round after round.
package enum Turns {
  /// The order of rows in a round.
  ///
  /// Each round begins with another row, so no row is always first.
  package static func order(count: Int, round: Int) -> [Int] {
    (0..<count).map { ($0 + round) % count }
  }
}
