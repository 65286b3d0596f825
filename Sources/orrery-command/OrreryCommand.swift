// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrrerySupervisor

/// The only program of Orrery that must be on PATH.
@main struct OrreryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orrery",
    abstract: "Run animation like a physics engine.",
    discussion: """
      Examples:
        orrery run flags --duration 10 --out demo
        orrery control demo pause
        orrery sample flags --at 0,2.5 --json
        orrery hash stress --tick 100000
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --plot spring.svg
      orrery NAME … runs the program NAME that stands beside it: sim, renderer, logger, bench.
      """,
    version: "orrery 0.1.0",
    subcommands: [
      RunCommand.self, ControlCommand.self, SampleCommand.self, HashCommand.self, EvalCommand.self,
      CurveCommand.self, KeygenCommand.self,
    ])

  /// Becomes the sibling program that the first word names, or runs a subcommand.
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if let name = words.first, !isOwn(name) {
      Sibling.replaceThisProcess(with: name, arguments: Array(words.dropFirst()))
    }
    main(words)
  }

  private static func isOwn(_ word: String) -> Bool {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    return word.hasPrefix("-") || word == "help" || names.contains(word)
  }
}
