// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPlot
import OrreryText

/// What a chart is drawn on: a picture, or a part of a page.
protocol ChartCanvas {
  /// Draws a line through points; a dash of 0 is none.
  func line(_ points: [PlotPoint], width: Double, dash: Double, color: UInt32)

  /// Draws a filled polygon.
  func area(_ points: [PlotPoint], color: UInt32)

  /// Draws a filled disc.
  func disc(_ center: PlotPoint, radius: Double, color: UInt32)

  /// Draws a text whose baseline has one end, or its middle, at a point.
  func text(
    _ text: String, _ font: ChartFont, _ anchor: ChartFont.Anchor, at point: PlotPoint,
    color: UInt32
  ) throws(PlotError)

  /// The width of a text.
  func width(of text: String, _ font: ChartFont) throws(PlotError) -> Double
}

extension ChartCanvas {
  /// Draws a filled rectangle.
  func area(_ area: PlotArea, color: UInt32) { self.area(area.corners, color: color) }

  /// A text in as many lines as it needs; a word that is too long by itself has its own.
  func lines(of text: String, _ font: ChartFont, width: Double) throws(PlotError) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      let longer = lines.last.map { "\($0) \(word)" }
      if let longer, try self.width(of: longer, font) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Draws lines below each other, and returns where the next one would be.
  @discardableResult
  func text(
    _ lines: [String], _ font: ChartFont, at point: PlotPoint, step: Double, _ color: UInt32
  ) throws(PlotError) -> Double {
    for (index, line) in lines.enumerated() {
      let point = PlotPoint(x: point.x, y: point.y + Double(index) * step)
      try text(line, font, .start, at: point, color: color)
    }
    return point.y + Double(lines.count) * step
  }
}

/// A size of the font of charts.
struct ChartFont {
  /// Pixels or user units.
  let size: Double
  var isBold = false

  /// The part of a text's baseline that is given.
  enum Anchor: String { case start, middle, end }

  static let title = ChartFont(size: 15, isBold: true)
  static let name = ChartFont(size: 11, isBold: true)
  static let small = ChartFont(size: 11)

  /// Figures below this width, in user units, are for telephones.
  static let narrow = 450.0

  /// Its description for Pango.
  var description: String { "Noto Sans \(isBold ? "Semi-Bold " : "")\(size)" }
}

extension Drawing: ChartCanvas {
  func text(
    _ text: String, _ font: ChartFont, _ anchor: ChartFont.Anchor, at point: PlotPoint,
    color: UInt32
  ) throws(PlotError) {
    let line = try shape(text, font: font.description)
    let left =
      switch anchor {
      case .start: point.x
      case .middle: point.x - line.size.width / 2
      case .end: point.x - line.size.width
      }
    self.text(line, at: PlotPoint(x: left, y: point.y), color: color)
  }

  func width(of text: String, _ font: ChartFont) throws(PlotError) -> Double {
    try shape(text, font: font.description).size.width
  }
}

/// A figure of a page, as SVG inside of its HTML: texts are texts, and colours are those of the page's scheme.
final class PageCanvas: ChartCanvas {
  private var shapes = ""
  private let measurer = TextMeasurer()

  /// The figure.
  ///
  /// - Parameters:
  ///   - size: Its size; the page scales it to its own width.
  ///   - title: For those who do not see it.
  ///   - name: The class of its element.
  /// - Returns: An element of HTML.
  func svg(_ size: PictureSize, title: String, class name: String) -> String {
    "<svg role=\"img\" class=\"\(name)\" aria-label=\"\(ReportPage.escaped(title))\""
      + " viewBox=\"0 0 \(size.width) \(size.height)\">\n" + shapes + "</svg>\n"
  }

  func line(_ points: [PlotPoint], width: Double, dash: Double, color: UInt32) {
    guard points.count > 1 else { return }
    let dashes = dash > 0 ? " stroke-dasharray=\"\(Self.text(dash))\"" : ""
    shapes +=
      "<polyline points=\"\(Self.text(points))\" fill=\"none\" stroke-width=\"\(Self.text(width))\""
    shapes += " style=\"stroke:\(Self.style(color))\"\(dashes)/>\n"
  }

  func area(_ points: [PlotPoint], color: UInt32) {
    shapes += "<polygon points=\"\(Self.text(points))\" style=\"fill:\(Self.style(color))\"/>\n"
  }

  func disc(_ center: PlotPoint, radius: Double, color: UInt32) {
    shapes += "<circle cx=\"\(Self.text(center.x))\" cy=\"\(Self.text(center.y))\""
    shapes += " r=\"\(Self.text(radius))\" style=\"fill:\(Self.style(color))\"/>\n"
  }

  func text(
    _ text: String, _ font: ChartFont, _ anchor: ChartFont.Anchor, at point: PlotPoint,
    color: UInt32
  ) {
    shapes += "<text x=\"\(Self.text(point.x))\" y=\"\(Self.text(point.y))\""
    shapes += " font-size=\"\(Self.text(font.size))\"\(font.isBold ? " font-weight=\"600\"" : "")"
    shapes += anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
    shapes += " style=\"fill:\(Self.style(color))\">\(ReportPage.escaped(text))</text>\n"
  }

  func width(of text: String, _ font: ChartFont) throws(PlotError) -> Double {
    do {
      return try measurer.shape(text, font: font.description).size.width
    } catch {
      throw .text(error)
    }
  }

  /// A colour of `ChartColors.light` by its name in the page's style sheet.
  private static func style(_ color: UInt32) -> String {
    guard let index = ChartColors.light.all.firstIndex(of: color) else {
      return "#\(String(color >> 8, radix: 16))"
    }
    return "var(--chart-\(index))"
  }

  /// The rules that name the colours of a scheme.
  static func rules(_ colors: ChartColors) -> String {
    colors.all.enumerated().map { index, color in
      let digits = String(color >> 8, radix: 16)
      return "--chart-\(index): #" + String(repeating: "0", count: 6 - digits.count) + digits
    }.joined(separator: "; ")
  }

  private static func text(_ points: [PlotPoint]) -> String {
    points.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
  }

  /// To a tenth.
  private static func text(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
