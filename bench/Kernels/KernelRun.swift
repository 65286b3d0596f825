// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// One run of `bench kernels`: group by group, in each of which all rows take turns.
final class KernelRun {
  private let kinds: [KernelKind]
  private let entities: [Int]
  private let sets: [InstructionSet]
  private let threads: [Int]
  private let tiles: [Int]
  private let roundCount: Int
  private let roundNs: UInt64

  /// Variants that compute the right values, by kind.
  private var variants: [KernelKind: [PeerVariant]] = [:]
  private let isQuick: Bool
  private let calibration: Calibration
  private let limitLibrary: CalibrationLibrary?
  private var report: KernelReport

  /// Above so many entities, only peers are measured that are not slower than twice the best at the number
  /// of entities before: the others would take most of the time and tell nothing new.
  private static let everybodyMax = 2_000_000

  /// Objects take hundreds of times as long: a million of them are enough.
  private static let objectsMax = 1_000_000

  /// Builds the peers and holds them against Orrery.
  ///
  /// - Throws: `SceneError`, `SystemCallError`, and what temporary files meet.
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
    report = KernelReport(
      compiler: built.compiler, roundCount: roundCount, roundMs: Double(roundNs) / 1e6,
      peersMissing: built.missing)
    try check(built.libraries.filter { !$0.job.isCalibration })
  }

  /// Loads libraries and keeps what computes the right values.
  private func check(_ libraries: [PeerBuild.Built]) throws {
    var all: [[PeerVariant]] = []
    for library in libraries {
      if let variants = PeerLibrary.variants(of: library) {
        all.append(variants)
      } else {
        report.peersMissing.append("\(library.job.family): the library cannot be loaded")
      }
    }
    all.append(Self.objects("Swift, array of objects") { ClassPeer($0) })
    all.append(Self.objects("Swift, library of objects") { LibraryPeer($0) })
    for kind in KernelKind.simple where kinds.contains(kind) || kinds.contains(.mixed) {
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

  /// Holds one variant against what is right.
  ///
  /// - Returns: Nil if it computes something else.
  private func check(
    _ variant: PeerVariant, soon: PeerCheck.Expected, late: PeerCheck.Expected
  ) -> PeerVariant? {
    let distance = PeerCheck.distance(variant, from: soon)
    let isRight = distance <= KernelTask.tolerance
    // Objects would take minutes, and are the best at nothing.
    let asksHour = isRight && !isQuick && variant.countMax == .max
    let drift = asksHour ? PeerCheck.distance(variant, from: late) : nil
    report.checks.append(
      .init(
        kind: variant.kind.rawValue,
        peer: variant.name.isEmpty ? variant.family : "\(variant.family), \(variant.name)",
        pointsOff: distance, isRight: isRight, pointsOffAfterAnHour: drift))
    if !isRight { return nil }
    var checked = variant
    checked.drifts = drift.map { $0 > KernelTask.tolerance } ?? false
    return checked
  }

  private static func objects(
    _ family: String, _ make: @escaping @Sendable (KernelTask) -> any PeerWork
  ) -> [PeerVariant] {
    KernelKind.simple.map { kind in
      PeerVariant(
        family: family, name: "", kind: kind, traffic: nil, operations: 0,
        hasCenter: kind == .orbit, countMax: objectsMax, make: make)
    }
  }

  /// Measures all groups and prints each when it is done.
  ///
  /// - Returns: Everything that was found.
  /// - Throws: `SceneError`, `SystemCallError`.
  func measure() throws -> KernelReport {
    Standard.output(KernelTable.head(report))
    for count in entities {
      for kind in kinds {
        calibration.measure(ns: min(roundNs, 1_000_000))
        try measure(kind, count: count)
      }
    }
    calibration.measure(ns: min(roundNs, 1_000_000))
    report.bandwidths = calibration.bandwidths
    report.arithmetic = calibration.arithmetic
    report.goals = KernelGoals.all(report)
    Standard.output(KernelTable.calibration(calibration))
    Standard.output(KernelTable.goals(report.goals))
    return report
  }

  private func measure(_ kind: KernelKind, count: Int) throws {
    let task = try KernelTask(kind, count: count)
    let isLate = lateVariants(kind, count: count)
    let chosen = (variants[kind] ?? []).filter { count <= $0.countMax && !isLate($0) }
    var rows = chosen.map { row($0, task) }
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
    for round in 0..<roundCount {
      for index in all.indices { all[(index + round) % all.count].measure(ns: roundNs) }
    }
    let known = report.rows.count
    report.add(kind, rows, limits: limits)
    Standard.output(KernelTable.group(Array(report.rows[known...])))
  }

  /// Which variants are left out at a number of entities.
  private func lateVariants(_ kind: KernelKind, count: Int) -> (PeerVariant) -> Bool {
    let known = report.rows.filter {
      $0.kind == kind.rawValue && $0.subject == "peer" && $0.entities < count
    }
    let before = known.map(\.entities).max()
    let rows = known.filter { $0.entities == before }
    guard count > Self.everybodyMax, let best = rows.map(\.nsMin).min() else {
      return { _ in false }
    }
    let late = Set(rows.filter { $0.nsMin > 2 * best }.map { [$0.family, $0.name] })
    return { late.contains([$0.family, $0.name]) }
  }

  private func row(_ variant: PeerVariant, _ task: KernelTask) -> KernelRow {
    let work = variant.make(task)
    let memory = FrameMemory(
      bytes: [Int](repeating: task.count * 4, count: task.kind.fieldCount), destinations: 1)
    let pointers = memory.floats(destination: 0)
    let row = KernelRow(
      .peer, name: variant.name, family: variant.family, count: task.count, traffic: variant.traffic
    ) {
      withExtendedLifetime(memory) {
        pointers.withUnsafeBufferPointer { pointers in
          if let columns = pointers.baseAddress { work.tick(columns) }
        }
      }
    }
    row.operations = variant.operations
    row.drifts = variant.drifts
    return row
  }
}
