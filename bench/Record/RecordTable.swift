// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench record` prints, at most 80 columns wide.
package enum RecordTable {
  private static let columns = TextTable([.left(44), .right(9), .right(9), .right(9), .right(9)])

  /// The machine and the missing programs.
  package static func head(_ report: RecordReport) -> String {
    report.machine.head(built: "", compiler: nil, missing: report.missing)
      + "frames of \(TextTable.grouped(report.entities)) entities, "
      + "\(TextTable.grouped(report.frameBytes)) bytes\n"
  }

  /// The rows of one target: limits first, then peers, then Orrery.
  package static func rows(_ target: RecordReport.Target, of report: RecordReport) -> String {
    let title =
      switch target {
      case .memory: "to memory, one core"
      case .shm: "to /dev/shm"
      case .disk: "to disk"
      }
    let rows = report.rows.filter { $0.target == target }
    guard !rows.isEmpty else { return "" }
    var text = "\n" + columns.line([title, "GB/s", "min", "max", "stored"])
    for subject in [BenchRow.Subject.limit, .peer, .ours] {
      for row in rows where row.subject == subject {
        text += columns.line([
          "  " + row.name, rate(row.bytesPerSecond),
          rate(row.bytesPerSecondRounds.min() ?? 0), rate(row.bytesPerSecondRounds.max() ?? 0),
          row.stored.map { decimal($0, places: 3) } ?? "-",
        ])
      }
    }
    return text
  }

  /// Whole runs.
  package static func runs(_ report: RecordReport) -> String {
    guard !report.runs.isEmpty else { return "" }
    var text = "\n" + columns.line(["runs at 60 Hz", "missed", "of", "p99 ratio", "MiB"])
    for run in report.runs {
      text += columns.line([
        "  \(TextTable.grouped(run.entities)) entities, to \(run.target.rawValue)",
        "\(run.missed)", "\(run.published)", decimal(run.p99Ratio, places: 3),
        decimal(Double(run.residentMaxBytes) / 0x1p20, places: 0),
      ])
    }
    return text
  }

  private static func rate(_ bytesPerSecond: Double) -> String {
    decimal(bytesPerSecond / 1e9, places: 3)
  }
}
