// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrrerySupervisor

/// Runs a scene in three processes.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a scene in three processes: sim, renderer and logger.",
    discussion: """
      Example: orrery run flags --duration 10 --out demo
      Leaves SCENE.mp4, SCENE.png and SCENE.mcap in the directory of --out; files of these names are
      replaced. Ctrl-C ends the run in order; a second one ends it at once.
      """)

  @OptionGroup var arguments: WholeRunArguments

  func run() throws {
    do throws(Failure) {
      StopSignals.installHandlers()
      // Check the scene first: a bad one then gives a single error line and starts no process.
      let plan = try arguments.scene.plan()
      try arguments.makeDirectory()
      let display = ProgressDisplay(isQuiet: arguments.json, duration: arguments.duration)
      var supervisor = Supervisor(display: display)
      let name = plan.name.isEmpty ? "scene" : plan.name
      let outcome = try supervisor.run(arguments.programs(scene: name))
      Standard.output(arguments.json ? outcome.json : outcome.text)
      if let failure = outcome.failure { throw failure }
    } catch {
      error.exit(program: "orrery run")
    }
  }
}
