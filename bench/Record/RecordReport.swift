// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `bench record` measured, as its goals and its tables need it.
package struct RecordReport {
  /// Entities of a frame in the timed rows.
  package let entities: Int
  /// Bytes of a frame in the timed rows.
  package let frameBytes: Int
  /// All timed rows.
  package var rows: [Row] = []
  /// Whole runs with a logger, and without.
  package var runs: [Run] = []
  /// Columns of floats, compressed.
  package var columns: [Columns] = []
  /// Traces of one scene, by the way that they were recorded.
  package var uses: [RecordUse] = []
  /// The goals; one whose rows are missing stays unmeasured.
  package var goals: [BenchGoal] { RecordGoals.all(self) }

  /// A report without figures.
  package init(entities: Int, frameBytes: Int) {
    (self.entities, self.frameBytes) = (entities, frameBytes)
  }

  /// Where a row's bytes go.
  package enum Target: String, CaseIterable, Sendable {
    /// Chunks are made, and dropped.
    case memory
    /// A file of /dev/shm.
    case shm
    /// A file of the folder that is asked for.
    case disk
  }

  /// A measured row: how fast frames are recorded in a way.
  package struct Row {
    /// The key by which goals find the row.
    package let key: String
    /// Where the bytes go.
    package let target: Target
    /// Orrery, a peer or a limit.
    package let subject: StudyRow.Subject
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
      key: String, target: Target, subject: StudyRow.Subject, name: String, rounds: [Double],
      stored: Double? = nil
    ) {
      (self.key, self.target, self.subject, self.name) = (key, target, subject, name)
      bytesPerSecond = SampleSummary.median(rounds)
      bytesPerSecondRounds = rounds
      self.stored = stored
    }
  }

  /// Two runs of a sim, one after the other.
  package struct Run {
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

  /// The name of Orrery's rows among columns.
  package static let ourColumns = "Orrery, --delta"

  /// What one compressor made of the columns of a scene.
  package struct Columns {
    /// The scene.
    package let scene: String
    /// Orrery or a peer.
    package let subject: StudyRow.Subject
    /// The name in the table.
    package let name: String
    /// Bits of a value.
    package let bits: Double
    /// Bytes of values in a second, compressed and given back; nil where a scene is too small to be timed.
    package let rates: (encoded: Double, decoded: Double)?

    /// The figures of one compressor.
    package init(
      scene: String, subject: StudyRow.Subject, name: String, bits: Double,
      rates: (encoded: Double, decoded: Double)?
    ) {
      (self.scene, self.subject, self.name) = (scene, subject, name)
      (self.bits, self.rates) = (bits, rates)
    }
  }

  /// What a compressor made of a scene; nil if it was not measured.
  package func column(_ scene: String, _ name: String) -> Columns? {
    columns.first { $0.scene == scene && $0.name == name }
  }

  /// The row with a key; nil if it was not measured.
  package func row(_ key: String) -> Row? { rows.first { $0.key == key } }

  /// The trace that was recorded in a way; nil if it was not measured.
  package func use(_ mode: RecordUse.Mode) -> RecordUse? { uses.first { $0.mode == mode } }
}

// MARK: - Rows of tables

extension RecordReport {
  /// The rows of one target: limits first, then peers, then Orrery.
  package func studyRows(_ target: Target) -> [StudyRow] {
    let table =
      switch target {
      case .memory: "to memory, one core"
      case .shm: "to /dev/shm"
      case .disk: "to disk"
      }
    return [StudyRow.Subject.limit, .peer, .ours].flatMap { subject in
      rows.filter { $0.target == target && $0.subject == subject }.flatMap { row in
        [
          StudyRow(
            .init(table, row.name, "GB/s"), unit: "GB/s", better: .larger,
            row.bytesPerSecondRounds.map { $0 / 1e9 }, subject: subject, entities: entities)
        ]
          + (row.stored.map {
            [StudyRow(.init(table, row.name, "stored"), unit: "parts", [$0], subject: subject)]
          } ?? [])
      }
    }
  }

  /// Columns of floats: bits of a value by scene, and rates where they were timed.
  package var columnRows: [StudyRow] {
    columns.flatMap { row in
      func figure(_ name: String, _ unit: String, _ value: Double) -> StudyRow {
        StudyRow(
          .init("columns of floats, \(row.scene)", row.name, name), unit: unit,
          better: unit == "bits" ? .smaller : .larger, [value], subject: row.subject)
      }
      return [figure("bits a value", "bits", row.bits)]
        + (row.rates.map {
          [
            figure("GB/s in", "GB/s", $0.encoded / 1e9),
            figure("GB/s out", "GB/s", $0.decoded / 1e9),
          ]
        } ?? [])
    }
  }

  /// Whole runs.
  package var runRows: [StudyRow] {
    runs.flatMap { run in
      let line =
        "\(TextTable.grouped(run.entities)) entities, \(run.mode.rawValue), to \(run.target.rawValue)"
      let figures = [
        ("missed", "frames", Double(run.missed)), ("of", "frames", Double(run.published)),
        ("p99 ratio", "times", run.p99Ratio), ("MiB", "MiB", Double(run.residentMaxBytes) / 0x1p20),
      ]
      return figures.map { name, unit, value in
        StudyRow(
          .init("runs at 60 Hz", line, name), unit: unit, better: name == "of" ? .larger : .smaller,
          [value], entities: run.entities)
      }
    }
  }

  /// Traces of one scene: the cost of making and of using them.
  package var useRows: [StudyRow] {
    guard let first = uses.first else { return [] }
    let table = "traces of \(TextTable.grouped(first.entities)) entities"
    typealias Line = (name: String, unit: String, better: StudyRow.Better, (RecordUse) -> Double?)
    let lines: [Line] = [
      ("frames", "frames", .larger, { Double($0.frames) }),
      ("MB", "MB", .smaller, { $0.fileBytes / 1e6 }),
      ("bytes kept of two floats", "B", .smaller, \.bytesPerPosition),
      ("recorded, GB a CPU second", "GB/s", .larger, { $0.inputBytesPerSecond / 1e9 }),
      ("recording, by the tick's time", "parts", .smaller, \.partOfTick),
      (
        "verified, GB a CPU second", "GB/s", .larger, { $0.verifiedBytesPerSecond.map { $0 / 1e9 } }
      ),
      ("info, ms", "ms", .smaller, { $0.infoSeconds * 1e3 }),
      (
        "seek, ms, median", "ms", .smaller,
        { SampleSummary.median($0.seekNs.map { Double($0) / 1e6 }) }
      ),
      ("seek, ms, slowest", "ms", .smaller, { $0.seekNs.last.map { Double($0) / 1e6 } }),
      ("MiB, logger and readers", "MiB", .smaller, { Double($0.residentMaxBytes) / 0x1p20 }),
    ]
    return lines.flatMap { line in
      uses.compactMap { use in
        line.3(use).map {
          StudyRow(
            .init(table, line.name, use.mode.rawValue), unit: line.unit, better: line.better, [$0],
            entities: use.entities)
        }
      }
    }
  }
}
