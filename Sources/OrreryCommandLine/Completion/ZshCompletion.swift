// SPDX-License-Identifier: Apache-2.0

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
      "  for ((i = 2; i < CURRENT; i++)); do", #"    case "$at ${words[i]}" in"#,
    ]
    if !places.isEmpty {
      lines.append("      (\(places.map(Self.quoted).joined(separator: "|")))")
      lines.append(#"        at="$at ${words[i]}" ;;"#)
    }
    lines += ["    esac", "  done", #"  case "$at $prev" in"#]
    for (words, command) in commands {
      for part in command.parts.parts where part.takesValue {
        let options = part.names.map { Self.quoted("\(words) \($0)") }.joined(separator: "|")
        lines.append("    (\(options)) \(add(value(of: part))); return ;;")
      }
    }
    lines += ["  esac", "  if [[ $cur == -* ]]; then", #"    case "$at" in"#]
    for (words, command) in commands {
      let entries = command.parts.parts.flatMap { part in
        part.names.map { Self.entry($0, part.help) }
      }
      lines.append(
        "      (\(Self.quoted(words))) entries=(\(entries.joined(separator: " "))) ;;")
    }
    lines += [
      "    esac", "    _describe option entries", "    return", "  fi", #"  case "$at" in"#,
    ]
    for (words, command) in commands {
      let entries = command.commands.map { Self.entry($0.name, $0.abstract) }
      let values = argumentValues(of: command)
      var text =
        entries.isEmpty
        ? "" : " entries=(\(entries.joined(separator: " "))); _describe command entries;"
      for value in values { text += " \(add(value));" }
      lines.append("    (\(Self.quoted(words)))\(text.isEmpty ? " _files;" : text)")
      lines[lines.count - 1] += ";"
    }
    lines += [
      "  esac", "}",
      "if [[ $funcstack[1] == _\(name) ]]; then _\(name) \"$@\"; else compdef _\(name) \(name); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ name: String, _ help: String) -> String {
    quoted("\(name.replacing(":", with: #"\:"#)):\(short(help))")
  }

  /// The statement that offers values.
  private func add(_ value: Value) -> String {
    switch value {
    case .words(let words): "compadd -- \(words.map(Self.quoted).joined(separator: " "))"
    case .runs: "compadd -- $(_\(tree.name)_runs)"
    case .directory: "_files -/"
    case .file: "_files"
    }
  }
}
