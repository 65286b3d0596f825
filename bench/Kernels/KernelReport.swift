// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySim

/// Everything that a run of `bench kernels` found, as it is written to JSON.
struct KernelReport: Codable, BenchReport {
  var machine = Machine()
  /// The compiler of the peers.
  var compiler: String?
  var roundCount: Int
  var roundMs: Double
  var peersMissing: [String]
  var checks: [Check] = []
  var rows: [Row] = []
  var bandwidths: [Calibration.Bandwidth] = []
  var arithmetic: [Calibration.Arithmetic] = []
  var goals: [Goal] = []

  /// What the run was on.
  struct Machine: Codable {
    var processor = Machine.readProcessor()
    var processorCount = ProcessInfo.processInfo.activeProcessorCount
    var caches = Machine.readCaches()
    var kernel = SmallFile.read("/proc/sys/kernel/osrelease")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var hugePages = SmallFile.read("/sys/kernel/mm/transparent_hugepage/enabled")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var instructionSet = InstructionSet.best.rawValue
    var commit = Machine.readCommit()

    private static func readProcessor() -> String? {
      let lines = SmallFile.read("/proc/cpuinfo")?.split(separator: "\n") ?? []
      let line = lines.first { $0.hasPrefix("model name") || $0.hasPrefix("Processor") }
      return line?.split(separator: ":").last.map {
        String($0).trimmingCharacters(in: .whitespaces)
      }
    }

    /// Each as "L1 data 48K".
    private static func readCaches() -> [String] {
      (0..<8).compactMap { index in
        let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
        let words = ["level", "type", "size"].compactMap {
          SmallFile.read(folder + $0)?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return words.count == 3 ? "L\(words[0]) \(words[1].lowercased()) \(words[2])" : nil
      }
    }

    /// Of the checkout that the program lies in, with a plus where files are changed; nil outside one.
    private static func readCommit() -> String? {
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
      guard
        let commit = Tool.output(
          "/usr/bin/env", ["git", "-C", folder, "rev-parse", "--short=12", "HEAD"])
      else { return nil }
      let changes = Tool.output(
        "/usr/bin/env", ["git", "-C", folder, "status", "--porcelain", "-uno"])
      let name = commit.trimmingCharacters(in: .whitespacesAndNewlines)
      return changes?.isEmpty == false ? name + "+" : name
    }
  }

  /// A peer held against Orrery.
  struct Check: Codable {
    let kind: String
    let peer: String
    let pointsOff: Double
    let isRight: Bool
    /// Nil where nobody asked.
    let pointsOffAfterAnHour: Double?
  }

  /// A measured row.
  struct Row: Codable {
    let kind: String
    let entities: Int
    let subject: String
    let name: String
    let family: String
    let isa: String?
    let threads: Int
    let ticksPerCall: Int
    let hashes: Bool
    let isFixed: Bool
    let nsMin: Double
    let nsMedian: Double
    /// From the fastest to the slowest round but one quarter at each end, of the median.
    let spread: Double
    let nsRounds: [Double]
    let bytes: Double?
    let operations: Int
    /// What moving the bytes alone takes.
    let limitNs: Double?
    /// Part of the bandwidth that is there for such streams.
    let ofLimit: Double?
    /// The best peer's time by this one's.
    let ratio: Double?
    /// Orrery's state hash at `hashTick`.
    let hash: String?
    let hashTick: UInt64?

    /// Best of a machine's kernels, tick by tick or in tiles, on one thread.
    func isOurs(isa best: String, tile: Int, isFixed: Bool = false, threads: Int = 1) -> Bool {
      subject == KernelRow.Subject.ours.rawValue && isa == best && ticksPerCall == tile
        && self.isFixed == isFixed && self.threads == threads
    }
  }

  /// One of the goals that are set for Orrery's kernels.
  struct Goal: Codable {
    let name: String
    let wanted: Double
    let measured: Double?

    var verdict: String {
      guard let measured else { return "not measured" }
      return measured >= wanted ? "holds" : "missed"
    }
  }
}

extension KernelReport {
  /// Adds a group's rows: those of one kind and number of entities.
  mutating func add(_ kind: KernelKind, _ group: [KernelRow], limits: LimitRows) {
    // Where all of them drift, that is what can be had.
    let peers = group.filter { $0.subject == .peer }
    let lasting = peers.filter { !$0.drifts && $0.traffic != nil }
    let best = (lasting.isEmpty ? peers : lasting).map(\.rounds.min).min()
    for row in group {
      let limit = limits.ns(for: row)
      rows.append(
        Row(
          kind: kind.rawValue, entities: row.count, subject: row.subject.rawValue,
          name: row.drifts ? row.name + (row.name.isEmpty ? "drifts" : ", drifts") : row.name,
          family: row.family, isa: row.isa, threads: row.threads, ticksPerCall: row.ticksPerCall,
          hashes: row.hashes, isFixed: row.isFixed, nsMin: row.rounds.min,
          nsMedian: row.rounds.median, spread: row.rounds.spread, nsRounds: row.rounds.all,
          bytes: row.traffic?.bytes, operations: row.operations, limitNs: limit,
          ofLimit: limit.map { $0 / row.rounds.min }, ratio: best.map { $0 / row.rounds.min },
          hash: row.hash.map(hexadecimal), hashTick: row.hash == nil ? nil : KernelRow.hashTick))
    }
  }
}
