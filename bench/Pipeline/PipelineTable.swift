// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The table that `bench pipeline` prints, at most 80 columns wide.
package enum PipelineTable {
  private static let columns = TextTable(
    [
      .left(10), .left(10), .right(7), .right(7), .right(7), .right(7), .right(6), .right(7),
      .right(7), .right(6), .right(6),
    ])

  /// What the columns mean, and their names.
  package static func heading(_ report: PipelineReport) -> String {
    let length = decimal(report.durationSeconds, places: 1)
    return """
      One run after the other, live, \(length) s each; the sim computes with one thread.
      p50 to max: ms from a tick's due time until its frame was computed, published,
      found, drawn …. Hz, MB/s: frames and their bytes in a second. CPU s: processor
      time, from start to end. MiB: memory at its largest, with its part of the ring.


      """
        + columns.line([
          " program", "until", "p50", "p99", "p99.9", "max", "Hz", "missed", "MB/s", "CPU s", "MiB",
        ])
  }

  /// The lines of a row; those of a sim alone begin a scene.
  package static func text(_ row: PipelineReport.Row) -> String {
    var text = ""
    if row.subscribers == .none {
      let (entities, bytes) = (Int(row.entities), Int(row.frameBytes))
      text += "\n\(row.scene), \(TextTable.grouped(entities)) entit\(entities == 1 ? "y" : "ies"):"
      text += " frames of \(TextTable.grouped(bytes)) bytes, \(row.slots) slots\n"
    }
    text += row.subscribers.title
    if row.lateTicks > 0 { text += ", \(counted(row.lateTicks, "tick")) late" }
    text += "\n"
    for program in row.programs { text += lines(program) }
    return text
  }

  /// A line for each stage but `begun`; the last has the figures of the program.
  private static func lines(_ program: PipelineReport.Program) -> String {
    let stages = program.stages.filter { $0.name != "begun" }
    return stages.enumerated().map { index, stage in
      let since = stage.sinceDue
      var cells = [index == 0 ? " " + program.program : "", stage.name]
      cells += [since.p50Ns, since.p99Ns, since.p999Ns, since.maxNs].map { ns in
        since.count == 0 ? "-" : figure(Double(ns) / 1e6)
      }
      if index == stages.count - 1 {
        let cost = program.cost
        cells += [
          figure(program.perSecond, places: 1), program.missed.map(String.init) ?? "-",
          figure(program.bytesPerSecond / 1e6),
          figure(cost.userSeconds + cost.systemSeconds, places: 2),
          String(cost.residentMaxBytes >> 20),
        ]
      }
      return columns.line(cells)
    }.joined()
  }

  /// A figure of at most five characters below 100,000.
  ///
  /// - Parameters:
  ///   - value: Not negative.
  ///   - places: Decimal places, at most.
  /// - Returns: The figure, without a unit.
  package static func figure(_ value: Double, places: Int = 3) -> String {
    // 9.9996 would round to six characters.
    let most =
      switch value {
      case ..<9.9995: 3
      case ..<99.995: 2
      case ..<999.95: 1
      default: 0
      }
    return decimal(value, places: min(places, most))
  }
}
