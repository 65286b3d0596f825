// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench draw` prints.
package enum DrawTable {
  /// The columns' names and the size of the pictures.
  package static func heading(width: Int, height: Int) -> String {
    "scene     entities   pictures/s max   median   (\(width)x\(height), one core)\n"
  }

  /// A row.
  ///
  /// - Parameters:
  ///   - name: The scene.
  ///   - entities: Entities of the scene.
  ///   - rounds: Nanoseconds per picture.
  /// - Returns: A line.
  package static func line(_ name: String, entities: Int, _ rounds: Rounds) -> String {
    let cells = [
      TextTable.padded(name, 8, isRight: false) + "  " + TextTable.padded(String(entities), 8),
      TextTable.padded(decimal(1e9 / rounds.min, places: 0), 14),
      TextTable.padded(decimal(1e9 / rounds.median, places: 0), 6),
    ]
    return cells.joined(separator: "   ") + "\n"
  }
}
