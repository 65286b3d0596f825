// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension MotionPlot {
  /// Time, value and velocity in columns, with the marks below.
  ///
  /// - Parameter rowCount: Number of rows from the start to the end, at least 2.
  /// - Returns: Lines, each with a line end.
  package func table(rowCount: Int = 21) -> String {
    var text = "\(title)\n\(subtitle)\n\n"
    text += Self.row([timeName, "value", velocityName])
    for time in tableTimes(rowCount: rowCount) {
      text += Self.row([
        PlotNumber.text(time, decimals: timeDecimals), PlotNumber.text(value(time), decimals: 6),
        PlotNumber.text(velocity(time), decimals: 6),
      ])
    }
    if !marks.isEmpty { text += "\n" }
    for mark in marks { text += "\(mark.text)\n" }
    return text
  }

  /// The times of the table's rows.
  ///
  /// - Parameter rowCount: Number of rows from the start to the end, at least 2.
  /// - Returns: Equal steps from 0 to `duration`.
  func tableTimes(rowCount: Int = 21) -> [Double] {
    (0..<rowCount).map { duration * Double($0) / Double(max(1, rowCount - 1)) }
  }

  /// Decimals of the time, enough to distinguish the rows of the table.
  private var timeDecimals: Int {
    var (decimals, span) = (3, duration)
    while span < 1, decimals < 12 {
      span *= 10
      decimals += 1
    }
    return decimals
  }

  /// A row of right-aligned columns.
  private static func row(_ cells: [String]) -> String {
    // Programs read the table too: they need ASCII's minus sign.
    let words = cells.map { $0.replacing("−", with: "-") }
    return words.map { " " + $0.alignedRight(15) }.joined() + "\n"
  }
}
