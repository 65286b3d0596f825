// SPDX-License-Identifier: Apache-2.0

import OrreryPlot

/// A plot of series over an axis, readable without colour: each series has a mark and a dash of its own.
package struct Chart: Equatable {
  /// The scale of an axis.
  package enum Scale: Equatable {
    case linear
    case logarithmic
    /// The share of values above, from 1 to a hundred-thousandth: a percentile plot.
    case tail
  }

  /// A series.
  package struct Series: Equatable {
    /// Its name, at its end.
    package let name: String
    /// Its points, in the order of x.
    package let points: [PlotPoint]
    /// Whether it is a limit: a dashed line without marks.
    package let isLimit: Bool
    /// Points that failed, drawn as crosses.
    package let failed: [PlotPoint]

    /// A series.
    package init(
      _ name: String, _ points: [PlotPoint], isLimit: Bool = false, failed: [PlotPoint] = []
    ) {
      (self.name, self.points, self.isLimit, self.failed) = (name, points, isLimit, failed)
    }
  }

  /// The title.
  package var title: String
  /// Name and unit of the horizontal axis.
  package let x: String
  /// Name and unit of the vertical axis.
  package let y: String
  /// The scale of the horizontal axis.
  package let xScale: Scale
  /// The scale of the vertical axis.
  package let yScale: Scale
  /// The series; a series without a point is not drawn.
  package let series: [Series]

  /// A plot.
  package init(
    _ title: String, x: String, y: String, xScale: Scale = .linear, yScale: Scale = .linear,
    series: [Series]
  ) {
    (self.title, self.x, self.y) = (title, x, y)
    (self.xScale, self.yScale, self.series) = (xScale, yScale, series)
  }
}

/// Bars beside each other, each with its name and its figure: readable without colour.
package struct BarChart: Equatable {
  /// A bar, and the interval of its figure.
  package struct Bar: Equatable {
    /// Its name.
    package let name: String
    /// Its length.
    package let value: Double
    /// The figure in words.
    package let text: String
    /// The interval of the figure; nil if it has none.
    package let interval: Interval?

    /// A bar.
    package init(_ name: String, _ value: Double, _ text: String, interval: Interval? = nil) {
      (self.name, self.value, self.text, self.interval) = (name, value, text, interval)
    }
  }

  /// The title.
  package var title: String
  /// The bars, from the top.
  package let bars: [Bar]
  /// A line across the bars, with a value and a name.
  package struct Line: Equatable {
    /// Where it is, on the scale of the bars.
    package let value: Double
    /// What it stands for.
    package let name: String

    /// A line.
    package init(_ value: Double, _ name: String) { (self.value, self.name) = (value, name) }
  }

  /// The line; nil: none.
  package let line: Line?
  /// Whether bars are as long as the logarithms of their values, and begin at the line, or at a power of ten; values
  /// are above 0 then.
  package let isLogarithmic: Bool

  /// Bars.
  package init(
    _ title: String, bars: [Bar], line: Line? = nil, isLogarithmic: Bool = false
  ) {
    (self.title, self.bars, self.line) = (title, bars, line)
    self.isLogarithmic = isLogarithmic
  }
}

/// Either plot.
package enum Figure: Equatable {
  case chart(Chart)
  case bars(BarChart)

  /// Its title, for those who do not see it.
  package var title: String {
    switch self {
    case .chart(let chart): chart.title
    case .bars(let chart): chart.title
    }
  }

  /// The same, named as one of several results.
  func named(_ result: String) -> Figure {
    switch self {
    case .chart(var chart):
      chart.title = "\(result): \(chart.title)"
      return .chart(chart)
    case .bars(var chart):
      chart.title = "\(result): \(chart.title)"
      return .bars(chart)
    }
  }
}
