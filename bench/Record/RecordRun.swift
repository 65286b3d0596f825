// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryTrace

/// One run of `bench record`.
final class RecordRun {
  private let disk: String
  private let (runEntities, deltaEntities): (Int, Int)
  private let traceBytes: Int
  private let roundCount: Int
  private let roundSeconds: Double
  private let runSeconds: Int
  private let frames: RecordedFrames
  private let rows: RecordRows
  private let folder: ProgramFolder
  private let peers: RecordPeers
  private var report: RecordReport
  private let area: AreaResult
  private var runNumber = 0

  /// Frames that are written in turn: 64 MB of a million entities, more than caches hold.
  private static let frameCount = 8

  /// - Throws: If files cannot be written.
  init(
    folder disk: String, frameEntities: Int, runEntities: Int, deltaEntities: Int,
    traceBytes: Int, roundCount: Int, roundSeconds: Double, runSeconds: Int,
    results: ResultOptions
  ) throws {
    (self.disk, self.traceBytes, self.roundCount) = (disk, traceBytes, roundCount)
    (self.runEntities, self.deltaEntities) = (runEntities, deltaEntities)
    (self.roundSeconds, self.runSeconds) = (roundSeconds, runSeconds)
    frames = RecordedFrames(entities: frameEntities, count: Self.frameCount)
    rows = RecordRows(frames, seconds: roundSeconds)
    folder = try ProgramFolder("record")
    peers = try RecordPeers(folder: folder.url)
    report = RecordReport(entities: frameEntities, frameBytes: frames.frameBytes)
    area = AreaResult(
      "record",
      results,
      notes: PeerBuild.notes("", nil, missing: peers.missing) + [
        "frames of \(TextTable.grouped(frameEntities)) entities,"
          + " \(TextTable.grouped(frames.frameBytes)) bytes"
      ])
  }

  /// Measures everything and prints it.
  ///
  /// - Returns: The goals.
  /// - Throws: `Failure` if a program fails or a file cannot be written.
  func measure() throws -> [BenchGoal] {
    try measureMemory()
    try measureFiles(.shm, folder: "/dev/shm")
    try measureFiles(.disk, folder: disk)
    try measureColumns()
    try measureRun(.disk, .full, entities: runEntities, folder: disk)
    try measureRun(.shm, .full, entities: runEntities, folder: "/dev/shm")
    try measureRun(.disk, .delta, entities: deltaEntities, folder: disk)
    area.add(report.runRows)
    let uses = RecordUses(
      place: disk, folder: folder.url, entities: report.entities, traceBytes: traceBytes)
    for mode in RecordUse.Mode.allCases { report.uses.append(try uses.measure(mode)) }
    area.add(report.useRows)
    return try area.finish(report.goals)
  }

  /// A way to record that takes its turn.
  private struct Way {
    let key: String
    let subject: StudyRow.Subject
    let name: String
    let round: () throws -> RecordRows.Round?
  }

  /// Lets all ways take turns, and adds their rows.
  private func measure(_ ways: [Way], _ target: RecordReport.Target) throws {
    var rounds = [[RecordRows.Round]](repeating: [], count: ways.count)
    for number in 0..<roundCount {
      for index in Turns.order(count: ways.count, round: number) {
        if let round = try ways[index].round() { rounds[index].append(round) }
      }
    }
    for (way, rounds) in zip(ways, rounds) where !rounds.isEmpty {
      report.rows.append(
        RecordReport.Row(
          key: way.key, target: target, subject: way.subject, name: way.name,
          rounds: rounds.map(\.bytesPerSecond), stored: rounds.last?.stored ?? nil))
    }
    area.add(report.studyRows(target))
  }

  /// Compresses the columns of scenes, on one core.
  private func measureColumns() throws {
    for workload in RecordedColumns.workloads(entities: min(report.entities, 100_000)) {
      let columns = try RecordedColumns(workload, programs: folder.url)
      let values = folder.url.appendingPathComponent("columns.f32").path
      try columns.write(to: values)
      defer { unlink(values) }
      let rounds = try (0..<roundCount).map { _ in
        try RecordRows.onOneCore { try columns.ours() }
      }
      func add(_ figures: [RecordedColumns.Figures], _ subject: StudyRow.Subject, _ name: String) {
        guard let first = figures.first else { return }
        report.columns.append(
          RecordReport.Columns(
            scene: workload.scene, subject: subject, name: name, bits: first.bits,
            rates: workload.isTimed
              ? (
                SampleSummary.median(figures.map(\.inBytesPerSecond)),
                SampleSummary.median(figures.map(\.outBytesPerSecond))
              ) : nil))
      }
      add(rounds, .ours, RecordReport.ourColumns)
      for library in peers.compressors {
        let figures = peers.compress(library, columns, in: values, seconds: roundSeconds)
        add(figures.map { [$0] } ?? [], .peer, library)
      }
    }
    area.add(report.columnRows)
  }

