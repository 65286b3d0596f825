// SPDX-License-Identifier: Apache-2.0

extension CompletionScript {
  /// For fish: a file of its folder of completions.
  var fish: String {
    let name = tree.name
    var lines = [
      "# Completes the command line of \(name) in fish.", "function __\(name)_runs",
      "  \(Self.listRuns)", "end", "# Whether the words so far lead to a command.",
      "function __\(name)_at", "  set -l at \(name)",
      "  for word in (commandline -opc)[2..-1]", "    switch \"$at $word\"",
    ]
    if !places.isEmpty {
      lines.append("      case \(places.map(Self.fishQuoted).joined(separator: " "))")
      lines.append("        set at \"$at $word\"")
    }
    lines += ["    end", "  end", "  test \"$at\" = \"$argv[1]\"", "end"]
    for (words, command) in commands {
      let head = "complete -c \(name) -n \(Self.fishQuoted("__\(name)_at '\(words)'"))"
      for below in command.commands {
        lines.append(
          "\(head) -f -a \(below.name) -d \(Self.fishQuoted(Self.short(below.abstract)))")
      }
      for part in command.parts.parts {
        guard !part.names.isEmpty else {
          lines.append(head + arguments(value(of: part), isOption: false))
          continue
        }
        let options = part.names.map { option in
          option.hasPrefix("--") ? " -l \(option.dropFirst(2))" : " -s \(option.dropFirst())"
        }
        let value = part.takesValue ? arguments(value(of: part), isOption: true) : ""
        lines.append(
          head + options.joined() + value + " -d \(Self.fishQuoted(Self.short(part.help)))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The options of `complete` for a value.
  private func arguments(_ value: Value, isOption: Bool) -> String {
    let exclusive = isOption ? " -x" : " -f"
    return switch value {
    case .words(let words): "\(exclusive) -a \(Self.fishQuoted(words.joined(separator: " ")))"
    case .runs: "\(exclusive) -a '(__\(tree.name)_runs)'"
    case .directory: "\(exclusive) -a '(__fish_complete_directories)'"
    case .file: isOption ? " -r" : " -F"
    }
  }

  /// A text in single quotes, in which fish knows two escapes.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
