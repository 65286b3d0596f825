// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws figures into files, and into texts.
package enum ChartFile {
  /// Draws a figure into a file.
  ///
  /// - Throws: `PlotError`.
  package static func write(
    _ figure: Figure, path: String, format: PlotFile.Format, colors: ChartColors
  ) throws(PlotError) {
    guard let size = size(of: figure, width: 720) else { return }
    try PlotFile.write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try paint(figure, drawing, colors, size)
    }
  }

  private static func paint(
    _ figure: Figure, _ canvas: any ChartCanvas, _ colors: ChartColors, _ size: PictureSize
  ) throws(PlotError) {
    switch figure {
    case .chart(let chart): try ChartPainter(chart, canvas, colors, size: size).paint()
    case .bars(let chart): try BarPainter(chart, canvas, colors, size: size).paint()
    }
  }

  private static func size(of figure: Figure, width: Int) -> PictureSize? {
    guard case .bars(let chart) = figure else { return PictureSize("\(width)x360") }
    let height = BarPainter.top + Double(chart.bars.count) * BarPainter.barHeight + 16
    return PictureSize("\(width)x\(Int(height / 2) * 2)")
  }

  /// A figure as a part of a page, which gives its colours; narrow, so that letters can be read on a telephone.
  ///
  /// - Throws: `PlotError` if a font is missing.
  package static func inline(_ figure: Figure) throws(PlotError) -> String {
    guard let size = size(of: figure, width: 520) else { return "" }
    let canvas = PageCanvas()
    try paint(figure, canvas, .light, size)
    return canvas.svg(size, title: figure.title)
  }
}
