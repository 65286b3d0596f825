// SPDX-License-Identifier: Apache-2.0

/// What `bench kernels` measured, as its goals and its roofline need it.
package struct KernelReport {
  /// The best instruction set.
  package var isa: String
  /// Comparisons of peers' values with Orrery's.
  package var checks: [Check] = []
  /// All rows, group after group.
  package var rows: [RowReport] = []
  /// Bandwidths of all streams.
  package var bandwidths: [Calibration.Bandwidth] = []
  /// Rates of independent operations.
  package var arithmetic: [Calibration.Arithmetic] = []

  /// A report without rows.
  package init(isa: String) { self.isa = isa }

  /// A comparison of a peer's values with Orrery's.
  package struct Check {
    /// The kind of motion.
    package let kind: String
    /// The library and the variant.
    package let peer: String
    /// Largest difference after some seconds, in points.
    package let pointsOff: Double
    /// Whether that is within the tolerance.
    package let isRight: Bool
    /// Largest difference after an hour, in points; nil if not measured.
    package let pointsOffAfterAnHour: Double?

    /// Creates the result of a check.
    package init(
      kind: String, peer: String, pointsOff: Double, isRight: Bool, pointsOffAfterAnHour: Double?
    ) {
      (self.kind, self.peer) = (kind, peer)
      (self.pointsOff, self.isRight) = (pointsOff, isRight)
      self.pointsOffAfterAnHour = pointsOffAfterAnHour
    }
  }
}

extension KernelReport {
  /// Adds the rows of a group; see `RowReport.group`.
  package mutating func add(
    _ kind: KernelKind, _ group: [BenchRow], limitNs: (BenchRow) -> [Double]?
  ) {
    rows += RowReport.group(kind.rawValue, group, limitNs: limitNs)
  }

  /// Bandwidths, by working set and stream, and rates of arithmetic: the best of all instruction sets.
  package var limits: [StudyRow] {
    let streams = Calibration.Stream.allCases.map(\.name)
    var rows: [StudyRow] = []
    for threads in Set(bandwidths.map(\.threads)).sorted() {
      let table = "bandwidth, \(threads == 1 ? "one thread" : "\(threads) threads")"
      for size in Set(bandwidths.map(\.workingSetBytes)).sorted() {
        for (stream, isPast) in streams.flatMap({ [($0, false), ($0, true)] }) {
          let rates = bandwidths.filter {
            $0.stream == stream && $0.threads == threads && $0.workingSetBytes == size
              && $0.isNonTemporal == isPast
          }.map { $0.bytesPerSecond / 1e9 }
          guard let best = rates.max() else { continue }
          rows.append(
            StudyRow(
              .init(table, TextTable.size(size), isPast ? stream + " past" : stream), unit: "GB/s",
              better: .larger, [best], subject: .limit))
        }
      }
    }
    return rows
      + arithmetic.filter { $0.operationsPerSecond > 0 }.map { rate in
        StudyRow(
          .init(
            "arithmetic", "\(rate.isa), \(rate.isFused ? "fused multiply-add" : "multiply, add")",
            rate.threads == 1 ? "one thread" : "\(rate.threads) threads"),
          unit: "GFLOP/s", better: .larger, [rate.operationsPerSecond / 1e9], subject: .limit)
      }
  }
}
