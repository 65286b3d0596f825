// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryDocument

/// The options and arguments of a command, as its declarations say.
struct CommandParts {
  /// An option, a flag or an argument.
  struct Part {
    /// Names with their dashes; empty for an argument, which has a place and no name.
    let names: [String]
    /// Whether the next word is its value.
    let takesValue: Bool
    /// What stands for its value in help.
    let valueName: String
    /// Whether it may stand more than once.
    let isRepeating: Bool
    /// Its value where it is not given, as typed; empty if it has none.
    let defaultValue: String
    /// Its help.
    let help: String
    /// The words that it can have; empty if there are more than can be listed.
    let words: [String]
    /// Whether its value is the path of a directory.
    let isDirectory: Bool
  }

  /// Those that help shows, in its order.
  let parts: [Part]

  /// Reads the declarations of a command.
  init(_ command: any ParsableCommand.Type) {
    self = CommandTree(command).parts
  }

  /// Reads a command's table in the description that ArgumentParser prints for generators of manuals.
  init(_ command: DocumentTable) {
    let arguments = (command["arguments"]?.array ?? []).compactMap(\.table)
    parts = arguments.map { argument in
      let names = (argument["names"]?.array ?? []).compactMap { name -> String? in
        guard let table = name.table, let text = table["name"]?.string else { return nil }
        return (table["kind"]?.string == "long" ? "--" : "-") + text
      }
      return Part(
        names: names, takesValue: argument["kind"]?.string == "option",
        valueName: argument["valueName"]?.string ?? "",
        isRepeating: argument["isRepeating"]?.bool == true,
        defaultValue: argument["defaultValue"]?.string ?? "",
        help: argument["abstract"]?.string ?? "",
        words: (argument["allValues"]?.array ?? []).compactMap(\.string),
        isDirectory: argument["completionKind"]?.table?.has("directory") == true)
    }
  }

  /// The first word that looks like an option and is none.
  ///
  /// ArgumentParser would first say what is missing, of which the misspelt option may be the reason.
  func unknownOption(_ words: ArraySlice<String>) -> String? {
    var isValue = false
    for word in words.prefix(while: { $0 != "--" }) {
      let name = String(word.prefix { $0 != "=" })
      let part = part(name)
      // ArgumentParser takes a negative number for an option, and may complain of its lack instead.
      let isOption = word.hasPrefix("--") || word.hasPrefix("-") && Double(word) != nil
      if isOption, part == nil, !isValue, !Self.builtIn.contains(name) { return name }
      isValue = part?.takesValue == true && name == word
    }
    return nil
  }

  /// ArgumentParser's own options, as far as a command does not list them.
  static let builtIn: Set<String> = [
    "--version", "--help", "--help-hidden", "--generate-completion-script",
    "--experimental-dump-help",
  ]

  /// The part that a message of ArgumentParser means.
  ///
  /// - Parameter synopsis: Its name and its value, as `--rate <rate>`, or one of them.
  /// - Returns: Nil if the command has no such part.
  func part(_ synopsis: String) -> Part? {
    let name = synopsis.prefix { $0 != " " }
    return parts.first { part in
      part.names.isEmpty ? name == "<\(part.valueName)>" : part.names.contains(String(name))
    }
  }
}
