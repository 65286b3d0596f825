// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySim

/// All results of a run of `bench kernels`, as written to JSON.
package struct KernelReport: Codable, BenchReport {
  /// The machine of the run.
  package var machine = Machine()
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
  package var rows: [Row] = []
  /// Bandwidths of all streams.
  package var bandwidths: [Calibration.Bandwidth] = []
  /// Rates of independent operations.
  package var arithmetic: [Calibration.Arithmetic] = []
  /// The goals, judged.
  package var goals: [Goal] = []

  /// A report without rows.
  package init(
    machine: Machine = Machine(), compiler: String?, roundCount: Int, roundMs: Double,
    peersMissing: [String]
  ) {
    self.machine = machine
    self.compiler = compiler
    self.roundCount = roundCount
    self.roundMs = roundMs
    self.peersMissing = peersMissing
  }

  /// The machine of a run.
  package struct Machine: Codable {
    /// The processor's name.
    package var processor = Machine.readProcessor()
    /// Processors that the process may use.
    package var processorCount = ProcessInfo.processInfo.activeProcessorCount
    /// Caches of the first processor.
    package var caches = Machine.readCaches()
    /// The kernel's release.
    package var kernel = SmallFile.read("/proc/sys/kernel/osrelease")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    /// The kernel's setting of huge pages.
    package var hugePages = SmallFile.read("/sys/kernel/mm/transparent_hugepage/enabled")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    /// The best instruction set.
    package var instructionSet = InstructionSet.best.rawValue
    /// The commit of the checkout, with a plus if files are changed.
    package var commit = Machine.readCommit()

    /// Reads this machine, and the checkout that the program lies in.
    package init() {}

    private static func readProcessor() -> String? {
      SmallFile.read("/proc/cpuinfo").flatMap(processor)
    }

    /// The processor's name in the text of /proc/cpuinfo.
    package static func processor(cpuinfo: String) -> String? {
      let line = cpuinfo.split(separator: "\n").first {
        $0.hasPrefix("model name") || $0.hasPrefix("Processor")
      }
      return line?.split(separator: ":").last.map {
        String($0).trimmingCharacters(in: .whitespaces)
      }
    }

    /// The caches, each as "L1 data 48K".
    private static func readCaches() -> [String] {
      (0..<8).compactMap { index in
        let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
        let words = ["level", "type", "size"].compactMap {
          SmallFile.read(folder + $0)?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return cache(words)
      }
    }

    /// The name of a cache from level, type and size; nil if one of them is missing.
    package static func cache(_ words: [String]) -> String? {
      words.count == 3 ? "L\(words[0]) \(words[1].lowercased()) \(words[2])" : nil
    }

    /// The commit of the checkout that the program lies in; nil outside a checkout.
    private static func readCommit() -> String? {
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
      guard
        let commit = Tool.output(
          "/usr/bin/env", ["git", "-C", folder, "rev-parse", "--short=12", "HEAD"])
      else { return nil }
      let changes = Tool.output(
        "/usr/bin/env", ["git", "-C", folder, "status", "--porcelain", "-uno"])
      return name(commit: commit, changes: changes)
    }

    /// A commit's name as git prints it, with a plus if it lists changes.
    package static func name(commit: String, changes: String?) -> String {
      let name = commit.trimmingCharacters(in: .whitespacesAndNewlines)
      return changes?.isEmpty == false ? name + "+" : name
    }
  }

  /// A comparison of a peer's values with Orrery's.
  package struct Check: Codable {
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

  /// A measured row.
  package struct Row: Codable {
    /// The kind of motion.
    package let kind: String
    /// Entities of a tick.
    package let entities: Int
    /// `ours` or `peer`.
    package let subject: String
    /// The name in the table.
    package let name: String
    /// The name of the peer's library; empty for Orrery.
    package let family: String
    /// The instruction set; nil for peers.
    package let isa: String?
    /// Threads that share the work.
    package let threads: Int
    /// Ticks that one call computes.
    package let ticksPerCall: Int
    /// Whether the state hash is computed as well.
    package let hashes: Bool
    /// Whether columns have 16 bits.
    package let isFixed: Bool
    /// The fastest round, ns per entity and tick.
    package let nsMin: Double
    /// The median of the rounds, ns.
    package let nsMedian: Double
    /// From the lower to the upper quartile of rounds, as a fraction of the median.
    package let spread: Double
    /// All rounds in their order, ns.
    package let nsRounds: [Double]
    /// Bytes loaded and stored per entity and tick; nil if unknown.
    package let bytes: Double?
    /// Additions and multiplications per entity and tick; 0 if unknown.
    package let operations: Int
    /// Time to move the bytes alone, ns.
    package let limitNs: Double?
    /// Fraction of the bandwidth available to such streams.
    package let ofLimit: Double?
    /// The best peer's time divided by this row's.
    package let ratio: Double?
    /// Orrery's state hash at `hashTick`.
    package let hash: String?
    /// The tick of `hash`.
    package let hashTick: UInt64?

    /// Whether this is a row of Orrery with these properties, in the best instruction set.
    package func isOurs(isa best: String, tile: Int, isFixed: Bool = false, threads: Int = 1)
      -> Bool
    {
      subject == KernelRow.Subject.ours.rawValue && isa == best && ticksPerCall == tile
        && self.isFixed == isFixed && self.threads == threads
    }
  }

  /// One of the goals that are set for Orrery's kernels.
  package struct Goal: Codable {
    /// The name of the goal.
    package let name: String
    /// The figure to reach.
    package let wanted: Double
    /// The measured figure; nil if rows are missing.
    package let measured: Double?

    /// Creates a goal with its measured figure.
    package init(name: String, wanted: Double, measured: Double?) {
      (self.name, self.wanted, self.measured) = (name, wanted, measured)
    }

    /// Whether it holds, in a word or two.
    package var verdict: String {
      guard let measured else { return "not measured" }
      return measured >= wanted ? "holds" : "missed"
    }
  }
}

extension KernelReport {
  /// Adds the rows of a group, which have one kind and count of entities.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - group: All rows to compare.
  ///   - limitNs: Returns the time to move a row's bytes alone; nil if unknown.
  package mutating func add(
    _ kind: KernelKind, _ group: [KernelRow], limitNs: (KernelRow) -> Double?
  ) {
    // If all peers drift, compare with those.
    let peers = group.filter { $0.subject == .peer }
    let lasting = peers.filter { !$0.drifts && $0.traffic != nil }
    let best = (lasting.isEmpty ? peers : lasting).map(\.rounds.min).min()
    for row in group {
      let limit = limitNs(row)
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
