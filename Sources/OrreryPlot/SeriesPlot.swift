// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The data of a plot of values over time: a part for each property, with a line for each entity.
package struct SeriesPlot: Sendable {
  /// A value at a time.
  package struct Point: Equatable, Sendable {
    /// Seconds since the scene began.
    package let time: Double
    /// The value at that time.
    package let value: Double

    package init(time: Double, value: Double) { (self.time, self.value) = (time, value) }
  }

  /// One entity's values.
  package struct Line: Sendable {
    /// Name of the entity.
    package let name: String

    /// By rising times; a value that is not a number makes a gap.
    package let points: [Point]

    package init(name: String, points: [Point]) { (self.name, self.points) = (name, points) }
  }

  /// One property's lines, below each other in the order of the plot.
  package struct Part: Sendable {
    /// Name of the property.
    package let name: String
    /// A line for each entity.
    package let lines: [Line]

    package init(name: String, lines: [Line]) { (self.name, self.lines) = (name, lines) }
  }

  /// Something that happened at a time.
  package struct Mark: Equatable, Sendable {
    /// Seconds since the scene began.
    package let time: Double

    /// What happened.
    package let text: String

    package init(time: Double, text: String) { (self.time, self.text) = (time, text) }
  }

  /// What is plotted.
  package let title: String
  /// Facts in one line.
  package let subtitle: String
  /// The parts, at least one.
  package let parts: [Part]
  /// What happened, by rising times.
  package let marks: [Mark]
  /// First and last time, in seconds.
  package let times: ClosedRange<Double>

  package init(
    title: String, subtitle: String, parts: [Part], marks: [Mark], times: ClosedRange<Double>
  ) {
    precondition(!parts.isEmpty, "a plot without parts")
    (self.title, self.subtitle, self.parts) = (title, subtitle, parts)
    (self.marks, self.times) = (marks, times)
  }

  /// Lines of a part that have colors of their own.
  package static let linesMax = 8

  /// Parts that a picture has room for.
  package static let partsMax = 6
}

extension PlotFile {
  /// Draws values over time into a file.
  ///
  /// - Parameters:
  ///   - plot: What to draw.
  ///   - path: The file; it is replaced if it exists.
  ///   - format: PNG or SVG.
  ///   - size: In pixels, for SVG in user units.
  /// - Throws: `outOfMemory`, `text` if a font is missing, `file`.
  package static func write(
    _ plot: SeriesPlot, path: String, format: Format, size: PictureSize
  ) throws(PlotError) {
    try write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try SeriesPainter(plot, drawing, size: size).paint()
    }
  }
}
