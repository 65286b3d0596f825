// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws figures into files, and into texts.
package enum ChartFile {
  /// The size of a chart.
  private static let chartSize = PictureSize("720x360")

  /// Draws a figure into a file.
  ///
  /// - Throws: `PlotError`.
  package static func write(
    _ figure: Figure, path: String, format: PlotFile.Format, colors: ChartColors
  ) throws(PlotError) {
    guard let size = size(of: figure) else { return }
    try PlotFile.write(path: path, format: format, size: size) { drawing throws(PlotError) in
      switch figure {
      case .chart(let chart): try ChartPainter(chart, drawing, colors, size: size).paint()
      case .bars(let chart):
        try BarPainter(chart: chart, drawing: drawing, colors: colors, size: size).paint()
      }
    }
  }

  private static func size(of figure: Figure) -> PictureSize? {
    guard case .bars(let chart) = figure else { return chartSize }
    let height = BarPainter.top + Double(chart.bars.count) * BarPainter.barHeight + 16
    return PictureSize("720x\(Int(height / 2) * 2)")
  }

  /// A figure as the text of an SVG.
  ///
  /// - Throws: `PlotError`; the picture is drawn into the folder of temporary files.
  package static func svg(_ figure: Figure, _ colors: ChartColors) throws(PlotError) -> Data {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-figure-\(UUID().uuidString).svg").path
    defer { unlink(path) }
    try write(figure, path: path, format: .svg, colors: colors)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .file(SystemCallError(call: "read", path: path, errno: ENOENT))
    }
    return data
  }
}
