// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryScene
import OrrerySupervisor

/// The only program of Orrery that must be on PATH.
@main struct OrreryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orrery",
    abstract: "Run animation like a physics engine.",
    usage: "orrery COMMAND [ARGUMENTS] [OPTIONS]",
    discussion: """
      Examples:
        orrery run flags --duration 10 --out demo
        orrery sample flags --at 0,2.5 --json
        orrery hash stress --tick 100000
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --plot spring.svg
      orrery NAME … runs the program NAME that stands beside it: sim, renderer,
      logger, live, metrics, bench.
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, ControlCommand.self, SampleCommand.self, HashCommand.self, EvalCommand.self,
      CurveCommand.self, KeygenCommand.self, PsCommand.self, TopCommand.self,
      CleanCommand.self,
      DoctorCommand.self, ConfigCommand.self, SceneCommand.self, TraceCommand.self,
      PictureCommand.self,
      VersionCommand.self,
    ])

  /// Programs that stand beside this one.
  private static let siblings = ["sim", "renderer", "logger", "live", "metrics", "bench"]

  /// Becomes the sibling program that the first word names, or runs a subcommand.
  static func main() {
    let words = CommandLineProgram.words
    let program = CommandLineProgram(Self.self, others: siblings, completion: completion)
    program.refuseForeignText(words)
    // These look at dead runs first.
    if !["control", "ps", "top", "clean"].contains(words.first) { DeadRuns.remove() }
    if let name = words.first, !isOwn(name) {
      Sibling.replaceThisProcess(with: name, arguments: Array(words.dropFirst()))
    } else if words.first == "help", words.count > 1, !isOwn(words[1]) {
      Sibling.replaceThisProcess(with: words[1], arguments: words.dropFirst(2) + ["--help"])
    }
    program.run(words)
  }

  /// The script for all programs: the siblings describe their own commands.
  private static func completion() -> CompletionScript {
    var tree = CommandTree(Self.self)
    tree.add(
      siblings.compactMap { name in
        Sibling.output(of: name, arguments: ["--experimental-dump-help"]).flatMap(CommandTree.init)
      })
    return CompletionScript(
      tree,
      names: [
        "scene": BuiltInScenes.names, "scenes": BuiltInScenes.names,
        "words": ControlWords.verbNames,
      ])
  }

  private static func isOwn(_ word: String) -> Bool {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    return word.hasPrefix("-") || word == "help" || names.contains(word)
  }
}
