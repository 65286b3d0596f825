// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// One run of `bench kernels`, group by group; the rows of a group take turns.
final class KernelRun {
  private let kinds: [KernelKind]
  private let entities: [Int]
  private let sets: [InstructionSet]
  private let threads: [Int]
  private let tiles: [Int]
  private let roundCount: Int
  private let roundNs: UInt64

  /// Variants with the right values, by kind.
  private var variants: [KernelKind: [PeerVariant]] = [:]
  private let isQuick: Bool
  private let calibration: Calibration
  private let limitLibrary: CalibrationLibrary?
  private var report = KernelReport(isa: InstructionSet.best.rawValue)
  private let compiler: String?
  private var missing: [String]

  /// Builds the peers and compares their values with Orrery's.
  ///
  /// - Throws: `SceneError`, `SystemCallError`, and errors of temporary files.
  init(
    kinds: [KernelKind], entities: [Int], sets: [InstructionSet], threads: [Int], tiles: [Int],
    roundCount: Int, roundNs: UInt64, isQuick: Bool
  ) throws {
    (self.kinds, self.entities, self.sets) = (kinds, entities, sets)
    (self.threads, self.tiles) = (threads, tiles)
    (self.roundCount, self.roundNs) = (roundCount, roundNs)
    self.isQuick = isQuick
    let built = try PeerBuild(sets: sets)
    let libraries = built.libraries.filter(\.job.isCalibration).compactMap(CalibrationLibrary.init)
    limitLibrary = libraries.last
    calibration = try Calibration(
      libraries, largest: isQuick ? 1 << 20 : 256 << 20, threads: threads)
    (compiler, missing) = (built.compiler, built.missing)
    try check(built.libraries.filter { !$0.job.isCalibration })
  }

  /// Loads libraries and keeps the variants with the right values.
  private func check(_ libraries: [PeerBuild.Built]) throws {
    var all: [[PeerVariant]] = []
    for library in libraries {
      if let variants = PeerLibrary.variants(of: library) {
        all.append(variants)
      } else {
        missing.append("\(library.job.family): the library cannot be loaded")
      }
    }
    all += PeerVariant.objects
    for kind in KernelKind.single
    where kinds.contains(kind) || (kinds.contains(.mixed) && KernelKind.simple.contains(kind)) {
      let soon = try PeerCheck.Expected(kind, after: .seconds)
      let late = try PeerCheck.Expected(kind, after: .hour)
      for index in all.indices {
        all[index] = all[index].compactMap { variant in
          variant.kind == kind ? check(variant, soon: soon, late: late) : variant
        }
      }
    }
    for library in all {
      for variant in library + PeerVariant.mixtures(of: library) {
        variants[variant.kind, default: []].append(variant)
      }
    }
  }

  /// Compares one variant's values with Orrery's.
  ///
  /// - Returns: Nil if the values are wrong.
  private func check(
    _ variant: PeerVariant, soon: PeerCheck.Expected, late: PeerCheck.Expected
  ) -> PeerVariant? {
    let (check, checked) = PeerCheck.judge(
      variant, asksHour: !isQuick, pointsOff: PeerCheck.distance(variant, from: soon)
    ) { PeerCheck.distance(variant, from: late) }
    report.checks.append(check)
    return checked
  }

  /// Measures all groups; prints each when it is done.
  ///
  /// - Parameter results: Where the result goes.
  /// - Returns: What the roofline needs, and the goals.
  /// - Throws: `SceneError`, `SystemCallError`, and `Failure` if the file cannot be written.
  func measure(_ results: ResultOptions) throws -> (KernelReport, [BenchGoal]) {
    let wrong = report.checks.filter { !$0.isRight }.map {
      "wrong, not timed: \($0.kind), \($0.peer): \(decimal($0.pointsOff, places: 3)) points off"
    }
    let area = AreaResult(
      "kernels", results, notes: PeerBuild.notes("peers", compiler, missing: missing) + wrong)
    for count in entities {
      for kind in kinds where count <= kind.countMax {
        calibration.measure(ns: min(roundNs, 1_000_000))
        area.add(RowReport.rows(try measure(kind, count: count)))
      }
    }
    calibration.measure(ns: min(roundNs, 1_000_000))
    report.bandwidths = calibration.bandwidths
    report.arithmetic = calibration.arithmetic
    area.add(report.limits)
    return (report, try area.finish(KernelGoals.all(report)))
  }

  private func measure(_ kind: KernelKind, count: Int) throws -> [RowReport] {
    let task = try KernelTask(kind, count: count)
    let slow = SlowPeers(report.rows, kind, count: count)
    let chosen = (variants[kind] ?? []).filter { count <= $0.countMax && !slow.contains($0) }
    var rows = chosen.map { BenchRow($0, task) }
    let ours = try OurKernels(task, tiles: tiles)
    for threadCount in threads {
      for set in sets {
        rows += try ours.rows(
          isa: set, threads: threadCount, tiles: tiles, isBest: set == sets.last)
      }
    }
    let limits = try LimitRows(limitLibrary, count: count, for: rows)
    let all = rows + limits.rows.values.joined()
    for row in all { row.warmUp() }
    if kind == .flow || kind == .mixed { rows.forEach { $0.start() } }
    Turns.take(all, rounds: roundCount) { $0.measure(ns: roundNs) }
    let known = report.rows.count
    report.add(kind, rows) { limits.ns(for: $0) }
    return Array(report.rows[known...])
  }
}
