// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench tick` prints.
package enum TickTable {
  private static let columns = TextTable([
    .right(10), .left(10), .right(10), .left(9), .right(9), .right(10), .right(10),
  ])

  /// The columns' names.
  package static let heading = columns.line([
    "entities", "  isa", "threads", "  hash", "ns min", "ns median", "to first",
    "  state hash (last tick)",
  ])

  /// A row, with the state hash of the last tick.
  ///
  /// - Parameters:
  ///   - row: The measured row.
  ///   - first: The median of the first row with the same entities and instruction set, divided by this
  ///     row's.
  /// - Returns: A line.
  package static func line(_ row: TickReport.Row, toFirst first: Double) -> String {
    let threads =
      row.threads == 1 ? "1" : "\(decimal(row.threadsMean, places: 1))/\(row.threads)"
    return columns.line([
      String(row.entities), "  " + (row.isa ?? ""), threads, "  \(row.hash)",
      decimal(row.minNs, places: 3), decimal(row.medianNs, places: 3),
      decimal(first, places: 2) + "×", "  \(row.stateHash) (\(row.tick))",
    ])
  }
}
