// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySim

/// Everything that a run of `bench kernels` found, as it is written to JSON.
package struct KernelReport: Codable, BenchReport {
  /// What the run was on.
  package var machine = Machine()
  /// The compiler of the peers.
  package var compiler: String?
  /// Rounds of each row.
  package var roundCount: Int
  /// How long a round is, ms.
  package var roundMs: Double
  /// Peers that could not be built, and why.
  package var peersMissing: [String]
  /// Peers held against Orrery.
  package var checks: [Check] = []
  /// All rows, group after group.
  package var rows: [Row] = []
  /// What streams of bytes come to.
  package var bandwidths: [Calibration.Bandwidth] = []
  /// What independent operations come to.
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

  /// What the run was on.
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
    /// Whether the kernel gives huge pages.
    package var hugePages = SmallFile.read("/sys/kernel/mm/transparent_hugepage/enabled")?
      .trimmingCharacters(in: .whitespacesAndNewlines)
    /// The best instruction set.
    package var instructionSet = InstructionSet.best.rawValue
    /// What was built.
    package var commit = Machine.readCommit()

    /// This machine, and the checkout that the program lies in.
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

    /// Each as "L1 data 48K".
    private static func readCaches() -> [String] {
      (0..<8).compactMap { index in
        let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
        let words = ["level", "type", "size"].compactMap {
          SmallFile.read(folder + $0)?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return cache(words)
      }
    }

    /// A cache of a level, a type and a size; nil where one of them is missing.
    package static func cache(_ words: [String]) -> String? {
      words.count == 3 ? "L\(words[0]) \(words[1].lowercased()) \(words[2])" : nil
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
      return name(commit: commit, changes: changes)
    }

    /// A commit's name as git prints it, with a plus if it lists changes.
    package static func name(commit: String, changes: String?) -> String {
      let name = commit.trimmingCharacters(in: .whitespacesAndNewlines)
      return changes?.isEmpty == false ? name + "+" : name
    }
  }

  /// A peer held against Orrery.
  package struct Check: Codable {
    /// The kind of motion.
    package let kind: String
    /// The library and the variant.
    package let peer: String
    /// How far it is off after some seconds, in points.
    package let pointsOff: Double
    /// Whether that is within the tolerance.
    package let isRight: Bool
    /// Nil where nobody asked.
    package let pointsOffAfterAnHour: Double?

    /// What a check came to.
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
    /// Whose row it is.
    package let subject: String
    /// In words of the table.
    package let name: String
    /// What the peer's library is called; empty for Orrery.
    package let family: String
    /// The instruction set; nil for peers.
    package let isa: String?
    /// Threads that share the work.
    package let threads: Int
    /// Ticks that one call computes.
    package let ticksPerCall: Int
    /// Whether the state hash is computed, too.
    package let hashes: Bool
    /// Whether columns have 16 bits.
    package let isFixed: Bool
    /// The fastest round, ns of an entity and a tick.
    package let nsMin: Double
    /// The median of the rounds, ns.
    package let nsMedian: Double
    /// From the fastest to the slowest round but one quarter at each end, of the median.
    package let spread: Double
    /// All rounds in their order, ns.
    package let nsRounds: [Double]
    /// Loaded and stored for an entity and a tick; nil where unknown.
    package let bytes: Double?
    /// Additions and multiplications; 0 where unknown.
    package let operations: Int
    /// What moving the bytes alone takes.
    package let limitNs: Double?
    /// Part of the bandwidth that is there for such streams.
    package let ofLimit: Double?
    /// The best peer's time by this one's.
    package let ratio: Double?
    /// Orrery's state hash at `hashTick`.
    package let hash: String?
    /// The tick of `hash`.
    package let hashTick: UInt64?

    /// Best of a machine's kernels, tick by tick or in tiles, on one thread.
    package func isOurs(isa best: String, tile: Int, isFixed: Bool = false, threads: Int = 1)
      -> Bool
    {
      subject == KernelRow.Subject.ours.rawValue && isa == best && ticksPerCall == tile
        && self.isFixed == isFixed && self.threads == threads
    }
  }

  /// One of the goals that are set for Orrery's kernels.
  package struct Goal: Codable {
    /// What is to be reached.
    package let name: String
    /// The figure to reach.
    package let wanted: Double
    /// The figure that was reached; nil where rows are missing.
    package let measured: Double?

    /// A goal and what came of it.
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
  /// Adds a group's rows: those of one kind and number of entities.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - group: All rows that are compared.
  ///   - limitNs: What moving a row's bytes alone takes; nil if nobody knows.
  package mutating func add(
    _ kind: KernelKind, _ group: [KernelRow], limitNs: (KernelRow) -> Double?
  ) {
    // Where all of them drift, that is what can be had.
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
