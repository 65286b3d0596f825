// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench draw` prints.
package enum DrawTable {
  private static let columns = TextTable([
    .left(10), .right(8), .right(9), .right(17), .right(9),
  ])

  /// The columns' names and the size of the pictures.
  package static func heading(width: Int, height: Int) -> String {
    columns.line([
      "scene", "entities", "threads", "pictures/s max", "median", "   (\(width)x\(height))",
    ])
  }

  /// A row.
  package static func line(_ row: BenchRow) -> String {
    let rates = [row.rounds.min, row.rounds.median].map { ns in
      decimal(1e9 / (ns * Double(row.count)), places: 0)
    }
    return columns.line([row.name, String(row.count), String(row.threads)] + rates)
  }
}
