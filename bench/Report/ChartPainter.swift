// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws a chart: the names of its series are beside it, or below it where it is narrow.
struct ChartPainter: FigurePainter {
  let size: (width: Double, height: Double)

  private let chart: Chart
  private let canvas: any ChartCanvas
  private let colors: ChartColors
  private let isNarrow: Bool
  private let titleLines: [String]
  private let yLines: [String]
  private let area: PlotArea
  private let series: [Chart.Series]
  private let xAxis: ChartAxis
  private let yAxis: ChartAxis

  /// Dashes of series: none, long, short, and so on.
  private static let dashes: [Double] = [0, 9, 4, 14, 2]

  /// Plans a chart.
  ///
  /// - Throws: `PlotError` if a font is missing.
  init(
    _ chart: Chart, _ canvas: any ChartCanvas, _ colors: ChartColors, width: Double
  ) throws(PlotError) {
    (self.chart, self.canvas, self.colors) = (chart, canvas, colors)
    isNarrow = width < ChartFont.narrow
    titleLines = try canvas.lines(of: chart.title, .title, width: width - 32)
    yLines = try canvas.lines(of: chart.y, .small, width: width - 32)
    let top = 26 + Double(titleLines.count) * 18 + Double(yLines.count) * 14 + 6
    area = PlotArea(
      left: isNarrow ? 52 : 70, top: top, right: width - (isNarrow ? 16 : 150),
      bottom: top + (isNarrow ? 220 : 244))
    series = chart.series.filter { !$0.points.isEmpty || !$0.failed.isEmpty }
    let points = series.flatMap { $0.points + $0.failed }
    xAxis = ChartAxis(points.map(\.x), chart.xScale, from: area.left, to: area.right)
    yAxis = ChartAxis(points.map(\.y), chart.yScale, from: area.bottom, to: area.top)
    var height = area.bottom + 52
    if isNarrow {
      for one in series {
        let lines = try canvas.lines(of: one.name, .name, width: width - Self.swatch - 16)
        height += Double(lines.count) * 16
      }
    }
    size = (width, height)
  }

  func paint() throws(PlotError) {
    canvas.area(
      PlotArea(left: 0, top: 0, right: size.width, bottom: size.height), color: colors.paper)
    var y = try canvas.text(titleLines, .title, at: PlotPoint(x: 16, y: 26), step: 18, colors.text)
    y = try canvas.text(yLines, .small, at: PlotPoint(x: 16, y: y + 6), step: 14, colors.quiet)
    try grid()
    for (index, one) in series.enumerated() { paint(one, index) }
    if isNarrow { try namesBelow() } else { try names() }
  }

  private func grid() throws(PlotError) {
    for (value, name) in xAxis.ticks {
      let x = xAxis.position(value)
      canvas.line(
        [PlotPoint(x: x, y: area.top), PlotPoint(x: x, y: area.bottom)], width: 1, dash: 0,
        color: colors.grid)
      try canvas.text(
        name, .small, .middle, at: PlotPoint(x: x, y: area.bottom + 18), color: colors.quiet)
    }
    for (value, name) in yAxis.ticks {
      let y = yAxis.position(value)
      canvas.line(
        [PlotPoint(x: area.left, y: y), PlotPoint(x: area.right, y: y)], width: 1, dash: 0,
        color: colors.grid)
      try canvas.text(
        name, .small, .end, at: PlotPoint(x: area.left - 8, y: y + 4), color: colors.quiet)
    }
    try canvas.text(
      chart.x, .small, .end, at: PlotPoint(x: area.right, y: area.bottom + 40),
      color: colors.quiet)
  }

  private func color(_ one: Chart.Series, _ index: Int) -> UInt32 {
    one.isLimit ? colors.limit : colors.series[index % colors.series.count]
  }

  private func position(_ point: PlotPoint) -> PlotPoint {
    PlotPoint(x: xAxis.position(point.x), y: yAxis.position(point.y))
  }

  private func paint(_ one: Chart.Series, _ index: Int) {
    var points = one.points.map(position)
    // A limit that is the same everywhere is one beyond the points, too.
    if one.isLimit, let y = points.first?.y, points.allSatisfy({ $0.y == y }) {
      points = [PlotPoint(x: area.left, y: y), PlotPoint(x: area.right, y: y)]
    }
    line(points, one, index)
    if !one.isLimit, points.count <= 40 {
      for point in points { mark(point, index, color(one, index)) }
    }
    let color = color(one, index)
    for point in one.failed.map(position) {
      for sign in [-1.0, 1] {
        canvas.line(
          [
            PlotPoint(x: point.x - 5, y: point.y - 5 * sign),
            PlotPoint(x: point.x + 5, y: point.y + 5 * sign),
          ], width: 2, dash: 0, color: color)
      }
    }
  }

  private func line(_ points: [PlotPoint], _ one: Chart.Series, _ index: Int) {
    canvas.line(
      points, width: one.isLimit ? 1.5 : 2.2,
      dash: one.isLimit ? 6 : Self.dashes[index % Self.dashes.count], color: color(one, index))
  }

