// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench record` prints, at most 80 columns wide.
package enum RecordTable {
  private static let columns = TextTable([.left(43), .right(9), .right(9), .right(10), .right(9)])

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
        "  \(TextTable.grouped(run.entities)) entities, \(run.mode.rawValue), to \(run.target.rawValue)",
        "\(run.missed)", "\(run.published)", decimal(run.p99Ratio, places: 3),
        decimal(Double(run.residentMaxBytes) / 0x1p20, places: 0),
      ])
    }
    return text
  }

  /// Traces of one scene: the cost of making and of using them.
  package static func uses(_ report: RecordReport) -> String {
    guard let first = report.uses.first else { return "" }
    let columns = TextTable([.left(35)] + [TextTable.Column](repeating: .right(11), count: 3))
    func line(_ name: String, _ figure: (RecordUse) -> String?) -> String {
      let figures = RecordUse.Mode.allCases.map { report.use($0).flatMap(figure) ?? "-" }
      return columns.line(["  " + name] + figures)
    }
    func time(_ part: Double, _ use: RecordUse) -> String {
      decimal(Double(use.seekNs[Int(Double(use.seekNs.count - 1) * part)]) / 1e6, places: 2)
    }
    return "\n"
      + columns.line(
        ["traces of \(TextTable.grouped(first.entities)) entities"]
          + RecordUse.Mode.allCases.map(\.rawValue))
      + line("frames") { TextTable.grouped($0.frames) }
      + line("MB") { decimal($0.fileBytes / 1e6, places: 1) }
      + line("bytes kept of two floats") { decimal($0.bytesPerPosition, places: 2) }
      + line("recorded, GB a CPU second") { rate($0.inputBytesPerSecond) }
      + line("recording, by the tick's time") { decimal($0.partOfTick, places: 3) }
      + line("verified, GB a CPU second") { $0.verifiedBytesPerSecond.map(rate) }
      + line("info, ms") { decimal($0.infoSeconds * 1e3, places: 1) }
      + line("seek, ms, median") { time(0.5, $0) }
      + line("seek, ms, slowest of \(first.seekNs.count)") { time(1, $0) }
      + line("MiB, logger and readers") { decimal(Double($0.residentMaxBytes) / 0x1p20, places: 0) }
  }

  private static func rate(_ bytesPerSecond: Double) -> String {
    decimal(bytesPerSecond / 1e9, places: 3)
  }
}
