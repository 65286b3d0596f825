// SPDX-License-Identifier: Apache-2.0

/// All results of a run of `bench draw`, as written to JSON.
package struct DrawReport: BenchReport {
  package static let area = "draw"

  /// The machine of the run.
  package var machine: BenchMachine
  /// Width of the pictures, in pixels.
  package let width: Int
  /// Height of the pictures, in pixels.
  package let height: Int
  /// Rounds of each row.
  package let roundCount: Int
  /// The rows, in their order.
  package var rows: [Row] = []

  /// A report without rows.
  package init(
    machine: BenchMachine = BenchMachine(), width: Int, height: Int, roundCount: Int
  ) {
    (self.machine, self.roundCount) = (machine, roundCount)
    (self.width, self.height) = (width, height)
  }

  /// A measured row.
  package struct Row: Encodable {
    /// The scene's name.
    package let scene: String
    /// Entities of the scene.
    package let entities: Int
    /// Threads that draw.
    package let threads: Int
    /// Pictures per second of the fastest round.
    package let maxHz: Double
    /// Pictures per second of the median round.
    package let medianHz: Double

    /// The rates of a row whose times are per entity and picture.
    package init(_ row: BenchRow) {
      (scene, entities, threads) = (row.name, row.count, row.threads)
      maxHz = 1e9 / (row.rounds.min * Double(row.count))
      medianHz = 1e9 / (row.rounds.median * Double(row.count))
    }
  }
}
