// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Draws values over time as a picture with a background of its own, readable on light and dark pages.
///
///     title
///     facts              entities with their colors
///     marks              what happened
///     a part for each property, above the same times
struct SeriesPainter {
  private enum Colors {
    static let mark: UInt32 = 0x7c6f_9fff

    /// Colors of lines; neighbours also differ in lightness, for colour-blind readers.
    static let lines: [UInt32] = [
      0x2563_ebff, 0xd946_00ff, 0x0f8a_5fff, 0xbe12_3cff, 0x7c3a_edff, 0x0e74_90ff, 0xa162_07ff,
      0x4b55_63ff,
    ]
  }

  private let plot: SeriesPlot
  private let drawing: Drawing
  private let paper: PlotPaper
  private let unit: Double
  private let width: Double
  private let areas: [PlotArea]
  private let axes: [PlotAxis]
  private let timeAxis: PlotAxis

  /// Rows of mark labels.
  private static let markRowsMax = 3

  /// Marks that are drawn: more would cover the lines.
  private static let marksMax = 60

  init(_ plot: SeriesPlot, _ drawing: Drawing, size: PictureSize) {
    self.plot = plot
    self.drawing = drawing
    paper = PlotPaper(drawing, size: size)
    (width, unit) = (paper.width, paper.unit)
    let (height, u) = (paper.height, unit)
    let (left, right) = (78 * u, width - 28 * u)
    let (top, bottom) = ((plot.marks.isEmpty ? 122 : 164) * u, height - 54 * u)
    let gap = 34 * u
    let count = Double(plot.parts.count)
    let each = max(1, (bottom - top - gap * (count - 1)) / count)
    areas = plot.parts.indices.map { index in
      let start = top + Double(index) * (each + gap)
      return PlotArea(left: left, top: start, right: max(left + 1, right), bottom: start + each)
    }
    axes = plot.parts.map { part in
      let values = part.lines.flatMap(\.points).map(\.value).filter(\.isFinite)
      let tickMax = max(2, Int(each / (44 * u)))
      return PlotAxis(
        from: values.min() ?? 0, to: values.max() ?? 1, tickMax: tickMax, isRounded: true)
    }
    timeAxis = PlotAxis(
      from: plot.times.lowerBound, to: plot.times.upperBound, tickMax: 10, isRounded: false)
  }

  /// Draws everything.
  func paint() throws(PlotError) {
    try paper.paintHead(plot.title, plot.subtitle, baseline: 68)
    try paintNames()
    for (index, part) in plot.parts.enumerated() {
      drawing.area(areas[index], color: PlotColors.panel)
      try paper.paintGrid(
        areas[index], axes[index], timeAxis, x: x,
        title: PlotPaper.Title(text: part.name, color: PlotColors.text, gap: 9),
        timeName: index + 1 == plot.parts.count ? "seconds of the scene" : nil)
    }
    try paintMarks()
    for (index, part) in plot.parts.enumerated() {
      for (number, line) in part.lines.enumerated() {
        paint(line, areas[index], axes[index], color: color(number))
      }
    }
  }

  private func color(_ line: Int) -> UInt32 { Colors.lines[line % Colors.lines.count] }

  private func x(_ time: Double) -> Double {
    let span = timeAxis.upper - timeAxis.lower
    return areas[0].left + areas[0].width * min(max((time - timeAxis.lower) / span, -1), 2)
  }

  /// Draws the entities' names in their colors, in one row, as far as there is room.
  private func paintNames() throws(PlotError) {
    let left = paper.margin
    var x = left
    for (index, name) in plot.parts[0].lines.map(\.name).enumerated() {
      let shown = name.count <= 40 ? name : String(name.prefix(39)) + "…"
      let line = try drawing.shape(shown, font: paper.font(13, isBold: true))
      guard x + 22 * unit + line.size.width < width - left else {
        let more = try drawing.shape("…", font: paper.font(13))
        drawing.text(more, at: PlotPoint(x: x, y: 92 * unit), color: PlotColors.quiet)
        return
      }
      drawing.line(
        [PlotPoint(x: x, y: 87.5 * unit), PlotPoint(x: x + 16 * unit, y: 87.5 * unit)],
        width: 3 * unit, color: color(index))
      drawing.text(line, at: PlotPoint(x: x + 21 * unit, y: 92 * unit), color: color(index))
      x += 21 * unit + line.size.width + 18 * unit
    }
  }

  /// Draws vertical lines, with labels in as few rows as possible; a label without room is left out.
  private func paintMarks() throws(PlotError) {
    var ends = [Double](repeating: 0, count: Self.markRowsMax)
    ends[0] = areas[0].left + 80 * unit
    for mark in plot.marks.prefix(Self.marksMax) {
      let x = x(mark.time)
      for area in areas {
        drawing.line(
          [PlotPoint(x: x, y: area.top), PlotPoint(x: x, y: area.bottom)], width: 1.25 * unit,
          dash: 3 * unit, color: Colors.mark)
      }
      let shown = mark.text.count <= 40 ? mark.text : String(mark.text.prefix(39)) + "…"
      let line = try drawing.shape(shown, font: paper.font(12))
      let left = max(
        areas[0].left, min(x - line.size.width / 2, width - line.size.width - 8 * unit))
      guard let row = ends.firstIndex(where: { $0 + 10 * unit <= left }) else { continue }
      ends[row] = left + line.size.width
      let baseline = areas[0].top - (9 + 18 * Double(row)) * unit
      drawing.text(line, at: PlotPoint(x: left, y: baseline), color: Colors.mark)
    }
  }

  private func paint(
    _ line: SeriesPlot.Line, _ area: PlotArea, _ axis: PlotAxis, color: UInt32
  ) {
    drawing.clipped(to: area.outset(3 * unit)) {
      var run: [PlotPoint] = []
      for point in line.points {
        if point.value.isFinite {
          run.append(PlotPoint(x: x(point.time), y: paper.y(point.value, area, axis)))
        } else {
          draw(run, color)
          run = []
        }
      }
      draw(run, color)
    }
  }

  private func draw(_ points: [PlotPoint], _ color: UInt32) {
    if points.count == 1 {
      drawing.disc(points[0], radius: 2.5 * unit, color: color)
    } else if points.count > 1 {
      drawing.line(
        PlotPoint.straightened(points, tolerance: 0.05), width: 2 * unit, color: color)
    }
  }
}
