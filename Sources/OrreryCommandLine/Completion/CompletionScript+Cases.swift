// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What bash and zsh write alike: a command is found, and an answer chosen, by `case`.
extension CompletionScript {
  /// An arm of a `case`.
  static func arm(_ patterns: [String], _ statements: String) -> String {
    "    (\(patterns.map(ShellText.quoted).joined(separator: "|"))) \(statements) ;;"
  }

  /// The loop that leads from the program to the command of the words before the cursor, in `at`.
  ///
  /// - Parameters:
  ///   - words: The shell's array of words.
  ///   - first: The index of the first word after the program's name.
  ///   - cursor: The variable with the index of the word at the cursor.
  /// - Returns: Lines of the script.
  func descent(words: String, first: Int, cursor: String) -> [String] {
    let word = "$at ${\(words)[i]}"
    return ["  for ((i = \(first); i < \(cursor); i++)); do", "    case \"\(word)\" in"]
      + (places.isEmpty ? [] : [Self.arm(places, "at=\"\(word)\"")]) + ["    esac", "  done"]
  }

  /// The answers to an option that wants a value: the word before the cursor.
  ///
  /// - Parameter offer: The statement that offers a value.
  /// - Returns: Lines of the script.
  func valueArms(_ offer: (Value) -> String) -> [String] {
    let arms = commands.flatMap { words, command in
      command.parts.parts.filter(\.takesValue).map { part in
        Self.arm(part.names.map { "\(words) \($0)" }, "\(offer(value(of: part))); return")
      }
    }
    return [#"  case "$at $prev" in"#] + arms + ["  esac"]
  }

  /// The answers by command.
  ///
  /// - Parameter statements: What is done for a command.
  /// - Returns: Lines of the script.
  func commandArms(_ statements: (CommandTree) -> String) -> [String] {
    [#"  case "$at" in"#] + commands.map { Self.arm([$0.words], statements($0.command)) }
      + ["  esac"]
  }
}
