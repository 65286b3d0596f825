// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A shell whose scripts complete the words of a command line.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

/// The script by which a shell completes a program's command line.
///
/// ArgumentParser writes such scripts for one program; `orrery` runs others under its name, so theirs must be part of its
/// own. In all three shells, the words before the cursor lead to a command of the tree, and the word before the cursor is
/// an option that wants a value, or is not.
package struct CompletionScript {
  let tree: CommandTree
  /// Names that an argument or option may have although no declaration lists them, by the name of its value.
  let names: [String: [String]]

  /// A script.
  ///
  /// - Parameters:
  ///   - tree: The program's commands.
  ///   - names: What a value may be although no declaration lists it, by its name in help: the scenes for `scene`.
  package init(_ tree: CommandTree, names: [String: [String]] = [:]) {
    (self.tree, self.names) = (tree, names)
  }

  /// The script's text.
  package func text(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// Lists the names of this user's runs; without a run, nothing.
  static let listRuns = "orrery ps 2>/dev/null | awk 'NR > 1 && /^[^ ]/ { print $1 }'"

  /// What stands in the place of a value.
  enum Value: Equatable {
    case words([String])
    case runs
    case directory
    case file
  }

  /// What an option's or an argument's value can be.
  func value(of part: CommandParts.Part) -> Value {
    if !part.words.isEmpty { return .words(part.words) }
    if let known = names[part.valueName] { return .words(known) }
    if part.isDirectory { return .directory }
    return part.valueName == "run" ? .runs : .file
  }

  /// All commands, each with the words that lead to it.
  var commands: [(words: String, command: CommandTree)] { tree.all }

  /// The words that lead to each command below the program itself.
  var places: [String] { commands.dropFirst().map(\.words) }

  /// The values of a command's arguments, which have a place and no name: of all, wherever the cursor is.
  func argumentValues(of command: CommandTree) -> [Value] {
    command.parts.parts.filter(\.names.isEmpty).map(value)
  }

  /// The first sentence of a help text.
  static func short(_ help: String) -> String {
    let line = help.prefix { $0 != "\n" }
    let end = line.firstRange(of: ". ")?.lowerBound ?? line.endIndex
    let sentence = line[..<end]
    let isWhole = sentence.hasSuffix(".") && !sentence.hasSuffix("..")
    return String(isWhole ? sentence.dropLast() : sentence)
  }
}
