// SPDX-License-Identifier: Apache-2.0

/// Durations of a repeated operation, in nanoseconds.
///
/// Count, mean and longest are exact; the percentiles are at most 1/32 too high.
package struct DurationReport: Codable, Equatable, Sendable {
  /// Number of durations; if it is 0, so are the others.
  package var count: UInt64
  /// Sum of all, divided by their number.
  package var meanNs: UInt64
  /// Median.
  package var p50Ns: UInt64
  /// 90th percentile.
  package var p90Ns: UInt64
  /// 99th percentile.
  package var p99Ns: UInt64
  /// 99.9th percentile.
  package var p999Ns: UInt64
  /// Longest.
  package var maxNs: UInt64

  package init(_ histogram: Histogram) {
    count = histogram.count
    meanNs = histogram.mean
    p50Ns = histogram.quantile(0.5)
    p90Ns = histogram.quantile(0.9)
    p99Ns = histogram.quantile(0.99)
    p999Ns = histogram.quantile(0.999)
    maxNs = histogram.max
  }

  /// The columns of a report's table of durations.
  package static let columns = ["mean", "p50", "p90", "p99", "p99.9", "max"]

  /// The durations under `columns`, each in a suitable unit.
  var cells: [String] { [meanNs, p50Ns, p90Ns, p99Ns, p999Ns, maxNs].map(duration) }
}
