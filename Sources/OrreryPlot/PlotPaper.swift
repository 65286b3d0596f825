// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Colors that all plots have.
enum PlotColors {
  static let paper: UInt32 = 0xffff_ffff
  static let panel: UInt32 = 0xf7f8_fbff
  static let grid: UInt32 = 0xe3e6_eeff
  static let axis: UInt32 = 0xa8ae_bdff
  static let text: UInt32 = 0x1d23_30ff
  static let quiet: UInt32 = 0x5f67_79ff
}

/// What every plot of values over time is drawn on: fonts, vertical positions, the head and the grid.
struct PlotPaper {
  let drawing: Drawing

  /// Pixels.
  let width: Double
  let height: Double

  /// Pixels of a unit: one in a picture of 960 by 600.
  let unit: Double

  /// Between the head and the left and right borders.
  var margin: Double { 28 * unit }

  init(_ drawing: Drawing, size: PictureSize) {
    self.drawing = drawing
    (width, height) = (Double(size.width), Double(size.height))
    unit = max(0.05, min(width / 960, height / 600))
  }

  /// Draws blank paper with a title and a line below it, which are as small as they must be to fit.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - subtitle: The line below it.
  ///   - baseline: Where that line stands, in units.
  /// - Throws: `PlotError` if a text cannot be shaped.
  func paintHead(
    _ title: String, _ subtitle: String, baseline: Double
  ) throws(PlotError) {
    drawing.area(PlotArea(left: 0, top: 0, right: width, bottom: height), color: PlotColors.paper)
    let room = width - 2 * margin
    for (text, size, isBold, baseline, color) in [
      (title, 21.0, true, 44.0, PlotColors.text), (subtitle, 13, false, baseline, PlotColors.quiet),
    ] {
      let shown = text.count <= 400 ? text : String(text.prefix(399)) + "…"
      var line = try drawing.shape(shown, font: font(size, isBold: isBold))
      if line.size.width > room {
        let fitting = size * room / line.size.width
        line = try drawing.shape(shown, font: font(fitting, isBold: isBold))
      }
      drawing.text(line, at: PlotPoint(x: margin, y: baseline * unit), color: color)
    }
  }

  /// A font description.
  func font(_ points: Double, isBold: Bool = false) -> String {
    // Rounded to two decimals, because a font's size is part of its name.
    let size = (points * unit * 100).rounded() / 100
    return "Noto Sans \(isBold ? "Semi-Bold " : "")\(max(size, 0.5))"
  }

  /// Where a value stands in an area.
  func y(_ value: Double, _ area: PlotArea, _ axis: PlotAxis) -> Double {
    let share = (value - axis.lower) / (axis.upper - axis.lower)
    // Cairo's fixed-point numbers have a small range: points far outside are moved closer.
    return area.bottom - area.height * min(max(share.isNaN ? 0 : share, -10), 11)
  }

  /// A title over an area.
  struct Title {
    let text: String
    let color: UInt32
    /// Units above the area.
    let gap: Double
  }

  /// Draws an area's lines, numbers and title.
  ///
  /// - Parameters:
  ///   - area: The area.
  ///   - axis: Of its values.
  ///   - timeAxis: Of its times.
  ///   - position: The horizontal position of a time.
  ///   - title: Over it.
  ///   - timeName: The name of the times; nil: an area below shows the times.
  /// - Throws: `PlotError` if a text cannot be shaped.
  func paintGrid(
    _ area: PlotArea, _ axis: PlotAxis, _ timeAxis: PlotAxis, x position: (Double) -> Double,
    title: Title,
    timeName: String?
  ) throws(PlotError) {
    for tick in axis.ticks {
      let y = y(tick, area, axis)
      let isZero = abs(tick) < axis.step / 2
      drawing.line(
        [PlotPoint(x: area.left, y: y), PlotPoint(x: area.right, y: y)], width: unit,
        color: isZero ? PlotColors.axis : PlotColors.grid)
      let line = try drawing.shape(axis.text(tick), font: font(12))
      drawing.text(
        line, at: PlotPoint(x: area.left - 10 * unit - line.size.width, y: y + 4.5 * unit),
        color: PlotColors.quiet)
    }
    for tick in timeAxis.ticks {
      let x = position(tick)
      drawing.line(
        [PlotPoint(x: x, y: area.top), PlotPoint(x: x, y: area.bottom)], width: unit,
        color: PlotColors.grid)
      guard timeName != nil else { continue }
      let line = try drawing.shape(timeAxis.text(tick), font: font(12))
      drawing.text(
        line, at: PlotPoint(x: x - line.size.width / 2, y: area.bottom + 20 * unit),
        color: PlotColors.quiet)
    }
    let line = try drawing.shape(title.text, font: font(13, isBold: true))
    drawing.text(
      line, at: PlotPoint(x: area.left, y: area.top - title.gap * unit), color: title.color)
    guard let timeName else { return }
    let name = try drawing.shape(timeName, font: font(12))
    drawing.text(
      name, at: PlotPoint(x: area.right - name.size.width, y: area.bottom + 40 * unit),
      color: PlotColors.quiet)
  }
}
