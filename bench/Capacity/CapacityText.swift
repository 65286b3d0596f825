// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table of capacities, at most 80 columns wide.
package enum CapacityText {
  private static let columns = TextTable([
    .left(36), .right(6), .right(13), .right(8), .right(7),
  ])

  /// The columns' names.
  package static let heading = columns.line(["", "Hz", "entities", "held", "x 1.1"])

  /// A search: its number, how sure it is, and what limits larger runs.
  package static func line(_ result: CapacityResult) -> String {
    let number = result.entities == 0 ? "none" : TextTable.grouped(result.entities)
    var text = columns.line([
      result.scene, decimal(result.rateHz, places: 0), (result.isOpen ? "≥ " : "") + number,
      "\(result.confirmed) of \(result.confirmations)",
      result.failsAbove.map { $0 ? "fails" : "holds" } ?? "-",
    ])
    if let cause = result.firstCause, let evidence = result.evidence {
      let name = cause.rawValue.replacing("_", with: " ")
      text += TextTable.wrapped("   \(name) gave in first, \(evidence)")
    }
    return text
  }
}
