// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Draws a plot as a picture.
///
///     title
///     parameters
///     marks              legs, logical completion, end
///     value by time      with the target, and a strip with the value at equal times
///     velocity by time
struct PlotPainter {
  private enum Colors {
    static let target: UInt32 = 0x8089_9cff
    static let value: UInt32 = 0x2563_ebff
    static let valueArea: UInt32 = 0xe6ec_faff
    static let strobe: UInt32 = 0x2563_eb38
    static let velocity: UInt32 = 0xd946_00ff
    static let velocityArea: UInt32 = 0xf6ea_e7ff
    static let leg: UInt32 = 0x7c6f_9fff
    static let logical: UInt32 = 0x0f8a_5fff
    static let end: UInt32 = 0xbe12_3cff
  }

  private let plot: MotionPlot
  private let drawing: Drawing
  private let paper: PlotPaper

  /// Pixels per layout unit; the layout is designed for 960 x 600 units.
  private let unit: Double

  private let valueArea: PlotArea
  private let velocityArea: PlotArea
  private let strip: PlotArea
  private let width: Double

  /// Rows of mark labels.
  private static let markRowsMax = 3

  /// Samples of the curves: two per pixel.
  private let times: [Double]
  private let values: [Double]
  private let velocities: [Double]
  private let timeAxis: PlotAxis
  private let valueAxis: PlotAxis
  private let velocityAxis: PlotAxis

  init(_ plot: MotionPlot, _ drawing: Drawing, size: PictureSize) {
    self.plot = plot
    self.drawing = drawing
    paper = PlotPaper(drawing, size: size)
    (width, unit) = (paper.width, paper.unit)
    let (height, u) = (paper.height, unit)
    let (left, right) = (72 * u, width - 92 * u)
    let (top, bottom) = (146 * u, height - 54 * u)
    let border = top + (bottom - top) * 0.62
    valueArea = PlotArea(left: left, top: top, right: max(left + 1, right), bottom: border)
    velocityArea = PlotArea(
      left: left, top: border + 40 * u, right: max(left + 1, right), bottom: bottom)
    strip = PlotArea(
      left: right + 16 * u, top: top, right: right + 52 * u, bottom: border)
    // At least 500: a small picture of a bouncy spring still has round turns.
    let count = max(500, Int(2 * (right - left)))
    let duration = plot.duration
    times = (0...count).map { duration * Double($0) / Double(count) }
    values = times.map(plot.value)
    velocities = times.map(plot.velocity)
    timeAxis = PlotAxis(from: 0, to: duration, tickMax: 10, isRounded: false)
    let (low, high) = Self.range(values + [0, 1])
    valueAxis = PlotAxis(from: low, to: high, tickMax: 6, isRounded: true)
    let (slow, fast) = Self.range(velocities + [0])
    velocityAxis = PlotAxis(from: slow, to: fast, tickMax: 4, isRounded: true)
  }

  /// Draws everything.
  func paint() throws(PlotError) {
    try paper.paintHead(plot.title, plot.subtitle, baseline: 70)
    let value = points(values, valueArea, valueAxis)
    let velocity = points(velocities, velocityArea, velocityAxis)
    // Opaque and below the grid: some viewers of SVG cannot draw translucent areas.
    paintArea(below: value, valueArea, valueAxis, color: Colors.valueArea)
    paintArea(below: velocity, velocityArea, velocityAxis, color: Colors.velocityArea)
    try paintGrid(valueArea, valueAxis, name: "value", color: Colors.value, timeName: nil)
    try paintGrid(
      velocityArea, velocityAxis, name: plot.velocityName, color: Colors.velocity,
      timeName: plot.timeName)
    paintTarget()
    try paintMarks()
    paintCurve(value, valueArea, color: Colors.value)
    paintCurve(velocity, velocityArea, color: Colors.velocity)
    try paintStrip()
    try paintOvershoot()
  }

  /// The smallest and the largest number, without a few that tend to infinity.
  ///
  /// A circular curve is vertical at an end; that must not flatten the rest of the plot.
  private static func range(_ numbers: [Double]) -> (Double, Double) {
    let finite = numbers.filter { $0.isFinite }.sorted()
    guard let low = finite.first, let high = finite.last else { return (0, 1) }
    let (few, most) = (finite[finite.count / 50], finite[finite.count - 1 - finite.count / 50])
    // 6: the peak velocity of a very stiff start is four times its 98th percentile.
    let reach = 6 * max(abs(few), abs(most))
    return reach > 0 ? (max(low, -reach), min(high, reach)) : (low, high)
  }

  private func x(_ time: Double) -> Double {
    valueArea.left + valueArea.width * time / plot.duration
  }

  private func paintGrid(
    _ area: PlotArea, _ axis: PlotAxis, name: String, color: UInt32, timeName: String?
  ) throws(PlotError) {
    try paper.paintGrid(
      area, axis, timeAxis, x: x, title: PlotPaper.Title(text: name, color: color, gap: 10),
      timeName: timeName)
  }

