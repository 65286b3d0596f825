// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// The standard study: the cost of Orrery on this machine, on one screen.
struct StudyBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "What it all costs on this machine, in two minutes.",
    usage: "orrery bench study [OPTIONS]",
    discussion: """
      Examples:
        orrery bench
        orrery bench study --out old.json
        orrery bench compare old.json new.json
      Ticks of nine workloads, each with the hash of its state and the time that
      writing as many bytes takes; then frames through whole programs. Run nothing
      else meanwhile: the last lines name what disturbed.
      """)

  @Flag(help: "Small and quick: does everything work?")
  var quick = false

  @OptionGroup var progress: ProgressOption

  @OptionGroup var results: ResultOptions

  func run() throws {
    try runArea(writing: [results.out]) {
      var plan = StudyRun.Plan(
        workloads: Workload.all, title: quick ? "short study" : "study",
        command: StudyOutput.command)
      var frames = StudyRun.Frames(sim: ["stress", "--threads", "1"])
      if quick {
        plan.workloads = plan.workloads.map { $0.reduced(to: 20, entities: 1000) }
        (plan.rounds, plan.roundNs, plan.repeatSeconds) = (4, 200_000, 0)
        frames = StudyRun.Frames(
          sim: ["stress", "--threads", "1", "--entities", "1000"])
        (frames.seconds, frames.turns) = (0.5, 1)
      }
      plan.frames = frames
      try StudyOutput.finish(plan, results, progress.line)
      return []
    }
  }
}

/// The part that `bench study` and `bench run` share: measuring, printing and writing a plan's result.
enum StudyOutput {
  /// The command line of this process, to do it again.
  static var command: String {
    (["orrery", "bench"] + CommandLine.arguments.dropFirst().map(SweepScript.quoted))
      .joined(separator: " ")
  }

  /// Measures, prints and writes.
  ///
  /// - Throws: `ExitCode` 1 if it was interrupted; what was measured is written then.
  static func finish(_ plan: StudyRun.Plan, _ results: ResultOptions, _ line: ProgressLine) throws {
    StopSignals.installHandlers()
    let result = try StudyRun(plan) { line.show($0) }.measure()
    line.close()
    results.show(StudyText.text(result))
    try result.finish(results)
    if result.isPartial { throw ExitCode(ExitStatus.unmet.rawValue) }
  }
}
