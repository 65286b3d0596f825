// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// All results of a run of `bench tick`, as written to JSON.
package struct TickReport: BenchReport {
  package static let area = "tick"

  /// The machine of the run.
  package var machine: BenchMachine
  /// Ticks that may be computed ahead.
  package let lookAhead: Int
  /// Rounds of each row.
  package let roundCount: Int
  /// The rows, in their order.
  package var rows: [Row] = []

  /// The median of the first row with a row's entities and instruction set, in nanoseconds.
  package func medianOfFirst(like row: Row) -> Double {
    rows.first { $0.entities == row.entities && $0.isa == row.isa }?.medianNs ?? row.medianNs
  }

  /// A report without rows.
  package init(machine: BenchMachine = BenchMachine(), lookAhead: Int, roundCount: Int) {
    (self.machine, self.lookAhead, self.roundCount) = (machine, lookAhead, roundCount)
  }

  /// A measured row; times are per entity and tick.
  package struct Row: Encodable {
    /// Entities of the scene.
    package let entities: Int
    /// The instruction set.
    package let isa: String?
    /// Threads that may share the work.
    package let threads: Int
    /// Threads that shared it, on average.
    package let threadsMean: Double
    /// Values that the state hash covers: full, rolling or off.
    package let hash: String
    /// The fastest round.
    package let minNs: Double
    /// The median of the rounds.
    package let medianNs: Double
    /// All rounds in their order.
    package let roundsNs: [Double]
    /// Hash of the last tick, sixteen hexadecimal digits.
    package let stateHash: String
    /// The last tick.
    package let tick: UInt64

    /// The times of a row, what computed it, and the hash of its last tick.
    package init(
      _ row: BenchRow, threadsMean: Double, hashMode: HashMode, hash: UInt64, tick: UInt64
    ) {
      (entities, isa, threads) = (row.count, row.isa, row.threads)
      (self.threadsMean, self.hash) = (threadsMean, hashMode.rawValue)
      (minNs, medianNs, roundsNs) = (row.rounds.min, row.rounds.median, row.rounds.all)
      (stateHash, self.tick) = (hexadecimal(hash), tick)
    }
  }
}