  private func paintTarget() {
    let y = paper.y(1, valueArea, valueAxis)
    drawing.line(
      [PlotPoint(x: valueArea.left, y: y), PlotPoint(x: valueArea.right, y: y)],
      width: 1.25 * unit, dash: 5 * unit, color: Colors.target)
  }

  /// Draws vertical lines, with labels above the value's part in as few rows as possible.
  private func paintMarks() throws(PlotError) {
    // The extents of each row's labels, from left to right; row 0 begins with the part's name.
    var rows = [[(left: Double, right: Double)]](repeating: [], count: Self.markRowsMax)
    rows[0] = [(left: 0, right: valueArea.left + 60 * unit)]
    for mark in plot.marks where mark.kind != .overshoot {
      let color =
        switch mark.kind {
        case .leg, .overshoot: Colors.leg
        case .logicallyComplete: Colors.logical
        case .end: Colors.end
        }
      let x = x(mark.time)
      for area in [valueArea, velocityArea] {
        drawing.line(
          [PlotPoint(x: x, y: area.top), PlotPoint(x: x, y: area.bottom)], width: 1.25 * unit,
          dash: 3 * unit, color: color)
      }
      let line = try drawing.shape(mark.text, font: paper.font(12))
      let left = min(
        max(x - line.size.width / 2, valueArea.left), width - line.size.width - 8 * unit)
      let free = rows.firstIndex { ($0.last?.right ?? 0) + 10 * unit <= left }
      guard let row = free else { continue }
      rows[row].append((left: left, right: left + line.size.width))
      let baseline = valueArea.top - (10 + 18 * Double(row)) * unit
      drawing.text(line, at: PlotPoint(x: left, y: baseline), color: color)
      let isCovered = rows[..<row].joined().contains { $0.left <= x && x <= $0.right }
      if row > 0, !isCovered {
        drawing.line(
          [PlotPoint(x: x, y: baseline + 4 * unit), PlotPoint(x: x, y: valueArea.top)],
          width: unit, color: color)
      }
    }
  }

  private func points(
    _ numbers: [Double], _ area: PlotArea, _ axis: PlotAxis
  ) -> [PlotPoint] {
    let points = zip(times, numbers).filter { $0.1.isFinite }.map { time, number in
      PlotPoint(x: x(time), y: paper.y(number, area, axis))
    }
    return PlotPoint.straightened(points, tolerance: 0.05)
  }

  /// Draws the panel, and the area between a curve and zero.
  private func paintArea(
    below points: [PlotPoint], _ area: PlotArea, _ axis: PlotAxis, color: UInt32
  ) {
    drawing.area(area, color: PlotColors.panel)
    guard let first = points.first, let last = points.last else { return }
    let zero = paper.y(0, area, axis)
    drawing.clipped(to: area) {
      drawing.area(
        points + [PlotPoint(x: last.x, y: zero), PlotPoint(x: first.x, y: zero)], color: color)
    }
  }

  private func paintCurve(_ points: [PlotPoint], _ area: PlotArea, color: UInt32) {
    drawing.clipped(to: area.outset(3 * unit)) {
      drawing.line(points, width: 2.5 * unit, color: color)
    }
  }

  /// Draws the value at equal times as overlapping discs: dense where the motion is slow.
  private func paintStrip() throws(PlotError) {
    drawing.area(strip, color: PlotColors.panel)
    let interval = PlotAxis(from: 0, to: plot.duration, tickMax: 60, isRounded: false).step
    drawing.clipped(to: strip.outset(10 * unit)) {
      var time = 0.0
      var count = 0.0
      while time <= plot.duration {
        let number = plot.value(time)
        if number.isFinite {
          drawing.disc(
            PlotPoint(x: (strip.left + strip.right) / 2, y: paper.y(number, valueArea, valueAxis)),
            radius: 9 * unit, color: Colors.strobe)
        }
        count += 1
        time = interval * count
      }
    }
    let suffix = plot.timeName == "seconds" ? " s" : ""
    let text = "every \(PlotNumber.text(interval, digits: 2))\(suffix)"
    let line = try drawing.shape(text, font: paper.font(10.5))
    drawing.text(
      line,
      at: PlotPoint(
        x: (strip.left + strip.right - line.size.width) / 2, y: strip.bottom + 24 * unit),
      color: PlotColors.quiet)
  }

  private func paintOvershoot() throws(PlotError) {
    for mark in plot.marks where mark.kind == .overshoot {
      let point = PlotPoint(
        x: x(mark.time), y: paper.y(plot.value(mark.time), valueArea, valueAxis))
      drawing.disc(point, radius: 5.5 * unit, color: PlotColors.paper)
      drawing.disc(point, radius: 4 * unit, color: Colors.value)
      let line = try drawing.shape(mark.text, font: paper.font(12))
      let left = min(point.x + 10 * unit, valueArea.right - line.size.width)
      let baseline = point.y - 10 * unit
      // A mark's dashed line must not run through the letters.
      drawing.area(
        PlotArea(
          left: left - 3 * unit, top: baseline - 12 * unit,
          right: left + line.size.width + 3 * unit,
          bottom: baseline + 4 * unit), color: PlotColors.panel)
      drawing.text(line, at: PlotPoint(x: left, y: baseline), color: Colors.value)
    }
  }
}
