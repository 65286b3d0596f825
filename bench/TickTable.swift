// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench tick` prints.
package enum TickTable {
  /// The columns' names.
  package static let heading = line([
    "entities", "isa", "threads", "ns min", "ns median", "state hash (last tick)",
  ])

  /// Nanoseconds per entity and tick.
  ///
  /// - Parameters:
  ///   - ns: Time of all ticks together.
  ///   - ticks: Count of ticks.
  ///   - entities: Count of entities.
  /// - Returns: The mean.
  package static func nsPerEntity(ns: UInt64, ticks: Int, entities: Int) -> Double {
    Double(ns) / Double(ticks * entities)
  }

  /// A row.
  package static func line(
    entities: Int, isa: String, threads: Int, _ rounds: Rounds, hash: UInt64, tick: UInt64
  ) -> String {
    line([
      String(entities), isa, String(threads), decimal(rounds.min, places: 3),
      decimal(rounds.median, places: 3), "\(hexadecimal(hash)) (\(tick))",
    ])
  }

  /// Cells padded to the columns' widths.
  private static func line(_ cells: [String]) -> String {
    let padded = [
      TextTable.padded(cells[0], 10), TextTable.padded(cells[1], 8, isRight: false),
      TextTable.padded(cells[2], 9), TextTable.padded(cells[3], 8),
      TextTable.padded(cells[4], 11), cells[5],
    ]
    return padded.joined(separator: "  ") + "\n"
  }
}
