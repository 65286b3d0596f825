// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension CompletionScript {
  /// For zsh: `_orrery` in a folder of `fpath`, or sourced after `compinit`.
  var zsh: String {
    let name = tree.name
    var lines = [
      "#compdef \(name)", "# Completes the command line of \(name) in zsh.", "_\(name)_runs() {",
      "  \(Self.listRuns)", "}", "_\(name)() {",
      "  local cur=${words[CURRENT]} prev=${words[CURRENT-1]} at=\(name) i",
      "  local -a entries",
      "  if [[ $cur == --*=* ]]; then prev=${cur%%=*}; compset -P '*='; fi",
    ]
    lines += descent(words: "words", first: 2, cursor: "CURRENT") + valueArms(add)
    lines.append("  if [[ $cur == -* ]]; then")
    lines += commandArms { command in
      let entries = command.parts.parts.flatMap { part in
        part.names.map { Self.entry($0, part.help) }
      }
      return "entries=(\(entries.joined(separator: " ")))"
    }
    lines += ["    _describe option entries", "    return", "  fi"]
    lines += commandArms { command in
      let entries = command.commands.map { Self.entry($0.name, $0.abstract) }
      let names =
        entries.isEmpty
        ? [] : ["entries=(\(entries.joined(separator: " "))); _describe command entries"]
      let statements = names + argumentValues(of: command).map(add)
      return statements.isEmpty ? "_files" : statements.joined(separator: "; ")
    }
    lines += [
      "}",
      "if [[ $funcstack[1] == _\(name) ]]; then _\(name) \"$@\"; else compdef _\(name) \(name); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ name: String, _ help: String) -> String {
    ShellText.quoted("\(name.replacing(":", with: #"\:"#)):\(short(help))")
  }

  /// The statement that offers values.
  private func add(_ value: Value) -> String {
    switch value {
    case .words(let words): "compadd -- \(words.map(ShellText.quoted).joined(separator: " "))"
    case .runs: "compadd -- $(_\(tree.name)_runs)"
    case .directory: "_files -/"
    case .file: "_files"
    }
  }
}
