// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension CompletionScript {
  /// For bash 4 and later: `source` it, or put it into a folder of bash-completion.
  var bash: String {
    let name = tree.name
    var lines = [
      "# Completes the command line of \(name) in bash.", "_\(name)_runs() {",
      "  \(Self.listRuns)", "}", "_\(name)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at=\(name) known= i",
      "  # bash takes --option=value apart.", "  if [[ $cur == = ]]; then cur=; fi",
      "  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
    ]
    lines += descent(words: "COMP_WORDS", first: 1, cursor: "COMP_CWORD") + valueArms(reply)
    lines.append("  if [[ $cur == -* ]]; then")
    lines += commandArms { command in
      let options = command.parts.parts.flatMap(\.names).filter { $0.hasPrefix("--") }
      return "known=\(Self.list(options))"
    }
    lines.append("  else")
    lines += commandArms { command in
      let values = argumentValues(of: command)
      let known = Self.list(command.commands.map(\.name) + values.flatMap(\.words))
      return "known=\(known)" + (values.contains(.runs) ? "\" $(_\(name)_runs)\"" : "")
    }
    lines += [
      "  fi", #"  COMPREPLY=($(compgen -W "$known" -- "$cur"))"#, "}",
      "# Where nothing is known, a file may be meant.",
      "complete -o bashdefault -o default -F _\(name) \(name)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Words as one, which `compgen` takes apart.
  private static func list(_ words: [String]) -> String {
    ShellText.quoted(words.joined(separator: " "))
  }

  /// The statement that offers values.
  private func reply(_ value: Value) -> String {
    switch value {
    case .words(let words): "COMPREPLY=($(compgen -W \(Self.list(words)) -- \"$cur\"))"
    case .runs: "COMPREPLY=($(compgen -W \"$(_\(tree.name)_runs)\" -- \"$cur\"))"
    case .directory: "COMPREPLY=($(compgen -d -- \"$cur\"))"
    case .file: "COMPREPLY=()"
    }
  }
}

extension CompletionScript.Value {
  /// The words that are known when the script is written.
  var words: [String] { if case .words(let words) = self { words } else { [] } }
}
