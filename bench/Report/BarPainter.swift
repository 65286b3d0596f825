// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws bars: their names are beside them, or above them where the chart is narrow.
struct BarPainter: FigurePainter {
  let size: (width: Double, height: Double)

  private let chart: BarChart
  private let canvas: any ChartCanvas
  private let colors: ChartColors
  private let isNarrow: Bool
  private let titleLines: [String]
  /// Where the first bar is, and the height of each with its name.
  private let top: Double
  private let step: Double
  /// Where bars begin, and where the longest ends; figures stand behind that where a line crosses the bars.
  private let left: Double
  private let right: Double
  /// The smallest and the largest value on the axis.
  private let low: Double
  private let high: Double

  /// Less than any value that is drawn.
  private static let tiny = 1e-12

  /// Plans bars.
  ///
  /// - Throws: `PlotError` if a font is missing.
  init(
    _ chart: BarChart, _ canvas: any ChartCanvas, _ colors: ChartColors, width: Double
  ) throws(PlotError) {
    (self.chart, self.canvas, self.colors) = (chart, canvas, colors)
    isNarrow = width < ChartFont.narrow
    titleLines = try canvas.lines(of: chart.title, .title, width: width - 32)
    // The line's name has a line of its own.
    top = 30 + Double(titleLines.count) * 18 + (chart.line == nil ? 0 : 14)
    step = isNarrow ? 42 : 24
    if isNarrow {
      var figures = 0.0
      for bar in chart.bars { figures = max(figures, try canvas.width(of: bar.text, .small)) }
      left = 16
      right = max(width - 26 - figures, width * 0.3).rounded()
    } else {
      left = (width * 0.415).rounded()
      right = (width * 0.735).rounded()
    }
    size = (width, top + Double(chart.bars.count) * step + 16)
    let line = chart.line.map { [$0.value] } ?? []
    let ends = chart.bars.compactMap(\.interval?.upper).filter(\.isFinite)
    let least = max((chart.bars.map(\.value) + line).min() ?? 1, Self.tiny)
    low = chart.line == nil ? pow(10, floor(log10(least))) : least
    high = max((chart.bars.map(\.value) + line + ends).max() ?? 1, Self.tiny)
  }

  func paint() throws(PlotError) {
    canvas.area(
      PlotArea(left: 0, top: 0, right: size.width, bottom: size.height), color: colors.paper)
    try canvas.text(titleLines, .title, at: PlotPoint(x: 16, y: 26), step: 18, colors.text)
    for (index, bar) in chart.bars.enumerated() {
      let y = top + Double(index) * step
      try paintName(bar.name, y: y)
      try paint(bar, y: isNarrow ? y + 18 : y)
    }
    if let line = chart.line {
      canvas.line(
        [
          PlotPoint(x: x(line.value), y: top - 6),
          PlotPoint(x: x(line.value), y: top + Double(chart.bars.count) * step),
        ], width: 1.5, dash: 5, color: colors.limit)
      let half = try canvas.width(of: line.name, .small) / 2
      let middle = min(max(x(line.value), 16 + half), size.width - 16 - half)
      try canvas.text(
        line.name, .small, .middle, at: PlotPoint(x: middle, y: top - 10), color: colors.limit)
    }
  }

  private func paintName(_ name: String, y: Double) throws(PlotError) {
    let room = isNarrow ? size.width - 32 : left - 18
    let place = PlotPoint(x: isNarrow ? left : left - 10, y: isNarrow ? y + 14 : y + 16)
    try canvas.text(
      shortened(name, to: room), Self.nameFont, isNarrow ? .start : .end, at: place,
      color: colors.text)
  }

  /// The place of a value.
  private func x(_ value: Double) -> Double {
    let part =
      chart.isLogarithmic
      ? (log(max(value, Self.tiny)) - log(low)) / max(log(high) - log(low), Self.tiny)
      : value / high
    return left + part * (right - left)
  }

  private func paint(_ bar: BarChart.Bar, y: Double) throws(PlotError) {
    var end = x(bar.value)
    if let interval = bar.interval, interval.upper.isFinite {
      let (low, high) = (x(interval.lower), x(interval.upper))
      canvas.line(
        [PlotPoint(x: low, y: y + 12), PlotPoint(x: high, y: y + 12)], width: 3, dash: 0,
        color: colors.series[0])
      canvas.disc(PlotPoint(x: end, y: y + 12), radius: 5, color: colors.series[0])
      end = high
    } else {
      let begin = chart.isLogarithmic ? x(chart.line?.value ?? low) : left
      canvas.area(
        PlotArea(
          left: min(begin, end), top: y + 3, right: max(begin, end, min(begin, end) + 1),
          bottom: y + 21),
        color: colors.series[0])
      end = max(begin, end)
    }
    try canvas.text(
      bar.text, .small, .start,
      at: PlotPoint(x: (chart.line == nil ? end : right) + 10, y: y + 16), color: colors.quiet)
  }

  /// A name that fits beside its bar.
  private func shortened(_ name: String, to width: Double) throws(PlotError) -> String {
    var (short, kept) = (name, name)
    while try canvas.width(of: short, Self.nameFont) > width, !kept.isEmpty {
      kept.removeLast()
      short = kept + "…"
    }
    return short
  }

  private static let nameFont = ChartFont(size: 12)
}
