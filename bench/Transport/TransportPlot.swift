// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryPlot

/// A plot of a run's latencies: a line for each row from p50 to p99, on a logarithmic scale.
package enum TransportPlot {
  private static let rowHeight = 26.0
  private static let top = 150.0
  private static let left = 360.0
  private static let right = 1040.0
  private static let width = 1120

  /// Draws a report.
  ///
  /// - Throws: `PlotError`.
  package static func write(
    _ report: TransportReport, path: String, format: PlotFile.Format
  ) throws(PlotError) {
    let rows = LatencyScale.groups(of: report)
    let lineCount = rows.reduce(0) { $0 + $1.count + 2 }
    guard
      let size = PictureSize("\(width)x\(Int(top + rowHeight * Double(lineCount) + 60) / 2 * 2)")
    else { return }
    try PlotFile.write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try paint(report, rows, drawing, size)
    }
  }

  private static func color(_ subject: StudyRow.Subject) -> UInt32 {
    switch subject {
    case .ours: 0x1d4e_d8ff
    case .peer: 0xd946_00ff
    case .limit: 0x5f67_79ff
    }
  }

  private static func paint(
    _ report: TransportReport, _ groups: [[TransportReport.Row]], _ drawing: Drawing,
    _ size: PictureSize
  ) throws(PlotError) {
    let bottom = Double(size.height) - 40
    drawing.area(
      PlotArea(left: 0, top: 0, right: Double(size.width), bottom: Double(size.height)),
      color: 0xffff_ffff)
    try text("From publishing to reading in place", drawing, x: 40, y: 50, font: "Semi-Bold 24")
    let machine = BenchMachine()
    let facts = [machine.processor, machine.commit.map { "commit \($0)" }]
    try text(
      facts.compactMap { $0 }.joined(separator: " · ") + " · dot: p50, end of the line: p99",
      drawing,
      x: 40, y: 78, font: "14", color: 0x5f67_79ff)
    var x = 40.0
    for (subject, name) in [
      (StudyRow.Subject.ours, "Orrery"), (.peer, "peers"), (.limit, "limits of the machine"),
    ] {
      drawing.disc(PlotPoint(x: x + 6, y: 102), radius: 6, color: color(subject))
      try text(name, drawing, x: x + 18, y: 107, font: "14")
      x += 60 + 9 * Double(name.count)
    }
    let scale = LatencyScale(groups.flatMap { $0 }, left: left, right: right)
    let position = scale.x
    for power in scale.powers {
      let at = position(pow(10, Double(power)))
      drawing.line(
        [PlotPoint(x: at, y: top - 20), PlotPoint(x: at, y: bottom)], width: 1, color: 0xe3e6_eeff)
      try text(
        LatencyScale.name(power), drawing, x: at - 16, y: top - 26, font: "12", color: 0x5f67_79ff)
    }
    var y = top
    for rows in groups {
      if let group = rows.first?.group {
        try text(group.title, drawing, x: 40, y: y + 18, font: "Semi-Bold 14")
      }
      y += rowHeight
      for row in rows {
        try text(row.name, drawing, x: 52, y: y + 18, font: "13")
        let middle = y + 13
        drawing.line(
          [PlotPoint(x: position(row.p50), y: middle), PlotPoint(x: position(row.p99), y: middle)],
          width: 3, color: color(row.subject))
        drawing.disc(
          PlotPoint(x: position(row.p50), y: middle), radius: 5.5, color: color(row.subject))
        y += rowHeight
      }
      y += rowHeight
    }
  }

  private static func text(
    _ string: String, _ drawing: Drawing, x: Double, y: Double, font: String,
    color: UInt32 = 0x1d23_30ff
  ) throws(PlotError) {
    drawing.text(
      try drawing.shape(string, font: "Noto Sans " + font), at: PlotPoint(x: x, y: y), color: color)
  }
}
