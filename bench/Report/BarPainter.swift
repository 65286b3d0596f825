// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot
import OrreryText

/// Draws bars.
struct BarPainter {
  static let barHeight = 24.0
  static let top = 48.0
  private static let left = 300.0
  private static let right = 190.0

  let chart: BarChart
  let drawing: Drawing
  let colors: ChartColors
  let size: PictureSize
  /// The smallest and the largest value on the axis.
  private let low: Double
  private let high: Double

  /// Less than any value that is drawn.
  private static let tiny = 1e-12

  init(chart: BarChart, drawing: Drawing, colors: ChartColors, size: PictureSize) {
    (self.chart, self.drawing, self.colors, self.size) = (chart, drawing, colors, size)
    let line = chart.line.map { [$0] } ?? []
    let ends = chart.bars.compactMap(\.interval?.upper).filter(\.isFinite)
    low = max((chart.bars.map(\.value) + line).min() ?? 1, Self.tiny)
    high = max((chart.bars.map(\.value) + line + ends).max() ?? 1, Self.tiny)
  }

  func paint() throws(PlotError) {
    let width = Double(size.width)
    drawing.area(
      PlotArea(left: 0, top: 0, right: width, bottom: Double(size.height)), color: colors.paper)
    let title = try drawing.shape(chart.title, font: "Noto Sans Semi-Bold 15")
    drawing.text(title, at: PlotPoint(x: 16, y: 26), color: colors.text)
    for (index, bar) in chart.bars.enumerated() {
      try paint(bar, y: Self.top + Double(index) * Self.barHeight)
    }
    if let line = chart.line {
      drawing.line(
        [
          PlotPoint(x: x(line), y: Self.top - 6),
          PlotPoint(x: x(line), y: Self.top + Double(chart.bars.count) * Self.barHeight),
        ], width: 1.5, dash: 5, color: colors.limit)
    }
  }

  /// The place of a value.
  private func x(_ value: Double) -> Double {
    let part =
      chart.isLogarithmic
      ? (log(max(value, Self.tiny)) - log(low)) / max(log(high) - log(low), Self.tiny)
      : value / high
    return Self.left + part * (Double(size.width) - Self.left - Self.right)
  }

  private func paint(_ bar: BarChart.Bar, y: Double) throws(PlotError) {
    let name = try shortened(bar.name)
    drawing.text(
      name, at: PlotPoint(x: Self.left - 10 - name.size.width, y: y + 16), color: colors.text)
    var end = x(bar.value)
    if let interval = bar.interval, interval.upper.isFinite {
      let (low, high) = (x(interval.lower), x(interval.upper))
      drawing.line(
        [PlotPoint(x: low, y: y + 12), PlotPoint(x: high, y: y + 12)], width: 3,
        color: colors.series[0])
      drawing.disc(PlotPoint(x: end, y: y + 12), radius: 5, color: colors.series[0])
      end = high
    } else {
      let begin = chart.isLogarithmic ? x(chart.line ?? 1) : Self.left
      drawing.area(
        PlotArea(
          left: min(begin, end), top: y + 3, right: max(begin, end, min(begin, end) + 1),
          bottom: y + 21),
        color: colors.series[0])
      end = max(begin, end)
    }
    let text = try drawing.shape(bar.text, font: "Noto Sans 11")
    drawing.text(text, at: PlotPoint(x: end + 10, y: y + 16), color: colors.quiet)
  }

  /// A name that fits beside its bar.
  private func shortened(_ name: String) throws(PlotError) -> ShapedLine {
    var (short, kept) = (try drawing.shape(name, font: Self.nameFont), name)
    while short.size.width > Self.left - 18, !kept.isEmpty {
      kept.removeLast()
      short = try drawing.shape(kept + "…", font: Self.nameFont)
    }
    return short
  }

  private static let nameFont = "Noto Sans 12"
}
