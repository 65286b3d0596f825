// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Orrery
import OrreryArguments
import OrreryBase
import OrreryConsole
import OrreryFrame
import OrreryMessages
import OrrerySupervisor

/// Runs a scene in three processes.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a scene in three processes: sim, renderer and logger.",
    usage: "orrery run SCENE [OPTIONS]",
    discussion: """
      Example:
        orrery run flags --duration 10 --out demo
      Leaves SCENE.mp4, SCENE.png and SCENE.mcap in the directory of --out; files of
      these names are replaced, and it says which. Ctrl-C ends the run in order; a
      second one ends it at once, with exit code 130, and names the files that are
      incomplete.
      On a terminal, keys steer the run: space pauses and resumes, '.' publishes one
      tick, + and - change the speed, arrows seek by 1 and 10 seconds, q ends the
      run. With --live a browser shows the run, and steers it.
      """)

  @OptionGroup var arguments: WholeRunArguments

  func run() throws {
    StopSignals.installHandlers()
    arguments.publishing.log.bootstrap(program: "orrery run")
    // Check everything first: what is bad then gives a single error line and starts no process.
    let recorded = arguments.part.recordEntity
    let plan = try arguments.publishing.scene.plan(checksOnly: recorded.isEmpty)
    if !recorded.isEmpty {
      _ = try EntityList(
        recorded, names: EntityNames(plan.layout), entityCount: plan.entityCount,
        option: "--record-entity")
    }
    arguments.publishing.scene.noteLeftOut(
      of: plan, by: "orrery run", isJSON: arguments.progressStyle == .json)
    _ = try arguments.publishing.options(run: "", rate: plan.rate)
    let name = plan.name.isEmpty ? "scene" : plan.name
    var runName = RunName(given: arguments.runName, scene: name)
    var run = try runName.next()
    let made = try arguments.makeDirectory()
    if made.count > 1 {
      // Parents that are missing may be a wrong word.
      Standard.note(
        "made the directories \(made.joined(separator: ", "))", by: "orrery run",
        isJSON: arguments.progressStyle == .json)
    }
    let timeline = arguments.publishing.timeline
    var outputs: [OutputPaths.Output] = arguments.programs(run: run).flatMap { program in
      program.outputs.map { (program.name, $0) }
    }
    if let timeline { outputs.append(("--timeline", timeline)) }
    if let clash = OutputPaths.clash(outputs, inputs: [arguments.publishing.scene.scene]) {
      throw Failure(.usage, clash)
    }
    Standard.sayReplaced(
      outputs.map(\.path), by: "orrery run", isJSON: arguments.progressStyle == .json)
    if let timeline { try ProgramTimeline.clear(timeline) }
    var arguments = arguments
    // Until the run's end: its sim reads it.
    let scene = try arguments.publishing.scene.holdStream(plan)
    defer { withExtendedLifetime(scene) {} }
    var outcome = try runOnce(arguments, run, rate: plan.rate)
    // Another sim may have taken a free name before this run's sim did.
    while runName.isFree, outcome.lacksName {
      run = try runName.next()
      outcome = try runOnce(arguments, run, rate: plan.rate)
    }
    if let timeline { ProgramTimeline.mend(timeline) }
    Standard.output(arguments.json ? outcome.json : outcome.text)
    // The summary names the failure itself.
    if let failure = outcome.failure { failure.exit(program: "orrery run") }
  }

  private func runOnce(
    _ arguments: WholeRunArguments, _ run: String, rate: TickRate
  ) throws -> RunOutcome {
    let duration = arguments.publishing.length.seconds(rate: rate)
    let style = arguments.progressStyle
    // Keys are for a person who sees what they do.
    let keyboard = style == .line ? Keyboard() : nil
    let steering = keyboard == nil ? nil : try RunSteering(try RunDirectory(name: run))
    var display = ProgressDisplay(
      style: style, run: run, duration: duration, hint: keyboard == nil ? nil : RunKey.help)
    if !arguments.json {
      display.note(RunSteering.firstLine(run: run))
    }
    var supervisor = Supervisor(display: display, keyboard: keyboard, steering: steering)
    let outcome = try supervisor.run(arguments.programs(run: run))
    if outcome.hasKilledSim { removeDirectory(of: run) }
    return outcome
  }

  /// Removes what a killed sim has left in the runtime directory, unless another sim has the name.
  private func removeDirectory(of run: String) {
    guard let directory = try? RunDirectory(name: run) else { return }
    // The lock's end removes the directory.
    _ = try? RunLock(directory)
  }
}
