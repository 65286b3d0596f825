// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// All results of a run of `bench record`, as written to JSON.
package struct RecordReport: BenchReport {
  package static let area = "record"

  /// The machine of the run.
  package var machine: BenchMachine
  /// Entities of a frame in the timed rows.
  package let entities: Int
  /// Bytes of a frame in the timed rows.
  package let frameBytes: Int
  /// Rounds of each row.
  package let roundCount: Int
  /// Missing programs, with the reason.
  package var missing: [String] = []
  /// All timed rows.
  package var rows: [Row] = []
  /// Whole runs with a logger, and without.
  package var runs: [Run] = []
  /// Traces of one scene, by the way that they were recorded.
  package var uses: [RecordUse] = []
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without figures.
  package init(
    machine: BenchMachine = BenchMachine(), entities: Int, frameBytes: Int, roundCount: Int
  ) {
    (self.machine, self.entities) = (machine, entities)
    (self.frameBytes, self.roundCount) = (frameBytes, roundCount)
  }

  /// Where a row's bytes go.
  package enum Target: String, Encodable, CaseIterable, Sendable {
    /// Chunks are made, and dropped.
    case memory
    /// A file of /dev/shm.
    case shm
    /// A file of the folder that is asked for.
    case disk
  }

  /// A measured row: how fast frames are recorded in a way.
  package struct Row: Encodable {
    /// The key by which goals find the row.
    package let key: String
    /// Where the bytes go.
    package let target: Target
    /// Orrery, a peer or a limit.
    package let subject: BenchRow.Subject
    /// The name in the table.
    package let name: String
    /// Bytes of frames in a second: the median of the rounds.
    package let bytesPerSecond: Double
    /// The same in each round.
    package let bytesPerSecondRounds: [Double]
    /// Bytes stored for each byte of frames; nil where nothing is stored.
    package let stored: Double?

    /// The results of a row's rounds.
    package init(
      key: String, target: Target, subject: BenchRow.Subject, name: String, rounds: [Double],
      stored: Double? = nil
    ) {
      (self.key, self.target, self.subject, self.name) = (key, target, subject, name)
      var all = Rounds()
      for round in rounds { all.add(round) }
      bytesPerSecond = all.median
      bytesPerSecondRounds = rounds
      self.stored = stored
    }
  }

  /// Two runs of a sim, one after the other.
  package struct Run: Encodable {
    /// Where the trace is.
    package let target: Target
    /// How frames are recorded.
    package let mode: RecordUse.Mode
    /// Entities of the scene.
    package let entities: Int
    /// Frames that the sim published with the logger.
    package let published: UInt64
    /// Frames that the logger missed.
    package let missed: UInt64
    /// The tick's 99th percentile without the logger, ns.
    package let aloneP99Ns: UInt64
    /// The same with it, ns.
    package let recordedP99Ns: UInt64
    /// Largest resident memory of the logger without what it shares with the sim, bytes.
    package let residentMaxBytes: Int

    /// The figures of two runs.
    package init(
      target: Target, mode: RecordUse.Mode = .full, entities: Int, published: UInt64,
      missed: UInt64, aloneP99Ns: UInt64, recordedP99Ns: UInt64, residentMaxBytes: Int
    ) {
      (self.target, self.mode, self.entities) = (target, mode, entities)
      (self.published, self.missed) = (published, missed)
      (self.aloneP99Ns, self.recordedP99Ns) = (aloneP99Ns, recordedP99Ns)
      self.residentMaxBytes = residentMaxBytes
    }

    /// The tick's p99 with the logger, divided by that without.
    package var p99Ratio: Double { Double(recordedP99Ns) / Double(max(aloneP99Ns, 1)) }
  }

  /// The row with a key; nil if it was not measured.
  package func row(_ key: String) -> Row? { rows.first { $0.key == key } }

  /// The trace that was recorded in a way; nil if it was not measured.
  package func use(_ mode: RecordUse.Mode) -> RecordUse? { uses.first { $0.mode == mode } }

  /// Fills `goals` from the measured figures; a goal whose rows are missing in this run stays unmeasured.
  package mutating func judge() { goals = RecordGoals.all(self) }
}
