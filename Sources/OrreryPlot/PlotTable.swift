// SPDX-License-Identifier: Apache-2.0

extension MotionPlot {
  /// Time, value and velocity in columns, with the marks below.
  ///
  /// - Parameter rowCount: Lines of numbers, at least 2: from the start to the end.
  /// - Returns: Lines, each with its end.
  package func table(rowCount: Int = 21) -> String {
    var text = "\(title)\n\(subtitle)\n\n"
    text += Self.row([timeName, "value", velocityName])
    for index in 0..<rowCount {
      let time = duration * Double(index) / Double(max(1, rowCount - 1))
      text += Self.row([
        PlotNumber.text(time, places: timePlaces), PlotNumber.text(value(time), places: 6),
        PlotNumber.text(velocity(time), places: 6),
      ])
    }
    if !marks.isEmpty { text += "\n" }
    for mark in marks { text += "\(mark.text)\n" }
    return text
  }

  /// Digits that tell rows of the table from each other.
  private var timePlaces: Int {
    var (places, span) = (3, duration)
    while span < 1, places < 12 {
      span *= 10
      places += 1
    }
    return places
  }

  /// Columns, right-aligned.
  private static func row(_ cells: [String]) -> String {
    // Programs read the table too: a minus sign that is none of ASCII's would stop them.
    let words = cells.map { $0.replacing("−", with: "-") }
    return words.map { String(repeating: " ", count: max(1, 16 - $0.count)) + $0 }.joined() + "\n"
  }
}
