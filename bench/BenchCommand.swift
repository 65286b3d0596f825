// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryPlot
import OrreryRender
import OrreryScene

/// Measures the stages of Orrery on this machine.
package struct BenchCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    program: "bench",
    abstract: "Measure what ticks, frames and pictures cost on this machine.",
    usage: "[AREA] [OPTIONS]",
    discussion: """
      Examples:
        orrery bench
        orrery bench run stress --entities 1000000
        orrery bench tick --entities 10000,1000000
        orrery bench transport --check
      Rounds of all rows are interleaved, so that a noisy machine hits all alike; the
      fastest round and the median are printed. A debug build refuses to measure.
      """,
    subcommands: [
      StudyBench.self, RunBench.self, CapacityBench.self, SweepBench.self, CompareBench.self,
      ReportBench.self, SaveBench.self, HistoryBench.self, TickBench.self, KernelBench.self,
      ViewBench.self, DrawBench.self, TransportBench.self, SubscriberBench.self, StartupBench.self,
      PipelineBench.self, RecordBench.self, TransportPart.self, SubscriberPart.self,
      ReaderPart.self, TurnPart.self, CheckCompareBench.self, CountPart.self,
    ],
    defaultSubcommand: StudyBench.self)

  package init() {}
}

extension ParsableCommand {
  /// Runs an area of the benchmark: an error becomes one line and an exit code.
  ///
  /// A debug build is refused: it would measure unoptimized code.
  ///
  /// - Parameters:
  ///   - paths: Files to write at the end; they are opened before the measurement, which takes minutes.
  ///   - isChecked: Whether a missed goal is a failure.
  ///   - measure: Measures and writes; returns the judged goals, if the area has any.
  /// - Throws: `ExitCode` for a missed goal, and errors of no module of Orrery.
  func runArea(
    writing paths: [String?] = [], isChecked: Bool = false, _ measure: () throws -> [BenchGoal]
  ) throws {
    let program = "orrery bench \(Self.configuration.commandName ?? "")"
    do {
      try refuseDebugBuild()
      let paths = paths.compactMap { $0 }
      Standard.sayReplaced(paths, by: program)
      for path in paths { try Tool.checkIsWritable(path) }
      let goals = try measure()
      if isChecked, GoalCount(goals).missed > 0 { throw ExitCode(ExitStatus.unmet.rawValue) }
    } catch let error as Failure {
      error.exit(program: program)
    } catch let error as SceneError {
      Failure(.usage, error).exit(program: program)
    } catch let error as RenderError {
      Failure(.usage, error).exit(program: program)
    } catch let error as PlotError {
      Failure(.inputOutput, error).exit(program: program)
    } catch let error as SystemCallError {
      Failure(.unavailable, error).exit(program: program)
    }
  }

  /// Checks the name of a plot.
  func checkPlot(_ path: String?) throws {
    if let path, PlotFile.Format(path: path) == nil {
      throw ValidationError("--plot \(path): use a name that ends in .png or .svg")
    }
  }
}

/// Rounds of an area.
let roundRange = OptionRange(1...1000)

/// Refuses a debug build: it would measure unoptimized code.
func refuseDebugBuild() throws(Failure) {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  if isDebug {
    throw Failure(.usage, "this is a debug build; measure with: swift build -c release")
  }
}
