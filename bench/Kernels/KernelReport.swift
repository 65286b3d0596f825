// SPDX-License-Identifier: Apache-2.0

/// All results of a run of `bench kernels`, as written to JSON.
package struct KernelReport: BenchReport {
  package static let area = "kernels"

  /// The machine of the run.
  package var machine: BenchMachine
  /// The compiler of the peers.
  package var compiler: String?
  /// Rounds of each row.
  package var roundCount: Int
  /// Length of a round, ms.
  package var roundMs: Double
  /// Peers that could not be built, and why.
  package var peersMissing: [String]
  /// Comparisons of peers' values with Orrery's.
  package var checks: [Check] = []
  /// All rows, group after group.
  package var rows: [RowReport] = []
  /// Bandwidths of all streams.
  package var bandwidths: [Calibration.Bandwidth] = []
  /// Rates of independent operations.
  package var arithmetic: [Calibration.Arithmetic] = []
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without rows.
  package init(
    machine: BenchMachine = BenchMachine(), compiler: String?, roundCount: Int, roundMs: Double,
    peersMissing: [String]
  ) {
    self.machine = machine
    self.compiler = compiler
    self.roundCount = roundCount
    self.roundMs = roundMs
    self.peersMissing = peersMissing
  }

  /// A comparison of a peer's values with Orrery's.
  package struct Check: Encodable {
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
    _ kind: KernelKind, _ group: [BenchRow], limitNs: (BenchRow) -> Double?
  ) {
    rows += RowReport.group(kind.rawValue, group, limitNs: limitNs)
  }
}
