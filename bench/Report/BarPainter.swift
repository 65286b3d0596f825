// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPlot
import OrreryText

/// Draws bars.
struct BarPainter {
  static let barHeight = 24.0
  static let top = 48.0
  private static let left = 300.0

  let chart: BarChart
  let drawing: Drawing
  let colors: ChartColors
  let size: PictureSize

  func paint() throws(PlotError) {
    let width = Double(size.width)
    drawing.area(
      PlotArea(left: 0, top: 0, right: width, bottom: Double(size.height)), color: colors.paper)
    let title = try drawing.shape(chart.title, font: "Noto Sans Semi-Bold 15")
    drawing.text(title, at: PlotPoint(x: 16, y: 26), color: colors.text)
    let largest = chart.bars.map { max($0.value, finite($0.interval?.upper)) }.max() ?? 1
    let scale = (width - Self.left - 190) / max(largest, chart.line ?? 0, 1e-12)
    for (index, bar) in chart.bars.enumerated() {
      let y = Self.top + Double(index) * Self.barHeight
      try paint(bar, y: y, scale: scale)
    }
    if let line = chart.line {
      let x = Self.left + line * scale
      drawing.line(
        [
          PlotPoint(x: x, y: Self.top - 6),
          PlotPoint(x: x, y: Self.top + Double(chart.bars.count) * Self.barHeight),
        ], width: 1.5, dash: 5, color: colors.limit)
    }
  }

  private func finite(_ value: Double?) -> Double { value.map { $0.isFinite ? $0 : 0 } ?? 0 }

  private func paint(_ bar: BarChart.Bar, y: Double, scale: Double) throws(PlotError) {
    let name = try drawing.shape(bar.name, font: "Noto Sans 12")
    drawing.text(
      name, at: PlotPoint(x: max(Self.left - 10 - name.size.width, 8), y: y + 16),
      color: colors.text)
    var end = Self.left + bar.value * scale
    if let interval = bar.interval, interval.upper.isFinite {
      let (low, high) = (Self.left + interval.lower * scale, Self.left + interval.upper * scale)
      drawing.line(
        [PlotPoint(x: low, y: y + 12), PlotPoint(x: high, y: y + 12)], width: 3,
        color: colors.series[0])
      drawing.disc(PlotPoint(x: end, y: y + 12), radius: 5, color: colors.series[0])
      end = high
    } else {
      drawing.area(
        PlotArea(left: Self.left, top: y + 3, right: max(end, Self.left + 1), bottom: y + 21),
        color: colors.series[0])
    }
    let text = try drawing.shape(bar.text, font: "Noto Sans 11")
    drawing.text(text, at: PlotPoint(x: end + 10, y: y + 16), color: colors.quiet)
  }
}
