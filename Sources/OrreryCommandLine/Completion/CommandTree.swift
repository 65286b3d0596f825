// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryDocument

/// A command with its options, arguments and subcommands, as its declarations say.
///
/// It is read from the description that ArgumentParser prints for generators of manuals, so that the tree of one program
/// can hold those of others, which it asks for theirs.
package struct CommandTree {
  /// The name, as it is typed.
  package let name: String
  /// What it does, in a line.
  let abstract: String
  /// Options, flags and arguments that help shows.
  let parts: CommandParts
  /// Subcommands in the order of the help.
  package private(set) var commands: [CommandTree]

  /// The tree of a command of this program.
  package init(_ command: any ParsableCommand.Type) {
    // The library's own text: it is always a document.
    self = Self(dump: command._dumpHelp()) ?? Self(name: command._commandName)
  }

  /// Reads a description; nil for another text.
  ///
  /// - Parameter dump: What a program prints for `--experimental-dump-help`.
  package init?(dump: String) {
    guard let table = try? JSONParser.parse(Array(dump.utf8)).table,
      let command = table["command"]?.table
    else { return nil }
    self.init(command)
  }

  private init(_ table: DocumentTable) {
    name = table["commandName"]?.string ?? ""
    abstract = table["abstract"]?.string ?? ""
    parts = CommandParts(table)
    let tables = (table["subcommands"]?.array ?? []).compactMap(\.table)
    commands = tables.filter { $0["shouldDisplay"]?.bool != false }.map(Self.init)
  }

  private init(name: String) {
    (self.name, abstract, parts, commands) = (name, "", CommandParts(DocumentTable()), [])
  }

  /// Adds commands that other programs have, before the last one, which is `help`.
  package mutating func add(_ others: [CommandTree]) {
    commands.insert(contentsOf: others, at: max(commands.count - 1, 0))
  }

  /// Every command below and with this one, each with all words that lead to it.
  var all: [(words: String, command: CommandTree)] {
    [(name, self)]
      + commands.flatMap { below in
        below.all.map { ("\(name) \($0.words)", $0.command) }
      }
  }
}