  /// A disc, a square, a diamond, or a triangle.
  private func mark(_ point: PlotPoint, _ index: Int, _ color: UInt32) {
    let corners: [(Double, Double)]
    switch index % 4 {
    case 0:
      canvas.disc(point, radius: 4, color: color)
      return
    case 1: corners = [(-4, -4), (4, -4), (4, 4), (-4, 4)]
    case 2: corners = [(0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)]
    default: corners = [(0, -5.5), (5, 4), (-5, 4)]
    }
    canvas.area(
      corners.map { PlotPoint(x: point.x + $0.0, y: point.y + $0.1) }, color: color)
  }

  /// Names at the ends of the series, moved apart where they meet.
  private func names() throws(PlotError) {
    var ends: [(y: Double, name: String, color: UInt32)] = []
    for (index, one) in series.enumerated() {
      guard let last = (one.points.last ?? one.failed.last).map(position) else { continue }
      ends.append((last.y, one.name, color(one, index)))
    }
    var lowest = area.top - 20
    for end in ends.sorted(by: { $0.y < $1.y }) {
      let lines = try canvas.lines(of: end.name, .name, width: Self.nameWidth)
      lowest = max(end.y + 4, lowest + 14)
      for (index, line) in lines.enumerated() {
        if index > 0 { lowest += 12 }
        let width = try canvas.width(of: line, .name)
        // A word that is too long by itself is smaller.
        let size = width > Self.nameWidth ? max(11 * Self.nameWidth / width, 6) : 11
        try canvas.text(
          line, ChartFont(size: size, isBold: true), .start,
          at: PlotPoint(x: area.right + 10, y: lowest), color: end.color)
      }
    }
  }

  /// Names under the chart, each behind a piece of its line.
  private func namesBelow() throws(PlotError) {
    var y = area.bottom + 58
    for (index, one) in series.enumerated() {
      let ends = [PlotPoint(x: 16, y: y - 4), PlotPoint(x: Self.swatch - 8, y: y - 4)]
      line(ends, one, index)
      if !one.isLimit {
        mark(PlotPoint(x: (ends[0].x + ends[1].x) / 2, y: y - 4), index, color(one, index))
      }
      let lines = try canvas.lines(of: one.name, .name, width: size.width - Self.swatch - 16)
      y = try canvas.text(
        lines, .name, at: PlotPoint(x: Self.swatch, y: y), step: 16, color(one, index))
    }
  }

  private static let nameWidth = 136.0
  /// Where names begin behind a piece of line.
  private static let swatch = 56.0
}

/// An axis of a chart: the positions of values, and the values that have a grid line.
package struct ChartAxis {
  /// Values with a line, and their names.
  package let ticks: [(value: Double, name: String)]
  private let scale: Chart.Scale
  private let lower: Double
  private let upper: Double
  private let start: Double
  private let end: Double

  /// An axis for some values.
  ///
  /// - Parameters:
  ///   - values: The values that must fit; without any, the axis is from 0 to 1.
  ///   - scale: Its scale.
  ///   - start: The position of its lower end.
  ///   - end: The position of its upper end.
  package init(_ values: [Double], _ scale: Chart.Scale, from start: Double, to end: Double) {
    (self.scale, self.start, self.end) = (scale, start, end)
    let values = values.filter(\.isFinite)
    switch scale {
    case .linear:
      let axis = PlotAxis(
        from: min(values.min() ?? 0, 0), to: values.max() ?? 1, tickMax: 6, isRounded: true)
      (lower, upper) = (axis.lower, axis.upper)
      ticks = axis.ticks.map { ($0, axis.upper < 10_000 ? axis.text($0) : Self.name($0)) }
    case .logarithmic:
      let positive = values.filter { $0 > 0 }
      let low = floor(log10(positive.min() ?? 1))
      let high = max(ceil(log10(positive.max() ?? 10)), low + 1)
      (lower, upper) = (low, high)
      ticks = stride(from: low, through: high, by: 1).map { (pow(10, $0), Self.name(pow(10, $0))) }
    case .tail:
      (lower, upper) = (0, 5)
      ticks = ["0", "90", "99", "99.9", "99.99", "99.999"].enumerated().map {
        (1 - pow(10, -Double($0)), $1 + " %")
      }
    }
  }

  /// The position of a value, never outside of the axis.
  package func position(_ value: Double) -> Double {
    let place =
      switch scale {
      case .linear: value
      case .logarithmic: value > 0 ? log10(value) : lower
      case .tail: -log10(max(1 - value, 1e-5))
      }
    return start + (end - start) * min(max((place - lower) / (upper - lower), 0), 1)
  }

  /// 1,000,000 as 1M.
  package static func name(_ value: Double) -> String {
    func name(_ unit: Double, _ letter: String) -> String {
      let part = value / unit
      return decimal(part, places: part == part.rounded() ? 0 : 1) + letter
    }
    return switch value {
    case 1e9...: name(1e9, "G")
    case 1e6...: name(1e6, "M")
    case 1e3...: name(1e3, "k")
    case 1...: decimal(value, places: 0)
    case 0: "0"
    default: PlotNumber.text(value, digits: 1)
    }
  }
}
