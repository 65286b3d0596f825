// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench tick` prints.
package enum TickTable {
  private static let columns = TextTable([
    .right(10), .left(10), .right(11), .right(10), .right(13),
  ])

  /// The columns' names.
  package static let heading = columns.line([
    "entities", "  isa", "threads", "ns min", "ns median", "  state hash (last tick)",
  ])

  /// A row, with the state hash of the last tick.
  package static func line(_ row: BenchRow, hash: UInt64, tick: UInt64) -> String {
    columns.line([
      String(row.count), "  " + (row.isa ?? ""), String(row.threads),
      decimal(row.rounds.min, places: 3), decimal(row.rounds.median, places: 3),
      "  \(hexadecimal(hash)) (\(tick))",
    ])
  }
}
