// SPDX-License-Identifier: Apache-2.0

/// The unit in which people read a figure, the same in every table and chart.
///
/// Ticks and frames are read in µs, as their percentiles are; files keep the row's own unit.
package struct RowReading {
  /// "µs", or the row's own unit.
  package let unit: String
  private let scale: Double

  /// The reading of a row with this name and unit.
  package init(_ name: String, unit: String) {
    let isTime = unit == "ns" && ["tick", "frame"].contains(name.prefix { $0 != " " })
    (self.unit, scale) = isTime ? ("µs", 1e-3) : (unit, 1)
  }

  /// A figure of the row in that unit.
  package func value(_ figure: Double) -> Double { figure * scale }
}

extension StudyRow {
  /// The unit in which people read it.
  package var reading: RowReading { RowReading(name, unit: unit) }
}
