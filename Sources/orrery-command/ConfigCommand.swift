// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrrerySupervisor

/// Options that files and the environment set.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show options that files and the environment set.",
    usage: "orrery config VERB [ARGUMENTS]",
    discussion: """
      Example:
        orrery config show
      docs/reference/configuration.md describes the files.
      """,
    subcommands: [ConfigShowCommand.self])
}

/// Prints what is set, and where.
struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print what is set, and where each value comes from.",
    usage: "orrery config show [PROGRAM] [OPTIONS]",
    discussion: """
      Examples:
        orrery config show
        orrery config show sim
      Without a program it prints what is set, for all of them.
      """)

  @Argument(help: "run, sim, renderer, logger or live: all of its options, with defaults.")
  var program: String?

  func validate() throws {
    let programs = Configuration.programs
    guard let program, !programs.contains(program) else { return }
    throw ValidationError(
      "<program> \(program): use \(programs.joined(separator: ", "))"
        + NearestName.question(program, among: programs))
  }

  func run() throws {
    var rows: [[String]] = []
    for name in program.map({ [$0] }) ?? Configuration.programs {
      guard let tree = Self.tree(name) else {
        throw Failure(.unavailable, "\(name) is not beside this program")
      }
      let options = try Configuration(of: name) { tree }.all(tree)
      for option in options where program != nil || option.source != nil {
        rows.append([name, option.option, option.value, option.source ?? "default"])
      }
    }
    let files = Configuration.files.map { $0.exists ? $0.path : $0.path + " (not there)" }
    Standard.output(
      (rows.isEmpty ? "nothing is set\n" : Self.table(rows)) + "files: "
        + files.joined(separator: ", ") + "\n")
  }

  /// A program's options; nil if it cannot say them.
  private static func tree(_ program: String) -> CommandTree? {
    program == RunCommand.configuration.commandName
      ? CommandTree(RunCommand.self)
      : Sibling.output(of: program, arguments: ["--experimental-dump-help"])
        .flatMap(CommandTree.init)
  }

  private static func table(_ rows: [[String]]) -> String {
    let all = [["program", "option", "value", "from"]] + rows
    let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = zip(row, widths).map { $0.alignedLeft($1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
