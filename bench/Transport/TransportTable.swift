// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench transport` prints, at most 80 columns wide.
package enum TransportTable {
  private static let columns = TextTable(
    [.left(44)] + [TextTable.Column](repeating: .right(9), count: 4))

  /// The machine and the missing programs.
  package static func head(_ report: TransportReport) -> String {
    report.machine.head(
      built: "limits and peers", compiler: report.compiler, missing: report.missing)
      + "reading the clock takes \(decimal(report.counterNs, places: 1)) ns, "
      + "taken off every latency\n"
  }

  /// Table of one group of rows.
  package static func group(_ group: TransportRow.Group, _ rows: [TransportReport.Row]) -> String {
    guard !rows.isEmpty else { return "" }
    let isRate = group == .rate || group == .remote
    let names = isRate ? ["M/s", "GB/s", "missed %"] : ["p50", "p90", "p99", "max"]
    var text = "\n" + columns.line([group.title] + names)
    for row in rows {
      if row.p50Rounds.isEmpty {
        text += TextTable.wrapped("  \(row.name): \(row.failure ?? "not measured")")
      } else if isRate {
        let all = Double(row.received + row.missed)
        text += columns.line([
          "  " + row.name, decimal(row.perSecond / 1e6, places: row.perSecond < 1e4 ? 5 : 3),
          decimal(row.bytesPerSecond / 1e9, places: 2),
          decimal(all > 0 ? Double(row.missed) / all * 100 : 0, places: 1),
        ])
      } else {
        text += columns.line(
          ["  " + row.name] + [row.p50, row.p90, row.p99, row.max].map(time))
      }
      if let failure = row.failure, !row.p50Rounds.isEmpty {
        text += TextTable.wrapped("    ended early: \(failure)")
      }
    }
    return text
  }

  /// A duration with its unit.
  private static func time(_ ns: Double) -> String {
    switch abs(ns) {
    case ..<999.5: "\(decimal(ns, places: 0)) ns"
    case ..<999_500: "\(decimal(ns / 1e3, places: ns < 99_950 ? 2 : 0)) µs"
    default: "\(decimal(ns / 1e6, places: ns < 99_950_000 ? 2 : 0)) ms"
    }
  }
}
