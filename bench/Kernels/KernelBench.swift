// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryPlot
import OrreryScene
import OrrerySim

/// Times kernels beside the machine's limits and beside peers.
package struct KernelBench: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "kernels",
    abstract: "Kernels beside the machine's limits and other ways to move as much.",
    discussion: """
      Peers are compiled at the start with the g++ that is on PATH; docs/bench.md tells what each is, and
      tools/install --bench installs what they need. Without a compiler only Orrery's rows are measured.
      """)

  @Option(help: "Kinds: \(KernelKind.allCases.map(\.rawValue).joined(separator: ",")).")
  var kinds = KindList(KernelKind.allCases)

  @Option(help: "Numbers of entities.")
  var entities = NumberList([10_000, 100_000, 1_000_000, 10_000_000])

  @Option(help: "Instruction sets; those of this machine by default.")
  var isa = SetList(InstructionSet.allCases.filter(\.isSupported))

  @Option(help: "Numbers of threads.")
  var threads = NumberList([1, 2])

  @Option(help: "Ticks that are computed at once: 1, 2, 4 or 8.")
  var tile = NumberList([1, 8])

  @Option(help: "Rounds of each row.")
  var rounds: Int?

  @Option(help: "Seconds of a round of a row.")
  var seconds: Double?

  @Flag(help: "Two short rounds: whether everything works, not how fast.")
  var quick = false

  @Option(help: "Writes everything measured to a file.", completion: .file(extensions: ["json"]))
  var json: String?

  @Option(help: "Draws a roofline into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  package init() {}

  /// Rounds of each row: as asked for, otherwise two quick ones or seven.
  package var roundCount: Int { rounds ?? (quick ? 2 : 7) }

  /// Nanoseconds of a round of a row: as asked for, otherwise half a millisecond if quick, or ten.
  package var roundNs: UInt64 { UInt64((seconds ?? (quick ? 0.0005 : 0.01)) * 1e9) }

  package func validate() throws {
    guard (1...1000).contains(roundCount) else {
      throw ValidationError("--rounds \(roundCount): use 1 to 1000")
    }
    if let seconds, !(seconds > 0 && seconds <= 60) {
      throw ValidationError("--seconds \(seconds): use more than 0 and at most 60")
    }
    guard threads.numbers.allSatisfy({ $0 <= 1024 }) else {
      throw ValidationError("--threads: use 1 to 1024")
    }
    guard tile.numbers.allSatisfy({ [1, 2, 4, 8].contains($0) }) else {
      throw ValidationError("--tile: use 1, 2, 4 or 8")
    }
    if let count = entities.numbers.first(where: { $0 > 50_000_000 }) {
      throw ValidationError("--entities \(count): use at most 50000000")
    }
    if let set = isa.sets.first(where: { !$0.isSupported }) {
      throw ValidationError("--isa \(set.rawValue): this machine does not have it")
    }
    if let plot, PlotFile.Format(path: plot) == nil {
      throw ValidationError("--plot \(plot): use a name that ends in .png or .svg")
    }
  }

  package func run() throws {
    do {
      try refuseDebugBuild()
      // Check this before minutes are spent on a report that could not be written.
      for path in [json, plot].compactMap({ $0 }) { try Tool.checkIsWritable(path) }
      let run = try KernelRun(
        kinds: kinds.kinds, entities: entities.numbers, sets: isa.sets, threads: threads.numbers,
        tiles: tile.numbers, roundCount: roundCount, roundNs: roundNs, isQuick: quick)
      let report = try run.measure()
      try json.map { path throws(Failure) in try report.write(to: path) }
      if let plot, let format = PlotFile.Format(path: plot) {
        try Roofline.write(report, path: plot, format: format)
      }
    } catch let error as Failure {
      error.exit(program: "bench kernels")
    } catch let error as SceneError {
      Failure(.usage, error).exit(program: "bench kernels")
    } catch let error as SystemCallError {
      Failure(.unavailable, error).exit(program: "bench kernels")
    } catch let error as PlotError {
      Failure(.inputOutput, error).exit(program: "bench kernels")
    }
  }
}

/// Kinds separated by commas.
package struct KindList: ExpressibleByArgument {
  /// The kinds in their order.
  package let kinds: [KernelKind]

  /// Reads a word of the command line; nil if a part is not a kind.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    kinds = parts.compactMap { KernelKind(rawValue: String($0)) }
    guard !kinds.isEmpty, kinds.count == parts.count else { return nil }
  }

  /// Creates a list of these kinds.
  package init(_ kinds: [KernelKind]) { self.kinds = kinds }

  /// As typed on the command line.
  package var defaultValueDescription: String { kinds.map(\.rawValue).joined(separator: ",") }
}

/// Instruction sets separated by commas.
package struct SetList: ExpressibleByArgument {
  /// The instruction sets in their order.
  package let sets: [InstructionSet]

  /// Reads a word of the command line; nil if a part is not an instruction set.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    sets = parts.compactMap { InstructionSet(rawValue: String($0)) }
    guard !sets.isEmpty, sets.count == parts.count else { return nil }
  }

  /// Creates a list of these instruction sets.
  package init(_ sets: [InstructionSet]) { self.sets = sets }

  /// As typed on the command line.
  package var defaultValueDescription: String { sets.map(\.rawValue).joined(separator: ",") }
}
