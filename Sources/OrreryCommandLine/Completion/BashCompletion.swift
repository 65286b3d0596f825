// SPDX-License-Identifier: Apache-2.0

extension CompletionScript {
  /// For bash 4 and later: `source` it, or put it into a folder of bash-completion.
  var bash: String {
    let name = tree.name
    var lines = [
      "# Completes the command line of \(name) in bash.", "_\(name)_runs() {",
      "  \(Self.listRuns)", "}", "_\(name)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at=\(name) known= i",
      "  # bash takes --option=value apart.",
      "  if [[ $cur == = ]]; then cur=; fi",
      "  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
      "  for ((i = 1; i < COMP_CWORD; i++)); do", #"    case "$at ${COMP_WORDS[i]}" in"#,
    ]
    if !places.isEmpty {
      lines.append("      \(places.map(Self.quoted).joined(separator: " | ")))")
      lines.append(#"        at="$at ${COMP_WORDS[i]}" ;;"#)
    }
    lines += ["    esac", "  done", #"  case "$at $prev" in"#]
    for (words, command) in commands {
      for part in command.parts.parts where part.takesValue {
        let options = part.names.map { Self.quoted("\(words) \($0)") }.joined(separator: " | ")
        lines.append("    \(options)) \(reply(value(of: part))); return ;;")
      }
    }
    lines += ["  esac", "  if [[ $cur == -* ]]; then", #"    case "$at" in"#]
    for (words, command) in commands {
      let options = command.parts.parts.flatMap(\.names).filter { $0.hasPrefix("--") }
      lines.append(
        "      \(Self.quoted(words))) known=\(Self.quoted(options.joined(separator: " "))) ;;")
    }
    lines += ["    esac", "  else", #"    case "$at" in"#]
    for (words, command) in commands {
      let known = command.commands.map(\.name) + argumentValues(of: command).flatMap { $0.words }
      var text = Self.quoted(known.joined(separator: " "))
      if argumentValues(of: command).contains(.runs) { text += "\" $(_\(name)_runs)\"" }
      lines.append("      \(Self.quoted(words))) known=\(text) ;;")
    }
    lines += [
      "    esac", "  fi", #"  COMPREPLY=($(compgen -W "$known" -- "$cur"))"#, "}",
      "# Where nothing is known, a file may be meant.",
      "complete -o bashdefault -o default -F _\(name) \(name)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The statement that offers values.
  private func reply(_ value: Value) -> String {
    switch value {
    case .words(let words):
      "COMPREPLY=($(compgen -W \(Self.quoted(words.joined(separator: " "))) -- \"$cur\"))"
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
