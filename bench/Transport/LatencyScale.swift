// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The horizontal axis of a latency plot: powers of ten, from left to right.
package struct LatencyScale {
  /// The powers of ten in ns, from below the shortest latency to above the longest.
  package let powers: ClosedRange<Int>

  private let left: Double
  private let right: Double

  /// Creates a scale for rows between two x positions in a picture.
  package init(_ rows: [TransportReport.Row], left: Double, right: Double) {
    let shortest = rows.map(\.p50).min() ?? 10
    let longest = rows.map { max($0.p99, $0.p50) }.max() ?? 1e6
    powers = Int(floor(log10(shortest)))...Int(ceil(log10(longest)))
    (self.left, self.right) = (left, right)
  }

  /// The x position of a latency; below a nanosecond, that of one nanosecond.
  package func x(_ ns: Double) -> Double {
    let (low, high) = (Double(powers.lowerBound), Double(powers.upperBound))
    return left + (right - left) * (log10(max(ns, 1)) - low) / max(high - low, 1)
  }

  /// A power of ten as a duration.
  package static func name(_ power: Int) -> String {
    let units = ["1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]
    return units.indices.contains(power) ? units[power] : "1e\(power) ns"
  }

  /// The rows that have latencies, group by group.
  package static func groups(of report: TransportReport) -> [[TransportReport.Row]] {
    let groups: [TransportRow.Group] = [.spin, .wake, .cost]
    return groups.map { group in
      report.rows.filter { $0.group == group && !$0.p50Rounds.isEmpty && $0.p50 > 0 }
    }.filter { !$0.isEmpty }
  }
}
