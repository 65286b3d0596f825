// SPDX-License-Identifier: Apache-2.0

/// Rows of a group take turns, round after round.
package enum Turns {
  /// The order of a round: each begins with another row, so that whatever follows whom, it does not always.
  package static func order(count: Int, round: Int) -> [Int] {
    (0..<count).map { ($0 + round) % count }
  }
}
