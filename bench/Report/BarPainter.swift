// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws bars.
struct BarPainter {
  static let barHeight = 24.0
  static let top = 48.0
  /// Parts of the width, for names and for figures.
  private static let (leftPart, rightPart) = (0.415, 0.265)

  private let chart: BarChart
  private let canvas: any ChartCanvas
  private let colors: ChartColors
  private let size: PictureSize
  /// Where bars begin, and where the longest ends; figures stand behind that where a line crosses the bars.
  private let left: Double
  private let right: Double
  /// The smallest and the largest value on the axis.
  private let low: Double
  private let high: Double

  /// Less than any value that is drawn.
  private static let tiny = 1e-12

  init(_ chart: BarChart, _ canvas: any ChartCanvas, _ colors: ChartColors, size: PictureSize) {
    (self.chart, self.canvas, self.colors, self.size) = (chart, canvas, colors, size)
    left = (Double(size.width) * Self.leftPart).rounded()
    right = (Double(size.width) * (1 - Self.rightPart)).rounded()
    let line = chart.line.map { [$0.value] } ?? []
    let ends = chart.bars.compactMap(\.interval?.upper).filter(\.isFinite)
    let least = max((chart.bars.map(\.value) + line).min() ?? 1, Self.tiny)
    low = chart.line == nil ? pow(10, floor(log10(least))) : least
    high = max((chart.bars.map(\.value) + line + ends).max() ?? 1, Self.tiny)
  }

  func paint() throws(PlotError) {
    let width = Double(size.width)
    canvas.area(
      PlotArea(left: 0, top: 0, right: width, bottom: Double(size.height)), color: colors.paper)
    try canvas.text(
      chart.title, ChartFont(size: 15, isBold: true), .start, at: PlotPoint(x: 16, y: 26),
      color: colors.text)
    for (index, bar) in chart.bars.enumerated() {
      try paint(bar, y: Self.top + Double(index) * Self.barHeight)
    }
    if let line = chart.line {
      canvas.line(
        [
          PlotPoint(x: x(line.value), y: Self.top - 6),
          PlotPoint(x: x(line.value), y: Self.top + Double(chart.bars.count) * Self.barHeight),
        ], width: 1.5, dash: 5, color: colors.limit)
      try canvas.text(
        line.name, ChartFont(size: 11), .middle, at: PlotPoint(x: x(line.value), y: Self.top - 9),
        color: colors.limit)
    }
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
    try canvas.text(
      shortened(bar.name), Self.nameFont, .end, at: PlotPoint(x: left - 10, y: y + 16),
      color: colors.text)
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
      bar.text, ChartFont(size: 11), .start,
      at: PlotPoint(x: (chart.line == nil ? end : right) + 10, y: y + 16), color: colors.quiet)
  }

  /// A name that fits beside its bar.
  private func shortened(_ name: String) throws(PlotError) -> String {
    var (short, kept) = (name, name)
    while try canvas.width(of: short, Self.nameFont) > left - 18, !kept.isEmpty {
      kept.removeLast()
      short = kept + "…"
    }
    return short
  }

  private static let nameFont = ChartFont(size: 12)
}
