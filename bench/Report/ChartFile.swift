// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot

/// Draws a figure on a canvas.
protocol FigurePainter {
  /// The width that was asked for, and the height that the figure needs, in pixels or user units.
  var size: (width: Double, height: Double) { get }

  /// Draws it.
  func paint() throws(PlotError)
}

/// Draws figures into files, and into texts.
package enum ChartFile {
  /// Draws a figure into a file.
  ///
  /// - Throws: `PlotError`.
  package static func write(
    _ figure: Figure, path: String, format: PlotFile.Format, colors: ChartColors
  ) throws(PlotError) {
    let planned = try painter(of: figure, PageCanvas(), colors, width: 720)
    guard let size = pictureSize(planned) else { return }
    try PlotFile.write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try painter(of: figure, drawing, colors, width: 720).paint()
    }
  }

  /// A figure as a part of a page, which gives its colours: once for screens and once, narrow, for telephones.
  ///
  /// - Throws: `PlotError` if a font is missing.
  package static func inline(_ figure: Figure) throws(PlotError) -> String {
    var text = ""
    for (name, width) in [("screen", 520.0), ("telephone", 340)] {
      let canvas = PageCanvas()
      let painter = try painter(of: figure, canvas, .light, width: width)
      guard let size = pictureSize(painter) else { continue }
      try painter.paint()
      text += canvas.svg(size, title: figure.title, class: name)
    }
    return text
  }

  private static func painter(
    of figure: Figure, _ canvas: any ChartCanvas, _ colors: ChartColors, width: Double
  ) throws(PlotError) -> any FigurePainter {
    switch figure {
    case .chart(let chart): try ChartPainter(chart, canvas, colors, width: width)
    case .bars(let chart): try BarPainter(chart, canvas, colors, width: width)
    }
  }

  /// A whole, even number of pixels.
  private static func pictureSize(_ painter: any FigurePainter) -> PictureSize? {
    PictureSize("\(Int(painter.size.width))x\(Int(painter.size.height / 2) * 2)")
  }
}
