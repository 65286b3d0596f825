// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table of a group of timed rows, at most 80 columns wide.
package enum RowTable {
  private static let columns = TextTable([
    .left(41), .right(8), .right(8), .right(5), .right(6), .right(5), .right(7),
  ])

  /// Peers from the fastest to the slowest, then Orrery's rows in their order.
  package static func group(_ rows: [RowReport], of things: String = "entities") -> String {
    guard let first = rows.first else { return "" }
    let peers = rows.filter { $0.subject == .peer }.sorted { $0.minNs < $1.minNs }
    let heading = columns.line([
      "\(first.kind), \(TextTable.grouped(first.entities)) \(things)", "ns min", "median", "±%",
      "bytes", "lim%", "ratio",
    ])
    return "\n" + heading + (peers + rows.filter { $0.subject == .ours }).map(row).joined()
  }

  private static func row(_ row: RowReport) -> String {
    columns.line([
      "  " + title(row), time(row.minNs), time(row.medianNs),
      decimal(row.spread * 100, places: 0), row.bytes.map { decimal($0, places: 1) } ?? "-",
      row.ofLimit.map { decimal($0 * 100, places: 0) } ?? "-",
      row.ratio.map { decimal($0, places: $0 < 0.095 ? 3 : 2) } ?? "-",
    ])
  }

  private static func time(_ ns: Double) -> String { decimal(ns, places: ns < 99.95 ? 3 : 1) }

  /// The title of a row.
  package static func title(_ row: RowReport) -> String {
    if row.subject == .peer {
      return row.name.isEmpty ? row.family : "\(row.family), \(row.name)"
    }
    let threads = row.threads == 1 ? "" : ", \(row.threads) thr."
    return "Orrery \(row.isa.map { $0 + ", " } ?? "")\(row.name)" + threads
  }
}
