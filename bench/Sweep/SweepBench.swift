// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// Measures every combination of a grid of settings, case by case.
struct SweepBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "A grid of settings: numbered cases, which can be resumed.",
    usage: "orrery bench sweep PLAN.toml [OPTIONS]",
    discussion: """
      Examples:
        orrery bench sweep threads.toml --out threads --resume
        orrery bench sweep threads.toml --out threads --case 7
        orrery bench sweep threads.toml --out threads --slurm
      Each case is a file in the folder, there as a whole or not at all; a complete
      case is skipped. figures.csv has a line for each figure of all complete cases;
      orrery bench report FOLDER makes a page of them. docs/how-to/sweep.md shows
      Slurm, GNU parallel, Ray, Parquet and DuckDB.
      """)

  @Argument(help: "The plan: a file of TOML.", completion: .file(extensions: ["toml"]))
  var plan: String

  @Option(help: "Measure this case only, from 0.")
  var `case`: Int?

  @Option(help: "The folder of the results.", completion: .directory)
  var out = "sweep"

  @Flag(help: "Go on with a folder that has results.")
  var resume = false

  @Flag(help: "List the cases and whether they are complete, and measure nothing.")
  var list = false

  @Flag(help: "Print a job array for Slurm, and measure nothing.")
  var slurm = false

  @Flag(help: "Print a line for GNU parallel, and measure nothing.")
  var parallel = false

  @OptionGroup var progress: ProgressOption

  func validate() throws {
    guard [list, slurm, parallel].count(where: { $0 }) <= 1 else {
      throw ValidationError("--list, --slurm and --parallel exclude each other")
    }
    if let number = `case`, number < 0 { throw ValidationError("--case \(number): use 0 or more") }
  }

  func run() throws {
    try runArea {
      let sweep = try SweepPlan.read(plan)
      if let number = `case`, number >= sweep.cases.count {
        throw Failure(.usage, "--case \(number): \(plan) has cases 0 to \(sweep.cases.count - 1)")
      }
      let folder = SweepFolder(out, sweep)
      // Slurm writes its logs there, and starts no task if it cannot.
      if slurm || !(list || parallel) { try folder.make() }
      if slurm { Standard.output(SweepScript.slurm(sweep, file: plan, folder: out)) }
      if parallel { Standard.output(SweepScript.parallel(sweep, file: plan, folder: out)) }
      guard !slurm, !parallel else { return [] }
      if list {
        try show(sweep, in: folder)
      } else {
        StopSignals.installHandlers()
        try measure(sweep, in: folder)
      }
      return []
    }
  }

  private func show(_ sweep: SweepPlan, in folder: SweepFolder) throws(Failure) {
    for one in sweep.cases {
      let state = try folder.result(of: one) == nil ? "to do   " : "complete"
      Standard.output("\(state)  \(one.title(of: sweep))\n")
    }
  }

  private func measure(_ sweep: SweepPlan, in folder: SweepFolder) throws {
    let missing = try folder.missing()
    let isFresh = missing.count == sweep.cases.count
    guard `case` != nil || resume || isFresh else {
      throw Failure(
        .usage,
        "\(out): has \(sweep.cases.count - missing.count) of \(sweep.cases.count) cases;"
          + " --resume goes on, another --out begins anew")
    }
    let line = progress.line
    for one in missing where `case` == nil || one.number == `case` {
      Standard.output(one.title(of: sweep) + "\n")
      let command = "orrery bench sweep \(plan) --out \(out) --case \(one.number)"
      let study = one.settings.study(title: one.title(of: sweep), command: command)
      var result = try StudyRun(study) { line.show($0) }.measure()
      line.close()
      (result.varied, result.caseHash) = (one.words, one.hash)
      try result.write(to: folder.path(of: one))
      guard !result.isPartial else {
        Standard.output("interrupted; --resume goes on with this case\n")
        throw ExitCode(ExitStatus.unmet.rawValue)
      }
    }
    try AtomicFile.write(folder.table(), to: out + "/figures.csv")
    let left = try folder.missing().count
    Standard.output(
      "\(sweep.cases.count - left) of \(sweep.cases.count) cases are complete in \(out)/;"
        + " orrery bench report \(out) makes a page of them\n")
  }
}