  private func measureMemory() throws {
    let rows = rows
    let copies = [
      (0, "copy", "a copy"), (1, "copy-crc", "a copy, then its checksum"),
      (2, "copy-crc-once", "a copy with its checksum, one pass"),
    ].map { sums, key, name in
      Way(
        key: "memory/limit/\(key)", subject: .limit, name: name,
        round: { try RecordRows.onOneCore { rows.copy(sums: sums) } })
    }
    let ours = TraceCompression.allCases.map { compression in
      Way(
        key: "memory/ours/\(compression.rawValue)", subject: .ours,
        name: "Orrery, \(compression.rawValue)",
        round: { try RecordRows.onOneCore { try rows.ours(compression, path: nil) } })
    }
    try measure(copies + ours, .memory)
  }

  /// The file that is written to a folder again and again.
  static func path(in folder: String) -> String { "\(folder)/orrery-record-\(getpid()).mcap" }

  private func measureFiles(_ target: RecordReport.Target, folder place: String) throws {
    let path = Self.path(in: place)
    let (rows, peers, seconds) = (rows, peers, roundSeconds)
    let input = "/dev/shm/orrery-frames-\(getpid())"
    try Data(frames.bytes).write(to: URL(fileURLWithPath: input))
    defer { unlink(input) }
    let frameBytes = frames.frameBytes
    let ours = TraceCompression.allCases.map { compression in
      Way(
        key: "\(target.rawValue)/ours/\(compression.rawValue)", subject: .ours,
        name: "Orrery, \(compression.rawValue)",
        round: { try rows.ours(compression, path: path) })
    }
    let others = peers.libraries.flatMap { library in
      TraceCompression.allCases.map { compression in
        Way(
          key: "\(target.rawValue)/\(library)/\(compression.rawValue)", subject: .peer,
          name: "\(library), \(compression.rawValue)",
          round: {
            peers.round(
              library, compression: compression.rawValue, frames: input, frameBytes: frameBytes,
              seconds: seconds, out: path)
          })
      }
    }
    let limits =
      target == .disk
      ? [
        Way(
          key: "disk/limit/fio", subject: .limit, name: "fio, 1 MiB, O_DIRECT, io_uring, depth 8",
          round: {
            peers.disk(folder: place, seconds: seconds).map {
              RecordRows.Round(bytesPerSecond: $0, stored: nil)
            }
          })
      ] : []
    try measure(limits + others + ours, target)
  }

  /// A run of a sim without a logger, and one with it.
  private func measureRun(
    _ target: RecordReport.Target, _ mode: RecordUse.Mode, entities: Int, folder place: String
  ) throws {
    let alone = try figures(try startSim(entities).sim)
    let (sim, name) = try startSim(entities, waitFor: 1)
    let path = place + "/orrery-\(name)-\(getpid()).mcap"
    defer { unlink(path) }
    let logger = try StartedProgram(
      "logger", ["--run", name, "--out", path, "--force", "--json"] + mode.options,
      in: folder.url)
    var residentMax = 0
    while logger.isRunning, sim.isRunning {
      residentMax = max(residentMax, logger.resources()?.ownBytes ?? 0)
      usleep(50_000)
    }
    let recorded = try figures(sim)
    if !logger.wait(seconds: 60) { logger.end(SIGKILL) }
    guard let account: SubscriberReportMessage = logger.report("orrery.subscriber") else {
      throw Failure(.unavailable, "the logger said nothing: \(logger.lines.joined(separator: " "))")
    }
    report.runs.append(
      RecordReport.Run(
        target: target, mode: mode, entities: entities, published: account.published,
        missed: account.missed, aloneP99Ns: alone.work.p99Ns,
        recordedP99Ns: recorded.work.p99Ns, residentMaxBytes: residentMax))
  }

  private func startSim(
    _ entities: Int, waitFor: Int = 0
  ) throws(Failure) -> (sim: StartedProgram, name: String) {
    runNumber += 1
    let name = "record-\(runNumber)"
    let sim = try StartedProgram(
      "sim",
      [
        "stress", "--entities", "\(entities)", "--duration", "\(runSeconds)", "--run", name,
        "--json", "--wait-for", "\(waitFor)",
      ], in: folder.url)
    return (sim, name)
  }

  private func figures(_ sim: StartedProgram) throws(Failure) -> SubscriberBenchReport.SimFigures {
    guard sim.wait(seconds: Double(runSeconds) * 4 + 60) else {
      throw Failure(.unavailable, "the sim hangs")
    }
    guard let report: SimReport = sim.report("orrery.sim") else {
      throw Failure(.unavailable, "the sim said nothing: \(sim.lines.joined(separator: " "))")
    }
    return .init(report)
  }
}
