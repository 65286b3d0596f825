// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryPlot
import OrrerySim

/// Times kernels beside the machine's limits and beside peers.
package struct KernelBench: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "kernels",
    abstract: "Kernels beside the machine's limits and other ways to move as much.",
    usage: "orrery bench kernels [OPTIONS]",
    discussion: """
      Example:
        orrery bench kernels --kinds orbit --entities 10000 --plot roofline.png
      Peers are compiled at the start with the g++ that is on PATH;
      docs/reference/bench.md tells what each is, and tools/install --bench installs
      what they need. Without a compiler only Orrery's rows are measured.
      """)

  @Option(
    help: "Kinds, all by default: \(KernelKind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kinds: WordList<KernelKind>?

  @Option(help: "Numbers of entities, 1 to 50000000, separated by commas.")
  var entities = NumberList([10_000, 100_000, 1_000_000, 10_000_000])

  @Option(help: "Instruction sets: baseline, avx2 or avx512. Default: those of this machine.")
  var isa: WordList<InstructionSet>?

  @Option(help: "Numbers of threads, 1 to 1024, separated by commas.")
  var threads = NumberList([1, 2])

  @Option(help: "Ticks that are computed at once: 1, 2, 4 or 8.")
  var tile = NumberList([1, 8])

  @Option(help: "Rounds of each row, \(roundRange).")
  var rounds: Int?

  @Option(help: "Seconds of a round of a row, \(Self.durationRange).")
  var duration: Double?

  @Flag(help: "Two short rounds: whether everything works, not how fast.")
  var quick = false

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  @Option(help: "Draws a roofline into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  package init() {}

  private var chosen: [KernelKind] { kinds?.all ?? KernelKind.allCases }

  /// Rounds of each row: as asked for, otherwise two quick ones or seven.
  package var roundCount: Int { rounds ?? (quick ? 2 : 7) }

  /// Nanoseconds of a round of a row: as asked for, otherwise half a millisecond if quick, or ten.
  package var roundNs: UInt64 { UInt64((duration ?? (quick ? 0.0005 : 0.01)) * 1e9) }

  private static let durationRange = OptionRange(above: 0, to: 60.0)

  package func validate() throws {
    try roundRange.check("--rounds", roundCount)
    try checkPlot(plot)
    try Self.durationRange.check("--duration", duration)
    guard threads.numbers.allSatisfy({ $0 <= 1024 }) else {
      throw ValidationError("--threads: use 1 to 1024")
    }
    guard tile.numbers.allSatisfy({ [1, 2, 4, 8].contains($0) }) else {
      throw ValidationError("--tile: use 1, 2, 4 or 8")
    }
    if let count = entities.numbers.first(where: { $0 > 50_000_000 }) {
      throw ValidationError("--entities \(count): use at most 50000000")
    }
    if let most = chosen.map(\.countMax).max(), entities.numbers.allSatisfy({ $0 > most }) {
      throw ValidationError("--entities: use at most \(most) of these kinds")
    }
    if let set = isa?.all.first(where: { !$0.isSupported }) {
      throw ValidationError("--isa \(set.rawValue): this machine does not have it")
    }
  }

  package func run() throws {
    try runArea(writing: [results.out, plot], isChecked: goals.check) {
      let run = try KernelRun(
        kinds: chosen, entities: entities.numbers,
        sets: isa?.all ?? InstructionSet.allCases.filter(\.isSupported), threads: threads.numbers,
        tiles: tile.numbers, roundCount: roundCount, roundNs: roundNs, isQuick: quick)
      let (report, goals) = try run.measure(results)
      if let plot, let format = PlotFile.Format(path: plot) {
        try Roofline.write(report, path: plot, format: format)
      }
      return goals
    }
  }
}
