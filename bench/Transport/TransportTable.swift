// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench transport` prints, at most 80 columns wide.
package enum TransportTable {
  private static let nameWidth = 44

  private static func padded(_ text: String, _ width: Int, isRight: Bool = true) -> String {
    TextTable.padded(text, width, isRight: isRight)
  }

  private static func line(_ name: String, _ cells: [String]) -> String {
    padded(name, nameWidth, isRight: false) + cells.map { padded($0, 9) }.joined() + "\n"
  }

  /// The machine and the missing programs.
  package static func head(_ report: TransportReport) -> String {
    let machine = report.machine
    var text = "\(machine.processor ?? "unknown processor"), \(machine.processorCount) cores\n"
    text += "kernel \(machine.kernel ?? "unknown"), commit \(machine.commit ?? "unknown")\n"
    if let compiler = report.compiler { text += "limits and peers built with \(compiler)\n" }
    for line in report.missing { text += TextTable.wrapped("left out: \(line)") }
    text +=
      "reading the clock takes \(decimal(report.counterNs, places: 1)) ns, taken off every latency\n"
    return text
  }

  /// Table of one group of rows.
  package static func group(_ group: TransportRow.Group, _ rows: [TransportReport.Row]) -> String {
    guard !rows.isEmpty else { return "" }
    let isRate = group == .rate || group == .remote
    var text =
      "\n"
      + line(group.title, isRate ? ["M/s", "GB/s", "missed %"] : ["p50", "p90", "p99", "max"])
    for row in rows {
      if row.p50Rounds.isEmpty {
        text += TextTable.wrapped("  \(row.name): \(row.failure ?? "not measured")")
      } else if isRate {
        let all = Double(row.received + row.missed)
        text += line(
          "  " + row.name,
          [
            decimal(row.perSecond / 1e6, places: row.perSecond < 1e4 ? 5 : 3),
            decimal(row.bytesPerSecond / 1e9, places: 2),
            decimal(all > 0 ? Double(row.missed) / all * 100 : 0, places: 1),
          ])
      } else {
        text += line("  " + row.name, [row.p50, row.p90, row.p99, row.max].map(time))
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

  /// Table of the goals and their verdicts.
  package static func goals(_ goals: [TransportReport.Goal]) -> String {
    var text =
      "\n" + padded("goal", 53, isRight: false) + padded("wanted", 9) + padded("measured", 9)
      + "  verdict\n"
    for goal in goals {
      guard let measured = goal.measured else { continue }
      text +=
        padded("  " + goal.name, 53, isRight: false)
        + padded((goal.isLimit ? "≤ " : "≥ ") + decimal(goal.wanted, places: 2), 9)
        + padded(decimal(measured, places: measured < 999.5 ? 2 : 0), 9) + "  \(goal.verdict)\n"
    }
    let unmeasured = goals.count { $0.measured == nil }
    return unmeasured == 0 ? text : text + "  not measured in this run: \(unmeasured)\n"
  }
}
